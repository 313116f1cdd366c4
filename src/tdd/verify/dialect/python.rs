//! Exceptions of Python that mean that something is not written yet.

use std::sync::LazyLock;

use regex::Regex;

use crate::verify::judge::compile_regex;
use crate::verify::symbol::Symbols;

/// What an exception at import or set-up says about the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// The test asks for something that the session is about to write.
    MissingSymbol(String),
    /// The test itself cannot work.
    Fault(String),
}

/// Reads `ExceptionName: message`.
pub(super) fn cause_of_exception(exception: &str, symbols: &Symbols) -> Cause {
    static MODULE: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"No module named '([^']+)'"));
    static NAME: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"cannot import name '([^']+)' from '([^']+)'"));
    static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| compile_regex(r"module '([^']+)' has no attribute '([^']+)'"));
    let text: String = exception.trim().chars().take(240).collect();
    let group = |pattern: &Regex, index: usize| {
        pattern.captures(exception).and_then(|found| found.get(index)).map(|found| found.as_str().to_owned())
    };
    let kind = exception.split(':').next().unwrap_or_default();
    let module = match kind.rsplit('.').next().unwrap_or_default() {
        "ModuleNotFoundError" => group(&MODULE, 1),
        "ImportError" => group(&NAME, 2),
        "AttributeError" => group(&ATTRIBUTE, 1),
        _ => None,
    };
    match module {
        Some(module) if symbols.has_module(&module) => Cause::MissingSymbol(text),
        Some(module) => Cause::Fault(format!("{text} (`{module}` is not one of the session's implementation files)")),
        None => Cause::Fault(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_session_writes_may_be_missing() {
        let symbols = Symbols::from_implementation_files(&["src/calc.py".to_owned()]);
        for exception in [
            "ModuleNotFoundError: No module named 'calc'",
            "ImportError: cannot import name 'add' from 'calc' (/p/src/calc.py)",
            "AttributeError: module 'src.calc' has no attribute 'add'",
        ] {
            assert_eq!(cause_of_exception(exception, &symbols), Cause::MissingSymbol(exception.into()));
        }
        for exception in [
            "ModuleNotFoundError: No module named 'reqests'",
            "ImportError: cannot import name 'Mockk' from 'unittest.mock' (/usr/lib/mock.py)",
            "ImportError: cannot import name 'a' from partially initialized module 'calc'",
            "SyntaxError: invalid syntax",
            "NameError: name 'calc' is not defined",
        ] {
            assert!(matches!(cause_of_exception(exception, &symbols), Cause::Fault(_)), "{exception}");
        }
    }
}
