//! What a verdict was made with, as lists of dependencies name it: package URLs with digests.

use tapps_toolchain::Toolchain;
use tapps_toolchain::lock::Artifact;

use super::statement::{AttestedInterpreter, Digest, ResolvedDependency};
use tapps_base::Result;

/// The wheels of the tools, and the interpreter when the verdict depends on one.
///
/// # Errors
/// `corrupted_data` when the embedded lock is not whole, which a test rules out.
pub(super) fn list_dependencies(
    tools: &Toolchain,
    interpreter: Option<&AttestedInterpreter>,
) -> Result<Vec<ResolvedDependency>> {
    let mut dependencies: Vec<ResolvedDependency> = tools.artifacts()?.into_iter().map(of_wheel).collect();
    dependencies.extend(interpreter.map(of_interpreter));
    dependencies.sort_by(|a, b| a.uri.cmp(&b.uri));
    Ok(dependencies)
}

fn of_wheel(artifact: &Artifact) -> ResolvedDependency {
    // Names of the registry are compared without regard to case and to which of `-`, `_` and `.` is written.
    let name = artifact.name.to_lowercase().replace(['_', '.'], "-");
    let file = percent_encoded(&artifact.file);
    ResolvedDependency {
        uri: format!("pkg:pypi/{name}@{}?file_name={file}", percent_encoded(&artifact.version)),
        name: artifact.file.clone(),
        digest: Digest::of_sha256(&artifact.sha256),
    }
}

/// The digest is over the interpreter's program or library and the modules that the tools load: no one file has it.
fn of_interpreter(interpreter: &AttestedInterpreter) -> ResolvedDependency {
    let name = interpreter.implementation.to_lowercase();
    ResolvedDependency {
        uri: format!("pkg:generic/{name}@{}", percent_encoded(&interpreter.version)),
        name,
        digest: Digest::of_sha256(&interpreter.digest),
    }
}

/// A part of a package URL: everything but letters, digits and `-._~` is written by its bytes.
fn percent_encoded(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    text.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_package_url_are_encoded() {
        assert_eq!(percent_encoded("a-1.0+local_x.whl"), "a-1.0%2Blocal_x.whl");
    }
}
