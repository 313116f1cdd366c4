//! The one place where processes are started, fed, bounded and ended.
//!
//! Every process gets a group of its own. Whatever ends the work (an exit, a limit, a caller that has gone) ends the
//! whole group. All processes are started by one thread that lives as long as the program: the kernel ties the
//! parent-death signal to the *thread* that started the child.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, LazyLock, mpsc};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStdin, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use tapps_base::call::{Call, deadline_after};
use tapps_base::shortage::Shortage;
use tapps_base::{Error, ErrorCode, Result};

use super::group::{Pipes, ProcessGroup};
use super::platform::{self, Death};

/// How long the pipes of a finished process may stay open before they are given up.
const DRAIN: Duration = Duration::from_secs(2);

/// Is told each line of a process's standard output as it comes.
pub(super) type OnLine = Arc<dyn Fn(&str) + Send + Sync>;

/// A process to start.
#[derive(Clone)]
pub(super) struct Spec {
    /// How messages name it.
    pub name: String,
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// The whole environment; none inherits this process's.
    pub env: Option<Vec<(OsString, OsString)>>,
    pub cwd: PathBuf,
    pub stdin: Vec<u8>,
    pub limits: ProcessLimits,
    /// See [`super::ToolchainSettings::helper`].
    pub helper: Option<PathBuf>,
    pub on_line: Option<OnLine>,
}

/// What a process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Wall time; the call's own deadline holds as well.
    pub time: Duration,
    /// CPU time in whole seconds, which a busy machine does not use up; enforced on Linux.
    pub cpu: Option<u64>,
    /// Bytes of data (heap and private mappings); enforced on Linux.
    pub memory: u64,
    /// Bytes of standard output, and as many of standard error.
    pub output: usize,
    /// It leaves the cores to whatever else of this program wants them; on Unix.
    pub yields: bool,
}

impl Default for ProcessLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(120), cpu: None, memory: 4 << 30, output: 64 << 20, yields: false }
    }
}

impl ProcessLimits {
    /// So many seconds of CPU time, and as much wall time as the call has: what a busy machine takes longer for is the
    /// same answer.
    #[must_use]
    pub fn of_cpu(seconds: u64) -> Self {
        Self { time: DAY, cpu: Some(seconds), ..Self::default() }
    }
}

/// Longer than any call.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How a process came to its end. One that somebody else ended is no answer but an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Code(i32),
    /// By a signal that it brought on itself.
    Crashed,
    /// At its limit of CPU time.
    OutOfTime,
}

/// A process that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Finished {
    /// The exit code; none when a signal ended the process.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// How it ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match (platform::death_of(self.status), self.status.code()) {
            (Some(Death::OutOfTime), _) => Ending::OutOfTime,
            (None, Some(code)) => Ending::Code(code),
            (Some(_), _) | (None, None) => Ending::Crashed,
        }
    }

    /// The last `count` lines of standard error that are not empty, for messages.
    #[must_use]
    pub fn last_errors(&self, count: usize) -> String {
        let text = String::from_utf8_lossy(&self.stderr);
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        lines.get(lines.len().saturating_sub(count)..).unwrap_or_default().join("\n")
    }
}

/// Runs a process to its end.
///
/// Dropping the future ends the process and its group.
///
/// # Errors
/// `timeout`, `cancelled`, `tool_unavailable` when it cannot be started, `degraded_result` when it says too much,
/// `resource_exhausted` when the machine lacks something or somebody else ended it.
pub(super) async fn run_process(spec: Spec, call: &Call) -> Result<Finished> {
    let (answer, result) = oneshot::channel();
    let work = ProcessRun::new(spec, call);
    process_runtime()?.spawn(work.run_and_report(answer));
    result.await.unwrap_or_else(|_| Err(Error::internal("the thread that runs tools has gone")))
}

/// As [`run_process`], for threads that are not async.
pub(super) fn run_blocking(spec: Spec, call: &Call) -> Result<Finished> {
    let (answer, result) = oneshot::channel();
    let (sender, receiver) = mpsc::sync_channel(1);
    let work = ProcessRun::new(spec, call);
    let handle = process_runtime()?;
    handle.spawn(work.run_and_report(answer));
    handle.spawn(async move {
        if let Ok(result) = result.await {
            sender.send(result).ok();
        }
    });
    receiver.recv().unwrap_or_else(|_| Err(Error::internal("the thread that runs tools has gone")))
}

