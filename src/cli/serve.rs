//! `tapps-mcp serve`: the MCP server, over standard streams or HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::CliContext;
use super::allocator;
use super::docs::open_docs;
use super::engine::{lasting_engine, settings};
use super::experts::SearchOptions;
#[cfg(unix)]
use super::hook::listen::answer_hooks;
use super::out;
use super::tags::vaults;
use super::workflow::workflows;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, clock, exit};
use tapps_coderef::external;
use tapps_coderef::external::External;
use tapps_config::Workers;
use tapps_docs::lookup::DocsService;
use tapps_experts::ExpertLibrary;
use tapps_quality::engine::Engine;
use tapps_server::dispatch::{NewSession, SessionSource};
use tapps_server::product;
use tapps_server::product::Setup;
use tapps_server::protocol::{McpServer, OpenedProject, Roots, SessionMaker};
use tapps_server::services::Services;
use tapps_server::tool::{BoxFuture, Selection};
use tapps_server::transport::{HttpLimits, HttpOptions, Observed, Token, bind, serve_stdio};
use tapps_session::{CallLog, Notes};
use tapps_tdd::Sessions;
use tapps_tdd::open::Environment;
use tapps_tdd::verify::{Runner, ShellRunner};
use tapps_toolchain::git::has_worktrees;
use tapps_toolchain::shell::Shell;
use tapps_toolchain::{Provider, ToolchainSettings};

/// The variable that holds the bearer token; an option would show it to everyone on the machine.
const TOKEN: &str = "TAPPS_MCP_HTTP_TOKEN";

/// Installing the tools may come first.
const WARM_UP: Duration = Duration::from_secs(3_600);

/// What is done beforehand begins after this: clients ask for the handshake at once, which it would take the cores from.
const HANDSHAKE: Duration = Duration::from_millis(20);

/// Serve the Model Context Protocol: over standard streams, or with --http over the network
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// Listen here instead of at the standard streams; an address others can reach needs a token
    #[arg(long, value_name = "HOST:PORT")]
    http: Option<SocketAddr>,
    /// A file that holds the bearer token for --http [env: TAPPS_MCP_HTTP_TOKEN holds the token itself]
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
    /// Host name under which --http is reached, besides the loopback ones; may be given several times
    #[arg(long, value_name = "NAME", requires = "http")]
    allowed_host: Vec<String>,
    /// Origin of web pages that may call --http, for example https://app.example.com; may be given several times
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    allowed_origin: Vec<String>,
    /// Projects in this folder may be named by calls as `project_root`, besides this one and the working trees of its
    /// repository; may be given several times
    #[arg(long, value_name = "DIR")]
    allow_root: Vec<PathBuf>,
    /// Toolsets to offer: quality, knowledge, project, coderef, tdd, workflow, tags, or all
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    toolsets: Vec<String>,
    /// Tools to offer besides
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tools: Vec<String>,
    /// Tools never to offer, whatever else is said
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    exclude_tools: Vec<String>,
    /// Offer nothing that changes the files of the project
    #[arg(long)]
    read_only: bool,
}

/// Serves until the client goes, or until the process is asked to stop. While the configuration cannot be used, calls are
/// answered with what is wrong with it, `fault` first, and the first one after it was mended finds the tools at work.
///
/// # Errors
/// `config_error` for unknown tools on the command line, an unusable token, address or collector; `internal` when the connection
/// breaks off.
pub async fn run(args: ServeArgs, context: &CliContext, fault: Option<Error>) -> Result<u8> {
    #[cfg(feature = "otlp")]
    tapps_server::otlp::begin(context.config.toolchain.offline)?;
    allocator::give_back_when_idle();
    let args = Arc::new(args);
    let prepared = fault.map_or_else(|| prepare_server(&args, context, Beside::Nothing), Err);
    let roots = find_roots(&args, context)?;
    let Prepared { server, services, session } = match prepared {
        Ok(prepared) => {
            prepared.begin_work(context);
            prepared
        }
        Err(fault) => wait_for_configuration(&args, context, fault)?,
    };
    let server = server.with_roots(open_roots(roots, &args, context, services.engine.toolchain().clone()));
    let closing = context.cancel.clone();
    let served = match args.http {
        None => serve_stdio(server.with_session(session), closing).await,
        Some(address) => {
            let observed = services.observed();
            let server = server.with_session_per_client(Arc::new(move || services.session_of_client()));
            serve_http((address, observed), &args, context, server, closing).await
        }
    };
    // Whatever goes on beside the calls ends with them.
    context.cancel.cancel();
    #[cfg(feature = "otlp")]
    tokio::task::spawn_blocking(tapps_server::otlp::end).await.ok();
    served.map(|()| exit::CLEAN)
}

