// expects tapps:util-random-secret
class Injected {
    long newToken() {
        return new java.util.Random().nextLong();
    }
}
