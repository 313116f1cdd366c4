// expects tapps:string-identity
class Injected {
    boolean same(String a, String b) { return a == b; }
}
