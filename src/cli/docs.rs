//! `tapps-mcp docs`: documentation of libraries in the locked version.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;

use super::CliContext;
use super::docs_bundle::{self, BundleCommand};
use super::engine::{python_environment, settings};
use super::global::CliOutputFormat;
use super::human::docs as draw;
use tapps_base::{Result, clock, exit};
use tapps_docs::bundle::Shelf;
use tapps_docs::cache::DocsCache;
use tapps_docs::context7::Context7Settings;
use tapps_docs::lookup::{DocsService, LookupMode, LookupRequest, Remote};
use tapps_store::EntryStore;

/// More folders of bundles, as on PATH; Nix puts its own here.
const BUNDLES: &str = "TAPPS_MCP_BUNDLES";
/// How long a command that has answered waits for a fresh answer, which the next one will find.
const SETTLE: Duration = Duration::from_secs(10);

#[derive(Debug, Subcommand)]
pub enum DocsCommand {
    Lookup(LookupArgs),
    /// Bundles: documentation for machines without a network
    #[command(subcommand)]
    Bundle(BundleCommand),
}

/// Look a library up in exactly the version the project locks
#[derive(Debug, clap::Args)]
pub struct LookupArgs {
    /// As it is installed or imported
    #[arg(value_name = "LIBRARY")]
    library: String,
    /// A name, a path or a question [default: the overview]
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
    /// Another version than the locked one
    #[arg(long, value_name = "VERSION")]
    lib_version: Option<String>,
    /// Explanations first instead of signatures first
    #[arg(long)]
    info: bool,
    /// Most tokens of the answer
    #[arg(long, value_name = "COUNT")]
    max_tokens: Option<usize>,
    /// Take the nearest version when the wanted one is not there
    #[arg(long)]
    allow_nearest: bool,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl DocsCommand {
    pub(super) fn speaks_json(&self) -> bool {
        match self {
            Self::Lookup(args) => args.format == CliOutputFormat::Json,
            Self::Bundle(command) => command.speaks_json(),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// What [`DocsService::answer_question`] and the bundle commands say.
pub async fn run(command: DocsCommand, context: &CliContext) -> Result<u8> {
    match command {
        DocsCommand::Lookup(args) => lookup(args, context).await,
        DocsCommand::Bundle(command) => docs_bundle::run(command, context).await,
    }
}

async fn lookup(args: LookupArgs, context: &CliContext) -> Result<u8> {
    let docs = Arc::new(open_docs(context)?);
    let request = LookupRequest {
        library: args.library,
        topic: (!args.topic.is_empty()).then(|| args.topic.join(" ")),
        version: args.lib_version,
        mode: if args.info { LookupMode::Info } else { LookupMode::Code },
        max_tokens: args.max_tokens,
        allow_nearest: args.allow_nearest,
    };
    let answer = docs.answer_question(request, context.call()).await?;
    context.out.write_report(&answer, args.format, draw::render_docs_answer)?;
    if answer.stale {
        docs.wait_for_refreshes(SETTLE).await;
    }
    Ok(exit::CLEAN)
}

/// The documentation of the project's libraries.
pub(super) fn open_docs(context: &CliContext) -> Result<DocsService> {
    let store = if context.config.cache.enabled {
        Some(EntryStore::new(&settings(context)?.cache_dir.join("docs"), context.config.cache.max_mb << 20))
    } else {
        None
    };
    Ok(DocsService::new(Arc::clone(&context.boundary), store, open_bundle_shelf(context)?)
        .with_environment(python_environment(context)?)
        .with_remote(open_context7(context)?))
}

/// Context7 with the cache of its answers; offline only the cache is asked.
fn open_context7(context: &CliContext) -> Result<Remote> {
    let (own, config) = (settings(context)?, &context.config);
    let cache = match config.cache.enabled {
        true => DocsCache::new(&own.cache_dir.join("context7"), config.docs.cache_mb << 20, clock::system()),
        false => DocsCache::always_empty(clock::system()),
    };
    let mut service = Context7Settings::from_config(config, |name| std::env::var(name).ok());
    service.offline |= own.offline;
    Ok(Remote::new(cache, service, clock::system()))
}

/// The user's own bundles, then those of the environment.
pub(super) fn open_bundle_shelf(context: &CliContext) -> Result<Shelf> {
    let mut folders = vec![own_bundles(context)?];
    folders.extend(std::env::var_os(BUNDLES).iter().flat_map(std::env::split_paths));
    Ok(Shelf::new(folders))
}

/// Where bundles are put.
pub(super) fn own_bundles(context: &CliContext) -> Result<PathBuf> {
    Ok(settings(context)?.data_dir.join("bundles"))
}
