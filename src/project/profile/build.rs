//! The profile put together.

use std::sync::Arc;

use super::known::LibraryRole;
use super::libraries::{self, is_aside};
use super::surroundings::{self, toml_at};
use super::{ProfileEvidence, ProjectProfile, QualityConfig, deployment, entry_points, languages, security};
use crate::designs::find_designs;
use crate::files::ProjectFiles;
use crate::packages::Packages;
use tapps_base::Result;
use tapps_config::Config;
use tapps_sandbox::Boundary;

/// Looks at the whole project.
///
/// # Errors
/// When the root cannot be read; `invalid_argument` for an unknown preset in the configuration.
pub fn build_project_profile(boundary: &Arc<Boundary>, config: &Config) -> Result<ProjectProfile> {
    let files = ProjectFiles::new(Arc::clone(boundary));
    let entries = files.list()?;
    let paths: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
    let languages = languages::count_languages(&files, &paths);
    let packages = Packages::from_files(&files, &paths);
    let libraries = libraries::collect_libraries(&packages);
    let docker = deployment::docker(&paths);
    let ci = surroundings::ci(&paths);
    let package_managers = surroundings::managers(&paths);
    let mut frameworks = libraries::with_role(&libraries, &[LibraryRole::Web, LibraryRole::Framework]);
    frameworks.extend(own_framework(&files, &paths, &frameworks));
    let test_frameworks = tests(&files, &paths, &libraries);
    let designs = find_designs(&files, &paths)?;
    Ok(ProjectProfile {
        languages,
        frameworks,
        test_framework: test_frameworks.first().map(|shown| shown.name.clone()),
        test_frameworks,
        package_manager: package_managers.first().map(|shown| shown.name.clone()),
        package_managers,
        workspaces: surroundings::workspaces(&files, &paths),
        has_ci: !ci.is_empty(),
        ci,
        has_docker: !docker.is_empty(),
        deployment_type: deployment::judge_deployment(&paths, &docker, packaging_manifest(&files, &paths).as_deref()),
        security_level: security::judge_security_level(&libraries, &docker),
        docker,
        locked_packages: packages.locked.len(),
        libraries,
        entry_points: entry_points::find_entry_points(&files, &paths),
        designs: designs.designs,
        designs_not_looked_at: designs.not_looked_at,
        quality_config: quality(config, &files, &paths)?,
        unread: packages.unread.iter().map(|(path, why)| format!("{path}: {why}")).collect(),
    })
}

fn quality(config: &Config, files: &ProjectFiles, paths: &[&str]) -> Result<QualityConfig> {
    let gate = config.gate(None)?;
    Ok(QualityConfig {
        preset: config.preset.clone(),
        min_score: gate.overall,
        security_min: gate.security,
        test_coverage_min: gate.coverage,
        tools: surroundings::tools(files, paths),
    })
}

/// A manifest at the root that makes a package for others.
fn packaging_manifest(files: &ProjectFiles, paths: &[&str]) -> Option<String> {
    let of = |path: &str| -> bool {
        match path {
            "pyproject.toml" => toml_at(files, path).is_some_and(|document| document.contains_key("build-system")),
            "setup.py" | "setup.cfg" => true,
            "Cargo.toml" => toml_at(files, path).is_some_and(|document| {
                let publish = document.get("package").and_then(|package| package.get("publish"));
                document.contains_key("package") && publish.and_then(toml::Value::as_bool) != Some(false)
            }),
            "package.json" => surroundings::json_at(files, path)
                .is_some_and(|document| document.get("private").and_then(serde_json::Value::as_bool) != Some(true)),
            _ => false,
        }
    };
    ["pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "package.json"]
        .into_iter()
        .find(|path| paths.binary_search(path).is_ok() && of(path))
        .map(str::to_owned)
}

/// The framework that the project itself is.
fn own_framework(files: &ProjectFiles, paths: &[&str], known: &[ProfileEvidence]) -> Option<ProfileEvidence> {
    use crate::packages::Ecosystem;
    let (name, ecosystem, path) = if let Some(document) = toml_at(files, "pyproject.toml") {
        (document.get("project")?.get("name")?.as_str()?.to_owned(), Ecosystem::PyPi, "pyproject.toml")
    } else if paths.contains(&"package.json") {
        let document = surroundings::json_at(files, "package.json")?;
        (document.get("name")?.as_str()?.to_owned(), Ecosystem::Npm, "package.json")
    } else {
        return None;
    };
    let role = super::known::role(ecosystem, &name);
    let name = ecosystem.normalize_name(&name);
    let is = matches!(role, Some(LibraryRole::Web | LibraryRole::Framework))
        && !known.iter().any(|shown| shown.name == name);
    is.then(|| ProfileEvidence::new(name, path))
}

/// Test frameworks: libraries first, then those that need none.
fn tests(files: &ProjectFiles, paths: &[&str], libraries: &[libraries::ProjectLibrary]) -> Vec<ProfileEvidence> {
    let mut found = libraries::with_role(libraries, &[LibraryRole::Test]);
    let has = |found: &[ProfileEvidence], name: &str| found.iter().any(|shown| shown.name == name);
    let configured =
        ["pytest.ini", "conftest.py", "tests/conftest.py"].into_iter().find(|path| paths.binary_search(path).is_ok());
    let in_manifest = toml_at(files, "pyproject.toml")
        .is_some_and(|document| document.get("tool").and_then(|tool| tool.get("pytest")).is_some());
    if let Some(path) = configured.or(in_manifest.then_some("pyproject.toml"))
        && !has(&found, "pytest")
    {
        found.insert(0, ProfileEvidence::new("pytest", path));
    }
    let holds = |ending: &str, words: &[&str]| {
        let mut tests = paths.iter().filter(|path| path.ends_with(ending) && !path.contains("fixtures/"));
        tests.find(|path| {
            let text = files.read(path, 1 << 20).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            words.iter().any(|word| text.contains(word))
        })
    };
    let python_test = paths.iter().any(|path| path.ends_with(".py") && crate::reach::is_test_code(path));
    if python_test && !has(&found, "pytest") {
        let tests: Vec<&&str> =
            paths.iter().filter(|path| path.ends_with(".py") && crate::reach::is_test_code(path)).take(200).collect();
        let uses = |path: &&&&str| {
            let text = files.read(path, 1 << 20).unwrap_or_default();
            String::from_utf8_lossy(&text)
                .lines()
                .any(|line| line.starts_with("import unittest") || line.starts_with("from unittest"))
        };
        if let Some(path) = tests.iter().find(uses) {
            found.push(ProfileEvidence::new("unittest", **path));
        }
    }
    if paths.binary_search(&"Cargo.toml").is_ok()
        && let Some(path) = holds(".rs", &["#[test]", "::test]"])
    {
        found.push(ProfileEvidence::new("cargo test", *path));
    }
    if let Some(path) = paths.iter().find(|path| path.ends_with("_test.go") && !is_aside_but_test(path)) {
        found.push(ProfileEvidence::new("go test", *path));
    }
    found
}

/// Vendored and generated tests say nothing of the project.
fn is_aside_but_test(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "vendor" | "testdata" | "third_party")) && is_aside(path)
}
