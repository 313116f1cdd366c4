// expects tapps:unsafe-double-check
class Injected {
    private Object made;

    Object get() {
        if (made == null) {
            synchronized (this) {
                if (made == null) {
                    made = new Object();
                }
            }
        }
        return made;
    }
}
