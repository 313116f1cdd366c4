//! The engine of a command, made from its context.

use std::path::PathBuf;

use super::Context;
use crate::base::Result;
use crate::base::source::Source;
use crate::quality::engine::Engine;
use crate::toolchain::{Provider, Settings};

/// Where the tools are and what is allowed: the environment, overridden by the configuration.
///
/// # Errors
/// `config_error` when there is no folder to keep tools in.
pub(super) fn settings(context: &Context) -> Result<Settings> {
    let mut settings = Settings::from_env(std::env::current_exe().ok())?;
    let own = &context.config.toolchain;
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
    settings.offline |= own.offline;
    settings.allow_unverified |= own.allow_unverified;
    Ok(settings)
}

/// The engine for the context's project; the toolchain is being looked for in the background.
///
/// # Errors
/// As [`settings`].
pub(super) fn engine(context: &Context) -> Result<Engine> {
    let settings = settings(context)?;
    let cache = settings.cache_dir.clone();
    let provider = Provider::new(settings);
    provider.start();
    Ok(Engine::new(context.boundary.clone(), context.config.clone(), provider, cache))
}

/// Reads a file of the project for an excerpt; none when it cannot be read any more.
#[must_use]
pub(super) fn excerpt_of(context: &Context, file: &str) -> Option<Source> {
    let path = context.boundary.resolve(file).ok()?;
    let bytes = context.boundary.read(&path, context.config.limits.max_file_bytes).ok()?;
    Some(Source::new(file, bytes))
}
