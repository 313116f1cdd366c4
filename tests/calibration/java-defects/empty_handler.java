// expects tapps:swallowed-exception
class Injected {
    int parse(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
        }
        return 0;
    }
}
