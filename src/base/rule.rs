//! A rule: what a finding is an instance of, declared once.
//!
//! A native rule lives in a file of its own, beside the code that checks it, and is named in one list made by
//! [`declare_rules!`](crate::declare_rules). Rules of other programs stand in a table. A finding is made from its rule and
//! from nothing else, so that there is none without a declaration.

use serde::Serialize;

use super::finding::{Category, Finding, Severity, Tool};

/// The declaration of one rule; every catalogue and document is made from these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    pub tool: Tool,
    /// Kebab-case for native rules, for example `complex-block`; unique within its tool.
    pub code: &'static str,
    /// What other tools call the same thing, as `tool:code`, for example `hadolint:DL3019` or `eslint:no-eval`.
    pub aliases: &'static [&'static str],
    pub category: Category,
    pub severity: Severity,
    /// What one finding asks its category to lose, in thousandths of a category point; 0 is informational, or decided by
    /// the finding itself.
    pub cost: u32,
    /// Fails any gate, whatever the score.
    pub blocking: bool,
    /// One sentence: what the rule reports and why it matters.
    pub summary: &'static str,
    /// One sentence: what to do about it; empty where the tool says it with each finding.
    pub help: &'static str,
    /// Why it matters and how to mend it, in a few sentences.
    pub explanation: &'static str,
    /// The same code with the fault and without it.
    pub examples: &'static [Example],
    /// For example `CWE-79`.
    pub cwe: Option<&'static str>,
    /// The version of this program that had the rule first.
    pub since: &'static str,
}

/// One file before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The name of the file, which says the language; `project` means a list of the files of a project.
    pub path: &'static str,
    pub bad: &'static str,
    pub good: &'static str,
}

impl Rule {
    /// A finding of this rule, with its severity, cost, help and CWE filled in.
    #[must_use]
    pub fn finding(&self, message: impl Into<String>) -> Finding {
        let mut finding =
            Finding::new(self.tool, self.code, self.category, self.severity, message.into()).costing(self.cost);
        finding.help = (!self.help.is_empty()).then(|| self.help.to_owned());
        finding.cwe = self.cwe.map(str::to_owned);
        finding
    }

    /// `tool:code`, as findings name it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}:{}", self.tool.as_str(), self.code)
    }

    /// Where the tool that has the rule explains it, when it is not this program's.
    #[must_use]
    pub fn address(&self) -> Option<&'static str> {
        let (_, rest) = self.explanation.rsplit_once('<')?;
        rest.split_once('>').map(|(address, _)| address).filter(|address| address.starts_with("https://"))
    }

    /// The codes that one other tool has for the same thing.
    pub fn aliases_of(&self, tool: &str) -> impl Iterator<Item = &'static str> {
        self.aliases.iter().filter_map(move |alias| alias.strip_prefix(tool).and_then(|rest| rest.strip_prefix(':')))
    }
}

/// A rule that a project declares for itself, and that no catalogue of this program has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRule {
    /// Unique within the project.
    pub code: String,
    pub category: Category,
    pub severity: Severity,
    /// As [`Rule::cost`].
    pub cost: u32,
    pub help: Option<String>,
}

impl ProjectRule {
    /// A finding of this rule.
    #[must_use]
    pub fn finding(&self, message: impl Into<String>) -> Finding {
        let mut finding =
            Finding::new(Tool::Project, &self.code, self.category, self.severity, message.into()).costing(self.cost);
        finding.help.clone_from(&self.help);
        finding
    }
}

/// A rule and the code that checks it; each family of rules has its own kind of runner.
#[derive(Debug, Clone, Copy)]
pub struct Check<R> {
    pub rule: Rule,
    pub run: R,
}

/// Names the modules of a family of rules, one file each.
///
/// `RULES` is the family's catalogue. With a type of runner, `CHECKS` is what is run: each module then has a `RUN` of that
/// type beside its `RULE`. What stands after `reported elsewhere:` has no runner of its own. `families` names modules that
/// each have `RULES`, and puts them together.
#[macro_export]
macro_rules! declare_rules {
    ($vis:vis families; $($module:ident),+ $(,)?) => {
        $(mod $module;)+

        /// The rules of all families.
        $vis const FAMILIES: &[&[$crate::rule::Rule]] = &[$($module::RULES),+];
    };
    ($vis:vis rules; $($module:ident),+ $(,)?) => {
        $($vis mod $module;)+

        /// Every rule of this family.
        $vis const RULES: &[$crate::rule::Rule] = &[$($module::RULE),+];
    };
    ($vis:vis rules run as $runner:ty; $($module:ident),+ $(,)? $(; reported elsewhere: $($other:ident),+ $(,)?)?) => {
        $($vis mod $module;)+
        $($($vis mod $other;)+)?

        /// Every rule of this family.
        $vis const RULES: &[$crate::rule::Rule] = &[$($module::RULE,)+ $($($other::RULE),+)?];

        /// What is run, in this order.
        pub(super) const CHECKS: &[$crate::rule::Check<$runner>] =
            &[$($crate::rule::Check { rule: $module::RULE, run: $module::RUN }),+];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule {
        tool: Tool::Tapps,
        code: "x",
        aliases: &["hadolint:DL1", "hadolintish:DL2", "eslint:x", "hadolint:DL3"],
        category: Category::Security,
        severity: Severity::Low,
        cost: 7,
        blocking: false,
        summary: "X.",
        help: "",
        explanation: "",
        examples: &[],
        cwe: Some("CWE-1"),
        since: "0.1.0",
    };

    #[test]
    fn a_finding_has_what_its_rule_says() {
        let finding = RULE.finding("here");
        assert_eq!((finding.rule.as_str(), finding.cost, finding.help.as_deref()), ("tapps:x", 7, None));
        assert_eq!(finding.cwe.as_deref(), Some("CWE-1"));
        let helped = Rule { help: "do y", ..RULE }.finding("here");
        assert_eq!(helped.help.as_deref(), Some("do y"));
    }

    #[test]
    fn aliases_are_found_by_tool() {
        assert_eq!(RULE.aliases_of("hadolint").collect::<Vec<_>>(), ["DL1", "DL3"]);
        assert_eq!(RULE.name(), "tapps:x");
    }
}
