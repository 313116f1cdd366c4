// expects tapps:object-deserialization
class Injected {
    Object read(java.io.InputStream in) throws Exception {
        return new java.io.ObjectInputStream(in).readObject();
    }
}
