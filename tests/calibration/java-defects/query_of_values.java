// expects tapps:sql-concatenation
class Injected {
    Object find(java.sql.Statement statement, String name) throws Exception {
        return statement.executeQuery("SELECT id FROM users WHERE name = '" + name + "'");
    }
}
