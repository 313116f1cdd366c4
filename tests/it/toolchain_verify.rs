//! Whatever is done to the installed tools is found, named, and stops them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;
use tapps_base::{ErrorCode, digest};
use tapps_toolchain::{ByteCheck, Lock, ToolchainSettings, TreeKind, manage, verify};

use crate::toolchain_support::{
    call, copy_tree, eventually, folder, program, set_mode, settings, stderr, stdout, toolchain, unlock,
};

/// One way to tamper: what is done, which path must be named, and as what.
struct Tampering {
    name: &'static str,
    path: &'static str,
    kind: &'static str,
    act: fn(&Path),
}

const RECORD: &str = "lib/mypy-2.4.1.dist-info/RECORD";

const TAMPERINGS: [Tampering; 15] = [
    Tampering { name: "a byte flipped", path: "lib/mypy/main.py", kind: "changed", act: flip },
    Tampering { name: "ruff swapped", path: "bin/ruff", kind: "changed", act: swap },
    Tampering { name: "oxlint swapped", path: "bin/oxlint", kind: "changed", act: swap },
    Tampering { name: "a byte added", path: "lib/six.py", kind: "changed", act: append },
    Tampering { name: "emptied", path: "lib/bandit/__init__.py", kind: "changed", act: empty },
    Tampering { name: "RECORD edited", path: RECORD, kind: "changed", act: append },
    Tampering { name: "RECORD removed", path: RECORD, kind: "missing", act: delete },
    Tampering { name: "a file removed", path: "lib/radon/raw.py", kind: "missing", act: delete },
    Tampering { name: "a .pth planted", path: "lib/evil.pth", kind: "added", act: plant },
    Tampering { name: "a sitecustomize planted", path: "lib/sitecustomize.py", kind: "added", act: plant },
    Tampering {
        name: "bytecode planted",
        path: "lib/mypy/__pycache__/main.cpython-313.pyc",
        kind: "added",
        act: plant,
    },
    Tampering { name: "an empty folder planted", path: "lib/empty", kind: "added", act: make_folder },
    Tampering { name: "writable by others", path: "lib/yaml/__init__.py", kind: "writable", act: open_up },
    Tampering { name: "not executable", path: "bin/ruff", kind: "mode", act: take_x },
    Tampering { name: "a link", path: "lib/coverage/cmdline.py", kind: "not_a_file", act: link },
];

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    rewrite(path, &bytes);
}

fn swap(path: &Path) {
    rewrite(path, b"#!/bin/sh\necho ruff 0.17.6\n");
    set_mode(path, 0o555);
}

fn append(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    bytes.push(b'\n');
    rewrite(path, &bytes);
}

fn empty(path: &Path) {
    rewrite(path, b"");
}

fn delete(path: &Path) {
    fs::remove_file(path).unwrap();
}

fn plant(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "import os").unwrap();
    set_mode(path, 0o444);
}

fn make_folder(path: &Path) {
    fs::create_dir(path).unwrap();
}

fn open_up(path: &Path) {
    set_mode(path, 0o446);
}

fn take_x(path: &Path) {
    set_mode(path, 0o444);
}

fn link(path: &Path) {
    fs::remove_file(path).unwrap();
    symlink("__init__.py", path).unwrap();
}

fn rewrite(path: &Path, bytes: &[u8]) {
    set_mode(path, 0o644);
    fs::write(path, bytes).unwrap();
    set_mode(path, 0o444);
}

/// The tree as it is, with the interpreter that is known to fit.
fn fixed(copy: &Path) -> ToolchainSettings {
    let python = toolchain().interpreter().unwrap().executable.clone();
    ToolchainSettings { toolchain_dir: Some(copy.to_owned()), python: Some(python), ..settings() }
}

/// Puts the tree back as it was.
fn undo(original: &Path, copy: &Path, path: &str) {
    let (from, to) = (original.join(path), copy.join(path));
    match fs::symlink_metadata(&to) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(&to).unwrap(),
        Ok(_) => fs::remove_file(&to).unwrap(),
        Err(_) => {}
    }
    if path.contains("__pycache__") {
        fs::remove_dir_all(to.parent().unwrap()).unwrap();
    }
    if from.exists() {
        fs::copy(from, to).unwrap();
    }
}

