//! What can be said of a path from its text alone.

use super::windows_path;
use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result};

/// Longest path that is looked at, in bytes; the least that every supported system can open.
const MAX_BYTES: usize = 1024;

/// Spellings that a later decoder could turn into a dot, a slash, a backslash, NUL or the percent sign of another round.
const ENCODED: [&str; 5] = ["%2e", "%2f", "%5c", "%00", "%25"];

/// The components of a relative path, without `.` and empty ones.
///
/// # Errors
/// `invalid_argument` for an empty, overlong or unprintable path; `path_denied` for one that climbs, hides a separator,
/// or is absolute.
pub fn components(path: &str) -> Result<Vec<&str>> {
    check_path_text(path)?;
    if is_absolute(path) {
        return Err(project_path_denied(path, "is outside the project"));
    }
    Ok(path.split('/').filter(|component| !component.is_empty() && *component != ".").collect())
}

/// True for a path that does not begin at the project root.
#[must_use]
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || cfg!(windows) && windows_path::is_absolute(path)
}

/// Refuses what no path of a project may hold, relative or absolute.
///
/// # Errors
/// As [`components`].
pub fn check_path_text(path: &str) -> Result<()> {
    if is_plain(path) && is_short(path) {
        return Ok(());
    }
    if path.trim().is_empty() {
        return Err(Error::invalid("the path is empty").hint("name a file below the project root"));
    }
    if !is_short(path) {
        return Err(Error::invalid(format!("the path has {} bytes, more than {MAX_BYTES}", path.len()))
            .hint("name a file below the project root"));
    }
    if path.chars().any(char::is_control) {
        return Err(Error::invalid(format!("the path `{}` holds a control character", log_text(path)))
            .hint("send the path as plain text"));
    }
    if path.contains('\\') {
        return Err(project_path_denied(path, "holds a backslash").hint("write forward slashes"));
    }
    let lower = path.to_ascii_lowercase();
    if ENCODED.iter().any(|encoded| lower.contains(encoded)) {
        return Err(project_path_denied(path, "holds percent-encoded characters").hint("send the path as plain text"));
    }
    if path.split('/').any(|component| component.trim_end() == "..") {
        return Err(project_path_denied(path, "climbs with `..`").hint("write the path relative to the project root"));
    }
    match fault_on_this_system(path) {
        Some(fault) => Err(project_path_denied(path, fault).hint("give the file another name")),
        None => Ok(()),
    }
}

/// Why this system would read a path otherwise than it is written.
fn fault_on_this_system(path: &str) -> Option<&'static str> {
    if cfg!(windows) { windows_path::fault_of(path) } else { None }
}

/// True when a path is not longer than what every supported system can open.
#[must_use]
pub fn is_short(path: &str) -> bool {
    path.len() <= MAX_BYTES
}

/// True for what needs no closer look, as nearly every path and name: printable ASCII characters that cannot trick anyone.
#[must_use]
pub fn is_plain(path: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'\\' | b'%');
    let climbs = || path.as_bytes().windows(2).any(|two| two == b"..");
    path.bytes().all(plain)
        && !climbs()
        && path.bytes().any(|byte| byte != b' ')
        && fault_on_this_system(path).is_none()
}

/// The refusal of a path.
#[must_use]
pub fn project_path_denied(path: &str, why: &str) -> Error {
    Error::new(ErrorCode::PathDenied, format!("the path `{}` {why}", log_text(path)))
        .hint("only files below the project root can be named; TAPPS_MCP_PROJECT_ROOT sets it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_are_tidied() {
        for (path, expected) in [
            ("a.py", vec!["a.py"]),
            ("./src//a.py", vec!["src", "a.py"]),
            ("src/./a.py/", vec!["src", "a.py"]),
            (".", vec![]),
            ("a..b/...", vec!["a..b", "..."]),
            ("100%/a b.py", vec!["100%", "a b.py"]),
            ("über/ナ.py", vec!["über", "ナ.py"]),
        ] {
            assert_eq!(components(path).unwrap(), expected, "{path}");
        }
    }

    #[test]
    fn every_trick_is_refused_with_its_code() {
        use ErrorCode::{InvalidArgument, PathDenied};
        let long = "a/".repeat(600);
        for (path, code) in [
            ("", InvalidArgument),
            ("  ", InvalidArgument),
            ("a\0.py", InvalidArgument),
            ("a\n.py", InvalidArgument),
            (long.as_str(), InvalidArgument),
            ("..", PathDenied),
            ("../a", PathDenied),
            ("a/../../b", PathDenied),
            ("a/..", PathDenied),
            ("a/.. /b", PathDenied),
            ("%2e%2e/a", PathDenied),
            ("a%2Fb", PathDenied),
            ("a%5Cb", PathDenied),
            ("%252e%252e/a", PathDenied),
            ("a%00", PathDenied),
            ("..\\a", PathDenied),
            ("a\\b", PathDenied),
            ("C:\\a", PathDenied),
            ("/etc/passwd", PathDenied),
            ("//host/share", PathDenied),
        ] {
            let error = components(path).unwrap_err();
            assert_eq!(error.code(), code, "{path:?}: {error}");
            assert!(error.body().hint.is_some(), "{path:?}");
        }
    }
}
