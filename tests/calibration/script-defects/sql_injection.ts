// expects tapps:sql-template
export function findUser(db: { query(text: string): unknown }, name: string): unknown {
  return db.query(`SELECT * FROM users WHERE name = '${name}'`);
}
