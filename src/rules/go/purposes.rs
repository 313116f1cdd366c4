//! What functions and values are for, as their names say.

use crate::words::speaks_of;

/// Words of what ends or undoes something: nothing that was asked for is lost when it fails, and it is called although nobody
/// waits any more.
const CLEANING: &[&str] = &[
    "abort",
    "clean",
    "cleanup",
    "close",
    "delete",
    "discard",
    "drain",
    "kill",
    "logout",
    "release",
    "remove",
    "revoke",
    "rollback",
    "shutdown",
    "stop",
    "teardown",
    "terminate",
    "unlock",
    "unmount",
];

/// Words of what tells a person or a log, and of what ends the program with that.
const TELLING: &[&str] = &[
    "crit", "critf", "debug", "debugf", "exit", "fatal", "fatalf", "fatalln", "fprint", "fprintf", "fprintln", "info",
    "infof", "klog", "log", "logf", "logger", "logging", "logrus", "panic", "print", "printf", "println", "slog",
    "sprint", "sprintf", "trace", "tracef", "warn", "warnf", "warning", "warningf",
];

/// True for a name of which a word says that it cleans up.
pub(crate) fn is_about_cleaning(name: &str) -> bool {
    speaks_of(name, CLEANING)
}

/// True for a name of which a word says that a person or a log is told.
pub(crate) fn is_about_telling(name: &str) -> bool {
    speaks_of(name, TELLING)
}

#[cfg(test)]
mod tests {
    use super::{is_about_cleaning, is_about_telling};

    #[test]
    fn a_name_is_about_what_its_words_are() {
        for name in ["closeAll", "t.Rollback", "unmount_disk"] {
            assert!(is_about_cleaning(name), "{name}");
        }
        for name in ["closest", "disclose", "open"] {
            assert!(!is_about_cleaning(name), "{name}");
        }
        for name in ["s.log.Errorf", "warnOnce", "exitWith", "fmt.Println"] {
            assert!(is_about_telling(name), "{name}");
        }
        for name in ["catalog.Add", "login", "errors.Join"] {
            assert!(!is_about_telling(name), "{name}");
        }
    }
}
