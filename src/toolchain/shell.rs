//! Command lines of the project's own, such as the one that runs its tests: as the user's shell would run them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::ToolchainSettings;
use super::process::{self, Finished, ProcessLimits, Spec};

/// A suite may take long; the call's own deadline is the one that counts.
const TIME: Duration = Duration::from_secs(3600);

/// What one command may write.
const OUTPUT: usize = 16 << 20;

/// Variables of this program's own; they are no concern of the project, and one of them may hold a token.
const OWN: [&str; 2] = ["TAPPS_MCP_", "TDD_MCP_"];

/// What makes the output of test runners plain.
const PLAIN: [(&str, &str); 4] =
    [("NO_COLOR", "1"), ("TERM", "dumb"), ("CARGO_TERM_COLOR", "never"), ("CARGO_TERM_PROGRESS_WHEN", "never")];

/// What would undo that.
const COLOURING: [&str; 5] = ["FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "PYTEST_THEME", "CLICOLOR"];

/// The user's shell, with the user's environment: the tests of a project need what its users have.
#[derive(Debug, Clone)]
pub struct Shell {
    program: PathBuf,
    env: Vec<(OsString, OsString)>,
    helper: Option<PathBuf>,
}

impl Shell {
    /// Finds `sh` on the search path; commands see the environment of this process but for its own variables.
    ///
    /// # Errors
    /// `tool_unavailable` when it is not there.
    pub fn find(settings: &ToolchainSettings) -> Result<Self> {
        let program = settings.find_program("sh").ok_or_else(|| {
            Error::new(ErrorCode::ToolUnavailable, "sh was not found on PATH")
                .tool("sh")
                .hint("commands of the project are run by a POSIX shell; put one on PATH")
        })?;
        Ok(Self { program, env: shell_environment(std::env::vars_os()), helper: settings.helper.clone() })
    }

    /// Runs one command line in the folder `cwd` to its end. An exit code other than 0 is no error here.
    ///
    /// Dropping the future or cancelling the call kills the command and everything it started.
    ///
    /// # Errors
    /// `timeout`, `cancelled`, `tool_unavailable` when the shell cannot start, `degraded_result` when the command says
    /// more than it may.
    pub async fn run(&self, line: &str, cwd: &Path, call: &Call) -> Result<Finished> {
        let spec = Spec {
            name: printable_command_line(line),
            program: self.program.clone(),
            args: vec!["-c".into(), line.into()],
            env: Some(self.env.clone()),
            cwd: cwd.to_owned(),
            stdin: Vec::new(),
            limits: ProcessLimits { time: TIME, output: OUTPUT, ..ProcessLimits::default() },
            helper: self.helper.clone(),
            on_line: None,
        };
        process::run_process(spec, call).await
    }
}

pub(super) fn shell_environment(inherited: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    let replaced = |name: &OsStr| {
        let name = name.to_string_lossy();
        OWN.iter().any(|prefix| name.starts_with(prefix))
            || COLOURING.contains(&&*name)
            || PLAIN.iter().any(|(plain, _)| *plain == name)
    };
    let kept = inherited.filter(|(name, _)| !replaced(name));
    let plain = PLAIN.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    kept.chain(plain).collect()
}

/// A command line as messages name it.
fn printable_command_line(line: &str) -> String {
    line.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell() -> Shell {
        let settings =
            ToolchainSettings { search_path: std::env::var_os("PATH").unwrap(), ..ToolchainSettings::default() };
        Shell::find(&settings).unwrap()
    }

    #[tokio::test]
    async fn a_line_runs_as_in_a_shell_with_a_plain_environment() {
        let dir = tempfile::tempdir().unwrap();
        let call = Call::quiet(Duration::from_secs(30));
        let line = "cd . && printf '%s|%s' \"$NO_COLOR\" \"$(pwd -P)\"; echo oops >&2; exit 3";
        let finished = shell().run(line, dir.path(), &call).await.unwrap();
        assert_eq!(finished.code(), Some(3));
        let expected = format!("1|{}", dir.path().canonicalize().unwrap().display());
        assert_eq!(String::from_utf8_lossy(&finished.stdout), expected);
        assert_eq!(finished.stderr, b"oops\n");
    }

    #[tokio::test]
    async fn a_call_that_is_over_ends_the_command() {
        let dir = tempfile::tempdir().unwrap();
        let call = Call::quiet(Duration::from_millis(300));
        let error = shell().run("sleep 60", dir.path(), &call).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
    }

    #[test]
    fn own_variables_stay_with_this_program() {
        let given =
            [("PATH", "/bin"), ("TAPPS_MCP_HTTP_TOKEN", "x"), ("TDD_MCP_SESSION_DIR", "y"), ("FORCE_COLOR", "1")];
        let env = shell_environment(given.into_iter().map(|(name, value)| (name.into(), value.into())));
        let names: Vec<_> = env.iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        assert_eq!(names, ["PATH", "NO_COLOR", "TERM", "CARGO_TERM_COLOR", "CARGO_TERM_PROGRESS_WHEN"]);
    }
}
