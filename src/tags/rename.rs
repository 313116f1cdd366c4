//! Which tag becomes which: all replacements of a request, checked before anything is touched.

use std::borrow::Cow;
use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Profile;
use super::validate::{strip_hash_and_blanks, validate_tag};
use tapps_base::{Error, Result};

/// One replacement as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    pub old_tag: String,
    pub new_tag: String,
}

/// The replacements of a request, all of which hold at once: `a` to `b` and `b` to `a` swaps the two.
#[derive(Debug, Clone)]
pub struct Renames {
    profile: Profile,
    nested: bool,
    rules: Vec<Replacement>,
    /// From what spellings of the old tag have in common to its rule.
    by_key: HashMap<String, usize>,
}

impl Renames {
    /// Checks the replacements; with `nested`, a rule holds for the tags below its old tag too.
    ///
    /// # Errors
    /// `invalid_argument` for no replacement at all, an empty old tag, one that is named twice, or a new tag that is none.
    pub fn new(profile: Profile, nested: bool, wanted: &[Replacement]) -> Result<Self> {
        if wanted.is_empty() {
            return Err(Error::invalid("there is nothing to replace").hint("give at least one old_tag and new_tag"));
        }
        let mut by_key = HashMap::new();
        let mut rules = Vec::new();
        for (position, replacement) in wanted.iter().enumerate() {
            let (old, new) = (strip_hash_and_blanks(&replacement.old_tag), strip_hash_and_blanks(&replacement.new_tag));
            if old.is_empty() {
                return Err(Error::invalid(format!("old_tag of replacement {} is empty", position + 1))
                    .hint("name the tag that is to be replaced"));
            }
            let judged = validate_tag(new, profile);
            if !judged.is_valid {
                let message = format!("`{new}` cannot be a tag: {}", judged.issues.join("; "));
                let hint = judged.suggestions.first().map_or_else(
                    || "choose a name that validate_tags accepts".to_owned(),
                    |better| format!("did you mean {better}?"),
                );
                return Err(Error::invalid(message).hint(hint));
            }
            if let Some(earlier) = by_key.insert(profile.key(old), position) {
                let message =
                    format!("`{old}` is to be replaced twice: replacements {} and {}", earlier + 1, position + 1);
                return Err(Error::invalid(message).hint("name each tag once"));
            }
            rules.push(Replacement { old_tag: old.to_owned(), new_tag: new.to_owned() });
        }
        Ok(Self { profile, nested, rules, by_key })
    }

    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    #[must_use]
    pub fn nested(&self) -> bool {
        self.nested
    }

    /// The rules without `#` and blanks, in the order given.
    #[must_use]
    pub fn rules(&self) -> &[Replacement] {
        &self.rules
    }

    /// What a tag becomes, and by which rule; none when it stays as it is.
    #[must_use]
    pub fn new_name_of(&self, tag: &str) -> Option<(usize, Cow<'_, str>)> {
        let key = self.profile.key(tag);
        if let Some(&rule) = self.by_key.get(&key) {
            let new = self.rules.get(rule)?.new_tag.as_str();
            return (new != tag).then_some((rule, Cow::Borrowed(new)));
        }
        if !self.nested {
            return None;
        }
        // The nearest tag above decides. Lengths are those of the tag itself: its key can be longer or shorter.
        tag.rmatch_indices('/').find_map(|(at, _)| {
            let rule = *self.by_key.get(&self.profile.key(&tag[..at]))?;
            let new = format!("{}{}", self.rules.get(rule)?.new_tag, &tag[at..]);
            (new != tag).then_some((rule, Cow::Owned(new)))
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    pub(crate) fn replacements(pairs: &[(&str, &str)]) -> Vec<Replacement> {
        let one = |(old, new): &(&str, &str)| Replacement { old_tag: (*old).into(), new_tag: (*new).into() };
        pairs.iter().map(one).collect()
    }

    #[test]
    fn all_rules_hold_at_once() {
        let renames = Renames::new(Profile::Obsidian, false, &replacements(&[("#a", "b"), ("b", " #a "), ("c", "C")]));
        let renames = renames.unwrap();
        let new = |tag| renames.new_name_of(tag).map(|(rule, new)| (rule, new.into_owned()));
        assert_eq!(new("a"), Some((0, "b".into())));
        assert_eq!(new("A"), Some((0, "b".into())));
        assert_eq!(new("b"), Some((1, "a".into())));
        assert_eq!(new("c"), Some((2, "C".into())));
        assert_eq!(new("C"), None);
        assert_eq!(new("a/x"), None);
    }

    #[test]
    fn the_nearest_tag_above_decides() {
        let given = replacements(&[("p", "area"), ("p/q", "x")]);
        let renames = Renames::new(Profile::Obsidian, true, &given).unwrap();
        let new = |tag| renames.new_name_of(tag).map(|(_, new)| new.into_owned());
        assert_eq!(new("P/z/1").as_deref(), Some("area/z/1"));
        assert_eq!(new("p/q/1").as_deref(), Some("x/1"));
        assert_eq!(new("p/q").as_deref(), Some("x"));
        assert_eq!(new("pq"), None);
    }

    #[rstest]
    #[case(&[], "there is nothing to replace")]
    #[case(&[("", "b")], "old_tag of replacement 1 is empty")]
    #[case(&[("a", "has space!")], "`has space!` cannot be a tag: it holds blanks; it holds `!`; letters, digits, `_`, `-` and `/` are allowed")]
    #[case(&[("a", "#")], "`` cannot be a tag: it is empty")]
    #[case(&[("a", "$1x")], "`$1x` cannot be a tag: it holds `$`; letters, digits, `_`, `-` and `/` are allowed")]
    #[case(&[("a", "b"), ("A", "c")], "`A` is to be replaced twice: replacements 1 and 2")]
    fn what_cannot_be_done_is_refused(#[case] pairs: &[(&str, &str)], #[case] message: &str) {
        let error = Renames::new(Profile::Obsidian, false, &replacements(pairs)).unwrap_err();
        assert_eq!(error.message(), message);
        assert!(error.body().hint.is_some());
    }
}