/// The runtime of the one thread that starts processes.
pub(super) fn process_runtime() -> Result<&'static Handle> {
    static SPAWNER: LazyLock<std::io::Result<Handle>> = LazyLock::new(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        std::thread::Builder::new()
            .name("tools".to_owned())
            .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
        Ok(handle)
    });
    SPAWNER.as_ref().map_err(|e| Error::io("cannot start the thread that runs tools", e))
}

struct ProcessRun {
    spec: Spec,
    cancel: CancellationToken,
    until: Until,
}

impl ProcessRun {
    fn new(spec: Spec, call: &Call) -> Self {
        let until = Until::from_limits(&spec.limits, call);
        Self { spec, cancel: call.cancel.clone(), until }
    }

    async fn run_and_report(self, mut answer: oneshot::Sender<Result<Finished>>) {
        let result = self.run_to_end(&mut answer).await;
        // Nobody listens any more when the caller has gone.
        answer.send(result).ok();
    }

    async fn run_to_end(&self, answer: &mut oneshot::Sender<Result<Finished>>) -> Result<Finished> {
        let name = &self.spec.name;
        if self.cancel.is_cancelled() {
            return Err(cancelled_run_error(name));
        }
        let (mut group, pipes) = spawn_process(&self.spec)?;
        let outcome = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(cancelled_run_error(name)),
            () = answer.closed() => Err(cancelled_run_error(name)),
            () = tokio::time::sleep_until(self.until.at.into()) => Err(self.until.timeout_error(name)),
            result = self.feed_and_collect(pipes, &mut group) => result,
        };
        // The group is ended before its leader is reaped: until then the kernel gives its number to nobody else.
        group.kill_remaining();
        let reaped = group.reap_leader().await;
        let (stdout, stderr) = outcome?;
        let status = reaped.map_err(|e| Error::io(format_args!("cannot learn how {name} ended"), &e))?;
        if let Some(Death::FromOutside(signal)) = platform::death_of(status) {
            let message = format!("{name} was ended from outside, by signal {signal}");
            return Err(Error::exhausted(message, Shortage::Killed).tool(name));
        }
        Ok(Finished { status, stdout, stderr })
    }

    /// Feeds the process and listens until it has ended and both its outputs are closed.
    async fn feed_and_collect(&self, pipes: Pipes, group: &mut ProcessGroup) -> Result<(Vec<u8>, Vec<u8>)> {
        let Pipes { stdin, stdout, stderr } = pipes;
        let limit = self.spec.limits.output;
        let name = self.spec.name.as_str();
        let on_line = self.spec.on_line.as_deref();
        let pipes = async {
            let fed = async {
                write_stdin(stdin, &self.spec.stdin).await;
                Ok(())
            };
            tokio::try_join!(
                fed,
                read_output_pipe(stdout, limit, name, on_line),
                read_output_pipe(stderr, limit, name, None)
            )
        };
        tokio::pin!(pipes);
        let early = tokio::select! {
            result = &mut pipes => Some(result?),
            () = group.leader_ended() => None,
        };
        if let Some(((), stdout, stderr)) = early {
            group.leader_ended().await;
            return Ok((stdout, stderr));
        }
        // A left-over grandchild may hold the pipes open; it goes with the group.
        group.kill_remaining();
        match tokio::time::timeout(DRAIN, pipes).await {
            Ok(result) => result.map(|((), stdout, stderr)| (stdout, stderr)),
            Err(_) => Err(Error::new(
                ErrorCode::DegradedResult,
                format!("{name} ended but something it started still holds its output"),
            )
            .tool(name)),
        }
    }
}

/// Starts a process in a group of its own, with pipes to all its streams. For the thread of [`process_runtime`].
pub(super) fn spawn_process(spec: &Spec) -> Result<(ProcessGroup, Pipes)> {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args).current_dir(&spec.cwd);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(env) = &spec.env {
        command.env_clear().envs(env.iter().map(|(name, value)| (name, value)));
    }
    let cannot = |what: &str, e: &std::io::Error| {
        let what = format_args!("{} is not available: cannot {what} {}", spec.name, spec.program.display());
        Error::io_or(ErrorCode::ToolUnavailable, what, e)
            .tool(&spec.name)
            .hint("run `tapps-mcp toolchain verify` to see what is wrong with the installed tools")
    };
    let (group, pipes) = ProcessGroup::start(command, spec.helper.as_deref()).map_err(|e| cannot("start", &e))?;
    // From outside, a few microseconds after it began: a program in between that bounds itself takes milliseconds.
    let ProcessLimits { memory, cpu, yields, .. } = spec.limits;
    group.limit_resources(memory, cpu).map_err(|e| cannot("bound", &e))?;
    if yields {
        group.lower_priority();
    }
    Ok((group, pipes))
}

