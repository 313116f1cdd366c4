//! One worker: a process that is asked one thing at a time.

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::protocol::{WorkerReply, WorkerRequest};
use crate::group::{Pipes, ProcessGroup};
use crate::process::{self, Finished, ProcessLimits, Spec, Until};
use crate::scratch::PrivateFolder;
use tapps_base::Result;
use tapps_base::call::Call;

/// Requests after which a worker is replaced.
const MOST_REQUESTS: u64 = 1_000;
/// The worker's own memory after which it is replaced, in KiB. The work is done in forks, so it should never grow.
const MOST_RESIDENT: u64 = 1 << 20;

/// What a worker is started with.
pub(crate) struct Launch {
    pub(crate) spec: Spec,
    /// Its private folder, which lasts as long as it does.
    pub(crate) home: PrivateFolder,
}

/// A running worker; it ends when this value goes.
#[derive(Debug)]
pub(super) struct Worker {
    asks: mpsc::Sender<Ask>,
    served: u64,
}

/// What became of a request.
#[derive(Debug)]
pub(super) enum WorkerOutcome {
    /// It was done, and the worker can take another one.
    Done(Finished),
    /// It was done, and the worker has served its time.
    Last(Finished),
    /// The worker cannot do it: it has gone, or the fork was killed.
    Lost,
    /// The caller has gone, or the time is over; the worker has been ended.
    Stopped(tapps_base::Error),
}

#[derive(Debug)]
struct Ask {
    id: u64,
    line: String,
    name: String,
    until: Until,
    cancel: CancellationToken,
    answer: oneshot::Sender<Heard>,
}

#[derive(Debug)]
enum Heard {
    Answer(WorkerReply),
    Nothing,
    Stopped(tapps_base::Error),
}

impl Worker {
    /// Starts a worker; requests wait until it has loaded its modules.
    pub(super) fn start(launch: Launch) -> Result<Self> {
        let (asks, asked) = mpsc::channel(1);
        process::process_runtime()?.spawn(serve_worker_requests(launch, asked));
        Ok(Self { asks, served: 0 })
    }

    /// Has a request done. Dropping the future ends the worker.
    pub(super) async fn send_request(
        &mut self,
        mut request: WorkerRequest<'_>,
        name: &str,
        limits: &ProcessLimits,
        call: &Call,
    ) -> WorkerOutcome {
        self.served += 1;
        request.id = self.served;
        let Some(line) = request.to_line() else { return WorkerOutcome::Lost };
        let (answer, heard) = oneshot::channel();
        let (until, cancel) = (Until::from_limits(limits, call), call.cancel.clone());
        let ask = Ask { id: self.served, line, name: name.to_owned(), until, cancel, answer };
        if self.asks.send(ask).await.is_err() {
            return WorkerOutcome::Lost;
        }
        match heard.await {
            Ok(Heard::Answer(answer)) => {
                let spent = self.served >= MOST_REQUESTS || answer.resident > MOST_RESIDENT;
                match answer.to_finished() {
                    None => WorkerOutcome::Lost,
                    Some(finished) if spent => WorkerOutcome::Last(finished),
                    Some(finished) => WorkerOutcome::Done(finished),
                }
            }
            Ok(Heard::Stopped(error)) => WorkerOutcome::Stopped(error),
            Ok(Heard::Nothing) | Err(_) => WorkerOutcome::Lost,
        }
    }
}

/// Lives as long as the worker's process.
async fn serve_worker_requests(launch: Launch, mut asks: mpsc::Receiver<Ask>) {
    let Launch { spec, home } = launch;
    let (mut group, pipes) = match process::spawn_process(&spec) {
        Ok(started) => started,
        Err(error) => {
            tracing::debug!(%error, "no worker");
            return;
        }
    };
    let Pipes { stdin, stdout, stderr } = pipes;
    if let (Some(input), Some(output), Some(errors)) = (stdin, stdout, stderr) {
        let mut talk = Talk { input, output: BufReader::new(output).lines() };
        tokio::select! {
            () = talk.go_on(&mut asks, &mut group) => {}
            () = log_worker_errors(&spec.name, errors) => {}
        }
    }
    group.kill_remaining();
    group.reap_leader().await.ok();
    drop(home);
}

struct Talk {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Talk {
    /// Passes requests on until there are no more, or until the worker is of no more use.
    async fn go_on(&mut self, asks: &mut mpsc::Receiver<Ask>, group: &mut ProcessGroup) {
        loop {
            let next = tokio::select! {
                ask = asks.recv() => ask,
                // A worker that says something unasked, or closes its output, has failed.
                _ = self.output.next_line() => None,
            };
            let Some(mut ask) = next else { return };
            let heard = self.handle_request(&mut ask).await;
            let go_on = matches!(heard, Heard::Answer(_));
            if !go_on {
                // Before the caller goes on: what the request was about may be taken away now.
                group.kill_remaining();
            }
            ask.answer.send(heard).ok();
            if !go_on {
                return;
            }
        }
    }

    async fn handle_request(&mut self, ask: &mut Ask) -> Heard {
        let Ask { id, line, name, until, cancel, answer } = ask;
        let asked = async {
            self.input.write_all(line.as_bytes()).await.ok()?;
            let said = self.output.next_line().await.ok()??;
            WorkerReply::of_line(&said).filter(|answer| answer.id == *id)
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Heard::Stopped(process::cancelled_run_error(name)),
            () = answer.closed() => Heard::Nothing,
            () = tokio::time::sleep_until(until.at.into()) => Heard::Stopped(until.timeout_error(name)),
            heard = asked => heard.map_or(Heard::Nothing, Heard::Answer),
        }
    }
}

/// What a worker itself says on its error stream is why it fails; it ends with the worker.
async fn log_worker_errors(name: &str, mut errors: ChildStderr) {
    let mut said = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut chunk).await {
        said.extend_from_slice(chunk.get(..read).unwrap_or_default());
        said.truncate(64 << 10);
    }
    tracing::debug!(worker = name, said = %String::from_utf8_lossy(&said), "a worker has ended");
}
