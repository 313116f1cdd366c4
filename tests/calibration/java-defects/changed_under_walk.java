// expects tapps:modified-while-iterating
class Injected {
    void clean(java.util.List<String> names) {
        for (String name : names) {
            if (name.isEmpty()) {
                names.remove(name);
            }
        }
    }
}
