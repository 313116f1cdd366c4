//! A project beside which libraries are installed.

use std::path::{Path, PathBuf};

use tapps_base::finding::Finding;
use tapps_names::{CheckedNames, NameChecker};
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::scoring::support::Project;
use crate::toolchain_support::{copy_tree, unlock};

/// Where the libraries of a project are installed.
pub(crate) const SITE: &str = ".venv/lib/python3.12/site-packages";

/// Installs locked wheels beside a project.
pub(crate) fn install(root: &Path, wheels: &[&str]) {
    let site = root.join(SITE);
    std::fs::create_dir_all(&site).unwrap();
    for wheel in wheels {
        for entry in std::fs::read_dir(corpus::dir(wheel)).unwrap().map(Result::unwrap) {
            let to = site.join(entry.file_name());
            if entry.path().is_dir() {
                copy_tree(&entry.path(), &to);
            } else {
                std::fs::copy(entry.path(), &to).unwrap();
            }
        }
    }
    unlock(root);
}

/// A project of these files, with these wheels.
pub(super) fn project(files: &[(&str, &str)], wheels: &[&str]) -> Project {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let project = Project::of(&files);
    install(project.root(), wheels);
    project
}

/// What is said of the names in a file.
pub(super) fn check(root: &Path, file: &str, text: &str) -> CheckedNames {
    let boundary = std::sync::Arc::new(Boundary::open(root).unwrap());
    let source = tapps_base::source::Source::new(file, text.as_bytes());
    let checker = NameChecker::new(PythonEnvironment::of_project(boundary.clone()));
    checker.check_each(&[source], &boundary).unwrap().remove(0)
}

/// Rule, line and message of each finding.
pub(super) fn told(findings: &[Finding]) -> Vec<String> {
    let told = |one: &Finding| format!("{} {}: {}", one.rule.trim_start_matches("tapps:"), one.line, one.message);
    findings.iter().map(told).collect()
}

/// All modules below a folder, with their texts, sorted.
pub(super) fn modules(root: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = corpus::files(root, "py").into_iter().filter(|path| !path.starts_with(".venv/"));
    paths.map(|path| (path.clone(), std::fs::read(PathBuf::from(root).join(&path)).unwrap())).collect()
}
