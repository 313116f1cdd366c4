//! Another code intelligence program in place of this one: `CODEREF_CLI_PATH` names it, and it is asked the same things.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::ToolchainSettings;
use tapps_toolchain::foreign::Foreign;

/// The variable that names it.
pub const VARIABLE: &str = "CODEREF_CLI_PATH";

/// The version of the engine of this program.
const OWN_VERSION: &str = env!("CARGO_PKG_VERSION");

/// How messages name it.
const NAME: &str = "coderef";

/// Places at which the answer may begin that are tried.
const MOST_STARTS: usize = 200;

/// The program that was named; it is looked for when it is first needed.
#[derive(Debug)]
pub struct External {
    path: PathBuf,
    settings: ToolchainSettings,
    found: OnceLock<Foreign>,
    version: OnceLock<Option<String>>,
}

/// What it said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ExternalReport {
    pub external: Identity,
    /// Its answer, when that is a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Value>,
    /// Its answer, when that is an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Map<String, Value>>,
    /// Its answer, when that is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Whose bytes an answer comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Identity {
    pub name: &'static str,
    /// What it answers to `--version`; none where it gives no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub sha256: String,
    /// What differs from the engine of this program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl External {
    /// The program at a path.
    #[must_use]
    pub fn new(path: PathBuf, settings: ToolchainSettings) -> Self {
        Self { path, settings, found: OnceLock::new(), version: OnceLock::new() }
    }

    fn program(&self) -> Result<&Foreign> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let found = Foreign::find(NAME, &self.path, &self.settings)?;
        Ok(self.found.get_or_init(|| found))
    }

    /// Asks it in the folder of a project.
    ///
    /// # Errors
    /// `tool_unavailable` when it is not there, `degraded_result` when it fails, `timeout`, `cancelled`.
    pub async fn run_in_project(&self, args: &[String], project: &Path, call: &Call) -> Result<ExternalReport> {
        let program = self.program()?;
        let finished = program.run(args, project, call).await?;
        if finished.code() != Some(0) {
            let said = finished.last_errors(3);
            let code = finished.code().map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
            return Err(Error::new(ErrorCode::DegradedResult, format!("{NAME} ended with {code}: {said}"))
                .tool(NAME)
                .hint(format!("run it by hand, or unset {VARIABLE} to use the engine of this program")));
        }
        let text = String::from_utf8_lossy(&finished.stdout);
        let mut report = parse_external_reply(&text);
        let version = match self.version.get() {
            Some(known) => known.clone(),
            None => {
                let told = ask_version(program, project, call).await?;
                self.version.get_or_init(|| told).clone()
            }
        };
        let note = (version.as_deref() != Some(OWN_VERSION)).then(|| {
            let said =
                version.as_ref().map_or_else(|| "tells no version".to_owned(), |version| format!("is {version}"));
            format!("{VARIABLE} names a program that {said}; the engine of this program is {OWN_VERSION}")
        });
        report.external = Identity { name: NAME, version, sha256: program.sha256().to_owned(), note };
        Ok(report)
    }
}

/// The first number with points that a program answers to `--version`.
async fn ask_version(program: &Foreign, project: &Path, call: &Call) -> Result<Option<String>> {
    let finished = program.run(&["--version".to_owned()], project, call).await?;
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    let is_version = |word: &&str| word.contains('.') && word.starts_with(|sign: char| sign.is_ascii_digit());
    let words = said.split_whitespace().map(|word| word.trim_start_matches('v'));
    Ok(words.take(8).find(is_version).filter(|_| finished.code() == Some(0)).map(str::to_owned))
}

/// The answer in what a program wrote: the JSON value that everything after the progress lines is, else the text.
fn parse_external_reply(text: &str) -> ExternalReport {
    let starts = text.match_indices(['{', '[']).map(|(at, _)| at);
    let at_line = |at: &usize| *at == 0 || text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\n');
    for at in starts.filter(at_line).take(MOST_STARTS) {
        match text.get(at..).map(serde_json::from_str) {
            Some(Ok(Value::Object(answer))) => {
                return ExternalReport { answer: Some(answer), ..ExternalReport::default() };
            }
            Some(Ok(Value::Array(items))) => return ExternalReport { items, ..ExternalReport::default() },
            _ => {}
        }
    }
    ExternalReport { text: Some(text.trim().to_owned()), ..ExternalReport::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_answer_is_found_behind_progress() {
        let list =
            parse_external_reply("Scanning...\n[1/2] reading\n[2025] files\n[{\"name\": \"f\", \"calls\": []}]\n");
        assert_eq!(list.items, [json!({"name": "f", "calls": []})]);
        let object = parse_external_reply("done\n{\n  \"elements\": [\n    1\n  ]\n}\n");
        assert_eq!(object.answer.map(Value::Object), Some(json!({"elements": [1]})));
        assert_eq!(
            parse_external_reply("graph TD\n  a[\"x\"] --> b\n").text.as_deref(),
            Some("graph TD\n  a[\"x\"] --> b")
        );
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_program_is_run_and_its_bytes_are_told() {
        use std::os::unix::fs::PermissionsExt as _;
        use std::time::Duration;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cli");
        std::fs::write(
            &path,
            "#!/bin/sh\nif [ \"$1\" = fail ]; then echo broken >&2; exit 3; fi\necho \"[\\\"$1\\\"]\"\n",
        )
        .unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let external = External::new(path.clone(), ToolchainSettings::default());
        let call = Call::quiet(Duration::from_secs(20));
        let report = external.run_in_project(&["scan".to_owned()], folder.path(), &call).await.unwrap();
        assert_eq!(report.items, [json!("scan")]);
        assert_eq!(report.external.sha256, tapps_base::digest::sha256(&std::fs::read(&path).unwrap()));
        let error = external.run_in_project(&["fail".to_owned()], folder.path(), &call).await.unwrap_err();
        assert_eq!(error.message(), "coderef ended with exit code 3: broken");
        let missing = External::new(folder.path().join("none"), ToolchainSettings::default());
        let error = missing.run_in_project(&[], folder.path(), &call).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolUnavailable);
    }
}
