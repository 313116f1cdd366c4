//! Hooks of agents: code 2 is a refusal, which the model has to heed; whatever keeps this program from its work ends with
//! code 1, which is shown and stops nobody. Otherwise one mistake in a configuration would refuse the edit that mends it.
//! Hooks of git know no such code: there only a verdict ends with code 1.

#[cfg(unix)]
mod ask;
mod begin;
mod brief;
mod end;
mod git;
#[cfg(unix)]
pub(super) mod listen;
pub(super) mod question;
mod told;

use std::ffi::OsString;
use std::io::Read as _;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use serde_json::Value;

use self::question::{HookQuestion, HookWork};
use super::engine::prompt_engine;
use super::{CliContext, check, out};
use tapps_base::call::Call;
use tapps_base::log_text;
use tapps_base::progress::silent;
use tapps_base::{Error, ErrorCode, Result, exit};
use tapps_quality::engine::Engine;
use tapps_tdd::hook::HookClient;
use tapps_tdd::hook_turn::{HookAnswer, TurnHook};

/// The commands that agents call around an edit and around a turn.
const COMMANDS: [&str; 3] = ["check", "guard", "hook"];

/// The option that says which agent calls.
const CLIENT: &str = "--client";

/// Largest request of a hook, in bytes.
const MAX_INPUT: u64 = 64 << 20;

/// Who calls this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookCaller {
    Agent,
    Git,
}

impl HookCaller {
    /// The exit code of whatever is not a verdict.
    #[must_use]
    pub(super) const fn fault_code(self) -> u8 {
        match self {
            Self::Agent => exit::FINDINGS,
            Self::Git => exit::CLEAN,
        }
    }
}

/// Whose hook the arguments of the process are, also when they cannot be parsed; none when they are no hook's.
#[must_use]
pub(super) fn hook_caller(args: &[OsString]) -> Option<HookCaller> {
    let words = || args.iter().skip(1).filter_map(|arg| arg.to_str());
    let names_agent =
        words().any(|word| word.strip_prefix(CLIENT).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')));
    if names_agent && words().any(|word| COMMANDS.contains(&word)) {
        return Some(HookCaller::Agent);
    }
    let of_git = |(first, second): (&str, &str)| first == "hook" && ["commit", "push"].contains(&second);
    words().zip(words().skip(1)).any(of_git).then_some(HookCaller::Git)
}

/// Answer a hook: of an agent when its session begins and when it wants to end, of git before a commit and a push
#[derive(Debug, clap::Args)]
pub struct HookArgs {
    /// When it is called
    #[arg(value_name = "WHEN")]
    when: HookMoment,
    /// Read the request of this agent's hook from standard input and answer in its way
    #[arg(long, value_name = "AGENT", value_parser = agents(), required_if_eq_any = [("when", "begin"), ("when", "end")])]
    client: Option<String>,
    /// Tell the user what blocks, and let the agent end
    #[arg(long)]
    advise: bool,
    /// What git says besides
    #[arg(value_name = "ARGUMENT", hide = true)]
    rest: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HookMoment {
    /// A session of an agent begins: the files are recorded as they are, and the model is told what this project is
    Begin,
    /// An agent wants to end: the verdict on what it changed since its session began
    End,
    /// Before a commit: the verdict on what would be committed
    Commit,
    /// Before a push: the verdict on what would be pushed
    Push,
}

fn agents() -> PossibleValuesParser {
    PossibleValuesParser::new(HookClient::ALL.map(HookClient::as_str))
}

/// The agent of that name.
pub(super) fn agent_called(name: Option<&str>) -> Option<HookClient> {
    name.and_then(HookClient::from_word)
}

/// Runs the command.
///
/// # Errors
/// What writing says; agents are told of everything else by exit code 1, git by words alone.
pub async fn run(args: HookArgs, context: &CliContext) -> Result<u8> {
    let when = match args.when {
        HookMoment::Begin => TurnHook::Begin,
        HookMoment::End => TurnHook::End,
        HookMoment::Commit => return git::judge_commit(context).await,
        HookMoment::Push => return git::judge_push(args.rest.first().map(String::as_str), context).await,
    };
    let client = agent_called(args.client.as_deref()).ok_or_else(|| Error::internal("there is no such agent"))?;
    answer_from_stdin(HookWork::Turn { when, advise: args.advise }, client, context).await
}

/// Reads the request of an agent's hook, lets it be answered by the server that runs, else here, and writes the answer.
///
/// # Errors
/// What writing says.
pub(super) async fn answer_from_stdin(work: HookWork, client: HookClient, context: &CliContext) -> Result<u8> {
    let answer = match read_request() {
        Ok(input) => {
            let question = HookQuestion { work, client: client.as_str().to_owned(), input };
            match answer_of_server(&question, context).await {
                Some(answer) => answer,
                None => answer_question(&question, &|| prompt_engine(context), context).await,
            }
        }
        Err(error) => failure_answer("the hook could not be answered", &error),
    };
    context.out.write(&answer.stdout)?;
    out::to_stderr(&answer.stderr);
    Ok(answer.code)
}

/// What the server that runs for this project answers.
#[cfg(unix)]
async fn answer_of_server(question: &HookQuestion, context: &CliContext) -> Option<HookAnswer> {
    ask::ask_running_server(question, context).await
}

/// None: no server listens, since the sockets that only one user can connect to are those of Unix.
#[cfg(not(unix))]
async fn answer_of_server(_question: &HookQuestion, _context: &CliContext) -> Option<HookAnswer> {
    None
}

fn read_request() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_INPUT)
        .read_to_string(&mut text)
        .map_err(|e| Error::io_or(ErrorCode::InvalidArgument, "cannot read the request of the hook", &e))?;
    Ok(text)
}

