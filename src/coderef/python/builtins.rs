//! Names that Python itself provides, and what is known of its types.

/// Built-in functions, sorted.
const FUNCTIONS: &[&str] = &[
    "__build_class__",
    "__import__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "breakpoint",
    "callable",
    "chr",
    "compile",
    "delattr",
    "dir",
    "divmod",
    "eval",
    "exec",
    "exit",
    "format",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "locals",
    "max",
    "min",
    "next",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "quit",
    "repr",
    "reveal_type",
    "round",
    "setattr",
    "sorted",
    "sum",
    "vars",
];

/// Built-in classes that are no exceptions, sorted.
const CLASSES: &[&str] = &[
    "bool",
    "bytearray",
    "bytes",
    "classmethod",
    "complex",
    "dict",
    "enumerate",
    "filter",
    "float",
    "frozenset",
    "int",
    "list",
    "map",
    "memoryview",
    "object",
    "property",
    "range",
    "reversed",
    "set",
    "slice",
    "staticmethod",
    "str",
    "super",
    "tuple",
    "type",
    "zip",
];

/// Exceptions whose names do not end in `Error` or `Warning`.
const EXCEPTIONS: &[&str] = &[
    "BaseException",
    "BaseExceptionGroup",
    "Exception",
    "ExceptionGroup",
    "GeneratorExit",
    "KeyboardInterrupt",
    "StopAsyncIteration",
    "StopIteration",
    "SystemExit",
    "Warning",
];

/// Built-in exceptions whose names do, sorted.
const ERRORS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "EncodingWarning",
    "EnvironmentError",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "ZeroDivisionError",
];

/// True for a name every module can use without importing it.
#[must_use]
pub(super) fn is_builtin(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok() || is_class(name)
}

/// True for the name of a built-in class.
#[must_use]
pub(super) fn is_class(name: &str) -> bool {
    CLASSES.binary_search(&name).is_ok() || is_exception(name)
}

fn is_exception(name: &str) -> bool {
    EXCEPTIONS.contains(&name) || ERRORS.binary_search(&name).is_ok()
}

const STR: &str = "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum \
    isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust \
    lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip \
    split splitlines startswith strip swapcase title translate upper zfill";
const BYTES: &str = "capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha \
    isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix \
    removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title \
    translate upper zfill append extend insert pop remove clear copy reverse";
const SET: &str = "add clear copy difference difference_update discard intersection intersection_update isdisjoint \
    issubset issuperset pop remove symmetric_difference symmetric_difference_update union update";
const NUMBER: &str = "as_integer_ratio bit_count bit_length conjugate denominator from_bytes fromhex hex imag \
    is_integer numerator real to_bytes";
const OBJECT: &str = "__class__ __delattr__ __dir__ __eq__ __format__ __ge__ __getattribute__ __getstate__ __gt__ \
    __hash__ __init__ __init_subclass__ __le__ __lt__ __ne__ __new__ __reduce__ __reduce_ex__ __repr__ __setattr__ \
    __sizeof__ __str__ __subclasshook__ __doc__ __module__ __dict__";

/// True when a built-in class has a member; operators count for containers only.
#[must_use]
pub(super) fn has_member(class: &str, name: &str) -> bool {
    let members = match class {
        "str" => STR,
        "bytes" | "bytearray" => BYTES,
        "list" => "append clear copy count extend index insert pop remove reverse sort",
        "dict" => "clear copy fromkeys get items keys pop popitem setdefault update values",
        "set" | "frozenset" => SET,
        "tuple" => "count index",
        "int" | "float" | "bool" | "complex" => NUMBER,
        "generator" => "close gi_frame send throw",
        "type" => "__call__ __subclasses__ mro __name__ __qualname__ __instancecheck__ __subclasscheck__ __prepare__",
        "property" => "deleter fdel fget fset getter setter",
        "range" => "count index start step stop",
        "file" => {
            "close closed detach fileno flush isatty mode name read readable readline readlines seek seekable tell \
             truncate writable write writelines"
        }
        _ if is_exception(class) => "add_note args with_traceback __cause__ __context__ __traceback__ __notes__",
        _ => "",
    };
    let container = ["str", "bytes", "list", "dict", "set", "frozenset", "tuple"].contains(&class)
        && [
            "__contains__",
            "__getitem__",
            "__iter__",
            "__len__",
            "__setitem__",
            "__delitem__",
            "__add__",
            "__or__",
            "__ior__",
            "__and__",
            "__reversed__",
            "__mul__",
            "__mod__",
        ]
        .contains(&name);
    container || members.split_whitespace().chain(OBJECT.split_whitespace()).any(|member| member == name)
}

/// The built-in type that a call gives, for those that say so by their name alone.
#[must_use]
pub(super) fn result_of(callee: &str) -> Option<&'static str> {
    Some(match callee {
        "str" | "repr" | "format" | "chr" | "hex" | "oct" | "bin" | "ascii" | "input" => "str",
        "int" | "len" | "ord" | "hash" | "id" => "int",
        "float" => "float",
        "bool" | "isinstance" | "issubclass" | "hasattr" | "callable" | "any" | "all" => "bool",
        "list" | "sorted" | "dir" => "list",
        "dict" | "vars" | "globals" | "locals" => "dict",
        "set" => "set",
        "frozenset" => "frozenset",
        "tuple" | "divmod" => "tuple",
        "bytes" => "bytes",
        "bytearray" => "bytearray",
        "range" => "range",
        "open" => "file",
        "property" => "property",
        "bytes.decode" | "bytes.hex" => "str",
        "str.encode" => "bytes",
        "dict.copy" | "dict.fromkeys" => "dict",
        "list.copy" => "list",
        "set.copy" | "set.union" | "set.difference" | "set.intersection" | "set.symmetric_difference" => "set",
        _ => return of_text(callee),
    })
}

fn of_text(callee: &str) -> Option<&'static str> {
    let (class, method) = callee.split_once('.')?;
    let class = match class {
        "str" => "str",
        "bytes" => "bytes",
        _ => return None,
    };
    match method {
        "split" | "rsplit" | "splitlines" => Some("list"),
        "partition" | "rpartition" => Some("tuple"),
        "count" | "find" | "rfind" | "index" | "rindex" => Some("int"),
        "startswith" | "endswith" => Some("bool"),
        _ if method.starts_with("is") => Some("bool"),
        "decode" | "encode" | "maketrans" => None,
        _ => Some(class),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for table in [FUNCTIONS, CLASSES, ERRORS] {
            assert!(table.is_sorted(), "{table:?}");
        }
    }

    #[test]
    fn members_and_results() {
        assert!(has_member("dict", "update") && has_member("KeyError", "with_traceback"));
        assert!(!has_member("dict", "append") && !is_builtin("os"));
        assert_eq!(result_of("str.join"), Some("str"));
        assert_eq!(result_of("str.encode"), Some("bytes"));
        assert_eq!(result_of("list.append"), None);
    }
}
