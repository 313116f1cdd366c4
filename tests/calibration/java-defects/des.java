// expects tapps:weak-algorithm
class Injected {
    Object cipher() throws Exception {
        return javax.crypto.Cipher.getInstance("DES");
    }
}
