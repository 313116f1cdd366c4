//! A repository that has been found, checked and given a private folder to be read through.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tapps_base::call::Call;
use tapps_base::{Error, Result};

use crate::scratch::Scratch;

use super::Git;
use super::command::GitCommand;
use super::configuration::Configuration;
use super::discovery::{
    BelongingProof, RepositoryLocation, canonical_path, find_repository, no_repository, repository_elsewhere,
};
use super::object_id::ObjectId;
use super::objects::checked_objects;
use super::private_dir::PrivateDir;

/// A view of a repository for one request: HEAD and the obeyed configuration are those of when it was opened.
#[derive(Debug, Clone)]
pub struct Repository {
    pub(super) git: GitCommand,
    pub(super) location: RepositoryLocation,
    pub(super) configuration: Configuration,
    pub(super) private: Arc<PrivateDir>,
    /// What expressions meant when they were first asked about: for one request a name stands for one object.
    pub(super) found: Arc<Mutex<BTreeMap<String, ObjectId>>>,
    /// The sizes of objects that were asked for: what an object is does not change.
    pub(super) sizes: Arc<Mutex<BTreeMap<ObjectId, u64>>>,
    prefix: String,
    /// The private folder lies in it and goes with it.
    _scratch: Arc<Scratch>,
}

impl Git {
    /// Opens the repository whose working tree holds `root`.
    ///
    /// # Errors
    /// `config_error` when `root` is in no working tree, or when the repository is not certain to be its own, borrows
    /// objects from elsewhere, or has a format that is not known.
    pub async fn open(&self, root: &Path, call: &Call) -> Result<Repository> {
        let allowed = self.allowed_roots.clone();
        let lent = self.lent_objects.clone();
        let root = root.to_owned();
        let found = on_blocking_thread({
            let (root, allowed) = (root.clone(), allowed.clone());
            move || {
                let location = find_repository(&root, &allowed)?;
                let root = canonical_path(&root)?.ok_or_else(no_repository)?;
                let prefix = relative_prefix(&location.top, &root)?;
                Ok((location, prefix))
            }
        });
        let (location, prefix) = found.await?;
        let scratch = Arc::clone(&self.scratch);
        let folder = scratch.create_folder()?;
        let git = GitCommand {
            program: self.program.clone(),
            search_path: self.search_path.clone(),
            helper: self.helper.clone(),
            git_dir: folder.path().to_owned(),
            work_tree: location.top.clone(),
            yields: false,
        };
        let configuration = Configuration::read_from_repository(&location, &git, call).await?;
        on_blocking_thread(move || {
            check_belongs(&location, &configuration)?;
            let mut roots = allowed;
            roots.extend(canonical_path(&root)?);
            let objects = checked_objects(&location, &roots)?;
            let objects: Vec<&Path> = std::iter::once(objects.as_path()).chain(lent.as_deref()).collect();
            let private = PrivateDir::fill_from_repository(folder, &location, &configuration, &objects)?;
            let private = Arc::new(private);
            let (found, sizes) = <_>::default();
            Ok(Repository { git, location, configuration, private, found, sizes, prefix, _scratch: scratch })
        })
        .await
    }
}

impl Repository {
    /// The same view for work beside what takes longer: its processes leave the cores to everything else.
    #[must_use]
    pub fn yielding(&self) -> Self {
        let git = GitCommand { yields: true, ..self.git.clone() };
        Self { git, ..self.clone() }
    }

    /// The topmost folder of the working tree.
    #[must_use]
    pub fn working_tree_root(&self) -> &Path {
        &self.location.top
    }

    /// What the paths of files below the project begin with: empty, or a folder's path with a slash at its end.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The tree without entries, to compare with where there is no commit yet.
    #[must_use]
    pub fn empty_tree(&self) -> ObjectId {
        self.configuration.object_format.empty_tree()
    }

    /// True when commits beyond some depth are not there.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.private.path().join("shallow").exists()
    }
}

/// A working tree that only the configuration can show to belong to the repository, and one without working tree.
fn check_belongs(location: &RepositoryLocation, configuration: &Configuration) -> Result<()> {
    if location.proof == BelongingProof::NeedsConfiguration {
        let named = configuration.worktree.as_ref().map(|worktree| location.git_dir.join(worktree));
        let named: Option<PathBuf> = named.map(|worktree| canonical_path(&worktree)).transpose()?.flatten();
        if named.as_ref() != Some(&location.top) {
            return Err(repository_elsewhere(&location.top.join(".git"), &location.git_dir));
        }
    }
    // A bare repository may have linked working trees all the same.
    if configuration.bare && location.proof != BelongingProof::LinkedWorktree {
        return Err(no_repository());
    }
    Ok(())
}

fn relative_prefix(top: &Path, root: &Path) -> Result<String> {
    let below = root.strip_prefix(top).ok().and_then(Path::to_str);
    match below {
        Some("") => Ok(String::new()),
        Some(below) => Ok(format!("{below}/")),
        None => Err(Error::invalid(format!("the path of the project below `{}` is not UTF-8", top.display()))
            .hint("give the folder another name")),
    }
}

/// Work on files, away from the threads that must not wait.
pub(super) async fn on_blocking_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|e| Err(Error::internal(format!("reading the git repository failed: {e}"))))
}
