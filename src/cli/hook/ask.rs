//! Asking the server that already runs for this project: its tools are warm, and it knows the files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;

use super::super::CliContext;
use super::question::HookQuestion;
use tapps_base::{digest, program};
use tapps_sandbox::Boundary;
use tapps_tdd::hook_turn::HookAnswer;

/// The folder below the state folder that sockets are in.
pub(super) const FOLDER: &str = "run";

/// What the names of sockets end in.
pub(super) const ENDING: &str = "sock";

/// A server of this machine takes connections at once.
const CONNECTING: Duration = Duration::from_millis(250);

/// How much longer than the work itself an answer is waited for.
const GRACE: Duration = Duration::from_secs(2);

/// Longest path of a socket that every system takes.
const LONGEST: usize = 100;

/// A question to a server, with what must be the same there so that its answer is the one that this program would give.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ServerQuestion {
    pub(super) program: String,
    pub(super) configuration: String,
    pub(super) question: HookQuestion,
}

/// What tells one configuration from another.
pub(super) fn configuration_digest(context: &CliContext) -> String {
    digest::of_json(&*context.config).unwrap_or_default()
}

/// The answer of a server of the same user, program and configuration; none when none runs, or none answers.
pub(super) async fn ask_running_server(question: &HookQuestion, context: &CliContext) -> Option<HookAnswer> {
    let sockets = sockets_of(&context.boundary);
    if sockets.is_empty() {
        return None;
    }
    let asked = ServerQuestion {
        program: program::source_digest().to_owned(),
        configuration: configuration_digest(context),
        question: question.clone(),
    };
    let line = serde_json::to_string(&asked).ok()? + "\n";
    let patience = Duration::from_secs(context.config.hooks.deadline_seconds) + GRACE;
    for socket in sockets {
        let Some(stream) = connect_to(&socket).await else { continue };
        match tokio::time::timeout(patience, exchange_lines(stream, &line)).await {
            Ok(Some(answer)) => return Some(answer),
            // It is another program, or has another configuration, or has ended.
            Ok(None) => {}
            // Whoever did not answer by now would have to be waited for once more.
            Err(_) => return None,
        }
    }
    None
}

async fn exchange_lines(mut stream: UnixStream, line: &str) -> Option<HookAnswer> {
    stream.write_all(line.as_bytes()).await.ok()?;
    let mut reply = String::new();
    BufReader::new(stream).read_line(&mut reply).await.ok()?;
    serde_json::from_str::<Option<HookAnswer>>(&reply).ok()?
}

/// The sockets of this user, the newest first.
fn sockets_of(boundary: &Boundary) -> Vec<PathBuf> {
    let Ok(Some(state)) = boundary.existing_state_folder() else { return Vec::new() };
    let own = own_user();
    let entries = fs::read_dir(state.join(FOLDER)).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<(SystemTime, PathBuf)> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some(OsStr::new(ENDING)))
        .filter_map(|path| {
            let meta = fs::symlink_metadata(&path).ok()?;
            let ours = meta.file_type().is_socket() && meta.uid() == own;
            Some((meta.modified().ok()?, path)).filter(|_| ours)
        })
        .collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}

/// A connection to a server of this user; a socket that nobody listens at is cleared away.
async fn connect_to(socket: &Path) -> Option<UnixStream> {
    let (address, _folder) = short_address(socket)?;
    match tokio::time::timeout(CONNECTING, UnixStream::connect(&address)).await.ok()? {
        Ok(stream) => (stream.peer_cred().ok()?.uid() == own_user()).then_some(stream),
        Err(error) => {
            if error.kind() == std::io::ErrorKind::ConnectionRefused {
                fs::remove_file(socket).ok();
            }
            None
        }
    }
}

/// The user that this process acts for.
pub(super) fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// A path of a socket that is short enough, with the folder that has to be open as long as it is used. None where the
/// system has no short name for a long one.
pub(super) fn short_address(socket: &Path) -> Option<(PathBuf, Option<fs::File>)> {
    if socket.as_os_str().len() <= LONGEST {
        return Some((socket.to_owned(), None));
    }
    if !cfg!(target_os = "linux") {
        return None;
    }
    let folder = fs::File::open(socket.parent()?).ok()?;
    let number = std::os::fd::AsRawFd::as_raw_fd(&folder);
    let address = Path::new("/proc/self/fd").join(number.to_string()).join(socket.file_name()?);
    Some((address, Some(folder)))
}