/// When a run has to be over: at its own limit, or at the deadline of the call when that comes first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Until {
    pub at: Instant,
    /// The limit that ends it; none when it is the call's deadline.
    own: Option<Duration>,
}

impl Until {
    pub(super) fn from_limits(limits: &ProcessLimits, call: &Call) -> Self {
        let own = deadline_after(limits.time);
        if call.deadline <= own {
            Self { at: call.deadline, own: None }
        } else {
            Self { at: own, own: Some(limits.time) }
        }
    }

    /// The error once it has passed.
    pub(super) fn timeout_error(&self, name: &str) -> Error {
        let error = match self.own {
            None => Error::new(ErrorCode::Timeout, format!("the deadline passed while {name} was running"))
                .hint("ask for fewer files at once or raise `limits.deadline_seconds`"),
            Some(limit) => {
                let seconds = limit.as_secs_f64();
                Error::new(ErrorCode::Timeout, format!("{name} was still running after {seconds} s"))
                    .hint("ask for fewer files at once")
            }
        };
        error.tool(name)
    }
}

/// Writes all of `bytes` and closes the pipe; a process that does not want them all is no error.
async fn write_stdin(stdin: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stdin) = stdin {
        stdin.write_all(bytes).await.ok();
    }
}

async fn read_output_pipe(
    pipe: Option<impl AsyncRead + Unpin>,
    limit: usize,
    name: &str,
    on_line: Option<&(dyn Fn(&str) + Send + Sync)>,
) -> Result<Vec<u8>> {
    let mut said = Vec::new();
    let Some(mut pipe) = pipe else { return Ok(said) };
    let mut told = 0;
    loop {
        let read = pipe
            .read_buf(&mut said)
            .await
            .map_err(|e| Error::io(format_args!("cannot read what {name} says"), &e).tool(name))?;
        if said.len() > limit {
            return Err(Error::new(ErrorCode::DegradedResult, format!("{name} said more than {limit} bytes"))
                .tool(name)
                .hint("ask for fewer files at once"));
        }
        if let Some(tell) = on_line {
            told = tell_lines(&said, told, tell);
        }
        if read == 0 {
            return Ok(said);
        }
    }
}

/// Tells every whole line after `from` and returns where the next one begins.
fn tell_lines(said: &[u8], from: usize, tell: &(dyn Fn(&str) + Send + Sync)) -> usize {
    let fresh = said.get(from..).unwrap_or_default();
    let Some(last) = fresh.iter().rposition(|byte| *byte == b'\n') else { return from };
    String::from_utf8_lossy(fresh.get(..last).unwrap_or_default()).lines().for_each(tell);
    from + last + 1
}

pub(super) fn cancelled_run_error(name: &str) -> Error {
    Error::new(ErrorCode::Cancelled, format!("the call was cancelled while {name} was running")).tool(name)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_yields_has_a_lower_priority() {
        let said = |yields, script: &str| {
            let spec = Spec {
                name: "sh".to_owned(),
                program: "/bin/sh".into(),
                args: vec!["-c".into(), script.into()],
                env: None,
                cwd: std::env::temp_dir(),
                stdin: Vec::new(),
                limits: ProcessLimits { time: Duration::from_secs(60), yields, ..ProcessLimits::default() },
                helper: None,
                on_line: None,
            };
            let finished = run_blocking(spec, &Call::quiet(Duration::from_secs(60))).unwrap();
            String::from_utf8(finished.stdout).unwrap().trim().parse::<i32>().unwrap()
        };
        let own = said(false, "nice");
        // It may have begun before its priority was lowered.
        let lowered = said(true, "until [ $(nice) -ge 10 ]; do sleep 0.01; done; nice");
        assert_eq!(lowered, own.max(10));
    }
}
