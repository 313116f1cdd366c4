//! The lock is whole, and so is what it locks.

use std::collections::BTreeSet;
use std::fs;

use tapps_base::ErrorCode;
use tapps_toolchain::difference::{FileChange, LockChange, diff_locks};
use tapps_toolchain::lock::{Artifact, ArtifactKind, ArtifactRole, EMBEDDED, Lock, TreeKind};
use tapps_toolchain::{PythonTag, System};

use crate::toolchain_support::{folder, program, settings, stdout};

fn lock() -> Lock {
    Lock::embedded().unwrap().clone()
}

#[test]
fn every_system_and_python_has_every_tool() {
    let lock = lock();
    for system in System::ALL {
        for python in PythonTag::ALL {
            let kind = TreeKind::from(python);
            let artifacts: Vec<_> = lock.artifacts_of(system, kind).collect();
            let names: BTreeSet<&str> = artifacts.iter().map(|artifact| artifact.name.as_str()).collect();
            assert_eq!((artifacts.len(), names.len()), (20, 20), "{python} on {system}: one artifact of each package");
            let roles: BTreeSet<ArtifactRole> = artifacts.iter().map(|artifact| artifact.role).collect();
            let wanted = [
                ArtifactRole::Ruff,
                ArtifactRole::Mypy,
                ArtifactRole::Bandit,
                ArtifactRole::Radon,
                ArtifactRole::Coverage,
                ArtifactRole::Oxlint,
                ArtifactRole::Support,
            ];
            assert_eq!(roles, BTreeSet::from(wanted));
            let tree = lock.locked_tree(system, kind).unwrap();
            assert!(tree.files > 2000 && tree.bytes > 50_000_000, "{tree:?}");
        }
        let node: Vec<_> = lock.artifacts_of(system, TreeKind::Node).collect();
        assert_eq!((node.len(), lock.locked_tree(system, TreeKind::Node).unwrap().files), (1, 2));
        let of_types: Vec<_> = lock.artifacts_of(system, TreeKind::TypeScript).collect();
        assert!(of_types.iter().all(|one| one.integrity.is_some() && one.kind == ArtifactKind::Npm), "{of_types:?}");
        let roles: Vec<ArtifactRole> = of_types.iter().map(|one| one.role).collect();
        assert_eq!(roles, [ArtifactRole::Tsgolint, ArtifactRole::TypeScript]);
        // The compiler, the declarations of the language, the linter, and a RECORD of each package.
        assert_eq!(lock.locked_tree(system, TreeKind::TypeScript).unwrap().files, 112);
        // Nobody publishes it for Linux on aarch64.
        let published = system != System::Aarch64Linux;
        assert_eq!(lock.artifacts_of(system, TreeKind::Shellcheck).count(), usize::from(published));
        assert_eq!(lock.locked_tree(system, TreeKind::Shellcheck).is_ok(), published);
    }
}

#[test]
fn on_linux_the_linters_need_no_c_library() {
    let linter = |artifact: &&Artifact| matches!(artifact.role, ArtifactRole::Ruff | ArtifactRole::Oxlint);
    for artifact in lock().artifacts.iter().filter(linter) {
        let linux = artifact.systems.iter().any(|system| system.as_str().ends_with("linux"));
        assert_eq!(artifact.file.contains("musllinux"), linux, "{}", artifact.file);
    }
}

#[test]
fn the_lock_names_no_host_and_is_written_as_it_is_kept() {
    assert!(!EMBEDDED.contains("://") && !EMBEDDED.contains("http"));
    assert_eq!(lock().to_text().unwrap(), EMBEDDED);
}

#[test]
fn a_lock_that_is_not_whole_is_refused() {
    let digest = lock().artifacts[0].sha256.clone();
    let record = lock().artifacts[0].record_sha256.clone();
    let tree = lock().trees[0].digest.clone();
    let file = lock().artifacts.iter().find(|one| one.kind == ArtifactKind::Wheel).unwrap().file.clone();
    let integrity = lock().artifacts.iter().find_map(|one| one.integrity.clone()).unwrap();
    for (from, to) in [
        (integrity.as_str(), ""),
        (integrity.as_str(), "sha512-AAAA"),
        (integrity.as_str(), &integrity.replace("sha512", "sha1")),
        ("\"kind\": \"npm\"", "\"kind\": \"wheel\""),
        (digest.as_str(), ""),
        (digest.as_str(), "ABC"),
        (record.as_str(), ""),
        (tree.as_str(), "none"),
        (file.as_str(), "../evil.whl"),
        (file.as_str(), "evil.zip"),
        ("\"schema_version\": 1", "\"schema_version\": 2"),
        ("\"schema_version\": 1", "\"schema_version\": 1, \"host\": \"example\""),
        ("\"name\": \"ast-serialize\"", "\"name\": \"zzz\""),
    ] {
        let error = Lock::parse(&EMBEDDED.replace(from, to)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::CorruptedData, "{from} -> {to}");
    }
}

#[test]
fn the_difference_of_two_locks_is_told_by_package_and_file() {
    let old = lock();
    assert_eq!(diff_locks(&old, &old), []);
    let mut new = old.clone();
    new.artifacts.retain(|artifact| artifact.name != "six");
    for artifact in &mut new.artifacts {
        match artifact.name.as_str() {
            "mypy" => artifact.version = "2.5.0".into(),
            "mando" => artifact.sha256 = "0".repeat(64),
            _ => {}
        }
    }
    let file = old.artifacts.iter().find(|artifact| artifact.name == "mando").unwrap().file.clone();
    let changed = LockChange::File { name: "mando".into(), version: "0.7.1".into(), file, what: FileChange::Changed };
    let version = LockChange::Version { name: "mypy".into(), from: "2.4.1".into(), to: "2.5.0".into() };
    let removed = LockChange::Removed { name: "six".into(), version: "1.17.0".into() };
    assert_eq!(diff_locks(&old, &new), [changed, version, removed]);
    assert_eq!(
        diff_locks(&new, &old).last().unwrap(),
        &LockChange::Added { name: "six".into(), version: "1.17.0".into() }
    );
}

#[test]
fn the_diff_command_compares_with_a_file() {
    let folder = folder();
    let same = folder.path().join("same.json");
    fs::write(&same, EMBEDDED).unwrap();
    let output = program(&settings()).args(["toolchain", "diff"]).arg(&same).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "the locks are the same\n"));
    let mut other = lock();
    other.artifacts.retain(|artifact| artifact.name != "six");
    let path = folder.path().join("other.json");
    fs::write(&path, other.to_text().unwrap()).unwrap();
    let output = program(&settings()).args(["toolchain", "diff"]).arg(&path).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), "removed  six 1.17.0\n"));
    let output = program(&settings()).args(["toolchain", "diff", "/nonexistent/lock"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
}
