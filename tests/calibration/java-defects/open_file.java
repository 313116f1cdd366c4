// expects tapps:unclosed-resource
class Injected {
    int first(String name) throws java.io.IOException {
        java.io.FileInputStream in = new java.io.FileInputStream(name);
        return in.read();
    }
}
