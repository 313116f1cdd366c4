//! What comes with Python itself.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Modules at the top of the standard library, of every Python from 3.9 to 3.14. Sorted.
const MODULES: &[&str] = &[
    "__future__",
    "__main__",
    "_thread",
    "_typeshed",
    "abc",
    "aifc",
    "annotationlib",
    "antigravity",
    "argparse",
    "array",
    "ast",
    "asynchat",
    "asyncio",
    "asyncore",
    "atexit",
    "audioop",
    "base64",
    "bdb",
    "binascii",
    "binhex",
    "bisect",
    "builtins",
    "bz2",
    "cProfile",
    "calendar",
    "cgi",
    "cgitb",
    "chunk",
    "cmath",
    "cmd",
    "code",
    "codecs",
    "codeop",
    "collections",
    "colorsys",
    "compileall",
    "compression",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "crypt",
    "csv",
    "ctypes",
    "curses",
    "dataclasses",
    "datetime",
    "dbm",
    "decimal",
    "difflib",
    "dis",
    "distutils",
    "doctest",
    "dummy_threading",
    "email",
    "encodings",
    "ensurepip",
    "enum",
    "errno",
    "faulthandler",
    "fcntl",
    "filecmp",
    "fileinput",
    "fnmatch",
    "formatter",
    "fractions",
    "ftplib",
    "functools",
    "gc",
    "genericpath",
    "getopt",
    "getpass",
    "gettext",
    "glob",
    "graphlib",
    "grp",
    "gzip",
    "hashlib",
    "heapq",
    "hmac",
    "html",
    "http",
    "idlelib",
    "imaplib",
    "imghdr",
    "imp",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "lib2to3",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "macpath",
    "mailbox",
    "mailcap",
    "marshal",
    "math",
    "mimetypes",
    "mmap",
    "modulefinder",
    "msilib",
    "msvcrt",
    "multiprocessing",
    "netrc",
    "nis",
    "nntplib",
    "nt",
    "ntpath",
    "nturl2path",
    "numbers",
    "opcode",
    "operator",
    "optparse",
    "os",
    "ossaudiodev",
    "parser",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "pipes",
    "pkgutil",
    "platform",
    "plistlib",
    "poplib",
    "posix",
    "posixpath",
    "pprint",
    "profile",
    "pstats",
    "pty",
    "pwd",
    "py_compile",
    "pyclbr",
    "pydoc",
    "pydoc_data",
    "pyexpat",
    "queue",
    "quopri",
    "random",
    "re",
    "readline",
    "reprlib",
    "resource",
    "rlcompleter",
    "runpy",
    "sched",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shlex",
    "shutil",
    "signal",
    "site",
    "smtpd",
    "smtplib",
    "sndhdr",
    "socket",
    "socketserver",
    "spwd",
    "sqlite3",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "ssl",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "subprocess",
    "sunau",
    "symbol",
    "symtable",
    "sys",
    "sysconfig",
    "syslog",
    "tabnanny",
    "tarfile",
    "telnetlib",
    "tempfile",
    "termios",
    "textwrap",
    "this",
    "threading",
    "time",
    "timeit",
    "tkinter",
    "token",
    "tokenize",
    "tomllib",
    "trace",
    "traceback",
    "tracemalloc",
    "tty",
    "turtle",
    "turtledemo",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uu",
    "uuid",
    "venv",
    "warnings",
    "wave",
    "weakref",
    "webbrowser",
    "winreg",
    "winsound",
    "wsgiref",
    "xdrlib",
    "xml",
    "xmlrpc",
    "zipapp",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
];

/// Names with underscores at both ends that a module may have without binding them.
const OF_MODULES: [&str; 36] = [
    "__all__",
    "__annotate__",
    "__annotations__",
    "__builtins__",
    "__cached__",
    "__class__",
    "__conditional_annotations__",
    "__debug__",
    "__delattr__",
    "__dict__",
    "__dir__",
    "__doc__",
    "__eq__",
    "__file__",
    "__format__",
    "__ge__",
    "__getattr__",
    "__getattribute__",
    "__getstate__",
    "__gt__",
    "__hash__",
    "__init__",
    "__init_subclass__",
    "__le__",
    "__loader__",
    "__lt__",
    "__name__",
    "__ne__",
    "__new__",
    "__package__",
    "__path__",
    "__reduce__",
    "__repr__",
    "__spec__",
    "__str__",
    "__warningregistry__",
];

/// Classes that give what is derived from them nothing of their own but what their metaclass has, and leave the constructor as
/// it is written. Sorted.
const PLAIN_BASES: &[&str] = &[
    "abc.ABC",
    "object",
    "typing.Generic",
    "typing.Protocol",
    "typing_extensions.Generic",
    "typing_extensions.Protocol",
];

/// What the metaclass of abstract classes gives them.
const OF_METACLASS: &str = "register";

