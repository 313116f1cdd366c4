//! The engine of a command, made from its context.

use std::path::PathBuf;
use std::sync::Arc;

use super::CliContext;
use tapps_base::source::Source;
#[cfg(not(feature = "remote-cache"))]
use tapps_base::{Error, ErrorCode};
use tapps_base::{Result, clock};
use tapps_config::{Config, ConfigOrigin, InterpreterSource, Origins, Workers};
use tapps_project::packages::environment::PythonEnvironment;
use tapps_quality::adaptive::{Experience, FeedbackTally};
use tapps_quality::cache::{AnswerCache, Shared};
use tapps_quality::engine::Engine;
use tapps_security::secrets::MaskedSource;
use tapps_session::CallLog;
use tapps_store::EntryStore;
use tapps_toolchain::{ByteCheck, InterpreterChoice, Provider, PythonTag, ToolchainSettings, Warmth};

/// Where the tools are and what is allowed: the environment, overridden by the configuration.
///
/// # Errors
/// `config_error` when there is no folder to keep tools in.
pub(super) fn settings(context: &CliContext) -> Result<ToolchainSettings> {
    settings_for(&context.config, &context.origins)
}

/// As [`settings`], for a configuration and where its values came from.
///
/// # Errors
/// As [`settings`].
pub(super) fn settings_for(config: &Config, origins: &Origins) -> Result<ToolchainSettings> {
    let mut settings = ToolchainSettings::from_env(std::env::current_exe().ok())?;
    let own = &config.toolchain;
    let set = |slot: &mut PathBuf, value: &Option<PathBuf>| {
        if let Some(value) = value {
            slot.clone_from(value);
        }
    };
    set(&mut settings.data_dir, &own.data_dir);
    set(&mut settings.cache_dir, &own.cache_dir);
    if own.dir.is_some() {
        settings.toolchain_dir.clone_from(&own.dir);
    }
    if own.python.is_some() {
        settings.python.clone_from(&own.python);
    }
    settings.interpreter = match own.interpreter {
        InterpreterSource::Host => InterpreterChoice::Host,
        InterpreterSource::Locked => InterpreterChoice::Locked,
    };
    settings.interpreter_lock.clone_from(&own.interpreter_lock);
    // Nobody who says nothing of the version is refused for it.
    if *origins.origin_of("python.version") != ConfigOrigin::Default {
        settings.python_target = PythonTag::of_version(&config.python.version.to_string());
    }
    settings.offline |= own.offline;
    settings.allow_unverified |= own.allow_unverified;
    Ok(settings)
}

/// The engine for the context's project; the toolchain is being looked for in the background, and every byte of it is read.
///
/// # Errors
/// As [`settings`].
pub(super) fn engine(context: &CliContext) -> Result<Engine> {
    engine_kept(context, Warmth::WhenWorthwhile, ByteCheck::Always)
}

/// The engine of a command that is to answer at once: tools that are as they were when they were last read are not read.
///
/// # Errors
/// As [`settings`].
pub(super) fn prompt_engine(context: &CliContext) -> Result<Engine> {
    engine_kept(context, Warmth::WhenWorthwhile, ByteCheck::WhereChanged)
}

/// The engine of a program that lives long: its tools are kept warm from the start. Where it wants the very tools that
/// `other` hands out, both share them with their workers.
///
/// # Errors
/// As [`settings`].
pub(super) fn lasting_engine(context: &CliContext, other: Option<&Provider>) -> Result<Engine> {
    engine_with(context, Warmth::FromTheStart, ByteCheck::Always, other)
}

fn engine_kept(context: &CliContext, warmth: Warmth, byte_check: ByteCheck) -> Result<Engine> {
    engine_with(context, warmth, byte_check, None)
}

