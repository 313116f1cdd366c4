// expects tapps:system-exit
class Injected {
    void stop() {
        System.exit(1);
    }
}
