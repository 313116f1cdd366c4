//! The socket at which a server answers hooks: in the state folder that only its user can look into, and for that user
//! alone.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{UnixListener, UnixStream};

use super::super::CliContext;
use super::answer_question;
use super::ask::{ENDING, FOLDER, ServerQuestion, configuration_digest, own_user, short_address};
use tapps_base::{Error, Result, program};
use tapps_quality::engine::Engine;
use tapps_tdd::hook_turn::HookAnswer;

/// Largest question: a request of a hook, in which every byte may be escaped.
const MAX_QUESTION: u64 = 128 << 20;

/// Whoever connects asks at once.
const ASKING: Duration = Duration::from_secs(5);

/// A socket, which goes with this value.
struct HookSocket {
    path: PathBuf,
    listener: UnixListener,
}

impl Drop for HookSocket {
    fn drop(&mut self) {
        fs::remove_file(&self.path).ok();
    }
}

/// Answers hooks until the server closes. A server that cannot do so serves all the same: hooks then answer by themselves.
pub(in super::super) async fn answer_hooks(context: Arc<CliContext>, engine: Engine) {
    let socket = match open_socket(&context) {
        Ok(socket) => socket,
        Err(error) => return tracing::debug!(%error, "hooks answer by themselves"),
    };
    let closing = context.cancel.clone();
    loop {
        let taken = tokio::select! {
            biased;
            () = closing.cancelled() => return,
            taken = socket.listener.accept() => taken,
        };
        let Ok((stream, _)) = taken else {
            // Too many open files, for example.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        if stream.peer_cred().is_ok_and(|peer| peer.uid() == own_user()) {
            let answering = answer_connection(stream, Arc::clone(&context), engine.clone());
            tokio::spawn(closing.clone().run_until_cancelled_owned(answering));
        }
    }
}

fn open_socket(context: &CliContext) -> Result<HookSocket> {
    let folder = context.boundary.state_subfolder(FOLDER)?;
    let path = folder.join(format!("hooks-{}.{ENDING}", std::process::id()));
    // Whoever finds it by its name can connect: it gets that name once it listens.
    let unnamed = path.with_extension("new");
    // Left by a process of the same number that was killed.
    fs::remove_file(&unnamed).ok();
    let (address, _folder) =
        short_address(&unnamed).ok_or_else(|| Error::internal("the path of the project is too long for a socket"))?;
    let failed = |e: std::io::Error| Error::io("cannot listen for hooks", &e);
    let listener = UnixListener::bind(address).map_err(failed)?;
    fs::set_permissions(&unnamed, fs::Permissions::from_mode(0o600)).map_err(failed)?;
    fs::rename(&unnamed, &path).map_err(failed)?;
    Ok(HookSocket { path, listener })
}

async fn answer_connection(stream: UnixStream, context: Arc<CliContext>, engine: Engine) {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    let mut bounded = (&mut stream).take(MAX_QUESTION);
    let reading = bounded.read_line(&mut line);
    if !matches!(tokio::time::timeout(ASKING, reading).await, Ok(Ok(_))) {
        return;
    }
    let answer = answer_line(&line, &context, engine).await;
    // What was broken off because the server closes is no answer: whoever asked goes on without a server.
    if context.cancel.is_cancelled() {
        return;
    }
    if let Ok(reply) = serde_json::to_string(&answer) {
        // Whoever has gone does not hear it.
        let _ = stream.get_mut().write_all((reply + "\n").as_bytes()).await;
    }
}

/// None for a question that another program, or one with another configuration, has to answer.
async fn answer_line(line: &str, context: &CliContext, engine: Engine) -> Option<HookAnswer> {
    let asked: ServerQuestion = serde_json::from_str(line).ok()?;
    let same = asked.program == program::source_digest() && asked.configuration == configuration_digest(context);
    if !same {
        return None;
    }
    Some(answer_question(&asked.question, &move || Ok(engine.clone()), context).await)
}
