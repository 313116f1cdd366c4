//! What stands behind a shim of pyenv: a script that takes longer to find the interpreter than the interpreter to answer.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a command on the search path is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shim {
    /// A shim that would start this program.
    Program(PathBuf),
    /// A shim that would start nothing.
    Nothing,
    /// No shim of pyenv, or one that has to be run to know.
    Unknown,
}

/// Reads what the shim at `path` would start: the first of the chosen versions that has a program of this name. `chosen`
/// is `PYENV_VERSION`; otherwise pyenv's own file says.
pub(super) fn program_behind(path: &Path, chosen: Option<&OsStr>) -> Shim {
    let Some((name, root)) = shim_of_pyenv(path) else { return Shim::Unknown };
    let text = match chosen.map(OsStr::to_str) {
        Some(Some(text)) => text.to_owned(),
        Some(None) => return Shim::Unknown,
        None => std::fs::read_to_string(root.join("version")).unwrap_or_default(),
    };
    for version in text.split([':', '\n', ' ', '\t', '\r']).filter(|word| !word.is_empty()) {
        let folder = root.join("versions").join(version);
        // `system` is found further down the search path; of a version that is written in part pyenv knows the rest.
        if version.contains('/') || !folder.is_dir() && version != "system" {
            return Shim::Unknown;
        }
        let program = folder.join("bin").join(name);
        if program.is_file() {
            return Shim::Program(program);
        }
    }
    Shim::Nothing
}

fn shim_of_pyenv(path: &Path) -> Option<(&OsStr, &Path)> {
    let folder = path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "shims"))?;
    let root = folder.parent().filter(|root| root.join("versions").is_dir())?;
    Some((path.file_name()?, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_versions_are_looked_through_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for (version, name) in [("3.11.7", "python3.11"), ("3.13.0", "python3.13")] {
            std::fs::create_dir_all(root.join("versions").join(version).join("bin")).unwrap();
            std::fs::write(root.join("versions").join(version).join("bin").join(name), "").unwrap();
        }
        std::fs::write(root.join("version"), "3.11.7\n").unwrap();
        let program =
            |version: &str, name: &str| Shim::Program(root.join("versions").join(version).join("bin").join(name));
        let at =
            |name: &str, chosen: Option<&str>| program_behind(&root.join("shims").join(name), chosen.map(OsStr::new));
        assert_eq!(at("python3.11", None), program("3.11.7", "python3.11"));
        assert_eq!(at("python3.13", None), Shim::Nothing);
        assert_eq!(at("python3.13", Some("3.11.7:3.13.0")), program("3.13.0", "python3.13"));
        assert_eq!(at("python3.13", Some("system")), Shim::Nothing);
        assert_eq!(at("python3.13", Some("3.13")), Shim::Unknown, "written in part");
        assert_eq!(program_behind(&root.join("versions/3.11.7/bin/python3.11"), None), Shim::Unknown, "no shim");
    }
}
