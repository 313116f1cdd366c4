//! What a change is judged by: the settings of its base. A change may bring other settings; it is not judged by them.

mod callers;
mod difference;
mod files;
mod members;
mod silences;
mod weaker;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::difference::policy_difference;
use self::files::{PolicyFile, is_root_file, policy_file};
pub(super) use self::members::{MemberLimits, nearest_member};
use self::silences::{Silence, new_silences};
use self::weaker::{SettingsPair, weaker_settings};
use super::report::{ChangeReport, ChangeVerdict, FindingState, Policy, PolicyChange, PolicyOrigin};
use super::sides::Sides;
use crate::engine::Engine;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::{PROJECT_FILES, Sources, load_config};
use tapps_patterns::{PatternRules, RULES_FOLDER, is_rule_file};
use tapps_sandbox::Boundary;
use tapps_toolchain::PrivateFolder;
use tapps_toolchain::git::{ChangeStatus, DiffTarget, Git, GitFileChange, ObjectId, Repository};

/// Whether a file of the project decides what is found or what passes.
#[must_use]
pub fn is_settings(path: &str) -> bool {
    policy_file(path, "").is_some()
}

/// What an edit changes of what a file decides, one text a setting; empty when it changes nothing of that.
#[must_use]
pub fn changed_settings(path: &str, before: Option<&str>, after: Option<&str>) -> Vec<String> {
    policy_file(path, "").map_or_else(Vec::new, |kind| policy_difference(kind, path, before, after))
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
const LARGEST: u64 = 1 << 24;

/// The settings of a base.
pub(super) struct BasePolicy {
    /// An engine that follows them; none where the head's are the same.
    engine: Option<Engine>,
    told: Policy,
    /// What the change's settings hide, each with the folder of its file.
    silences: Vec<(PolicyPlace, Silence)>,
    _folder: Option<PrivateFolder>,
}

/// A file of settings.
struct PolicyPlace {
    /// From the repository's top.
    file: String,
    /// From the project's root, empty or with a slash at its end.
    folder: String,
}

/// A file of settings that the change touches, with its texts.
struct TouchedSettings {
    path: String,
    kind: PolicyFile,
    base: Option<String>,
    head: Option<String>,
}

impl BasePolicy {
    /// The engine that judges.
    pub(super) fn engine_or<'e>(&'e self, own: &'e Engine) -> &'e Engine {
        self.engine.as_ref().unwrap_or(own)
    }

    /// Enters what the change does to settings; what it takes from its tests by them, and what of its own findings it
    /// hides, blocks it.
    pub(super) fn enter_into(self, report: &mut ChangeReport) {
        let mut policy = self.told;
        let new =
            |file: &super::report::FileChange| -> Vec<_> { file.findings_in(FindingState::New).cloned().collect() };
        for (place, silence) in &self.silences {
            let hidden = report.files.iter().flat_map(|file| {
                let hides = |found: &super::report::ChangeFinding| silence.hides(&place.folder, &file.file, found);
                new(file)
                    .into_iter()
                    .filter(hides)
                    .map(|found| silence.describe(&file.file, &found))
                    .collect::<Vec<_>>()
            });
            let hidden: Vec<String> = hidden.collect();
            if let Some(first) = hidden.first() {
                let more = hidden.len() - 1;
                let text = if more == 0 { first.clone() } else { format!("{first}, and {more} more") };
                enter_block(&mut policy.changes, &place.file, text);
            }
        }
        let reasons =
            policy.changes.iter().flat_map(|one| one.blocks.iter().map(|text| format!("{}: {text}", one.file)));
        report.reasons.extend(reasons);
        if policy.changes.iter().any(|one| !one.blocks.is_empty()) {
            report.verdict = ChangeVerdict::Blocked;
            report.passed = false;
            report.undecided = false;
        }
        report.policy = policy;
    }
}

fn enter_block(changes: &mut Vec<PolicyChange>, file: &str, text: String) {
    match changes.iter_mut().find(|one| one.file == file) {
        Some(one) => one.blocks.push(text),
        None => changes.push(PolicyChange { file: file.to_owned(), what: Vec::new(), blocks: vec![text] }),
    }
}

impl Engine {
    /// The settings of the base, and what the change does to them; `baseline` is where the baseline that counts lies.
    ///
    /// # Errors
    /// `config_error` for what a partial clone lacks; otherwise as reading files does.
    pub(super) async fn base_policy(
        &self,
        git: &Git,
        repository: &Repository,
        sides: &Sides,
        baseline: Option<&str>,
        call: &Call,
    ) -> Result<BasePolicy> {
        let prefix = repository.prefix();
        let mut touched = Vec::new();
        for change in &sides.changes.files {
            let renamed_from = change.old_path.as_ref().filter(|_| change.status == ChangeStatus::Renamed);
            for path in [Some(&change.path), renamed_from].into_iter().flatten() {
                let named = (baseline == Some(path.as_str())).then_some(PolicyFile::Baseline);
                let Some(kind) = named.or_else(|| policy_file(path, prefix)) else { continue };
                let base = base_text(repository, change, call).await?;
                let head = self.head_text(repository, change, &sides.target, call).await?;
                touched.push(TouchedSettings { path: change.path.clone(), kind, base, head });
            }
        }
        let (changes, silences) = changes_of_settings(repository, sides, &touched, call).await?;
        let follows = |one: &TouchedSettings| {
            matches!(
                one.kind,
                PolicyFile::Own
                    | PolicyFile::OwnTools
                    | PolicyFile::Pyproject
                    | PolicyFile::Rules
                    | PolicyFile::Sections
            )
        };
        if !touched.iter().any(follows) {
            let told = Policy { origin: PolicyOrigin::Unchanged, changes, note: None };
            return Ok(BasePolicy { engine: None, told, silences, _folder: None });
        }
        let folder = git.private_folder()?;
        let found = write_root_files(repository, &sides.base_tree, &folder, call).await?;
        let (engine, note) = self.with_settings_in(&folder)?;
        let origin = if found { PolicyOrigin::Base } else { PolicyOrigin::Defaults };
        let told = Policy { origin, changes, note };
        Ok(BasePolicy { engine: Some(engine), told, silences, _folder: Some(folder) })
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
        let boundary = Boundary::open(&root)?;
        // A change that mends the rules of its base can be judged.
        let note = match PatternRules::read(&boundary) {
            Err(error) if error.code() == ErrorCode::ConfigError => {
                std::fs::remove_dir_all(root.join(RULES_FOLDER))
                    .map_err(|e| Error::io("cannot leave out the rules of the base", &e))?;
                let text = format!("the base's own rules cannot be used, so none of them count: {error}");
                Some(note.map_or_else(|| text.clone(), |note: String| format!("{note}; {text}")))
            }
            _ => note,
        };
        Ok((self.following(config, Arc::new(boundary)), note))
    }

    async fn head_text(
        &self,
        repository: &Repository,
        change: &GitFileChange,
        target: &DiffTarget,
        call: &Call,
    ) -> Result<Option<String>> {
        if change.status == ChangeStatus::Deleted {
            return Ok(None);
        }
        // Git names the blob that a file would be, which need not be there.
        let stored = change.id.as_ref().filter(|_| *target != DiffTarget::WorkingTree);
        let bytes = match stored {
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

/// What a change does to settings, and which of its findings they may hide.
async fn changes_of_settings(
    repository: &Repository,
    sides: &Sides,
    touched: &[TouchedSettings],
    call: &Call,
) -> Result<(Vec<PolicyChange>, Vec<(PolicyPlace, Silence)>)> {
    let prefix = repository.prefix();
    let mut changes = Vec::new();
    let mut silences = Vec::new();
    for one in touched {
        let (base, head) = (one.base.as_deref(), one.head.as_deref());
        let what = policy_difference(one.kind, &one.path, base, head);
        if !what.is_empty() {
            changes.push(PolicyChange { file: one.path.clone(), what, blocks: Vec::new() });
        }
        let inside = one.path.strip_prefix(prefix).unwrap_or_default();
        let folder = inside.rfind('/').map_or("", |slash| &inside[..=slash]);
        let place = || PolicyPlace { file: one.path.clone(), folder: folder.to_owned() };
        silences.extend(new_silences(&one.path, base, head).into_iter().map(|silence| (place(), silence)));
    }
    changes.sort_by(|a, b| a.file.cmp(&b.file));
    changes.dedup();
    let pairs: Vec<SettingsPair<'_>> = touched
        .iter()
        .filter(|one| !matches!(one.kind, PolicyFile::Caller | PolicyFile::Baseline))
        .map(|one| SettingsPair { path: &one.path, base: one.base.as_deref(), head: one.head.as_deref() })
        .collect();
    if !pairs.is_empty() {
        let listed = repository.tree_files(&sides.base_tree, call).await?;
        let inside = |path: &str| path.strip_prefix(prefix).map(str::to_owned);
        let tracked: Vec<String> = listed.iter().filter_map(|file| inside(&file.path)).collect();
        let changed: BTreeSet<String> = sides.changes.files.iter().filter_map(|one| inside(&one.path)).collect();
        for (file, text) in weaker_settings(&pairs, &tracked, &changed) {
            enter_block(&mut changes, &file, text);
        }
    }
    Ok((changes, silences))
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
        .filter(|(path, _)| is_root_file(path) || is_rule_file(path))
        .collect();
    let ids: Vec<ObjectId> = wanted.iter().map(|(_, id)| id.clone()).collect();
    let blobs = repository.read_blobs(&ids, LARGEST, call).await?;
    let mut found = false;
    for ((path, _), bytes) in wanted.iter().zip(blobs) {
        let bytes = bytes.unwrap_or_default();
        let own = path == PROJECT_FILES[0] || path == PROJECT_FILES[1] && contains(&bytes, b"tool.tapps-mcp");
        found |= own || is_rule_file(path);
        let place = folder.path().join(path);
        let written =
            place.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&place, bytes));
        written.map_err(|e| Error::io(format_args!("cannot copy {path} of the base"), &e))?;
    }
    Ok(found)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
