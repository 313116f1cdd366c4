// expects tapps:boxed-monitor
class Injected {
    private Integer count = 0;

    void add() {
        synchronized (count) {
            count++;
        }
    }
}
