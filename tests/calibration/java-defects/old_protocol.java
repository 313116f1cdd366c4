// expects tapps:old-tls-protocol
class Injected {
    Object context() throws Exception {
        return javax.net.ssl.SSLContext.getInstance("SSLv3");
    }
}