#[test]
fn every_tampering_names_its_path_and_stops_the_tools() {
    let original = toolchain();
    let folder = folder();
    let copy = folder.path().join("tree");
    copy_tree(original.root(), &copy);
    unlock(&copy);
    let settings = fixed(&copy);
    for Tampering { name, path, kind, act } in TAMPERINGS {
        act(&copy.join(path));
        let output = program(&settings).args(["toolchain", "verify", "--json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{name}: {}", stderr(&output));
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(report["verified"], false, "{name}");
        let faults = report["trees"][0]["faults"].as_array().unwrap();
        let named = faults.iter().any(|fault| fault["path"] == path && fault["kind"] == kind);
        assert!(named, "{name}: {path} {kind} is not among {faults:?}");
        // A changed RECORD proves nothing any more about the files of its wheel; everything else is one path.
        assert!(faults.len() == 1 || path == RECORD, "{name}: {faults:?}");
        let found = manage::inspect_toolchain(&settings, &call()).unwrap();
        assert!(!found.verified());
        let error = manage::require_verified(&settings, &found).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
        assert!(error.message().contains(path), "{name}: {error}");
        assert!(error.body().hint.is_some());
        undo(original.root(), &copy, path);
    }
    let found = manage::inspect_toolchain(&settings, &call()).unwrap();
    assert!(found.verified(), "{:?}", found.verifications());
    assert_eq!(found.digest(), original.digest());
    unlock(&copy);
}

/// The compiler lies beside the tools in a tree of its own, and is looked at as they are.
#[test]
fn a_compiler_that_is_not_as_locked_stops_the_tools() {
    let original = toolchain();
    let folder = folder();
    let copy = folder.path().join("tree");
    copy_tree(original.root(), &copy);
    unlock(&copy);
    let compiler = copy.join("typescript");
    copy_tree(original.root_apart(tapps_toolchain::TreeKind::TypeScript).unwrap(), &compiler);
    unlock(&compiler);
    let settings = fixed(&copy);
    let verified = |settings: &ToolchainSettings| {
        let found = manage::inspect_toolchain(settings, &call()).unwrap();
        manage::require_verified(settings, &found)
    };
    verified(&settings).unwrap();
    let record = "lib/typescript-typescript-linux-x64-7.0.2.dist-info/RECORD";
    for (path, act, kind) in [
        ("bin/tsc", swap as fn(&Path), "changed"),
        ("bin/lib.es5.d.ts", append, "changed"),
        ("bin/lib.dom.d.ts", delete, "missing"),
        ("bin/lib.evil.d.ts", plant, "added"),
        ("bin/tsc", take_x, "wrong mode"),
        (record, append, "changed"),
    ] {
        if path == record && !compiler.join(path).exists() {
            continue;
        }
        act(&compiler.join(path));
        let error = verified(&settings).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
        assert!(error.message().contains(&format!("{path} ({kind})")), "{path}: {error}");
        undo(original.root_apart(tapps_toolchain::TreeKind::TypeScript).unwrap(), &compiler, path);
    }
    verified(&settings).unwrap();
    // Another version is another tree.
    fs::remove_dir_all(&compiler).unwrap();
    fs::create_dir_all(compiler.join("bin")).unwrap();
    fs::copy(copy.join("bin/ruff"), compiler.join("bin/tsc")).unwrap();
    assert!(verified(&settings).unwrap_err().message().contains("RECORD (missing)"));
    unlock(&copy);
}

/// So does ShellCheck.
#[test]
fn a_checker_of_scripts_that_is_not_as_locked_stops_the_tools() {
    let original = toolchain();
    let Some(locked) = original.root_apart(TreeKind::Shellcheck) else { return };
    let folder = folder();
    let copy = folder.path().join("tree");
    copy_tree(original.root(), &copy);
    unlock(&copy);
    let checker = copy.join("shellcheck");
    copy_tree(locked, &checker);
    unlock(&checker);
    let settings = fixed(&copy);
    let verified = |settings: &ToolchainSettings| {
        let found = manage::inspect_toolchain(settings, &call()).unwrap();
        manage::require_verified(settings, &found)
    };
    verified(&settings).unwrap();
    for (path, act, kind) in [
        ("bin/shellcheck", swap as fn(&Path), "changed"),
        ("bin/other", plant, "added"),
        ("bin/shellcheck", take_x, "wrong mode"),
        ("bin/shellcheck", delete, "missing"),
    ] {
        act(&checker.join(path));
        let error = verified(&settings).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolchainMismatch);
        assert!(error.message().contains(&format!("{path} ({kind})")), "{path}: {error}");
        undo(locked, &checker, path);
    }
    unlock(&copy);
}

