//! Whether the locked wheels have everything they ask for.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use pep508_rs::pep440_rs::Version;
use pep508_rs::{MarkerEnvironment, MarkerEnvironmentBuilder, Requirement, VerbatimUrl, VersionOrUrl};

use tapps_base::pypi::normalize_pypi_name;
use tapps_base::{Error, Result};

use super::lock::{Artifact, Lock, TreeKind};
use super::manifest::artifact_mismatch_error;
use super::system::{PythonTag, System};

/// What a wheel's METADATA asks for without any extra, sorted.
pub(super) fn of_metadata(metadata: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(metadata);
    // The headers end with the first empty line; the description after it may say anything.
    let headers = text.lines().take_while(|line| !line.is_empty());
    let mut requires: Vec<String> = headers
        .filter_map(|line| line.strip_prefix("Requires-Dist:"))
        .map(|requirement| requirement.trim().to_owned())
        .filter(|requirement| !requirement.contains("extra =="))
        .collect();
    requires.sort();
    requires
}

/// Fails unless everything that the artifacts of every tree ask for is in that tree, in a version that will do.
///
/// # Errors
/// `toolchain_mismatch` naming the wheel and what it lacks.
pub(super) fn check_closure(lock: &Lock) -> Result<()> {
    for system in System::ALL {
        for kind in TreeKind::ALL {
            check_tree_closure(lock, system, kind)?;
        }
    }
    Ok(())
}

/// As [`check_closure`], for one tree.
pub(super) fn check_tree_closure(lock: &Lock, system: System, kind: TreeKind) -> Result<()> {
    let environment = marker_environment(system, kind.python().unwrap_or(PythonTag::Cp313))?;
    let artifacts: Vec<&Artifact> = lock.artifacts_of(system, kind).collect();
    let versions = artifacts.iter().map(|artifact| (normalize_pypi_name(&artifact.name), artifact.version.as_str()));
    let versions: BTreeMap<String, &str> = versions.collect();
    for artifact in &artifacts {
        check_requirements(artifact, &versions, &environment, &format!("{kind} on {system}"))?;
    }
    Ok(())
}

fn check_requirements(
    artifact: &Artifact,
    versions: &BTreeMap<String, &str>,
    environment: &MarkerEnvironment,
    tree: &str,
) -> Result<()> {
    for text in &artifact.requires {
        let requirement = Requirement::<VerbatimUrl>::from_str(text)
            .map_err(|e| artifact_mismatch_error(artifact, &format!("asks for `{text}`, which cannot be read: {e}")))?;
        if requirement.evaluate_markers(environment, &[]) && !is_met(&requirement, versions) {
            return Err(artifact_mismatch_error(
                artifact,
                &format!("asks for `{text}`, which is not locked for {tree}"),
            ));
        }
    }
    Ok(())
}

fn is_met(requirement: &Requirement<VerbatimUrl>, versions: &BTreeMap<String, &str>) -> bool {
    let Some(version) = versions.get(&normalize_pypi_name(requirement.name.as_ref())) else { return false };
    match &requirement.version_or_url {
        None => true,
        Some(VersionOrUrl::Url(_)) => false,
        Some(VersionOrUrl::VersionSpecifier(wanted)) => {
            Version::from_str(version).is_ok_and(|version| wanted.contains(&version))
        }
    }
}

fn marker_environment(system: System, python: PythonTag) -> Result<MarkerEnvironment> {
    let (machine, platform) = system.python_names();
    let full = format!("{}.0", python.dotted_version());
    MarkerEnvironment::try_from(MarkerEnvironmentBuilder {
        implementation_name: "cpython",
        implementation_version: &full,
        os_name: "posix",
        platform_machine: machine,
        platform_python_implementation: "CPython",
        platform_release: "",
        platform_system: if platform == "darwin" { "Darwin" } else { "Linux" },
        platform_version: "",
        python_full_version: &full,
        python_version: python.dotted_version(),
        sys_platform: platform,
    })
    .map_err(|e| Error::internal(format!("the marker environment cannot be made: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded() -> Lock {
        Lock::embedded().unwrap().clone()
    }

    #[test]
    fn the_lock_has_everything_that_is_asked_for() {
        check_closure(&embedded()).unwrap();
    }

    #[test]
    fn without_any_one_of_the_supports_it_is_not_whole() {
        let names =
            ["librt", "ast-serialize", "mypy-extensions", "pathspec", "typing-extensions", "stevedore", "pyyaml"];
        let more = ["rich", "pygments", "markdown-it-py", "mdurl", "mando", "six", "colorama"];
        for name in names.into_iter().chain(more) {
            let mut lock = embedded();
            lock.artifacts.retain(|artifact| artifact.name != name);
            assert!(check_closure(&lock).is_err(), "{name} can be left out unnoticed");
        }
        let mut lock = embedded();
        lock.artifacts.retain(|artifact| artifact.name != "librt" || !artifact.file.contains("cp312-macosx"));
        let error = check_closure(&lock).unwrap_err();
        assert!(error.message().ends_with("which is not locked for cp312 on aarch64-darwin"), "{error}");
    }

    #[test]
    fn a_version_that_will_not_do_is_not_enough() {
        let mut lock = embedded();
        for artifact in &mut lock.artifacts {
            if artifact.name == "mando" {
                artifact.version = "0.9.0".into();
            }
        }
        let error = check_closure(&lock).unwrap_err();
        assert!(error.message().contains("radon-6.0.1") && error.message().contains("mando"), "{error}");
    }

    #[test]
    fn a_run_of_separators_in_a_name_is_one() {
        let mut lock = embedded();
        for artifact in &mut lock.artifacts {
            if artifact.name == "typing-extensions" {
                artifact.name = "Typing__Extensions".into();
            }
        }
        check_closure(&lock).unwrap();
    }

    #[test]
    fn only_headers_without_extras_count() {
        let metadata = b"Name: a\nRequires-Dist: z>=1\nRequires-Dist: b ; python_version < \"3.12\"\n\
            Requires-Dist: c ; extra == 'more'\n\nRequires-Dist: described\n";
        assert_eq!(of_metadata(metadata), ["b ; python_version < \"3.12\"", "z>=1"]);
    }
}