/// Where the engine comes from: it is not made when there is nothing to judge.
pub(super) type EngineSource<'a> = &'a (dyn Fn() -> Result<Engine> + Send + Sync);

/// Answers a hook of an agent, whoever asks.
pub(super) async fn answer_question(
    question: &HookQuestion,
    engine: EngineSource<'_>,
    context: &CliContext,
) -> HookAnswer {
    let Some(client) = agent_called(Some(&question.client)) else {
        return failure_answer("the hook could not be answered", &Error::invalid("there is no such agent"));
    };
    let request: Value = match serde_json::from_str(&question.input) {
        Ok(request) => request,
        Err(error) => {
            let error = Error::invalid(format!("the request of the hook is not JSON: {error}"));
            return failure_answer("the hook could not be answered", &error);
        }
    };
    let (answered, failed) = match question.work {
        HookWork::Edit => (
            check::answer_edit(client, &request, engine, context).await,
            // Code 2 would tell the model to mend something that it cannot mend.
            "the edit was made, and not checked",
        ),
        HookWork::Turn { when: TurnHook::Begin, .. } => (
            begin::answer_begin(client, &request, engine, context).await,
            "the beginning of the session was not recorded",
        ),
        HookWork::Turn { when: TurnHook::End, advise } => {
            (end::answer_end(client, &request, advise, engine, context).await, "what this turn changed was not judged")
        }
    };
    answered.unwrap_or_else(|error| failure_answer(failed, &error))
}

/// The call of a hook: nobody hears of its progress, since what is said on the error stream is what the model hears.
fn hook_call(context: &CliContext) -> Call {
    let limit = Duration::from_secs(context.config.hooks.deadline_seconds);
    Call { progress: silent(), ..context.call_within(limit) }
}

/// Why the hook did not do its work.
#[must_use]
fn failure_answer(what: &str, error: &Error) -> HookAnswer {
    let hint = error.body().hint.as_deref().map(|hint| format!(" ({})", log_text(hint))).unwrap_or_default();
    let stderr = format!("{what}: {}{hint}\n", log_text(error.message()));
    HookAnswer { stderr, code: exit::FINDINGS, ..HookAnswer::default() }
}

/// Says on the error stream why the hook did not do its work.
#[must_use]
pub(super) fn report_failure(what: &str, error: &Error) -> u8 {
    let answer = failure_answer(what, error);
    out::to_stderr(&answer.stderr);
    answer.code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_known_by_their_arguments() {
        let (agent, git) = (Some(HookCaller::Agent), Some(HookCaller::Git));
        for (line, caller) in [
            ("tapps-mcp check --client gemini", agent),
            ("tapps-mcp --project-root /x tdd guard --client=cursor --unknown", agent),
            ("tapps-mcp hook end --client codex --advise", agent),
            ("tapps-mcp hook commit", git),
            ("tapps-mcp --offline hook push origin", git),
            ("tapps-mcp hook", None),
            ("tapps-mcp check a.py", None),
            ("tapps-mcp tdd guard a.py", None),
            ("tapps-mcp init --client gemini", None),
            ("check guard --clients", None),
        ] {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(hook_caller(&args), caller, "{line}");
        }
    }
}
