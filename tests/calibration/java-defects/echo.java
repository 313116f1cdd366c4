// expects tapps:page-echoes-request
class Injected {
    void show(HttpServletRequest request, HttpServletResponse response) throws Exception {
        response.getWriter().print("<b>" + request.getParameter("name"));
    }
}
