// expects tapps:file-named-by-request
class Injected {
    Object open(HttpServletRequest request) {
        return new java.io.File("/data/" + request.getParameter("name"));
    }
}
