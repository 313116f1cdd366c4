// expects tapps:return-in-finally
class Injected {
    boolean save() {
        try {
            write();
        } finally {
            return true;
        }
    }
}
