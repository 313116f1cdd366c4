//! What agents must and must not do, read from the lines of the rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::content::AgentRule;

/// Most forbidden actions that a contract names.
pub const MOST_FORBIDDEN: usize = 5;

/// Words of what cannot be undone or gives away access.
const HEAVY: [&str; 12] = [
    "secret",
    "credential",
    "password",
    "token",
    "key",
    "delete",
    "drop",
    "eval",
    "exec",
    "truncate",
    "destroy",
    "execute",
];
/// Words of what reaches others.
const MIDDLING: [&str; 5] = ["push", "deploy", "production", "commit", "permission"];

/// The lines of some rules, sorted by what they ask.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guardrails {
    pub forbidden_actions: Vec<String>,
    pub required_actions: Vec<String>,
    pub validation_requirements: Vec<String>,
    /// Names of the rules.
    pub source_rules: Vec<String>,
}

impl Guardrails {
    /// Reads `- **NEVER** …`, `- **PROTECT** …`, `- **ALWAYS** …`, `- **MUST** …` and `- **VALIDATE** …` lines.
    #[must_use]
    pub fn from_rules<'r>(rules: impl IntoIterator<Item = &'r AgentRule>) -> Self {
        let mut read = Self::default();
        for rule in rules {
            read.source_rules.push(rule.name.clone());
            for (word, action) in rule.text.lines().filter_map(parse_rule_line) {
                let list = match word {
                    "NEVER" | "PROTECT" => &mut read.forbidden_actions,
                    "ALWAYS" | "MUST" => &mut read.required_actions,
                    "VALIDATE" => &mut read.validation_requirements,
                    _ => continue,
                };
                if !list.contains(&action) {
                    list.push(action);
                }
            }
        }
        read
    }

    /// The gravest forbidden actions, ties in the order of the alphabet.
    #[must_use]
    pub fn gravest_forbidden_actions(&self) -> Vec<String> {
        let mut scored: Vec<(u32, &String)> =
            self.forbidden_actions.iter().map(|action| (action_gravity(action), action)).collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        scored.into_iter().take(MOST_FORBIDDEN).map(|(_, action)| action.clone()).collect()
    }
}

/// The rules that hold for something with these tags, as they stand in the list.
pub fn applicable_rules<'r>(rules: &[&'r AgentRule], tags: &[&str]) -> Vec<&'r AgentRule> {
    let applies = |rule: &&&AgentRule| rule.always_apply || rule.tags.iter().any(|tag| tags.contains(&tag.as_str()));
    rules.iter().filter(applies).copied().collect()
}

/// The keyword of a rule's line, and the line without its markup.
fn parse_rule_line(line: &str) -> Option<(&str, String)> {
    let rest = line.trim_start().strip_prefix("- **")?;
    let (word, rest) = rest.split_once("**")?;
    Some((word, format!("{word} {}", rest.trim().trim_start_matches(':').trim())))
}

fn action_gravity(action: &str) -> u32 {
    let lower = action.to_lowercase();
    let count = |words: &[&str]| words.iter().map(|word| u32::from(lower.contains(word))).sum::<u32>();
    10 * count(&HEAVY) + 5 * count(&MIDDLING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(name: &str, always: bool, tags: &[&str], text: &str) -> AgentRule {
        AgentRule {
            name: name.into(),
            description: String::new(),
            always_apply: always,
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            text: text.into(),
        }
    }

    #[test]
    fn lines_are_sorted_by_their_keyword_and_the_gravest_come_first() {
        let one = rule(
            "one",
            true,
            &[],
            "Prose **NEVER** counts.\n- **NEVER** b harmless\n- **NEVER** commit a password\n  - **PROTECT**: production\n- **MAYBE** x\n- **ALWAYS** test\n- **MUST** say so\n- **VALIDATE** it",
        );
        let two = rule(
            "two",
            false,
            &["git"],
            "- **NEVER** push\n- **NEVER** a harmless\n- **NEVER** drop or delete tables\n- **NEVER** b harmless",
        );
        let read = Guardrails::from_rules([&one, &two]);
        assert_eq!(read.required_actions, ["ALWAYS test", "MUST say so"]);
        assert_eq!(read.validation_requirements, ["VALIDATE it"]);
        assert_eq!(read.source_rules, ["one", "two"]);
        assert_eq!(read.forbidden_actions.len(), 6, "no line twice");
        assert_eq!(
            read.gravest_forbidden_actions(),
            [
                "NEVER drop or delete tables",
                "NEVER commit a password",
                "NEVER push",
                "PROTECT production",
                "NEVER a harmless"
            ]
        );
    }

    #[test]
    fn rules_apply_always_or_by_tag() {
        let (one, two) = (rule("one", true, &[], "x"), rule("two", false, &["git"], "x"));
        let names = |tags: &[&str]| {
            applicable_rules(&[&one, &two], tags).iter().map(|rule| rule.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&["test"]), ["one"]);
        assert_eq!(names(&["git"]), ["one", "two"]);
    }
}
