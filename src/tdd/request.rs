//! What callers ask for, and the checks on their texts.

use super::event::MAX_ENTRY_BYTES;
use tapps_base::{Error, Result};

/// Longest goal, in bytes.
pub const MAX_GOAL_BYTES: usize = 4_000;

/// Most commands or rules, and the longest one in bytes.
pub const MAX_ITEMS: usize = 50;
pub const MAX_ITEM_BYTES: usize = 2_000;

/// The beginning of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartRequest {
    pub goal: String,
    pub test_files: Vec<String>,
    pub implementation_files: Vec<String>,
    pub run_tests: Vec<String>,
    pub custom_rules: Vec<String>,
    pub verified: bool,
}

/// A change of what was said at the beginning; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdateRequest {
    pub goal: Option<String>,
    pub test_files: Option<Vec<String>>,
    pub implementation_files: Option<Vec<String>>,
    pub run_tests: Option<Vec<String>>,
    pub custom_rules: Option<Vec<String>>,
}

impl UpdateRequest {
    /// True when nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A text that says something, without the white space around it.
///
/// # Errors
/// `invalid_argument` when it is blank or longer than `limit` bytes.
pub fn nonblank_text(argument: &str, text: &str, limit: usize) -> Result<String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(Error::invalid(format!("`{argument}` is empty")).hint(format!("say something in `{argument}`")));
    }
    if trimmed.len() > limit {
        return Err(Error::invalid(format!("`{argument}` has {} bytes, more than {limit}", trimmed.len()))
            .hint("keep the essence, and put the rest in a file"));
    }
    Ok(trimmed.to_owned())
}

/// The text of an entry of the log.
///
/// # Errors
/// As [`nonblank_text`].
pub fn log_entry_text(argument: &str, given: &str) -> Result<String> {
    nonblank_text(argument, given, MAX_ENTRY_BYTES)
}

/// Commands or rules, each saying something.
///
/// # Errors
/// `invalid_argument` naming the item.
pub fn nonblank_items(argument: &str, given: &[String]) -> Result<Vec<String>> {
    if given.len() > MAX_ITEMS {
        return Err(Error::invalid(format!("`{argument}` has {} items, more than {MAX_ITEMS}", given.len())));
    }
    given
        .iter()
        .enumerate()
        .map(|(index, item)| nonblank_text(&format!("{argument}[{index}]"), item, MAX_ITEM_BYTES))
        .collect()
}

/// A list that has something in it.
///
/// # Errors
/// `invalid_argument` when it is empty.
pub fn at_least_one<T>(argument: &str, list: Vec<T>) -> Result<Vec<T>> {
    if list.is_empty() {
        return Err(Error::invalid(format!("`{argument}` is empty")).hint(format!("name at least one in `{argument}`")));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_and_overlong_texts_are_refused_by_name() {
        assert_eq!(nonblank_text("goal", "  add \n", 10).unwrap(), "add");
        assert_eq!(nonblank_text("goal", " \u{a0}\n", 10).unwrap_err().message(), "`goal` is empty");
        assert_eq!(nonblank_text("goal", "ääääää", 10).unwrap_err().message(), "`goal` has 12 bytes, more than 10");
        assert_eq!(log_entry_text("message", &"x".repeat(64 * 1024)).unwrap().len(), 65_536);
        assert!(log_entry_text("message", &"x".repeat(64 * 1024 + 1)).is_err());
        assert_eq!(
            nonblank_items("run_tests", &["a".into(), " ".into()]).unwrap_err().message(),
            "`run_tests[1]` is empty"
        );
        assert!(at_least_one::<u8>("test_files", vec![]).is_err());
    }
}
