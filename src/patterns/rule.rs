//! One rule of a project.

use ast_grep_config::RuleConfig;
use ast_grep_language::SupportLang;
use globset::GlobSet;
use tapps_base::finding::{Category, Finding, Fix, Severity};
use tapps_base::rule::ProjectRule;

use crate::language::word_of_language;
use crate::matching::PatternMatch;

/// Longest replacement that a finding shows as it is, in characters.
const LONGEST_FIX: usize = 120;

/// One rule of a project, ready to be matched.
pub struct PatternRule {
    /// What a finding is made from.
    pub(crate) rule: ProjectRule,
    /// The file that has it, from the project's root.
    pub(crate) file: String,
    /// Findings cost what is usual for their severity when it says nothing of it.
    pub(crate) has_cost: bool,
    /// It is read and tested, and finds nothing.
    pub(crate) off: bool,
    pub(crate) files: Option<GlobSet>,
    pub(crate) ignores: Option<GlobSet>,
    pub(crate) valid: Vec<String>,
    pub(crate) invalid: Vec<String>,
    pub(crate) config: RuleConfig<SupportLang>,
}

impl std::fmt::Debug for PatternRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PatternRule").field("file", &self.file).field("rule", &self.rule).finish_non_exhaustive()
    }
}

impl PatternRule {
    /// What it is called within the project.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.rule.code
    }

    /// The file that has it, from the project's root.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    #[must_use]
    pub fn language(&self) -> &'static str {
        word_of_language(self.config.language)
    }

    #[must_use]
    pub const fn category(&self) -> Category {
        self.rule.category
    }

    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// What a finding costs, in thousandths of a category point.
    #[must_use]
    pub fn cost(&self, usual_cost: fn(Severity) -> u32) -> u32 {
        if self.has_cost { self.rule.cost } else { usual_cost(self.rule.severity) }
    }

    /// What a finding says, with the variables that are filled in.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.config.message
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.rule.help.as_deref()
    }

    /// Code in which it finds nothing.
    #[must_use]
    pub fn valid(&self) -> &[String] {
        &self.valid
    }

    /// Code in which it finds something.
    #[must_use]
    pub fn invalid(&self) -> &[String] {
        &self.invalid
    }

    /// Whether it speaks of a file of a language.
    pub(crate) fn speaks_of(&self, path: &str, language: SupportLang) -> bool {
        !self.off
            && self.config.language == language
            && self.ignores.as_ref().is_none_or(|globs| !globs.is_match(path))
            && self.files.as_ref().is_none_or(|globs| globs.is_match(path))
    }

    /// The finding of one match.
    pub(crate) fn finding(&self, found: &PatternMatch, usual_cost: fn(Severity) -> u32) -> Finding {
        let mut finding = self.rule.finding(found.message.clone()).at(found.line, found.column, found.end_line);
        if !self.has_cost {
            finding.cost = usual_cost(self.rule.severity);
        }
        finding.fix = found.replacement.as_ref().map(|text| Fix { message: describe_fix(text), safe: false });
        finding
    }
}

fn describe_fix(replacement: &str) -> String {
    if replacement.trim().is_empty() {
        return "remove it".to_owned();
    }
    let line: String = replacement.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = line.chars().take(LONGEST_FIX).collect();
    let more = if shown.len() < line.len() { "…" } else { "" };
    format!("write `{shown}{more}`")
}