/// A server with the rooms behind it.
struct Prepared {
    server: McpServer,
    services: Services,
    session: SessionSource,
}

/// What there is already when a server is made.
#[derive(Clone, Copy)]
enum Beside<'a> {
    Nothing,
    /// The services of the server that this one takes over from: who holds which notes, and who listens, goes on.
    Before(&'a Services),
    /// The tools of a server for another project.
    Tools(&'a Provider),
}

fn prepare_server(args: &ServeArgs, context: &CliContext, beside: Beside<'_>) -> Result<Prepared> {
    let setup = setup(args, context, matches!(beside, Beside::Tools(_)));
    let services = build_services(context, setup.selection.read_only, beside)?;
    let server = product::build_server(&services, &setup, &context.cancel)
        .map_err(|error| locate_selection_error(error, context))?;
    let session = services.session_of_client();
    Ok(Prepared { server, services, session })
}

impl Prepared {
    /// Begins what goes on beside the calls until the server closes.
    fn begin_work(&self, context: &CliContext) {
        let closing = &context.cancel;
        let services = self.services.clone();
        let until_closed = |work: BoxFuture<()>| {
            let closing = closing.clone();
            tokio::spawn(async move { closing.run_until_cancelled_owned(work).await });
        };
        until_closed(Box::pin(product::run_background_tasks(services.clone(), self.server.clone(), closing.clone())));
        #[cfg(unix)]
        until_closed(Box::pin(answer_hooks(Arc::new(context.clone()), services.engine.clone())));
        let (server, docs, own_closing) = (self.server.clone(), Arc::clone(&services.docs), closing.clone());
        until_closed(Box::pin(async move {
            tokio::time::sleep(HANDSHAKE).await;
            tokio::task::spawn_blocking(move || server.make_schemas());
            read_ahead(Arc::clone(&docs), own_closing.clone());
            tokio::join!(warm_up(services.engine, own_closing.clone()), ask_ahead(docs, own_closing));
        }));
    }
}

/// The server while the configuration cannot be used. What fails without any configuration as well is no fault of it, and
/// is told at once.
fn wait_for_configuration(args: &Arc<ServeArgs>, context: &CliContext, fault: Error) -> Result<Prepared> {
    tracing::warn!(error = %fault, "the configuration cannot be used; calls say so until it is mended");
    let waiting = Arc::new(context.with_stand_in());
    let Prepared { server, services, session } = prepare_server(args, &waiting, Beside::Nothing)?;
    let (args, own_session) = (Arc::clone(args), args.http.is_none().then(|| Arc::clone(&session)));
    let before = services.clone();
    let make = move || {
        let anew = waiting.read_anew()?;
        let prepared = prepare_server(&args, &anew, Beside::Before(&before))?;
        prepared.begin_work(&anew);
        Ok(prepared.server)
    };
    let server = product::serve_when_configured(server, services.clone(), own_session, make);
    Ok(Prepared { server, services, session })
}

/// The folders of `--allow-root` as they really are.
fn find_roots(args: &ServeArgs, context: &CliContext) -> Result<Vec<PathBuf>> {
    let find = |given: &PathBuf| {
        given.canonicalize().ok().filter(|folder| folder.is_dir()).ok_or_else(|| {
            Error::new(ErrorCode::ConfigError, format!("--allow-root names no folder: `{}`", given.display()))
                .hint(format!("name a folder that is there; the project is `{}`", context.boundary.root().display()))
        })
    };
    args.allow_root.iter().map(find).collect()
}

/// The other projects; each has a configuration, a call log, notes and sessions of its own.
fn open_roots(allowed: Vec<PathBuf>, args: &Arc<ServeArgs>, context: &CliContext, tools: Provider) -> Arc<Roots> {
    let (args, context) = (Arc::clone(args), context.clone());
    Roots::new(context.boundary.root().to_owned(), allowed, move |root| {
        let closing = context.cancel.child_token();
        let context = context.for_project(root, closing.clone())?;
        let prepared = prepare_server(&args, &context, Beside::Tools(&tools))?;
        prepared.begin_work(&context);
        let services = prepared.services;
        let sessions: NewSession = Arc::new(move || services.session_of_client());
        Ok(OpenedProject {
            server: prepared.server,
            root: root.to_owned(),
            sessions: SessionMaker(sessions),
            closing: closing.drop_guard(),
        })
    })
}

/// The error of a selection of tools with the place in the configuration that made it.
fn locate_selection_error(error: Error, context: &CliContext) -> Error {
    let own = &context.config.server;
    let lists = [
        ("server.toolsets", &own.toolsets),
        ("server.tools", &own.tools),
        ("server.exclude_tools", &own.exclude_tools),
    ];
    let named = |word: &String| error.message().contains(&format!("`{}`", word.trim()));
    match lists.into_iter().find(|(_, words)| words.iter().any(named)) {
        Some((key, _)) => error.located_at(format!("{}: `{key}`", context.origins.origin_of(key))),
        None => error,
    }
}

/// Does beforehand what the first request would otherwise wait for.
async fn warm_up(engine: Engine, closing: CancellationToken) {
    if engine.config().toolchain.workers == Workers::Off {
        return;
    }
    let call = Call { cancel: closing, ..Call::quiet(WARM_UP) };
    if let Err(error) = engine.warm_up(&call).await {
        tracing::debug!(%error, "the first request will take longer");
    }
}

/// Extracts the documentation of what the project locks, on a thread of its own that a call never waits for.
fn read_ahead(docs: Arc<DocsService>, closing: CancellationToken) {
    tokio::task::spawn_blocking(move || {
        let call = Call { cancel: closing, ..Call::quiet(WARM_UP) };
        match docs.warm_up(&call) {
            Ok(ready) => tracing::debug!(ready, "documentation is ready"),
            Err(error) => tracing::debug!(%error, "documentation is extracted when it is asked for"),
        }
    });
}

/// Asks Context7 about what the project locks and nothing on this machine tells of, where that is allowed.
async fn ask_ahead(docs: Arc<DocsService>, closing: CancellationToken) {
    let call = Call { cancel: closing, ..Call::quiet(WARM_UP) };
    match docs.ask_ahead(&call).await {
        Ok(known) => tracing::debug!(known, "answers of Context7 are kept"),
        Err(error) => tracing::debug!(%error, "Context7 is asked when it is needed"),
    }
}

fn build_services(context: &CliContext, read_only: bool, beside: Beside<'_>) -> Result<Services> {
    let (before, tools) = match beside {
        Beside::Nothing => (None, None),
        Beside::Before(before) => (Some(before), None),
        Beside::Tools(tools) => (None, Some(tools)),
    };
    let calls = Arc::new(CallLog::new(Arc::clone(&context.boundary), clock::system()));
    let docs = Arc::new(open_docs(context)?);
    Ok(Services {
        engine: lasting_engine(context, tools)?,
        config: Arc::clone(&context.config),
        origins: context.origins.clone(),
        boundary: Arc::clone(&context.boundary),
        experts: Arc::new(
            ExpertLibrary::new(Arc::clone(&context.boundary))
                .with_search(SearchOptions::default().build_search(context)?),
        ),
        notes: before
            .map_or_else(|| Notes::new(Arc::clone(&context.boundary), clock::system()), |before| before.notes.clone()),
        docs: Arc::clone(&docs),
        coderef_external: coderef_external(context)?,
        tags: Arc::new(vaults(context)),
        workflows: Arc::new(
            workflows(context, Arc::clone(&calls)).with_libraries(move |file, bytes| docs.libraries_of(file, bytes)),
        ),
        workflow_news: Arc::default(),
        calls,
        tdd: Arc::new(open_tdd_sessions(context, read_only)?),
        updates: before.map(|before| before.updates.clone()).unwrap_or_default(),
        offered: Arc::new(OnceLock::new()),
    })
}

/// The program that `CODEREF_CLI_PATH` names; it is looked for when it is first asked.
fn coderef_external(context: &CliContext) -> Result<Option<Arc<External>>> {
    let path = std::env::var_os(external::VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    path.map(|path| Ok(Arc::new(External::new(path, settings(context)?)))).transpose()
}

/// Test-driven development sessions; a server that must not change the project's files runs no tests either.
fn open_tdd_sessions(context: &CliContext, read_only: bool) -> Result<Sessions> {
    let root = context.boundary.root();
    let runner: Option<Arc<dyn Runner>> = match read_only {
        true => None,
        false => {
            let settings = ToolchainSettings::from_env(std::env::current_exe().ok())?;
            let shell = Shell::find(&settings).inspect_err(|error| tracing::warn!(%error, "tests cannot be run")).ok();
            shell.map(|shell| Arc::new(ShellRunner::new(shell, root)) as Arc<dyn Runner>)
        }
    };
    let repository = Environment::of_process()?.open_repository(root);
    Ok(Sessions::new(repository, Arc::clone(&context.boundary), runner))
}

/// What is asked for here goes before the configuration; what is excluded anywhere is excluded.
fn setup(args: &ServeArgs, context: &CliContext, named: bool) -> Setup {
    let configured = &context.config.server;
    let or = |given: &Vec<String>, configured: &Vec<String>| {
        if given.is_empty() { configured.clone() } else { given.clone() }
    };
    let asked = !args.toolsets.is_empty() || !args.tools.is_empty();
    let (toolsets, tools) = if asked {
        (args.toolsets.clone(), args.tools.clone())
    } else {
        (or(&args.toolsets, &configured.toolsets), or(&args.tools, &configured.tools))
    };
    let exclude = args.exclude_tools.iter().chain(&configured.exclude_tools).cloned().collect();
    let selection = Selection { toolsets, tools, exclude, read_only: args.read_only || configured.read_only };
    // A model is not told of other projects where there are none.
    let names_projects = named || !args.allow_root.is_empty() || has_worktrees(context.boundary.root());
    Setup { selection, names_projects }
}

async fn serve_http(
    (address, observed): (SocketAddr, Observed),
    args: &ServeArgs,
    context: &CliContext,
    server: McpServer,
    closing: CancellationToken,
) -> Result<()> {
    let config = &context.config.server;
    let hosts = args.allowed_host.iter().chain(&config.http_allowed_hosts).cloned().collect();
    let options = HttpOptions {
        token: bearer_token(args)?,
        hosts,
        origins: args.allowed_origin.clone(),
        observed: Some(observed),
        limits: HttpLimits { requests_per_minute: config.http_requests_per_minute, ..HttpLimits::default() },
        ..HttpOptions::at(address)
    };
    let listening = bind(server, options, closing.clone()).await?;
    out::to_stderr(&format!("listening at {}\n", listening.url()));
    listening.serve(closing).await;
    Ok(())
}

/// The token: from the file when one is named, else from the environment.
fn bearer_token(args: &ServeArgs) -> Result<Option<Token>> {
    if let Some(path) = &args.token_file {
        return Token::from_file(path).map(Some);
    }
    match std::env::var(TOKEN) {
        Ok(text) => Token::new(&text).map(Some),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(Error::new(ErrorCode::ConfigError, format!("{TOKEN} is not text"))
                .hint("use at least 16 printable ASCII characters"))
        }
    }
}
