//! Whether the locked wheels have everything they ask for.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use pep508_rs::{
    ExtraName, MarkerEnvironment, MarkerEnvironmentBuilder, Requirement, VerbatimUrl, VersionOrUrl, pep440_rs::Version,
};

use crate::base::{Error, ErrorCode, Result};

use super::lock::Artifact;
use super::manifest::mismatch;
use super::system::{PythonTag, System};

/// Fails unless every `Requires-Dist` that holds on that system and Python is met by one of the wheels.
///
/// # Errors
/// `toolchain_mismatch` naming the wheel and what it lacks.
pub(super) fn check_closure(wheels: &[(&Artifact, Vec<u8>)], system: System, python: PythonTag) -> Result<()> {
    let environment = environment(system, python)?;
    let versions: BTreeMap<String, &str> =
        wheels.iter().map(|(artifact, _)| (normal(&artifact.name), artifact.version.as_str())).collect();
    for (artifact, metadata) in wheels {
        for line in String::from_utf8_lossy(metadata).lines().take_while(|line| !line.is_empty()) {
            let Some(text) = line.strip_prefix("Requires-Dist:") else { continue };
            let text = text.trim();
            let requirement = Requirement::<VerbatimUrl>::from_str(text)
                .map_err(|e| mismatch(artifact, &format!("asks for `{text}`, which cannot be read: {e}")))?;
            let no_extras: &[ExtraName] = &[];
            if requirement.evaluate_markers(&environment, no_extras) && !met(&requirement, &versions) {
                return Err(mismatch(
                    artifact,
                    &format!("asks for `{text}`, which is not locked for {python} on {system}"),
                ));
            }
        }
    }
    Ok(())
}

fn met(requirement: &Requirement<VerbatimUrl>, versions: &BTreeMap<String, &str>) -> bool {
    let Some(version) = versions.get(&normal(requirement.name.as_ref())) else { return false };
    match &requirement.version_or_url {
        None => true,
        Some(VersionOrUrl::Url(_)) => false,
        Some(VersionOrUrl::VersionSpecifier(wanted)) => {
            Version::from_str(version).is_ok_and(|version| wanted.contains(&version))
        }
    }
}

/// A package name in the form in which two spellings of it are equal.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

fn environment(system: System, python: PythonTag) -> Result<MarkerEnvironment> {
    let (machine, platform) = system.python_names();
    let full = format!("{}.0", python.dotted());
    let os = if platform == "darwin" { "Darwin" } else { "Linux" };
    MarkerEnvironment::try_from(MarkerEnvironmentBuilder {
        implementation_name: "cpython",
        implementation_version: &full,
        os_name: "posix",
        platform_machine: machine,
        platform_python_implementation: "CPython",
        platform_release: "",
        platform_system: os,
        platform_version: "",
        python_full_version: &full,
        python_version: python.dotted(),
        sys_platform: platform,
    })
    .map_err(|e| Error::new(ErrorCode::Internal, format!("the marker environment cannot be made: {e}")))
}
