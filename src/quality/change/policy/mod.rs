//! What a change is judged by: the settings of its base. A change may bring other settings; it is not judged by them.

mod difference;
mod files;
mod members;

use std::sync::Arc;

use self::difference::policy_difference;
use self::files::{PolicyFile, policy_file, root_files};
pub(super) use self::members::{MemberLimits, nearest_member};
use super::report::{Policy, PolicyChange, PolicyOrigin};
use super::sides::Sides;
use crate::engine::Engine;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::{PROJECT_FILES, Sources, load_config};
use tapps_sandbox::Boundary;
use tapps_toolchain::PrivateFolder;
use tapps_toolchain::git::{ChangeStatus, Git, GitFileChange, ObjectId, Repository};

/// Whether a file of the project decides what is found or what passes.
#[must_use]
pub fn is_settings(path: &str) -> bool {
    policy_file(path, "").is_some()
}

/// What an edit changes of what a file decides, one text a setting; empty when it changes nothing of that.
#[must_use]
pub fn changed_settings(path: &str, before: Option<&str>, after: Option<&str>) -> Vec<String> {
    policy_file(path, "").map_or_else(Vec::new, |kind| policy_difference(kind, before, after))
}

/// False for settings whose text cannot be parsed.
#[must_use]
pub fn is_readable(path: &str, text: &str) -> bool {
    match policy_file(path, "") {
        Some(PolicyFile::Own | PolicyFile::Pyproject) => text.parse::<toml::Table>().is_ok(),
        Some(PolicyFile::PackageJson) => serde_json::from_str::<serde_json::Value>(text).is_ok(),
        _ => true,
    }
}

/// Largest file that is compared, in bytes.
const LARGEST: u64 = 1 << 20;

/// The settings of a base.
pub(super) struct BasePolicy {
    /// An engine that follows them; none where the head's are the same.
    engine: Option<Engine>,
    pub(super) told: Policy,
    _folder: Option<PrivateFolder>,
}

impl BasePolicy {
    /// The engine that judges.
    pub(super) fn engine_or<'e>(&'e self, own: &'e Engine) -> &'e Engine {
        self.engine.as_ref().unwrap_or(own)
    }
}

impl Engine {
    /// The settings of the base, and what the change does to them.
    ///
    /// # Errors
    /// `config_error` for what a partial clone lacks; otherwise as reading files does.
    pub(super) async fn base_policy(
        &self,
        git: &Git,
        repository: &Repository,
        sides: &Sides,
        call: &Call,
    ) -> Result<BasePolicy> {
        let prefix = repository.prefix();
        let mut touched: Vec<(&GitFileChange, PolicyFile)> = Vec::new();
        for change in &sides.changes.files {
            let paths = [Some(&change.path), change.old_path.as_ref()];
            touched.extend(paths.into_iter().flatten().filter_map(|path| Some((change, policy_file(path, prefix)?))));
        }
        let mut changes = Vec::new();
        for (change, kind) in &touched {
            let base = base_text(repository, change, call).await?;
            let head = self.head_text(repository, change, call).await?;
            let what = policy_difference(*kind, base.as_deref(), head.as_deref());
            if !what.is_empty() {
                changes.push(PolicyChange { file: change.path.clone(), what });
            }
        }
        changes.sort_by(|a, b| a.file.cmp(&b.file));
        changes.dedup();
        let follows = |(_, kind): &(&GitFileChange, PolicyFile)| {
            matches!(kind, PolicyFile::Own | PolicyFile::Pyproject | PolicyFile::Rules | PolicyFile::Sections)
        };
        if !touched.iter().any(follows) {
            let origin = PolicyOrigin::Unchanged;
            return Ok(BasePolicy { engine: None, told: Policy { origin, changes, note: None }, _folder: None });
        }
        let folder = git.private_folder()?;
        let found = write_root_files(repository, &sides.base_tree, &folder, call).await?;
        let (engine, note) = self.with_settings_in(&folder)?;
        let origin = if found { PolicyOrigin::Base } else { PolicyOrigin::Defaults };
        Ok(BasePolicy { engine: Some(engine), told: Policy { origin, changes, note }, _folder: Some(folder) })
    }

    /// This engine with the settings of the project files in a folder, and what should be known of them.
    fn with_settings_in(&self, folder: &PrivateFolder) -> Result<(Self, Option<String>)> {
        let root = folder.path().canonicalize().map_err(|e| Error::io("cannot find a private folder again", &e))?;
        let given = self.settings_sources();
        // A file that the user names is the user's, unless the change could have written it.
        let named_file = given.named_file.clone().map(|named| {
            let named = given.current_dir.join(named);
            match named.strip_prefix(self.boundary.root()) {
                Ok(inside) if root.join(inside).exists() => root.join(inside),
                _ => named,
            }
        });
        let sources = Sources { root: root.clone(), named_file, ..given };
        let (config, note) = match load_config(&sources) {
            Ok(loaded) => (loaded.config, None),
            Err(error) if error.code() == ErrorCode::ConfigError => {
                let defaults = load_config(&Sources { root: root.join("none"), named_file: None, ..sources })?;
                (defaults.config, Some(format!("the base's settings cannot be read, so the defaults count: {error}")))
            }
            Err(error) => return Err(error),
        };
        let config = Arc::new(self.config.with_policy_of(&config));
        Ok((self.following(config, Arc::new(Boundary::open(&root)?)), note))
    }

    async fn head_text(&self, repository: &Repository, change: &GitFileChange, call: &Call) -> Result<Option<String>> {
        if change.status == ChangeStatus::Deleted {
            return Ok(None);
        }
        let bytes = match &change.id {
            Some(id) => {
                repository.read_blobs(std::slice::from_ref(id), LARGEST, call).await?.into_iter().next().flatten()
            }
            None => {
                let inside = change.path.strip_prefix(repository.prefix());
                inside.and_then(|path| self.boundary.read(&self.boundary.resolve(path).ok()?, LARGEST).ok())
            }
        };
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }
}

async fn base_text(repository: &Repository, change: &GitFileChange, call: &Call) -> Result<Option<String>> {
    let Some(id) = &change.old_id else { return Ok(None) };
    let blobs = repository.read_blobs(std::slice::from_ref(id), LARGEST, call).await?;
    Ok(blobs.into_iter().next().flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Writes the files of a tree that decide what is found; true when the project has settings of its own there.
async fn write_root_files(
    repository: &Repository,
    tree: &ObjectId,
    folder: &PrivateFolder,
    call: &Call,
) -> Result<bool> {
    let prefix = repository.prefix();
    let listed = repository.tree_files(tree, call).await?;
    let wanted: Vec<_> = listed
        .into_iter()
        .filter_map(|file| Some((file.path.strip_prefix(prefix)?.to_owned(), file.id)))
        .filter(|(path, _)| root_files().any(|name| name == path))
        .collect();
    let ids: Vec<ObjectId> = wanted.iter().map(|(_, id)| id.clone()).collect();
    let blobs = repository.read_blobs(&ids, LARGEST, call).await?;
    let mut found = false;
    for ((path, _), bytes) in wanted.iter().zip(blobs) {
        let bytes = bytes.unwrap_or_default();
        let own = path == PROJECT_FILES[0] || path == PROJECT_FILES[1] && contains(&bytes, b"tool.tapps-mcp");
        found |= own;
        std::fs::write(folder.path().join(path), bytes)
            .map_err(|e| Error::io(format_args!("cannot copy {path} of the base"), &e))?;
    }
    Ok(found)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
