//! The one entrance to the parser of Python.

use ruff_python_ast::{ModExpression, ModModule, PythonVersion};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_expression, parse_unchecked};
use ruff_text_size::TextSize;

use super::depth::{Depth, Excess, SHALLOW, STACK_BYTES, judge_depth};
use crate::stack::on_fitting_stack;

/// Why a text has no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unparsed {
    /// It nests deeper than anything is analysed.
    TooDeep(Excess),
    /// The system gives no stack for a text that nests so deeply.
    NoStack,
    /// The parser made something else of it than a module.
    NoModule,
}

impl Unparsed {
    /// What people are told.
    #[must_use]
    pub fn reason(self) -> String {
        match self {
            Self::TooDeep(excess) => format!("more than {} {}", excess.limit, excess.what),
            Self::NoStack => format!("more than {SHALLOW} levels, and no memory for more"),
            Self::NoModule => "not a module".to_owned(),
        }
    }

    /// Where it shows; the start of the text when the whole of it is the reason.
    #[must_use]
    pub fn offset(self) -> TextSize {
        match self {
            Self::TooDeep(excess) => excess.offset,
            Self::NoStack | Self::NoModule => TextSize::default(),
        }
    }
}

/// Hands the tree of a text to `read`, on a stack that fits its nesting. The tree is there even when the text has syntax
/// errors, which it names. A byte-order mark is for the caller to leave out.
///
/// # Errors
/// Why there is no tree.
pub fn parse_python<T: Send>(
    text: &str,
    target: PythonVersion,
    read: impl FnOnce(&Parsed<ModModule>) -> T + Send,
) -> Result<T, Unparsed> {
    let parse = || {
        let options = ParseOptions::from(Mode::Module).with_target_version(target);
        parse_unchecked(text, options).try_into_module().map(|parsed| read(&parsed)).ok_or(Unparsed::NoModule)
    };
    match judge_depth(text) {
        Depth::Shallow => parse(),
        Depth::Deep => on_fitting_stack(STACK_BYTES, parse).unwrap_or(Err(Unparsed::NoStack)),
        Depth::Excessive(excess) => Err(Unparsed::TooDeep(excess)),
    }
}

/// The tree of an expression, such as an annotation in a string; `None` when it has errors or nests deeper than fits the
/// stack of any thread, as nothing does that people write.
#[must_use]
pub fn parse_shallow_expression(text: &str) -> Option<Parsed<ModExpression>> {
    if judge_depth(text) != Depth::Shallow {
        return None;
    }
    parse_expression(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Result<(usize, bool), Unparsed> {
        parse_python(text, PythonVersion::latest(), |parsed| (parsed.suite().len(), parsed.has_valid_syntax()))
    }

    #[test]
    fn shallow_deep_and_broken_texts_have_trees() {
        assert_eq!(statements("a\nb\n"), Ok((2, true)));
        assert_eq!(statements(&format!("a = {}1\nb\n", "- ".repeat(9_000))), Ok((2, true)));
        assert_eq!(statements("a\nb = \n"), Ok((2, false)));
    }

    #[test]
    fn what_nests_too_deeply_has_none() {
        let Err(Unparsed::TooDeep(excess)) = statements(&"(".repeat(300)) else { panic!("it was parsed") };
        assert_eq!((excess.what, excess.limit), ("open brackets", 200));
    }

    #[test]
    fn only_shallow_expressions_are_read() {
        assert!(parse_shallow_expression("dict[str, list[int] | None]").is_some());
        assert!(parse_shallow_expression("a b").is_none());
        assert!(parse_shallow_expression(&format!("{}a{}", "[".repeat(50_000), "]".repeat(50_000))).is_none());
        assert!(parse_shallow_expression(&"-".repeat(50_000)).is_none());
    }

    #[test]
    fn the_target_decides_what_is_supported() {
        let errors = |target: (u8, u8)| {
            parse_python("match x:\n    case 1: pass\n", target.into(), |parsed| {
                parsed.unsupported_syntax_errors().len()
            })
        };
        assert_eq!((errors((3, 9)), errors((3, 13))), (Ok(1), Ok(0)));
    }
}
