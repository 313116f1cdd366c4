// expects tapps:trust-all-certificates
class Injected {
    public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type) {
    }
}
