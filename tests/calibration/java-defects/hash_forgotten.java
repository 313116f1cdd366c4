// expects tapps:equals-without-hash-code
class Injected {
    int x;

    @Override
    public boolean equals(Object other) {
        return other instanceof Injected && ((Injected) other).x == x;
    }
}
