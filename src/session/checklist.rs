//! Which steps of a task were really done, read from the call log.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{LoggedCall, LoggedCallOutcome};
use super::call_log::CallLog;
use super::policy::{Policy, TaskType, WantedTool};
use tapps_base::{Error, Result};

const GATE: &str = "tapps_quality_gate";
const LOOKUP: &str = "tapps_lookup_docs";

/// Tools that look at a file because it is being worked on; what they saw has to pass the gate.
const CHECKING: [&str; 4] = [GATE, "tapps_quick_check", "tapps_score_file", "tapps_validate_changed"];

/// Most files that a reason names; the full list is in `files`.
const NAMED: usize = 3;

/// A step that is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    pub tool: String,
    /// What was not done and what is at stake.
    pub reason: String,
    /// The files it was not done for, sorted; empty when no file is concerned in particular.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub files: Vec<String>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checklist {
    /// True when nothing required is missing.
    pub passed: bool,
    pub task_type: TaskType,
    pub session_id: String,
    /// Tools that were called with success, sorted.
    pub called: Vec<String>,
    pub missing: Vec<Missing>,
    pub recommended_missing: Vec<Missing>,
    pub optional_missing: Vec<Missing>,
}

/// What the log cannot know.
#[derive(Clone, Copy)]
pub struct Circumstances<'a> {
    /// SHA-256 of a file as it is now; `None` when it is no longer there.
    pub current_hash: &'a dyn Fn(&str) -> Option<String>,
    /// The libraries that a file imports, by the names their documentation is looked up under.
    pub libraries_used: &'a dyn Fn(&str) -> Vec<String>,
    /// Whether the server offers a tool.
    pub available: &'a dyn Fn(&str) -> bool,
}

impl std::fmt::Debug for Circumstances<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Circumstances").finish_non_exhaustive()
    }
}

/// Compares the calls of a session with what its type of work asks for.
///
/// # Errors
/// `invalid_session` for a session that was never begun, and what [`CallLog::latest_calls`] says.
pub fn check_session(
    log: &CallLog,
    session: &str,
    task_type: TaskType,
    circumstances: &Circumstances<'_>,
) -> Result<Checklist> {
    let calls = log.latest_calls(session)?;
    let policy = Policy::get();
    let task = policy.task_policy(task_type).ok_or_else(|| Error::internal(format!("no policy for {task_type}")))?;
    let judge = Judge::new(policy, &calls, circumstances);
    let missing = judge.missing_of(&task.required);
    Ok(Checklist {
        passed: missing.is_empty(),
        task_type,
        session_id: session.to_owned(),
        called: judge.passed_tools(),
        missing,
        recommended_missing: judge.missing_of(&task.recommended),
        optional_missing: judge.missing_of(&task.optional),
    })
}

/// What of `wanted` is missing in some calls, by the same rules as a checklist.
#[must_use]
pub fn missing_tool_calls(
    calls: &[LoggedCall],
    wanted: &[WantedTool],
    circumstances: &Circumstances<'_>,
) -> Vec<Missing> {
    Judge::new(Policy::get(), calls, circumstances).missing_of(wanted)
}

struct Judge<'a> {
    policy: &'a Policy,
    calls: &'a [LoggedCall],
    circumstances: &'a Circumstances<'a>,
    /// Files that were checked and are still there, with their present content.
    files: BTreeMap<&'a str, String>,
}

/// How a file stands with the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Never,
    Failed,
    Changed,
}

impl<'a> Judge<'a> {
    fn new(policy: &'a Policy, calls: &'a [LoggedCall], circumstances: &'a Circumstances<'a>) -> Self {
        let checked: BTreeSet<&str> = calls
            .iter()
            .filter(|call| CHECKING.contains(&call.tool.as_str()))
            .flat_map(|call| call.files.iter().map(|file| file.file.as_str()))
            .collect();
        let present = |file| (circumstances.current_hash)(file).map(|hash| (file, hash));
        Self { policy, calls, circumstances, files: checked.into_iter().filter_map(present).collect() }
    }

