//! The tables of the call log.

/// One step per version, for [`tapps_base::migrate`].
pub(super) const STEPS: [&str; 6] = [CALLS, FEEDBACK, LATEST, CONSULTATIONS, TRACES, ERRORS];

const CALLS: &str = "
    CREATE TABLE sessions (
        id       TEXT PRIMARY KEY NOT NULL,
        begun_ms INTEGER NOT NULL,
        last_ms  INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE calls (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        session     TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        tool        TEXT NOT NULL,
        outcome     TEXT NOT NULL,
        task        TEXT,
        at_ms       INTEGER NOT NULL,
        elapsed_ms  INTEGER NOT NULL,
        reply_bytes INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX calls_by_session ON calls (session, id);
    CREATE TABLE files (
        call   INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
        file   TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        passed INTEGER NOT NULL,
        PRIMARY KEY (call, file)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE subjects (
        call    INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
        subject TEXT NOT NULL,
        PRIMARY KEY (call, subject)
    ) STRICT, WITHOUT ROWID;
";

/// Outcomes outlive the sessions they were told in.
const FEEDBACK: &str = "
    CREATE TABLE feedback (
        subject  TEXT PRIMARY KEY NOT NULL,
        at_ms    INTEGER NOT NULL,
        session  TEXT,
        verdict  TEXT NOT NULL,
        rule     TEXT,
        category TEXT,
        file     TEXT,
        tool     TEXT,
        comment  TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feedback_by_time ON feedback (at_ms);
";

/// Of each tool the latest call with each outcome: of all, about each file, about each subject. What a session lacks can be
/// told from these, however long it is.
const LATEST: &str = "
    CREATE TABLE latest (
        session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        tool    TEXT NOT NULL,
        outcome TEXT NOT NULL,
        about   TEXT NOT NULL CHECK (about IN ('all', 'file', 'subject')),
        name    TEXT NOT NULL,
        call    INTEGER NOT NULL,
        PRIMARY KEY (session, tool, outcome, about, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO latest SELECT session, tool, outcome, 'all', '', max(id) FROM calls GROUP BY session, tool, outcome;
    INSERT INTO latest SELECT session, tool, outcome, 'file', file, max(id)
        FROM calls JOIN files ON call = id GROUP BY session, tool, outcome, file;
    INSERT INTO latest SELECT session, tool, outcome, 'subject', subject, max(id)
        FROM calls JOIN subjects ON call = id GROUP BY session, tool, outcome, subject;
";

/// Questions to the experts. `files` has a name a line, best first, and is empty where nothing covered the question.
const CONSULTATIONS: &str = "
    CREATE TABLE consultations (
        id         TEXT PRIMARY KEY NOT NULL,
        at_ms      INTEGER NOT NULL,
        session    TEXT,
        question   TEXT NOT NULL,
        domain     TEXT,
        confidence REAL NOT NULL,
        files      TEXT NOT NULL,
        times      INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX consultations_by_time ON consultations (at_ms);
    ALTER TABLE feedback ADD COLUMN consultation TEXT;
";

/// The traces that callers named; most name none.
const TRACES: &str = "
    ALTER TABLE calls ADD COLUMN trace_id TEXT;
    ALTER TABLE calls ADD COLUMN parent_id TEXT;
    CREATE INDEX calls_by_trace ON calls (trace_id) WHERE trace_id IS NOT NULL;
";

/// Why calls could not do their work: the word of the error code.
const ERRORS: &str = "
    ALTER TABLE calls ADD COLUMN error TEXT;
";
