//! How Windows reads the text of a path: what has to be spelled otherwise before it is looked at, and what names something
//! else than it seems to. Plain functions over text, the same on every system.

use std::borrow::Cow;

use super::lexical::project_path_denied;
use tapps_base::Result;

/// Names that stand for a device in every folder, with any ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Names that stand for a device with one digit behind them.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// What counts as a digit there: the raised ones do as well.
const DIGITS: [char; 13] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '¹', '²', '³'];

/// The path with forward slashes; one that is told to the system word by word (`\\?\C:\a`) as people write it.
///
/// # Errors
/// `path_denied` for paths whose meaning hangs on more than their text: those of the network and of devices, those without a
/// drive but from its top (`\a`), those with a drive but not from its top (`C:a`).
pub(super) fn normalized(path: &str) -> Result<Cow<'_, str>> {
    let slashed = if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) };
    let plain = match slashed.strip_prefix("//?/") {
        Some(verbatim) if has_drive(verbatim) => Cow::Owned(verbatim.to_owned()),
        _ => slashed,
    };
    let refused = |why: &str| project_path_denied(path, why).hint("write the path relative to the project root");
    if plain.starts_with("//") {
        return Err(refused("is one of the network or of a device"));
    }
    if plain.starts_with('/') {
        return Err(refused("is absolute and names no drive"));
    }
    if has_drive(&plain) && !is_absolute(&plain) {
        return Err(refused("is relative to the folder that is open on a drive"));
    }
    Ok(plain)
}

/// True for a normalized path from the top of a drive.
pub(super) fn is_absolute(path: &str) -> bool {
    has_drive(path) && path.as_bytes().get(2) == Some(&b'/')
}

/// Why a normalized path names something else than a file of that name; none when it does not.
pub(super) fn fault_of(path: &str) -> Option<&'static str> {
    let below = if is_absolute(path) { path.get(3..).unwrap_or_default() } else { path };
    below.split('/').find_map(fault_of_name)
}

fn fault_of_name(name: &str) -> Option<&'static str> {
    if name.contains(':') {
        return Some("names a stream of a file");
    }
    if name.contains(['<', '>', '"', '|', '?', '*']) {
        return Some("holds a character that no name of a file has");
    }
    if !matches!(name, "." | "..") && name.ends_with(['.', ' ']) {
        return Some("ends a name with a dot or a space, which would be left off");
    }
    is_device(name).then_some("names a device")
}

/// True for a name that stands for a device; what follows the first dot does not count, nor do spaces before it.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_lowercase();
    let is_numbered = |device: &str| stem.strip_prefix(device).is_some_and(is_one_digit);
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(|device| is_numbered(device))
}

fn is_one_digit(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|letter| DIGITS.contains(&letter)) && letters.next().is_none()
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_get_the_spelling_that_is_looked_at() {
        for (path, expected) in [
            (r"src\a.py", "src/a.py"),
            ("src/a.py", "src/a.py"),
            (r"C:\p\a.py", "C:/p/a.py"),
            ("c:/p/a.py", "c:/p/a.py"),
            (r"\\?\C:\p\a.py", "C:/p/a.py"),
            (r"..\a", "../a"),
            ("", ""),
        ] {
            assert_eq!(normalized(path).unwrap(), expected, "{path}");
        }
        assert!(is_absolute("C:/a") && !is_absolute("C:a") && !is_absolute("/a") && !is_absolute("a:"));
    }

    #[test]
    fn what_hangs_on_more_than_its_text_is_refused() {
        for path in [
            r"\\host\share\a.py",
            "//host/share/a.py",
            r"\\?\UNC\host\share\a.py",
            r"\\?\Volume{1}\a.py",
            r"\\.\NUL",
            r"\\.\C:\a",
            r"\a.py",
            "/a.py",
            "C:a.py",
            "C:",
        ] {
            let error = normalized(path).unwrap_err();
            assert_eq!(error.code(), tapps_base::ErrorCode::PathDenied, "{path}");
            assert!(error.body().hint.is_some(), "{path}");
        }
    }

    #[test]
    fn names_that_are_read_otherwise_have_a_fault() {
        for path in [
            "a.py:x",
            "a.py::$DATA",
            "src/a.py:x/b",
            "C:/p/a.py:x",
            "CON",
            "src/nul",
            "nul.py",
            "Nul .tar.gz",
            "aux/a.py",
            "com1.py",
            "COM²",
            "lpt0",
            "conin$",
            "a.",
            "src /a.py",
            "a.py ",
            "...",
            "a*.py",
            "a?",
            "a|b",
            "<a>",
            "\"a\"",
        ] {
            assert!(fault_of(path).is_some(), "{path}");
        }
        for path in [
            "a.py",
            ".",
            "./src/../a",
            "C:/p/a.py",
            "console.py",
            "com.py",
            "com10",
            "COMx",
            "lpt",
            "nulls/a",
            "a.nul",
            ".con",
            "a b/c.d",
            "über/ナ.py",
        ] {
            assert_eq!(fault_of(path), None, "{path}");
        }
    }
}