/// The classes of the standard library by what they hand down, in all of CPython 3.10 to 3.14 together. A line is what
/// `list_members.py` wrote of one class: `name(base,base): member member`, or `-name` where not every member can be known.
const MEMBERS: &str = include_str!("members.txt");

/// A class of Python itself from which another is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StandardBase {
    Plain {
        is_abstract: bool,
    },
    /// One with members, by its name.
    Listed(&'static str),
}

/// The bases and the members of a listed class.
struct ListedClass {
    bases: Vec<&'static str>,
    members: Vec<&'static str>,
}

/// Whether a module is one of Python itself.
pub(crate) fn is_standard(top: &str) -> bool {
    MODULES.binary_search(&top).is_ok() || top.starts_with('_')
}

/// Whether a module may have this name without binding it.
pub(crate) fn is_of_every_module(name: &str) -> bool {
    OF_MODULES.contains(&name)
}

/// The modules at the top of the standard library.
pub(crate) fn standard_modules() -> impl Iterator<Item = &'static str> {
    MODULES.iter().copied()
}

impl StandardBase {
    /// The class of this name; none where its members are not known.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        if PLAIN_BASES.binary_search(&name).is_ok() {
            return Some(Self::Plain { is_abstract: name != "object" });
        }
        let name = name.strip_prefix("builtins.").unwrap_or(name);
        let of_typing = name.strip_prefix("typing_extensions.").map(|name| format!("typing.{name}"));
        listed().get_key_value(of_typing.as_deref().unwrap_or(name)).map(|(name, _)| Self::Listed(name))
    }

    /// Whether what is derived from it has a member of this name; none where that is not known.
    pub(crate) fn hands_down(self, member: &str) -> Option<bool> {
        match self {
            Self::Plain { is_abstract } => Some(is_abstract && member == OF_METACLASS),
            // Private names are not listed, and abstract classes can be registered with.
            Self::Listed(_) if member.starts_with('_') || member == OF_METACLASS => None,
            Self::Listed(_) => Some(self.members().contains(&member)),
        }
    }

    /// The members that it is known to hand down.
    pub(crate) fn members(self) -> Vec<&'static str> {
        match self {
            Self::Plain { .. } => Vec::new(),
            Self::Listed(name) => listed().get(name).map_or_else(Vec::new, |of| {
                let bases = of.bases.iter().flat_map(|base| Self::Listed(base).members());
                of.members.iter().copied().chain(bases).collect()
            }),
        }
    }

    /// Whether it leaves the constructor as it is written.
    pub(crate) const fn is_plain(self) -> bool {
        matches!(self, Self::Plain { .. })
    }
}

fn listed() -> &'static HashMap<&'static str, ListedClass> {
    static LISTED: LazyLock<HashMap<&str, ListedClass>> =
        LazyLock::new(|| MEMBERS.lines().filter_map(parse_line).collect());
    &LISTED
}

fn parse_line(line: &'static str) -> Option<(&'static str, ListedClass)> {
    let (head, members) = line.split_once(':')?;
    let (name, bases) = head.strip_suffix(')')?.split_once('(')?;
    let bases = bases.split(',').filter(|base| !base.is_empty()).collect();
    Some((name, ListedClass { bases, members: members.split_whitespace().collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_whole() {
        assert!(MODULES.is_sorted() && PLAIN_BASES.is_sorted());
        assert!(is_standard("asyncio") && is_standard("distutils") && !is_standard("requests"));
        assert_eq!(MEMBERS.lines().filter(|line| !line.starts_with('-')).count(), listed().len());
        for (name, class) in listed() {
            assert!(class.members.is_sorted(), "{name}");
            assert!(class.bases.iter().all(|base| listed().contains_key(base)), "{name}: {:?}", class.bases);
        }
    }

    #[rstest::rstest]
    #[case("abc.ABC", "register", Some(true))]
    #[case("object", "register", Some(false))]
    #[case("Exception", "args", Some(true))]
    #[case("builtins.OSError", "errno", Some(true))]
    #[case("OSError", "errorno", Some(false))]
    #[case("dict", "items", Some(true))]
    #[case("typing_extensions.TypedDict", "setdefault", Some(true))]
    #[case("collections.abc.Mapping", "setdefault", Some(false))]
    #[case("logging.Handler", "addFilter", Some(true))]
    #[case("enum.IntEnum", "value", Some(true))]
    #[case("threading.Thread", "_target", None)]
    #[case("argparse.Namespace", "anything", None)]
    #[case("nobody.Knows", "anything", None)]
    fn what_is_handed_down_is_known(#[case] class: &str, #[case] member: &str, #[case] expected: Option<bool>) {
        assert_eq!(StandardBase::of_name(class).and_then(|base| base.hands_down(member)), expected);
    }
}
