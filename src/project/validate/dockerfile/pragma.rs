//! Comments that allow a finding: those of hadolint, so that what a project has decided stays decided.

use std::collections::{BTreeMap, BTreeSet};

use super::instruction::Dockerfile;
use super::rules;
use tapps_base::finding::Finding;

/// What the comments of a file allow.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    everywhere: BTreeSet<String>,
    /// By the line of the comment.
    here: BTreeMap<u32, BTreeSet<String>>,
    /// The first line after a comment that is neither a comment nor empty.
    follows: BTreeMap<u32, u32>,
}

impl Allowed {
    /// Reads the comments.
    pub(super) fn from_comments(text: &str) -> Self {
        let mut allowed = Self::default();
        let mut open: Vec<u32> = Vec::new();
        for (line, text) in (1_u32..).zip(text.lines()) {
            let text = text.trim();
            let Some(comment) = text.strip_prefix('#') else {
                if !text.is_empty() {
                    allowed.follows.extend(open.drain(..).map(|comment| (comment, line)));
                }
                continue;
            };
            let Some(pragma) = comment.trim().strip_prefix("hadolint") else { continue };
            let Some((scope, codes)) = pragma.split_once("ignore=") else { continue };
            let codes = codes.split(',').filter_map(|code| code.split_whitespace().next()).map(str::to_owned).collect();
            if scope.trim() == "global" {
                allowed.everywhere.extend::<BTreeSet<String>>(codes);
            } else {
                allowed.here.insert(line, codes);
                open.push(line);
            }
        }
        allowed
    }

    /// True when a comment allows a finding.
    pub(super) fn covers(&self, finding: &Finding, file: &Dockerfile) -> bool {
        let code = finding.rule.strip_prefix("tapps:");
        let Some(rule) = rules::RULES.iter().find(|rule| Some(rule.code) == code) else { return false };
        let allows = |codes: &BTreeSet<String>| rule.aliases_of("hadolint").any(|code| codes.contains(code));
        let around = file
            .instructions
            .iter()
            .find(|instruction| (instruction.place.line..=instruction.place.end_line).contains(&finding.line));
        let start = around.map_or(finding.line, |instruction| instruction.place.line);
        allows(&self.everywhere)
            || self.here.iter().any(|(line, codes)| self.follows.get(line) == Some(&start) && allows(codes))
    }
}

#[cfg(test)]
mod tests {
    use tapps_base::source::Source;

    #[test]
    fn comments_allow_what_they_name_and_nothing_else() {
        let found = |text: &str| {
            let source = Source::new("Dockerfile", text.as_bytes());
            let found = super::super::judge_dockerfile(&source);
            found.into_iter().filter(|f| f.rule.contains("cd-in-run")).map(|f| f.line).collect::<Vec<_>>()
        };
        let text = "FROM a:1\n# hadolint ignore=DL3003,DL3004 because\n\n# c\nRUN a && \\\n  cd /x\nRUN cd /y\n";
        assert_eq!(found(text), [7]);
        assert_eq!(found(&format!("# hadolint global ignore=DL3003\n{text}")), Vec::<u32>::new());
        assert_eq!(found(&text.replace("DL3003", "DL3002")), [6, 7]);
    }
}