fn engine_with(
    context: &CliContext,
    warmth: Warmth,
    byte_check: ByteCheck,
    other: Option<&Provider>,
) -> Result<Engine> {
    let mut settings = ToolchainSettings { byte_check, ..settings(context)? };
    settings.warmth = match context.config.toolchain.workers {
        Workers::Auto => warmth,
        Workers::Off => Warmth::Off,
    };
    let cache = settings.cache_dir.clone();
    let answers = if context.config.cache.enabled {
        let own = AnswerCache::with_store(Arc::new(store(context, &settings)));
        match open_remote_cache(context, &settings)? {
            Some(fleet) => own.with_shared_store(fleet),
            None => own,
        }
    } else {
        AnswerCache::disabled()
    };
    let provider = match other.filter(|other| *other.settings() == settings) {
        Some(other) => other.clone(),
        None => Provider::new(settings),
    };
    provider.start();
    Ok(Engine::new(context.boundary.clone(), context.config.clone(), provider, cache)
        .with_environment(python_environment(context)?)
        .with_settings(Arc::clone(&context.settings))
        .with_answer_cache(answers)
        .with_experience(usage_experience(context)))
}

/// Where the project's libraries of Python are installed.
///
/// # Errors
/// `config_error` for a named environment that is none.
pub(super) fn python_environment(context: &CliContext) -> Result<PythonEnvironment> {
    match &context.config.python.environment {
        Some(folder) => PythonEnvironment::open(folder),
        None => Ok(PythonEnvironment::of_project(Arc::clone(&context.boundary))),
    }
}

/// What callers said of findings in this project.
fn usage_experience(context: &CliContext) -> Experience {
    let log = CallLog::new(Arc::clone(&context.boundary), clock::system());
    Experience::new(move || {
        let told = log.feedback()?.categories.into_iter();
        Ok(told.map(|(category, said)| (category, FeedbackTally { right: said.right, wrong: said.wrong })).collect())
    })
}

/// The store shared with other machines, where one is named and the network may be used.
#[cfg(feature = "remote-cache")]
fn open_remote_cache(context: &CliContext, settings: &ToolchainSettings) -> Result<Option<Arc<dyn Shared>>> {
    use tapps_store::fleet::{Address, Fleet, Login, Secret};

    let Some(address) = &context.config.cache.remote else { return Ok(None) };
    let address: Address = address.parse()?;
    if settings.offline && !matches!(address, Address::Folder(_)) {
        tracing::info!(cache = %address, "offline: the shared cache is not asked");
        return Ok(None);
    }
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let secret = variable("TAPPS_MCP_CACHE_SECRET").map(|secret| Secret::new(secret.as_bytes()));
    let login = Login { user: variable("TAPPS_MCP_CACHE_USER"), password: variable("TAPPS_MCP_CACHE_PASSWORD") };
    Ok(Some(Arc::new(Fleet::new(address, context.config.cache.remote_writes, secret, &login)?)))
}

/// A shared store is named and this program cannot talk to one.
#[cfg(not(feature = "remote-cache"))]
fn open_remote_cache(context: &CliContext, _settings: &ToolchainSettings) -> Result<Option<Arc<dyn Shared>>> {
    match &context.config.cache.remote {
        None => Ok(None),
        Some(_) => {
            Err(Error::new(ErrorCode::ConfigError, "cache.remote is set, and this program knows no shared cache")
                .hint("build it with `cargo build --release --features remote-cache`, or unset cache.remote"))
        }
    }
}

/// Where the answers of analyzers are kept.
#[must_use]
pub(super) fn store(context: &CliContext, settings: &ToolchainSettings) -> EntryStore {
    EntryStore::new(&settings.cache_dir.join("answers"), context.config.cache.max_mb << 20)
}

/// Reads a file of the project for an excerpt; none when it cannot be read any more.
#[must_use]
pub(super) fn excerpt_of(context: &CliContext, file: &str) -> Option<MaskedSource> {
    let path = context.boundary.resolve(file).ok()?;
    let bytes = context.boundary.read(&path, context.config.limits.max_file_bytes).ok()?;
    Some(MaskedSource::from_source(&Source::new(file, bytes)))
}
