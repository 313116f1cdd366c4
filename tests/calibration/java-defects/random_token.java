// expects tapps:predictable-secret
class Injected {
    long newToken() {
        return new java.util.Random().nextLong();
    }
}
