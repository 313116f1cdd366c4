# expects bandit:B608
def probe_rows(cursor, name):
    return cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")
