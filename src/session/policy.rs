//! Which tools a piece of work asks for; the table itself is `policy.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::Error;

tapps_base::wire_enum! {
    /// What kind of work was done.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
    pub enum TaskType {
        Feature = "feature",
        Bugfix = "bugfix",
        Refactor = "refactor",
        Config = "config",
        #[default]
        General = "general",
        Security = "security",
        Review = "review",
        Release = "release",
    }
}

impl FromStr for TaskType {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        Self::parse_word(word, "unknown task type")
    }
}

/// A tool that a type of work asks for, and what is at stake without it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedTool {
    pub tool: String,
    pub reason: String,
}

/// What one type of work asks for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskPolicy {
    #[serde(rename = "type")]
    pub task_type: TaskType,
    /// What such work is, in a few words.
    pub about: String,
    pub required: Vec<WantedTool>,
    #[serde(default)]
    pub recommended: Vec<WantedTool>,
    #[serde(default)]
    pub optional: Vec<WantedTool>,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Tools that count for another one as well.
    pub instead: BTreeMap<String, Vec<String>>,
    #[serde(rename = "task")]
    pub tasks: Vec<TaskPolicy>,
}

impl Policy {
    /// The policy of this program.
    #[must_use]
    pub fn get() -> &'static Self {
        static POLICY: LazyLock<Policy> = LazyLock::new(|| {
            #[expect(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
            toml::from_str(include_str!("policy.toml")).expect("the policy table can be read")
        });
        &POLICY
    }

    /// What a type of work asks for.
    #[must_use]
    pub fn task_policy(&self, task_type: TaskType) -> Option<&TaskPolicy> {
        self.tasks.iter().find(|task| task.task_type == task_type)
    }

    /// The tool called `name` as some type of work wants it.
    #[must_use]
    pub fn wanted_tool(&self, name: &str) -> Option<&WantedTool> {
        self.tasks
            .iter()
            .flat_map(|task| task.required.iter().chain(&task.recommended).chain(&task.optional))
            .find(|wanted| wanted.tool == name)
    }

    /// True when a call of `called` counts for `wanted`.
    #[must_use]
    pub fn counts_for(&self, called: &str, wanted: &str) -> bool {
        called == wanted || self.instead.get(wanted).is_some_and(|instead| instead.iter().any(|tool| tool == called))
    }

    /// The page that shows the table to people.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = String::from(PREFACE);
        for task in &self.tasks {
            // Writing to a String cannot fail.
            let _ = write!(
                page,
                "\n## {}: {}\n\n| tool | | without it |\n| --- | --- | --- |\n",
                task.task_type, task.about
            );
            for (level, wanted) in
                [("required", &task.required), ("recommended", &task.recommended), ("optional", &task.optional)]
            {
                for WantedTool { tool, reason } in wanted {
                    let _ = writeln!(page, "| `{tool}` | {level} | {reason} |");
                }
            }
        }
        page += "\n## What counts for what\n\n";
        for (wanted, instead) in &self.instead {
            let names: Vec<String> = instead.iter().map(|tool| format!("`{tool}`")).collect();
            let _ = writeln!(page, "- {} counts for `{wanted}`.", names.join(" or "));
        }
        page
    }
}

const PREFACE: &str = "\
# The checklist

`tapps_checklist` and `tapps-mcp checklist` compare the calls of a session with what its type of work asks for. The
checklist passes when nothing required is missing; what is recommended or optional is only told.

- A call that failed or could not do its work does not count.
- The gate is judged file by file: every file that the session checked and that still exists must have passed the gate
  (`tapps_quality_gate`, or `tapps_validate_changed` for the files it covered) *with the content it has now*. A file that
  changed after its last gate makes the gate missing again. `tapps_quick_check` alone never satisfies the gate.
- When the libraries that checked files import are known, the documentation of each has to have been looked up for
  `tapps_lookup_docs` to count.
- A tool that the server does not offer is not asked for.

This page is made from `src/session/policy.toml`.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_work_has_its_row_and_no_tool_stands_twice() {
        let policy = Policy::get();
        assert_eq!(policy.tasks.iter().map(|task| task.task_type).collect::<Vec<_>>(), TaskType::ALL);
        for task in &policy.tasks {
            let mut tools: Vec<&str> =
                task.required.iter().chain(&task.recommended).chain(&task.optional).map(|w| w.tool.as_str()).collect();
            let count = tools.len();
            tools.sort_unstable();
            tools.dedup();
            assert_eq!(tools.len(), count, "{}", task.task_type);
            assert!(!task.required.is_empty(), "{}", task.task_type);
        }
    }

    #[test]
    fn a_quick_check_counts_for_a_score_and_never_for_the_gate() {
        let policy = Policy::get();
        assert!(policy.counts_for("tapps_quick_check", "tapps_score_file"));
        assert!(policy.counts_for("tapps_validate_changed", "tapps_quality_gate"));
        assert!(!policy.counts_for("tapps_quick_check", "tapps_quality_gate"));
        assert!(!policy.counts_for("tapps_score_file", "tapps_quality_gate"));
    }

    #[test]
    fn words_are_serde_words_and_typos_get_a_hint() {
        for task in TaskType::ALL {
            assert_eq!(serde_json::to_value(task).unwrap(), task.as_str());
            assert_eq!(task.as_str().parse::<TaskType>().unwrap(), task);
        }
        let error = "bug_fix".parse::<TaskType>().unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean bugfix?"));
    }
}
