// expects tapps:runtime-exec-text
class Injected {
    void run(String name) throws Exception {
        Runtime.getRuntime().exec("tar xf " + name);
    }
}
