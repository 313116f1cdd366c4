//! Whether a file may be edited now: the answer for hooks that agents run before an edit. No model judges anything.

use std::path::Path;

use super::guidance::join_first_names;
use super::repository::Repository;
use super::session;
use super::state::{SessionState, SessionStatus};
use tapps_base::{ErrorCode, Result};
use tapps_sandbox::Boundary;

/// Folders that hold sessions; agents add to them through the tools only.
const STATE_FOLDERS: [&str; 2] = [".tdd-mcp", ".tapps-mcp"];

/// What to do about files that the session does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unlisted {
    /// Only the phase's files may be edited.
    #[default]
    Deny,
    /// Files that are neither tests nor implementation of the session may be edited in every phase.
    Allow,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Allowed,
    /// With the reason, for the agent.
    Denied(String),
}

/// Decides about all of `files`, as a caller spells them; the first that may not be edited decides.
///
/// Without a session that is active or interrupted everything may be edited, and what lies outside the project is not
/// the session's concern.
///
/// # Errors
/// What the repository says about a session that cannot be read.
pub fn decide(
    repository: &dyn Repository,
    boundary: &Boundary,
    files: &[String],
    unlisted: Unlisted,
) -> Result<Decision> {
    // A note about a session whose log is gone restrains nobody.
    let Some(current) = repository.current()?.filter(|id| repository.session_exists(id)) else {
        return Ok(Decision::Allowed);
    };
    let (state, _) = session::replay(repository, &current)?;
    if state.status != SessionStatus::Active {
        return Ok(Decision::Allowed);
    }
    for file in files {
        if let Decision::Denied(reason) = decide_one(&state, boundary, file, unlisted) {
            return Ok(Decision::Denied(reason));
        }
    }
    Ok(Decision::Allowed)
}

fn decide_one(state: &SessionState, boundary: &Boundary, file: &str, unlisted: Unlisted) -> Decision {
    let path = match boundary.resolve(&normalize_absolute_path(file)) {
        Ok(path) => path,
        // Outside of the project, where no session has a say.
        Err(error) if error.code() == ErrorCode::PathDenied && Path::new(file).is_absolute() => {
            return Decision::Allowed;
        }
        Err(error) => return Decision::Denied(error.message().to_owned()),
    };
    let path = path.as_str();
    let place = state.current_cycle_phase();
    if STATE_FOLDERS.iter().any(|folder| path.split('/').next() == Some(*folder)) {
        return Decision::Denied(format!(
            "`{path}` belongs to the session's own records and is changed by its tools only"
        ));
    }
    let allowed = state.allowed_files();
    if allowed.iter().any(|name| name == path) {
        return Decision::Allowed;
    }
    let known = state.all_files().iter().any(|name| name == path);
    if !known && unlisted == Unlisted::Allow {
        return Decision::Allowed;
    }
    let what = match known {
        true => format!("`{path}` is not to be edited in the phase {} (cycle {})", place.phase, place.cycle),
        false => format!("`{path}` is not one of the files of session {}", state.id),
    };
    let way_out = match known {
        true => "call tdd_next_phase when this phase is done, or tdd_rollback to go back",
        false => "if the goal needs it, add it with tdd_update_session",
    };
    Decision::Denied(format!("{what}. To edit now: {}. Otherwise: {way_out}.", join_first_names(&allowed)))
}

/// An absolute path without `.` and `..`, which editors sometimes send; relative ones are left as they are.
fn normalize_absolute_path(file: &str) -> String {
    if !file.starts_with('/') {
        return file.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::phase::Phase;
    use crate::state::tests::state;

    #[rstest]
    #[case("tests/test_calc.py", Unlisted::Deny, None)]
    #[case("./tests/test_calc.py", Unlisted::Deny, None)]
    #[case("{root}/tests/test_calc.py", Unlisted::Deny, None)]
    #[case("{root}/src/../tests/test_calc.py", Unlisted::Deny, None)]
    #[case("calc.py", Unlisted::Deny, Some("not to be edited in the phase write_test (cycle 1)"))]
    #[case("calc.py", Unlisted::Allow, Some("not to be edited in the phase write_test (cycle 1)"))]
    #[case("README.md", Unlisted::Deny, Some("is not one of the files of session"))]
    #[case("README.md", Unlisted::Allow, None)]
    #[case("/elsewhere/notes.md", Unlisted::Deny, None)]
    #[case("../notes.md", Unlisted::Deny, Some("climbs"))]
    #[case(".tdd-mcp/sessions/x.jsonl", Unlisted::Allow, Some("its tools only"))]
    #[case("{root}/.tdd-mcp/sessions/x.jsonl", Unlisted::Allow, Some("its tools only"))]
    fn files_of_the_phase_only(#[case] file: &str, #[case] unlisted: Unlisted, #[case] denied: Option<&str>) {
        let dir = tempfile::tempdir().unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let file = file.replace("{root}", boundary.root().to_str().unwrap());
        let state = state();
        assert_eq!(state.current_cycle_phase().phase, Phase::WriteTest);
        match (decide_one(&state, &boundary, &file, unlisted), denied) {
            (Decision::Allowed, None) => {}
            (Decision::Denied(reason), Some(part)) => assert!(reason.contains(part), "{reason}"),
            (decision, _) => panic!("{file}: {decision:?}"),
        }
    }
}
