//! The files of a session: named beneath the project root, compared by their bytes.

use super::event::Digests;
use super::phase::Phase;
use super::state::SessionState;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;
use tapps_sandbox::boundary::PathKind;

/// Most files that a session names, tests and implementation each.
pub const MAX_FILES: usize = 200;

/// Largest file whose bytes are compared.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Stands for the content of what cannot be compared, such as a file that is too large.
const UNREAD: &str = "unread";

/// Makes paths of a caller project-relative, in the order given and without repetition.
///
/// # Errors
/// `path_denied` for a path that leads out of the project; `invalid_argument` for a pattern, a folder, or too many.
pub fn resolve_session_files(boundary: &Boundary, argument: &str, paths: &[String]) -> Result<Vec<String>> {
    if paths.len() > MAX_FILES {
        return Err(Error::invalid(format!("`{argument}` names {} files, more than {MAX_FILES}", paths.len()))
            .hint("name the files that this goal needs; tdd_update_session changes them later"));
    }
    let mut resolved: Vec<String> = Vec::new();
    for path in paths {
        if path.contains(['*', '?']) {
            return Err(Error::invalid(format!("`{path}` in `{argument}` is a pattern")).hint("name each file"));
        }
        let path = boundary.resolve(path.trim())?;
        let is_folder = path.is_root() || matches!(boundary.kind(&path), Ok(PathKind::Folder));
        if is_folder {
            return Err(Error::invalid(format!("`{path}` in `{argument}` is a folder")).hint("name each file in it"));
        }
        if !resolved.iter().any(|known| known == path.as_str()) {
            resolved.push(path.as_str().to_owned());
        }
    }
    Ok(resolved)
}

/// What the session's files are now.
///
/// # Errors
/// What the boundary says, for example when a file has become a link that leads out of the project.
pub fn digests(boundary: &Boundary, state_files: &[String]) -> Result<Digests> {
    state_files.iter().map(|file| Ok((file.clone(), digest(boundary, file)?))).collect()
}

fn digest(boundary: &Boundary, file: &str) -> Result<Option<String>> {
    let path = boundary.resolve(file)?;
    match boundary.sha256(&path, MAX_FILE_BYTES) {
        Ok(digest) => Ok(Some(digest)),
        Err(error) if error.code() == ErrorCode::FileNotFound => Ok(None),
        // Not a file, or too large: it still counts as being there.
        Err(error) if error.code() == ErrorCode::InvalidArgument => Ok(Some(UNREAD.to_owned())),
        Err(error) => Err(error),
    }
}

/// The session's files whose bytes are not those with which the phase began, in the session's order.
///
/// A file that was not yet the session's when the phase began is not among them: nothing is known of it.
#[must_use]
pub fn files_changed_in_phase(state: &SessionState, now: &Digests) -> Vec<String> {
    let differs = |file: &String| match (state.baseline.get(file), now.get(file)) {
        (Some(then), Some(now)) => then != now,
        _ => false,
    };
    state.all_files().into_iter().filter(differs).collect()
}

/// Of the changed files, those that the phase does not allow to be edited.
#[must_use]
pub fn out_of_phase(state: &SessionState, changed: &[String]) -> Vec<String> {
    let allowed = state.allowed_files();
    changed.iter().filter(|file| !allowed.contains(file)).cloned().collect()
}

/// True when something that the phase is about has been done: a test file changed while writing a test, an
/// implementation file while implementing. Refactoring may always be over.
#[must_use]
pub fn is_phase_work_done(state: &SessionState, changed: &[String]) -> bool {
    match state.current_cycle_phase().phase {
        Phase::WriteTest => changed.iter().any(|file| state.test_files.contains(file)),
        Phase::Implement => changed.iter().any(|file| state.implementation_files.contains(file)),
        Phase::Refactor => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::state;

    fn project() -> (tempfile::TempDir, Boundary) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("tests")).unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        (dir, boundary)
    }

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn names_become_project_paths() {
        let (dir, boundary) = project();
        let absolute = dir.path().join("src/a.py").to_string_lossy().into_owned();
        let given = names(&["./tests//test_a.py", &absolute, "tests/test_a.py", "app/[id].tsx"]);
        let resolved = resolve_session_files(&boundary, "test_files", &given).unwrap();
        assert_eq!(resolved, ["tests/test_a.py", "src/a.py", "app/[id].tsx"]);
    }

    #[test]
    fn what_is_no_file_of_the_project_is_refused() {
        let (_dir, boundary) = project();
        for (path, code) in [
            ("../a.py", ErrorCode::PathDenied),
            ("/etc/passwd", ErrorCode::PathDenied),
            ("tests/*.py", ErrorCode::InvalidArgument),
            ("tests", ErrorCode::InvalidArgument),
            (".", ErrorCode::InvalidArgument),
            ("", ErrorCode::InvalidArgument),
        ] {
            assert_eq!(
                resolve_session_files(&boundary, "test_files", &names(&[path])).unwrap_err().code(),
                code,
                "{path}"
            );
        }
        let many: Vec<String> = (0..=MAX_FILES).map(|n| format!("t{n}.py")).collect();
        assert_eq!(
            resolve_session_files(&boundary, "test_files", &many).unwrap_err().code(),
            ErrorCode::InvalidArgument
        );
    }

    #[test]
    fn a_new_test_makes_ready_and_an_implementation_is_out_of_phase() {
        let (dir, boundary) = project();
        let mut state = state();
        state.baseline = digests(&boundary, &state.all_files()).unwrap();
        let look =
            |state: &SessionState| files_changed_in_phase(state, &digests(&boundary, &state.all_files()).unwrap());
        assert_eq!((look(&state), is_phase_work_done(&state, &look(&state))), (vec![], false));
        std::fs::write(dir.path().join("calc.py"), "x = 1\n").unwrap();
        assert_eq!(out_of_phase(&state, &look(&state)), ["calc.py"]);
        assert!(!is_phase_work_done(&state, &look(&state)));
        std::fs::write(dir.path().join("tests/test_calc.py"), "def test(): pass\n").unwrap();
        assert!(is_phase_work_done(&state, &look(&state)));
        assert_eq!(look(&state), ["tests/test_calc.py", "calc.py"]);
    }
}
