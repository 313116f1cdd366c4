//! The tables of the database.

/// One step per version, for [`tapps_base::migrate`].
pub(super) const STEPS: [&str; 2] = [TABLES, UNDONE];

const TABLES: &str = "
    CREATE TABLE definitions (
        digest TEXT PRIMARY KEY NOT NULL,
        body   TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE executions (
        number         INTEGER PRIMARY KEY AUTOINCREMENT,
        id             TEXT NOT NULL UNIQUE,
        workflow       TEXT NOT NULL,
        definition     TEXT NOT NULL REFERENCES definitions (digest),
        state          TEXT NOT NULL,
        revision       INTEGER NOT NULL,
        sequence       INTEGER NOT NULL,
        request_key    TEXT UNIQUE,
        request_digest TEXT NOT NULL,
        opening        TEXT NOT NULL,
        sessions       TEXT NOT NULL,
        begun_ms       INTEGER NOT NULL,
        active_ms      INTEGER NOT NULL,
        ended_ms       INTEGER
    ) STRICT;
    CREATE INDEX executions_by_activity ON executions (active_ms, number);
    CREATE TABLE steps (
        execution     TEXT NOT NULL REFERENCES executions (id),
        position      INTEGER NOT NULL,
        name          TEXT NOT NULL,
        state         TEXT NOT NULL,
        started_ms    INTEGER,
        completed_ms  INTEGER,
        sequence      INTEGER,
        issued_ms     INTEGER,
        nonce         TEXT,
        token_hash    TEXT,
        claim         TEXT,
        claim_reply   TEXT,
        pending       TEXT,
        output        TEXT,
        output_digest TEXT,
        reply         TEXT,
        note          TEXT,
        PRIMARY KEY (execution, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE artifacts (
        number      INTEGER PRIMARY KEY AUTOINCREMENT,
        artifact_id TEXT NOT NULL UNIQUE,
        execution   TEXT NOT NULL REFERENCES executions (id),
        step        TEXT,
        agent       TEXT NOT NULL,
        kind        TEXT NOT NULL,
        title       TEXT NOT NULL,
        content     TEXT NOT NULL,
        description TEXT,
        metadata    TEXT,
        is_final    INTEGER NOT NULL,
        at_ms       INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX artifacts_by_execution ON artifacts (execution, number);
    CREATE INDEX artifacts_by_kind ON artifacts (kind, number);
    CREATE TABLE events (
        id        INTEGER PRIMARY KEY AUTOINCREMENT,
        execution TEXT NOT NULL REFERENCES executions (id),
        step      TEXT,
        kind      TEXT NOT NULL,
        detail    TEXT,
        at_ms     INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_by_execution ON events (execution, id);
    CREATE TABLE buckets (
        scope     TEXT NOT NULL,
        key       TEXT NOT NULL,
        tokens    REAL NOT NULL,
        filled_ms INTEGER NOT NULL,
        PRIMARY KEY (scope, key)
    ) STRICT, WITHOUT ROWID;
";

/// Artifacts of steps behind which an execution went back.
const UNDONE: &str = "
    ALTER TABLE artifacts ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;
";
