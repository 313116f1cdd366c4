//! mypy's words, made the same whether it read a function's file or found it in its cache.
//!
//! A function that a class holds in an attribute is bound when it is used there, so its first parameter is filled. mypy
//! names that parameter, without its type, as long as it has the syntax tree of the function: `def sha256(data, *, string:
//! Buffer)`. From its cache it no longer knows the name and says `def sha256(*, string: Buffer)`. The name is left out
//! always. Of methods it keeps the name, which is `self`, `cls` or the like.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A named function whose first parameter has neither a type nor a default. Where parameters without names follow, which are
/// written as their types, a `/` stands behind them.
static BOUND: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?P<head>\bdef (?:\[[^\]]*\] )?\w+\()(?P<name>[A-Za-z_]\w*)(?P<end>, |\) ->)").ok());

/// What methods call their first parameter.
const OF_METHODS: [&str; 5] = ["self", "cls", "mcs", "mcls", "metacls"];

pub(super) fn without_filled_parameters(message: &str) -> Cow<'_, str> {
    let Some(bound) = BOUND.as_ref().filter(|_| message.contains("def ")) else { return Cow::Borrowed(message) };
    bound.replace_all(message, |found: &Captures<'_>| {
        let whole = &found[0];
        let start = found.get(0).map_or(0, |one| one.end());
        let rest = message.get(start..).unwrap_or_default();
        let parameters = rest.split_once(") ->").map_or(rest, |(parameters, _)| parameters);
        let is_type = &found["end"] == ", " && (parameters.starts_with("/") || parameters.contains(", /"));
        if OF_METHODS.contains(&&found["name"]) || is_type {
            return whole.to_owned();
        }
        let end = if &found["end"] == ", " { "" } else { ") ->" };
        format!("{}{end}", &found["head"])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_that_is_filled_is_not_named() {
        for (said, kept) in [
            (
                "type \"def sha256(data, *, string: Buffer | None = ...) -> HASH\")",
                "type \"def sha256(*, string: Buffer | None = ...) -> HASH\")",
            ),
            ("\"def f(x) -> int\"", "\"def f() -> int\""),
            (
                "\"def [T] f(x, y: T) -> T\", not \"def g(z) -> int\"",
                "\"def [T] f(y: T) -> T\", not \"def g() -> int\"",
            ),
        ] {
            assert_eq!(without_filled_parameters(said), kept);
            assert_eq!(without_filled_parameters(kept), kept);
        }
    }

    #[test]
    fn methods_and_parameters_without_names_stay() {
        for said in [
            "\"def run(self, x: int) -> int\"",
            "\"def make(cls) -> int\"",
            "\"def f(int, /, x: str) -> int\"",
            "\"def f(int, str, /) -> int\"",
            "\"def (int) -> str\"",
            "\"def f(x: int) -> int\"",
            "\"def f(*args: int) -> int\"",
            "Need type annotation for \"x\"",
        ] {
            assert_eq!(without_filled_parameters(said), said);
        }
    }
}
