// expects tapps:sql-format
func injected(db interface{ Query(string) error }, name string) error {
	return db.Query("SELECT id FROM users WHERE name = '" + name + "'")
}