#[test]
fn the_message_names_the_first_paths_and_how_many_more() {
    let toolchain = toolchain();
    let folder = folder();
    let kind = TreeKind::Cp313;
    let report =
        verify::verify_tree(folder.path(), Lock::embedded().unwrap(), toolchain.system(), kind, &[], None).unwrap();
    assert!(!report.is_clean());
    assert_eq!(report.files, 0);
    let records = Lock::embedded().unwrap().artifacts_of(toolchain.system(), kind).count();
    assert_eq!(report.faults.len(), records, "without a RECORD only the RECORDs are known to be missing");
    let error = report.to_error("mend it");
    assert!(error.message().starts_with(&format!("{records} paths of the tools are not as locked: ")), "{error}");
    assert!(error.message().ends_with(&format!("(missing) and {} more", records - 5)), "{error}");
    assert_eq!(error.body().hint.as_deref(), Some("mend it"));
}

#[test]
fn an_edited_record_cannot_agree_with_a_changed_file() {
    let original = toolchain();
    let folder = folder();
    let copy = folder.path().join("tree");
    copy_tree(original.root(), &copy);
    unlock(&copy);
    // The change of a forger who knows the format: the file and its line in RECORD.
    let file = copy.join("lib/six.py");
    let record = copy.join("lib/six-1.17.0.dist-info/RECORD");
    append(&file);
    let size = fs::metadata(&file).unwrap().len();
    let text = fs::read_to_string(&record).unwrap();
    let line = text.lines().find(|line| line.starts_with("six.py,")).unwrap();
    rewrite(&record, text.replace(line, &format!("six.py,sha256={},{size}", "A".repeat(43))).as_bytes());
    let settings = fixed(&copy);
    let found = manage::inspect_toolchain(&settings, &call()).unwrap();
    let error = manage::require_verified(&settings, &found).unwrap_err();
    assert!(error.message().contains("lib/six-1.17.0.dist-info/RECORD (changed)"), "{error}");
    // It still runs when that is allowed, and says so.
    let allowed = ToolchainSettings { allow_unverified: true, ..settings };
    manage::require_verified(&allowed, &found).unwrap();
    assert!(!found.verified());
    assert_ne!(found.fingerprint("1").unwrap(), original.fingerprint("1").unwrap());
    unlock(&copy);
}

#[test]
fn the_fingerprint_names_tools_rules_and_interpreter() {
    let toolchain = toolchain();
    let one = toolchain.fingerprint("rules-1").unwrap();
    assert_eq!(one.len(), 64);
    assert_eq!(one, manage::inspect_toolchain(&settings(), &call()).unwrap().fingerprint("rules-1").unwrap());
    assert_ne!(one, toolchain.fingerprint("rules-2").unwrap());
    let locked = Lock::embedded().unwrap().locked_tree(toolchain.system(), toolchain.kind()).unwrap();
    assert_eq!(toolchain.digest(), locked.digest);
}

/// What a prompt command does: bytes that were read before are not read again while their files are the same, and a server,
/// `--require-verified` and attestations read them all.
#[test]
fn bytes_are_read_again_when_their_file_has_changed() {
    let original = toolchain();
    let folder = folder();
    let copy = folder.path().join("tree");
    copy_tree(original.root(), &copy);
    let always = ToolchainSettings { cache_dir: folder.path().join("cache"), ..fixed(&copy) };
    let prompt = ToolchainSettings { byte_check: ByteCheck::WhereChanged, ..always.clone() };
    let faults = |settings: &ToolchainSettings| -> Vec<String> {
        let found = manage::inspect_toolchain(settings, &call()).unwrap();
        found.verifications().iter().flat_map(|tree| &tree.faults).map(ToString::to_string).collect()
    };
    // Nothing is remembered of files that were written just now.
    let entry = digest::sha256(format!("digests of {}", copy.display()).as_bytes());
    let entry = always.cache_dir.join("interpreters").join(format!("{entry}.json"));
    eventually("the digests are remembered", || {
        assert_eq!(faults(&prompt), [""; 0]);
        entry.is_file()
    });
    assert_eq!(faults(&prompt), [""; 0]);

    // What is remembered is believed by the one and not by the other.
    let text = fs::read_to_string(&entry).unwrap();
    let six = digest::sha256(&fs::read(copy.join("lib/six.py")).unwrap());
    fs::write(&entry, text.replace(&six, &"0".repeat(64))).unwrap();
    assert_eq!((faults(&prompt), faults(&always)), (vec!["lib/six.py (changed)".to_owned()], Vec::new()));
    fs::write(&entry, text).unwrap();

    unlock(&copy);
    for tamper in [flip, append] {
        let path = copy.join("lib/six.py");
        tamper(&path);
        let found = faults(&always);
        assert!(!found.is_empty());
        assert_eq!(faults(&prompt), found);
    }
}
