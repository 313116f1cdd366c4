//! Comments that a project's own tool obeys, by the patterns of its description.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::directive::{Directive, find_by_patterns};
use super::read::{Comment, read_directives};
use super::{Suppression, SuppressionKind, SuppressionScope};

/// Size of a compiled pattern.
const PATTERN_BYTES: usize = 1 << 20;
/// More forms than any tool has.
const MOST: usize = 16;
/// What a line of remarks begins with, in the languages that such tools read.
const SIGNS: [&str; 6] = ["#", "--", "//", "/*", "*", "<!--"];

/// One form of comment: its pattern, whose group `rules` holds what it names, and how far it reaches.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct OwnForm {
    pub pattern: String,
    pub scope: SuppressionScope,
}

/// The forms of one tool, in the order in which they are looked for.
#[derive(Debug, Default)]
pub struct OwnForms(Vec<(SuppressionScope, Regex)>);

impl OwnForms {
    /// Compiles the forms.
    ///
    /// # Errors
    /// Why a pattern cannot be used.
    pub fn new(forms: &[OwnForm]) -> Result<Self, String> {
        if forms.len() > MOST {
            return Err(format!("there are more than {MOST} `suppressions`"));
        }
        let compiled = forms.iter().map(|form| {
            let built = RegexBuilder::new(&form.pattern).multi_line(true).size_limit(PATTERN_BYTES).build();
            let pattern = built.map_err(|_| format!("`{}` is no pattern, or too large a one", form.pattern))?;
            let other = pattern.capture_names().flatten().find(|name| *name != "rules");
            match other {
                Some(other) => Err(format!("a pattern of `suppressions` has the group `{other}`; known: rules")),
                None if pattern.is_match("") => Err(format!("the pattern `{}` fits every line", form.pattern)),
                None => Ok((form.scope, pattern)),
            }
        });
        Ok(Self(compiled.collect::<Result<_, String>>()?))
    }

    /// What the lines of a text hide from the tool of that name.
    #[must_use]
    pub fn read(&self, tool: &str, text: &str) -> Vec<Suppression> {
        if !self.0.iter().any(|(_, pattern)| pattern.is_match(text)) {
            return Vec::new();
        }
        let mut start = 0;
        let comments = (1..).zip(text.split_inclusive('\n')).filter_map(|(line, whole)| {
            let at = start;
            start += whole.len();
            let begins = self.comment_begins(whole)?;
            let text = whole.get(begins..)?.trim_end_matches(['\n', '\r']);
            let alone = whole.get(..begins)?.trim().is_empty();
            Some(Comment { text, start: at + begins, line, last_line: line, alone, first: false })
        });
        let mut found = read_directives(comments, |text| self.find(text));
        found.iter_mut().for_each(|one| one.tool = Some(tool.to_owned()));
        found
    }

    /// Where what a line says to people or to the tool begins; none for a line of code alone.
    fn comment_begins(&self, line: &str) -> Option<usize> {
        let indented = line.len() - line.trim_start().len();
        if line.starts_with("#!") {
            return None;
        }
        if SIGNS.iter().any(|sign| line.trim_start().starts_with(sign)) {
            return Some(indented);
        }
        self.0.iter().filter_map(|(_, pattern)| Some(pattern.find(line)?.start())).min()
    }

    fn find(&self, text: &str) -> Vec<Directive> {
        let patterns = self.0.iter().map(|(scope, pattern)| (SuppressionKind::Own, *scope, pattern));
        let mut found = find_by_patterns(text, patterns);
        // Some tools put a word before each rule.
        for rule in found.iter_mut().flat_map(|one| &mut one.rules) {
            if let Some((_, bare)) = rule.rsplit_once(':') {
                *rule = bare.to_owned();
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::without_suppressions;
    use super::*;

    fn forms(all: &[(&str, SuppressionScope)]) -> OwnForms {
        let form =
            |(pattern, scope): &(&str, SuppressionScope)| OwnForm { pattern: (*pattern).to_owned(), scope: *scope };
        OwnForms::new(&all.iter().map(form).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn lines_speak_to_a_tool_and_give_reasons_beside_and_above() {
        let forms = forms(&[(r"#\s*shellcheck\s+disable=(?P<rules>[\w,-]+)", SuppressionScope::Line)]);
        let text = "#!/bin/sh\n# The words are meant to be split.\n# shellcheck disable=SC2086,SC2046\necho $1\n\n\
                    # shellcheck disable=SC2034\nx=1\n";
        let found = forms.read("shellcheck", text);
        let told: Vec<String> = found.iter().map(Suppression::describe).collect();
        assert_eq!(
            told,
            ["line 3: shellcheck SC2086, SC2046: The words are meant to be split.", "line 6: shellcheck SC2034"]
        );
        let silent = String::from_utf8(without_suppressions(text.as_bytes(), &found)).unwrap();
        assert!(silent.contains("\n# --------------------------------\necho $1\n"), "{silent}");
        assert_eq!(silent.len(), text.len());
    }

    #[test]
    fn the_sign_of_a_comment_stays_when_it_is_silenced() {
        let forms = forms(&[(r"--\s*noqa\b(?::\s*(?P<rules>\w+(?:,\s*\w+)*))?", SuppressionScope::Line)]);
        let text = "SELECT a -- noqa: CP01 their words\n";
        let found = forms.read("sqlfluff", text);
        assert_eq!((found[0].rules.as_slice(), found[0].is_blanket()), (&["CP01".to_owned()][..], false));
        let silent = without_suppressions(text.as_bytes(), &found);
        assert_eq!(String::from_utf8(silent).unwrap(), "SELECT a -- ---------- their words\n");
        assert!(forms.read("sqlfluff", "SELECT a - noqa\n").is_empty());
    }

    #[test]
    fn a_pattern_that_fits_everything_is_refused() {
        for pattern in ["x*", "(", "(?P<other>x)"] {
            let form = OwnForm { pattern: pattern.to_owned(), scope: SuppressionScope::Line };
            assert!(OwnForms::new(&[form]).is_err(), "{pattern}");
        }
    }
}
