// expects tapps:exit-in-library
class Injected {
    void stop() {
        System.exit(1);
    }
}
