// expects tapps:discarded-result
class Injected {
    String clean(String name) {
        name.trim();
        return name;
    }
}
