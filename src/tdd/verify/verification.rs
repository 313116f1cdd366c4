//! The record of one verified run of the tests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::TestVerdict;
use tapps_base::{Result, digest};

/// What running the session's test commands showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestVerification {
    pub verdict: TestVerdict,
    /// Why, in one sentence.
    pub reason: String,
    /// SHA-256 of the canonical JSON of `commands`: the evidence.
    pub digest: String,
    pub commands: Vec<CommandRun>,
}

/// One command of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRun {
    pub command: String,
    /// None when a signal ended it.
    pub exit_code: Option<i32>,
    pub verdict: TestVerdict,
    pub reason: String,
    /// Tests that passed, when the output says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
    /// SHA-256 of standard output followed by standard error.
    pub output_sha256: String,
}

impl TestVerification {
    /// Puts the runs of all commands together: broken if one is, else red if one is, else green.
    ///
    /// # Errors
    /// `internal` when the record has no JSON form.
    pub fn from_command_runs(commands: Vec<CommandRun>) -> Result<Self> {
        let digest = digest::of_json(&commands)?;
        let worst = [TestVerdict::Broken, TestVerdict::Red]
            .into_iter()
            .find_map(|verdict| commands.iter().find(|run| run.verdict == verdict));
        let (verdict, reason) = match worst {
            Some(run) => (run.verdict, run.reason.clone()),
            None => (TestVerdict::Green, green_reason(&commands)),
        };
        Ok(Self { verdict, reason, digest, commands })
    }

    /// The verdict and the beginning of the digest, for a line of a history.
    #[must_use]
    pub fn summary(&self) -> String {
        format!("{}, run {}", self.verdict, self.digest.get(..12).unwrap_or(&self.digest))
    }
}

fn green_reason(commands: &[CommandRun]) -> String {
    let passed: u64 = commands.iter().filter_map(|run| run.passed).sum();
    if passed > 0 { format!("all {passed} tests passed") } else { "every command succeeded".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(verdict: TestVerdict) -> CommandRun {
        CommandRun {
            command: format!("{verdict}"),
            exit_code: Some(0),
            verdict,
            reason: format!("because {verdict}"),
            passed: Some(2),
            failed: None,
            output_sha256: String::new(),
        }
    }

    #[test]
    fn the_worst_command_decides() {
        use TestVerdict::{Broken, Green, Red};
        for (verdicts, expected, reason) in [
            (vec![Green, Green], Green, "all 4 tests passed"),
            (vec![Green, Red], Red, "because red"),
            (vec![Red, Broken, Green], Broken, "because broken"),
        ] {
            let verification = TestVerification::from_command_runs(verdicts.into_iter().map(run).collect()).unwrap();
            assert_eq!((verification.verdict, verification.reason.as_str()), (expected, reason));
        }
    }

    #[test]
    fn the_digest_covers_every_field_of_every_command() {
        let one = TestVerification::from_command_runs(vec![run(TestVerdict::Green)]).unwrap();
        let mut other = run(TestVerdict::Green);
        other.output_sha256 = "x".into();
        assert_ne!(one.digest, TestVerification::from_command_runs(vec![other]).unwrap().digest);
        assert_eq!(one.digest, TestVerification::from_command_runs(vec![run(TestVerdict::Green)]).unwrap().digest);
    }
}
