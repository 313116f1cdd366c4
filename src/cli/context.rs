//! What a command is handed besides its own arguments.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::args::Global;
use super::out::Out;
use super::progress;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::progress::Progress;
use tapps_config as config;
use tapps_config::{Config, Origins, Sources};
use tapps_sandbox::Boundary;

/// The circumstances of one run of the program.
pub struct Context {
    pub config: Arc<Config>,
    pub origins: Origins,
    pub boundary: Arc<Boundary>,
    pub out: Out,
    pub progress: Arc<dyn Progress>,
    /// Fires when the user interrupts the program.
    pub cancel: CancellationToken,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("config", &self.config)
            .field("boundary", &self.boundary)
            .finish_non_exhaustive()
    }
}

impl Context {
    /// Opens the project and reads the configuration.
    ///
    /// # Errors
    /// `config_error` for a root that cannot be opened or a configuration that cannot be used, and what else
    /// [`config::load`] says.
    pub fn new(global: &Global, cancel: CancellationToken) -> Result<Self> {
        let boundary = match &global.project_root {
            Some(root) => Boundary::open(root)?,
            None => Boundary::of_process()?,
        };
        let mut sources = Sources::of_process(boundary.root());
        if global.config.is_some() {
            sources.named_file.clone_from(&global.config);
        }
        sources.overrides = global.overrides();
        let loaded = config::load(&sources)?;
        for warning in &loaded.warnings {
            tracing::warn!("{warning}");
        }
        Ok(Self {
            config: Arc::new(loaded.config),
            origins: loaded.origins,
            boundary: Arc::new(boundary),
            out: Out::new(global.color),
            progress: progress::for_stderr(global.quiet),
            cancel,
        })
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
        Call { cancel: self.cancel.clone(), deadline: Instant::now() + limit, progress: Arc::clone(&self.progress) }
    }
}
