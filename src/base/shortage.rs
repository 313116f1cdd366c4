//! What a machine can run out of, told from what its system or a tool says.
//!
//! Such a failure is no property of the file that was looked at: whoever meets it ends the call instead of judging.

use std::io::ErrorKind;

/// The system's number for "too many open files in the whole system", on Linux and macOS alike.
const ENFILE: i32 = 23;
/// The system's number for "too many open files in this process", on Linux and macOS alike.
const EMFILE: i32 = 24;

/// One thing that ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortage {
    /// Files that one process may have open.
    OpenFiles,
    /// Files that the whole machine may have open.
    OpenFilesOfMachine,
    Memory,
    /// Processes and threads.
    Processes,
    DiskSpace,
    DiskQuota,
    /// Bytes that one file may have.
    FileSize,
    /// Somebody ended a program that was needed, most often the system for lack of memory.
    Killed,
}

/// What tools say when something ran out: fixed words of the C library, of Python, Rust and SQLite.
const WORDS: [(&str, Shortage); 12] = [
    ("(os error 24)", Shortage::OpenFiles),
    ("[Errno 24]", Shortage::OpenFiles),
    ("Too many open files in system", Shortage::OpenFilesOfMachine),
    ("Too many open files", Shortage::OpenFiles),
    ("[Errno 12]", Shortage::Memory),
    ("Cannot allocate memory", Shortage::Memory),
    ("MemoryError", Shortage::Memory),
    ("memory allocation of", Shortage::Memory),
    ("Resource temporarily unavailable", Shortage::Processes),
    ("can't start new thread", Shortage::Processes),
    ("No space left on device", Shortage::DiskSpace),
    ("database or disk is full", Shortage::DiskSpace),
];

impl Shortage {
    /// What ran out, when that is why the system refused.
    #[must_use]
    pub fn of_io(error: &std::io::Error) -> Option<Self> {
        match (error.raw_os_error(), error.kind()) {
            (Some(EMFILE), _) => Some(Self::OpenFiles),
            (Some(ENFILE), _) => Some(Self::OpenFilesOfMachine),
            (_, ErrorKind::OutOfMemory) => Some(Self::Memory),
            (_, ErrorKind::WouldBlock) => Some(Self::Processes),
            (_, ErrorKind::StorageFull) => Some(Self::DiskSpace),
            (_, ErrorKind::QuotaExceeded) => Some(Self::DiskQuota),
            (_, ErrorKind::FileTooLarge) => Some(Self::FileSize),
            // An error that wraps the system's own, to name a path, keeps its number in its words alone.
            (None, ErrorKind::Other) => None,
            (None, _) => Self::in_words(&error.to_string()),
            _ => None,
        }
    }

    /// What ran out, by the last words of a tool that failed.
    #[must_use]
    pub fn in_words(said: &str) -> Option<Self> {
        WORDS.into_iter().find(|(words, _)| said.contains(words)).map(|(_, shortage)| shortage)
    }

    /// What to do about it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::OpenFiles => "raise the limit of open files (`ulimit -n`), and ask again",
            Self::OpenFilesOfMachine => "close other programs or raise the system's limit of open files, and ask again",
            Self::Memory => "free memory or raise its limit (`ulimit -v`, the container's), and ask again",
            Self::Processes => "raise the limit of processes (`ulimit -u`, the container's), and ask again",
            Self::DiskSpace => "free some disk space, and ask again",
            Self::DiskQuota => "free some space of your quota, and ask again",
            Self::FileSize => "raise the limit of file sizes (`ulimit -f`), and ask again",
            Self::Killed => {
                "the system does that when memory runs out: free some or give the container more, and ask again"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn what_the_system_says_names_what_ran_out() {
        for (number, shortage) in [
            (EMFILE, Some(Shortage::OpenFiles)),
            (ENFILE, Some(Shortage::OpenFilesOfMachine)),
            (12, Some(Shortage::Memory)),
            (28, Some(Shortage::DiskSpace)),
            (27, Some(Shortage::FileSize)),
            (2, None),
            (13, None),
        ] {
            assert_eq!(Shortage::of_io(&Error::from_raw_os_error(number)), shortage, "{number}");
        }
        assert_eq!(Shortage::of_io(&Error::other("too many cooks")), None);
    }

    #[test]
    fn an_error_that_wraps_the_systems_is_seen_through() {
        let refused = Error::from_raw_os_error(EMFILE);
        let wrapped = Error::new(refused.kind(), format!("{refused} at path \"/x\""));
        assert_eq!(wrapped.raw_os_error(), None);
        assert_eq!(Shortage::of_io(&wrapped), Some(Shortage::OpenFiles));
    }

    #[test]
    fn words_of_tools() {
        for (said, shortage) in [
            ("OSError: [Errno 24] Too many open files: 'a.py'", Some(Shortage::OpenFiles)),
            ("sqlite3.OperationalError: database or disk is full", Some(Shortage::DiskSpace)),
            ("memory allocation of 67108864 bytes failed", Some(Shortage::Memory)),
            ("thread '<unknown>' (10024) has overflowed its stack", None),
        ] {
            assert_eq!(Shortage::in_words(said), shortage, "{said}");
        }
    }
}
