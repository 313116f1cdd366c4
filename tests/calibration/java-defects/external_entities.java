// expects tapps:parser-external-entities
class Injected {
    Object read(java.io.InputStream in) throws Exception {
        return javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
}
