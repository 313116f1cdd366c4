//! What the value of a key may be, and that it is of a size that no honest configuration passes.

use regex::RegexBuilder;
use toml::Value;

/// Longest text of a configuration, in bytes.
const LONGEST_TEXT: usize = 1_000;

/// Most items of a list, and most entries of a table.
const MOST_ITEMS: usize = 2_000;

/// Most bytes that a pattern may take when it is compiled.
const LARGEST_PATTERN: usize = 1 << 20;

/// A shape of values.
#[derive(Debug, Clone, Copy)]
pub(super) enum SettingShape {
    /// True or false.
    Switch,
    /// A whole number between two bounds.
    Whole(i64, i64),
    /// Any number.
    Number,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Text that is compared or shown, never opened.
    Text,
    /// A regular expression.
    Pattern,
    /// A rule, a family of rules, or `ALL`.
    Selector,
    List(&'static SettingShape),
    /// Entries under names that the project chooses.
    Table(&'static SettingShape),
    /// Entries under these names.
    Record(&'static [(&'static str, SettingShape)]),
    Either(&'static [SettingShape]),
}

impl SettingShape {
    /// Whether the value has this shape and a size within bounds.
    pub(super) fn admits_value(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Switch, Value::Boolean(_)) | (Self::Number, Value::Integer(_) | Value::Float(_)) => true,
            (Self::Whole(least, most), Value::Integer(number)) => (least..=most).contains(number),
            (Self::Word(words), Value::String(text)) => words.contains(&text.as_str()),
            (Self::Text, Value::String(text)) => is_text(text),
            (Self::Pattern, Value::String(text)) => is_pattern(text),
            (Self::Selector, Value::String(text)) => is_selector(text),
            (Self::List(kind), Value::Array(items)) => {
                items.len() <= MOST_ITEMS && items.iter().all(|item| kind.admits_value(item))
            }
            (Self::Table(kind), Value::Table(entries)) => {
                entries.len() <= MOST_ITEMS
                    && entries.iter().all(|(key, value)| is_text(key) && kind.admits_value(value))
            }
            (Self::Record(fields), Value::Table(entries)) => entries.iter().all(|(key, value)| {
                fields.iter().find(|(name, _)| name == key).is_some_and(|(_, kind)| kind.admits_value(value))
            }),
            (Self::Either(kinds), value) => kinds.iter().any(|kind| kind.admits_value(value)),
            _ => false,
        }
    }
}

fn is_text(text: &str) -> bool {
    text.len() <= LONGEST_TEXT && !text.contains('\0')
}

fn is_pattern(text: &str) -> bool {
    is_text(text) && RegexBuilder::new(text).size_limit(LARGEST_PATTERN).build().is_ok()
}

fn is_selector(text: &str) -> bool {
    (1..=60).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        let document: toml::Table = format!("v = {text}").parse().unwrap();
        document["v"].clone()
    }

    #[test]
    fn values_of_the_shape_are_admitted_and_others_are_not() {
        const RULES: SettingShape = SettingShape::Table(&SettingShape::List(&SettingShape::Selector));
        const MIXED: SettingShape =
            SettingShape::Either(&[SettingShape::Word(&["all"]), SettingShape::List(&SettingShape::Text)]);
        const NAMED: SettingShape = SettingShape::Table(&SettingShape::Record(&[("msg", SettingShape::Text)]));
        for (kind, good, bad) in [
            (SettingShape::Switch, "true", "1"),
            (SettingShape::Whole(1, 320), "320", "321"),
            (SettingShape::Whole(-1, 9), "-1", "-2"),
            (SettingShape::Word(&["a", "b"]), "'b'", "'c'"),
            (SettingShape::Selector, "'PLR0913'", "'E501\\n'"),
            (SettingShape::Pattern, "'^_+$'", "'(('"),
            (RULES, "{ '*.py' = ['E', 'F401'] }", "{ '*.py' = 'E' }"),
            (MIXED, "'all'", "'none'"),
            (MIXED, "['x']", "[1]"),
            (NAMED, "{ cgi = { msg = 'no' } }", "{ cgi = { path = 'no' } }"),
        ] {
            assert!(kind.admits_value(&value(good)), "{kind:?} {good}");
            assert!(!kind.admits_value(&value(bad)), "{kind:?} {bad}");
        }
    }

    #[test]
    fn sizes_have_bounds() {
        let long = format!("'{}'", "x".repeat(LONGEST_TEXT + 1));
        assert!(!SettingShape::Text.admits_value(&value(&long)));
        assert!(
            !SettingShape::List(&SettingShape::Text)
                .admits_value(&value(&format!("[{}]", "'x',".repeat(MOST_ITEMS + 1))))
        );
        // Compiled, it is a million states.
        assert!(!SettingShape::Pattern.admits_value(&value("'((\\w{100}){100}){100}'")));
    }
}
