//! The projects that one server answers for: its own, and others that calls name as `project_root`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;
use tokio_util::sync::DropGuard;

use super::handler::McpServer;
use crate::dispatch::NewSession;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::git::is_worktree_of;

/// Most projects that are kept open besides the server's own; whoever was asked for longest ago goes first.
const MOST_OPEN: usize = 8;

/// A project besides the server's own. What goes on for it beside the calls ends with it.
#[derive(Debug)]
pub struct OpenedProject {
    pub server: McpServer,
    pub root: PathBuf,
    pub sessions: SessionMaker,
    pub closing: DropGuard,
}

/// Makes the sessions of clients in a project.
#[derive(Clone)]
pub struct SessionMaker(pub NewSession);

impl std::fmt::Debug for SessionMaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionMaker")
    }
}

type OpenProject = Box<dyn Fn(&Path) -> Result<OpenedProject> + Send + Sync>;
type OnceOpened = Arc<OnceCell<Arc<OpenedProject>>>;

/// Where projects may lie, and those that are open. They share nothing but the tools, their workers and caches.
pub struct Roots {
    own: PathBuf,
    allowed: Vec<PathBuf>,
    open: OpenProject,
    opened: Mutex<OpenedProjects>,
}

/// The projects that are open by their paths, each with the number of the call that asked last.
#[derive(Default)]
struct OpenedProjects {
    calls: u64,
    by_path: BTreeMap<PathBuf, (u64, OnceOpened)>,
}

impl std::fmt::Debug for Roots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Roots").field("own", &self.own).field("allowed", &self.allowed).finish_non_exhaustive()
    }
}

impl Roots {
    /// The projects in and below `own` and `allowed`, which are canonical, and in working trees of their repositories;
    /// `open` makes the server of one, and may block.
    #[must_use]
    pub fn new(
        own: PathBuf,
        allowed: Vec<PathBuf>,
        open: impl Fn(&Path) -> Result<OpenedProject> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { own, allowed, open: Box::new(open), opened: Mutex::default() })
    }

    /// True for the server's own project and what lies in it.
    pub(super) fn is_inside_own(&self, folder: &Path) -> bool {
        folder.starts_with(&self.own)
    }

    /// True for the server's own project.
    pub(super) fn is_own(&self, folder: &Path) -> bool {
        folder == self.own
    }

    /// The folder that a call names; a relative path is one of the server's own project.
    ///
    /// # Errors
    /// `invalid_argument` when it is not there or no folder.
    pub(super) async fn find_folder(&self, named: &str) -> Result<PathBuf> {
        let path = self.own.join(named);
        let found = tokio::task::spawn_blocking(move || path.canonicalize().ok().filter(|path| path.is_dir())).await;
        found.ok().flatten().ok_or_else(|| {
            Error::invalid(format!("`project_root` names no folder: `{named}`"))
                .hint("pass the absolute path of a project, or leave it out for the server's own")
        })
    }

    /// True when the folder is one that the server was started for, or another working tree of such a one.
    pub(super) async fn permits(self: &Arc<Self>, folder: &Path) -> bool {
        let (roots, folder) = (Arc::clone(self), folder.to_owned());
        let looked = tokio::task::spawn_blocking(move || {
            let mut all = std::iter::once(&roots.own).chain(&roots.allowed);
            all.clone().any(|root| folder.starts_with(root)) || all.any(|root| is_worktree_of(root, &folder))
        });
        looked.await.unwrap_or(false)
    }

    /// The error for a folder that nobody allowed.
    pub(super) fn refusal(&self, folder: &Path) -> Error {
        Error::new(ErrorCode::PathDenied, format!("`{}` is no project of this server", folder.display())).hint(format!(
            "start it with --allow-root {}; working trees of the repository of `{}` need no leave",
            folder.display(),
            self.own.display()
        ))
    }

    /// The project in a permitted folder, opened now unless it is open.
    ///
    /// # Errors
    /// What keeps it from being opened, such as its configuration.
    pub(super) async fn project(self: &Arc<Self>, folder: PathBuf) -> Result<Arc<OpenedProject>> {
        let once = self.slot(&folder);
        let opened = once
            .get_or_try_init(|| async {
                let roots = Arc::clone(self);
                let opened = tokio::task::spawn_blocking(move || (roots.open)(&folder)).await;
                opened.map_err(|_| Error::internal("the project could not be opened"))?.map(Arc::new)
            })
            .await?;
        Ok(Arc::clone(opened))
    }

    fn slot(&self, folder: &Path) -> OnceOpened {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let OpenedProjects { calls, by_path: projects } = &mut *opened;
        *calls += 1;
        let (asked, once) = projects.entry(folder.to_owned()).or_default();
        *asked = *calls;
        let once = Arc::clone(once);
        if projects.len() > MOST_OPEN {
            let oldest = projects.iter().min_by_key(|(_, (asked, _))| *asked).map(|(path, _)| path.clone());
            // Calls that are being answered keep it alive.
            oldest.and_then(|path| projects.remove(&path));
        }
        once
    }
}