    fn passed_tools(&self) -> Vec<String> {
        let passed = self.calls.iter().filter(|call| call.outcome == LoggedCallOutcome::Passed);
        passed.map(|call| call.tool.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn missing_of(&self, wanted: &[WantedTool]) -> Vec<Missing> {
        wanted
            .iter()
            .filter(|wanted| (self.circumstances.available)(&wanted.tool))
            .flat_map(|wanted| match wanted.tool.as_str() {
                GATE => self.missing_gate_passes(wanted),
                LOOKUP => self.missing_lookups(wanted),
                _ => self.missing_call(wanted).into_iter().collect(),
            })
            .collect()
    }

    /// The calls that count for a tool, whatever their outcome.
    fn calls_counting_for(&self, tool: &str) -> impl DoubleEndedIterator<Item = &'a LoggedCall> {
        self.calls.iter().filter(move |call| self.policy.counts_for(&call.tool, tool))
    }

    fn missing_call(&self, wanted: &WantedTool) -> Option<Missing> {
        if self.calls_counting_for(&wanted.tool).any(|call| call.outcome == LoggedCallOutcome::Passed) {
            return None;
        }
        let reason = match self.calls_counting_for(&wanted.tool).next_back().map(|call| call.outcome) {
            None => wanted.reason.clone(),
            Some(LoggedCallOutcome::Failed) => format!("its last verdict was no; {}", wanted.reason),
            Some(_) => format!("its last call could not do its work; {}", wanted.reason),
        };
        Some(Missing { tool: wanted.tool.clone(), reason, files: Vec::new() })
    }

    /// Every file that was checked has to have passed its last gate with the content it has now.
    fn missing_gate_passes(&self, wanted: &WantedTool) -> Vec<Missing> {
        if self.files.is_empty() {
            return self.missing_call(wanted).into_iter().collect();
        }
        let mut groups: BTreeMap<Standing, Vec<String>> = BTreeMap::new();
        for (file, hash) in &self.files {
            if let Some(standing) = self.gate_standing(file, hash) {
                groups.entry(standing).or_default().push((*file).to_owned());
            }
        }
        let reason = |standing: Standing, files: &[String]| {
            let named = name_first_files(files);
            match standing {
                Standing::Never => format!("{named}: checked but never put to the gate; {}", wanted.reason),
                Standing::Failed => format!("{named}: did not pass the last gate; correct it and run the gate again"),
                Standing::Changed => format!("{named}: changed after the last gate; run the gate again"),
            }
        };
        groups
            .into_iter()
            .map(|(standing, files)| Missing { tool: GATE.to_owned(), reason: reason(standing, &files), files })
            .collect()
    }

    /// What is wrong with a file's last gate; `None` when nothing is.
    fn gate_standing(&self, file: &str, hash: &str) -> Option<Standing> {
        let last = self
            .calls_counting_for(GATE)
            .rev()
            .filter(|call| call.outcome != LoggedCallOutcome::Errored)
            .find_map(|call| call.files.iter().find(|checked| checked.file == file));
        match last {
            None => Some(Standing::Never),
            Some(checked) if checked.sha256 != hash => Some(Standing::Changed),
            Some(checked) if !checked.passed => Some(Standing::Failed),
            Some(_) => None,
        }
    }

    /// Every library that the checked files import has to have been looked up.
    fn missing_lookups(&self, wanted: &WantedTool) -> Vec<Missing> {
        let looked_up: BTreeSet<&str> = self
            .calls_counting_for(LOOKUP)
            .filter(|call| call.outcome == LoggedCallOutcome::Passed)
            .flat_map(|call| call.subjects.iter().map(String::as_str))
            .collect();
        let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in self.files.keys() {
            for library in (self.circumstances.libraries_used)(file) {
                users.entry(library).or_default().push((*file).to_owned());
            }
        }
        if users.is_empty() {
            return self.missing_call(wanted).into_iter().collect();
        }
        users
            .into_iter()
            .filter(|(library, _)| !looked_up.contains(library.as_str()))
            .map(|(library, files)| {
                let reason = format!(
                    "`{library}` is used in {} but was never looked up; {}",
                    name_first_files(&files),
                    wanted.reason
                );
                Missing { tool: LOOKUP.to_owned(), reason, files }
            })
            .collect()
    }
}

/// The first few files, and how many more there are.
fn name_first_files(files: &[String]) -> String {
    let shown = files.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match files.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
