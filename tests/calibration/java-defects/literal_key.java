// expects tapps:key-in-source
class Injected {
    Object key() {
        return new javax.crypto.spec.SecretKeySpec("sixteen letters!".getBytes(), "AES");
    }
}
