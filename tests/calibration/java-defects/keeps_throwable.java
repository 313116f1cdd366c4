// expects tapps:caught-throwable
class Injected {
    void run(Runnable job) {
        try {
            job.run();
        } catch (Throwable e) {
            failures++;
        }
    }
}
