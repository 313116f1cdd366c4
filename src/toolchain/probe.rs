//! A program that is tried out: asked for its version, or spoken to line by line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::oneshot;

use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

use super::process::{self, Finished, ProcessLimits, Spec, Until};

/// Longest line that is listened to, in bytes.
const LINE: u64 = 4 << 20;

/// How long the error stream of a program that has ended is listened to.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a trial of a program may say.
const OUTPUT: usize = 1 << 20;

/// A program with its arguments, started as this process would start it: with the same environment.
#[derive(Debug, Clone)]
pub struct Probe {
    /// How messages name it.
    pub name: String,
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub cwd: PathBuf,
    /// See [`super::ToolchainSettings::helper`].
    pub helper: Option<PathBuf>,
    /// How long it may take altogether.
    pub time: Duration,
}

impl Probe {
    /// Runs it to its end.
    ///
    /// # Errors
    /// `timeout`, `cancelled`, `tool_unavailable` when it cannot start.
    pub async fn run(&self, call: &Call) -> Result<Finished> {
        process::run_process(self.spec(), call).await
    }

    /// Says each line and waits for one line of answer to it, then ends the program. A line without an answer is sent by
    /// giving `false` with it.
    ///
    /// # Errors
    /// As [`Probe::run`]; `degraded_result` when it ends or falls silent before it has answered, with its last words.
    pub async fn exchange_lines(&self, lines: Vec<(String, bool)>, call: &Call) -> Result<Vec<String>> {
        let (answer, heard) = oneshot::channel();
        let (spec, cancel) = (self.spec(), call.cancel.clone());
        let until = Until::from_limits(&spec.limits, call);
        process::process_runtime()?.spawn(async move {
            let result = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(process::cancelled_run_error(&spec.name)),
                () = tokio::time::sleep_until(until.at.into()) => Err(until.timeout_error(&spec.name)),
                result = start_and_exchange_lines(&spec, &lines) => result,
            };
            answer.send(result).ok();
        });
        heard.await.unwrap_or_else(|_| Err(Error::internal("the thread that runs tools has gone")))
    }

    fn spec(&self) -> Spec {
        Spec {
            name: self.name.clone(),
            program: self.program.clone(),
            args: self.args.clone(),
            env: None,
            cwd: self.cwd.clone(),
            stdin: Vec::new(),
            limits: ProcessLimits { time: self.time, output: OUTPUT, ..ProcessLimits::default() },
            helper: self.helper.clone(),
            on_line: None,
        }
    }
}

async fn start_and_exchange_lines(spec: &Spec, lines: &[(String, bool)]) -> Result<Vec<String>> {
    let (mut group, pipes) = process::spawn_process(spec)?;
    let mut last_words = Vec::new();
    let said = match (pipes.stdin, pipes.stdout, pipes.stderr) {
        (Some(input), Some(output), Some(errors)) => {
            let mut errors = errors.take(LINE);
            let heed = errors.read_to_end(&mut last_words);
            let exchanged = send_and_receive_lines(input, output, lines);
            tokio::pin!(heed, exchanged);
            tokio::select! {
                answers = &mut exchanged => {
                    if answers.is_none() {
                        tokio::time::timeout(LAST_WORDS, &mut heed).await.ok();
                    }
                    answers
                }
                // Whoever closes the error stream has ended, and its answers are in the pipe.
                _ = &mut heed => exchanged.await,
            }
        }
        _ => None,
    };
    group.kill_remaining();
    group.reap_leader().await.ok();
    said.ok_or_else(|| {
        let words = String::from_utf8_lossy(&last_words);
        // An error comes first, and what to do about it after.
        let mut lines = words.lines().map(str::trim).filter(|line| !line.is_empty());
        let said = lines.clone().find(|line| line.starts_with("error")).or_else(|| lines.next_back());
        let words = said.unwrap_or("nothing on its error stream");
        Error::new(ErrorCode::DegradedResult, format!("{} ended without an answer; its last words: {words}", spec.name))
            .tool(&spec.name)
    })
}

/// The answers; none when the program ended first.
async fn send_and_receive_lines(
    mut input: ChildStdin,
    output: ChildStdout,
    lines: &[(String, bool)],
) -> Option<Vec<String>> {
    let mut output = BufReader::new(output);
    let mut answers = Vec::new();
    for (line, answered) in lines {
        input.write_all(format!("{line}\n").as_bytes()).await.ok()?;
        input.flush().await.ok()?;
        if *answered {
            let mut answer = Vec::new();
            let read = (&mut output).take(LINE).read_until(b'\n', &mut answer).await.ok()?;
            if read == 0 {
                return None;
            }
            answers.push(String::from_utf8_lossy(&answer).trim_end().to_owned());
        }
    }
    Some(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, time: Duration) -> Probe {
        Probe {
            name: "sh".into(),
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            cwd: "/".into(),
            helper: None,
            time,
        }
    }

    fn call() -> Call {
        Call::quiet(Duration::from_secs(30))
    }

    #[tokio::test]
    async fn answers_come_line_by_line() {
        let echo = shell(
            "while read line; do case $line in quiet) ;; *) echo \"<$line>\";; esac; done",
            Duration::from_secs(20),
        );
        let lines = vec![("one".into(), true), ("quiet".into(), false), ("two".into(), true)];
        assert_eq!(echo.exchange_lines(lines, &call()).await.unwrap(), ["<one>", "<two>"]);
    }

    #[tokio::test]
    async fn one_that_gives_no_answer_is_told_with_its_last_words() {
        let gone = shell("read line; echo 'no such key' >&2; exit 3", Duration::from_secs(20));
        let error = gone.exchange_lines(vec![("one".into(), true)], &call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::DegradedResult);
        assert!(error.message().ends_with("its last words: no such key"), "{error}");
        let silent = shell("exec sleep 60", Duration::from_millis(300));
        let error = silent.exchange_lines(vec![("one".into(), true)], &call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
    }
}
