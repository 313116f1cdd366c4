//! What a command is handed besides its own arguments.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::global::Global;
use super::out::Out;
use super::progress;
use tapps_base::call::{Call, deadline_after};
use tapps_base::progress::Progress;
use tapps_base::{Error, Result};
use tapps_config as config;
use tapps_config::{Config, Loaded, Origins, Sources, Workers};
use tapps_sandbox::Boundary;

/// What stands in for a configuration that cannot be used. It may have forbidden more than the defaults do: the stand-in
/// uses no network, keeps nothing and starts nothing.
fn stand_in() -> Config {
    let mut config = Config::default();
    config.toolchain.offline = true;
    config.toolchain.workers = Workers::Off;
    config.cache.enabled = false;
    config.docs.context7 = false;
    config
}

/// The circumstances of one run of the program.
#[derive(Clone)]
pub struct CliContext {
    pub config: Arc<Config>,
    /// What the configuration was made from.
    pub settings: Arc<Sources>,
    pub origins: Origins,
    pub boundary: Arc<Boundary>,
    pub out: Out,
    pub progress: Arc<dyn Progress>,
    /// Fires when the user interrupts the program.
    pub cancel: CancellationToken,
    /// What it was opened with.
    global: Global,
}

tapps_base::debug_fields!(CliContext { config, boundary });

impl CliContext {
    /// Opens the project and reads the configuration.
    ///
    /// # Errors
    /// `config_error` for a root that cannot be opened or a configuration that cannot be used, and what else
    /// [`config::load`] says.
    pub fn new(global: &Global, cancel: CancellationToken) -> Result<Self> {
        let (context, fault) = Self::open_project(global, cancel)?;
        fault.map_or(Ok(context), Err)
    }

    /// Opens the project; when its configuration cannot be used, it says why, and a stand-in takes its place.
    ///
    /// # Errors
    /// `config_error` for a root that cannot be opened.
    pub fn open_project(global: &Global, cancel: CancellationToken) -> Result<(Self, Option<Error>)> {
        let boundary = match &global.project_root {
            Some(root) => Boundary::open(root)?,
            None => Boundary::of_process()?,
        };
        let mut sources = Sources::of_process(boundary.root());
        if global.config.is_some() {
            sources.named_file.clone_from(&global.config);
        }
        sources.overrides = global.overrides();
        let (loaded, fault) = match config::load_config(&sources) {
            Ok(loaded) => (loaded, None),
            Err(fault) => (Loaded { config: stand_in(), ..Loaded::default() }, Some(fault)),
        };
        for warning in &loaded.warnings {
            tracing::warn!("{warning}");
        }
        Ok((Self::from_loaded(loaded, sources, Arc::new(boundary), global, cancel), fault))
    }

    /// The same project with the configuration as it is now.
    ///
    /// # Errors
    /// As [`CliContext::new`].
    pub fn read_anew(&self) -> Result<Self> {
        Self::new(&self.global, self.cancel.clone())
    }

    /// Another project in the same circumstances, until `cancel` fires.
    ///
    /// # Errors
    /// As [`CliContext::new`].
    pub fn for_project(&self, root: &Path, cancel: CancellationToken) -> Result<Self> {
        let global = Global { project_root: Some(root.to_owned()), ..self.global.clone() };
        Self::new(&global, cancel)
    }

    /// The same project with the stand-in for its configuration.
    #[must_use]
    pub fn with_stand_in(&self) -> Self {
        let loaded = Loaded { config: stand_in(), ..Loaded::default() };
        let sources = (*self.settings).clone();
        Self::from_loaded(loaded, sources, Arc::clone(&self.boundary), &self.global, self.cancel.clone())
    }

    fn from_loaded(
        loaded: Loaded,
        sources: Sources,
        boundary: Arc<Boundary>,
        global: &Global,
        cancel: CancellationToken,
    ) -> Self {
        Self {
            config: Arc::new(loaded.config),
            settings: Arc::new(sources),
            origins: loaded.origins,
            boundary,
            out: Out::new(global.color),
            progress: progress::for_stderr(global.quiet),
            cancel,
            global: global.clone(),
        }
    }

    /// A request that ends with an interrupt or at the configured deadline.
    #[must_use]
    pub fn call(&self) -> Call {
        let limit = Duration::from_secs(self.config.limits.deadline_seconds);
        self.call_within(limit)
    }

    /// A request with a limit of its own, for work such as installing tools.
    #[must_use]
    pub fn call_within(&self, limit: Duration) -> Call {
        Call { cancel: self.cancel.clone(), deadline: deadline_after(limit), progress: Arc::clone(&self.progress) }
    }
}
