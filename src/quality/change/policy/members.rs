//! What the members of a monorepo ask for: settings below the project's root tighten its limits and never loosen them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::touched::TouchedFile;
use super::LARGEST;
use crate::engine::Engine;
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_config::gates::resolve_preset;
use tapps_config::{ConfigOrigin, Gate, Loaded, PROJECT_FILES, Sources, load_config};
use tapps_toolchain::git::{Git, ObjectId, Repository};

/// What the files of one member have to reach.
#[derive(Debug, Clone)]
pub(in crate::change) struct MemberLimits {
    /// Relative to the project's root.
    pub(in crate::change) folder: String,
    pub(in crate::change) gate: Gate,
    /// Points that a file below the preset may lose.
    pub(in crate::change) tolerance: f64,
}

/// The limits of the nearest member that a file belongs to.
pub(in crate::change) fn nearest_member<'m>(members: &'m [MemberLimits], file: &str) -> Option<&'m MemberLimits> {
    let holds =
        |member: &&MemberLimits| file.strip_prefix(member.folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
    members.iter().filter(holds).max_by_key(|member| member.folder.len())
}

impl Engine {
    /// The limits of the members that hold changed files, as the base has them, and what should be known of them.
    ///
    /// # Errors
    /// `config_error` for what a partial clone lacks; otherwise as reading files does.
    pub(in crate::change) async fn member_limits(
        &self,
        (git, repository): (&Git, &Repository),
        base: &ObjectId,
        touched: &[TouchedFile],
        root: &Gate,
        call: &Call,
    ) -> Result<(Vec<MemberLimits>, Vec<String>)> {
        let folders = folders_of(touched);
        let settings: BTreeSet<String> = folders.iter().flat_map(|folder| settings_of(folder)).collect();
        if settings.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let listed = repository.tree_files(base, call).await?;
        let own = |path: &str| {
            path.strip_prefix(repository.prefix()).filter(|path| settings.contains(*path)).map(str::to_owned)
        };
        let (paths, ids): (Vec<String>, Vec<ObjectId>) =
            listed.into_iter().filter_map(|file| Some((own(&file.path)?, file.id))).unzip();
        let texts = repository.read_blobs(&ids, LARGEST, call).await?;
        let mut members: BTreeMap<&str, Vec<(&str, Vec<u8>)>> = BTreeMap::new();
        for (path, text) in paths.iter().zip(texts) {
            if let (Some((folder, name)), Some(text)) = (path.rsplit_once('/'), text) {
                members.entry(folder).or_default().push((name, text));
            }
        }
        let (mut limits, mut notes) = (Vec::new(), Vec::new());
        for (folder, files) in members {
            match self.limits_of_member(git, &files)? {
                Ok(member) => {
                    let gate = self.gate_of_member(&member)?.at_least(root);
                    let tolerance = self.tolerance_of_member(&member);
                    limits.push(MemberLimits { folder: folder.to_owned(), gate, tolerance });
                }
                Err(error) => {
                    notes.push(format!(
                        "the base's settings in {folder} cannot be read, so the project's count: {error}"
                    ));
                }
            }
        }
        Ok((limits, notes))
    }

    /// The settings in the files of a member; what is wrong with them otherwise.
    fn limits_of_member(&self, git: &Git, files: &[(&str, Vec<u8>)]) -> Result<Result<Loaded>> {
        let folder = git.private_folder()?;
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text)
                .map_err(|e| Error::io(format_args!("cannot copy {name} of the base"), &e))?;
        }
        let root = folder.path().canonicalize().map_err(|e| Error::io("cannot find a private folder again", &e))?;
        // Of a member its own files count: the user's settings are in the project's limits already.
        let sources = Sources { current_dir: root.clone(), root, ..Sources::default() };
        Ok(load_config(&sources))
    }

    /// The gate that a member names, which may be one of the project's own.
    fn gate_of_member(&self, member: &Loaded) -> Result<Gate> {
        let mut gates = self.config.gates.clone();
        gates.extend(member.config.gates.clone());
        let named = member.origins.origin_of("preset") != &ConfigOrigin::Default;
        let preset = if named { &member.config.preset } else { &self.config.preset };
        resolve_preset(&gates, preset)
    }

    fn tolerance_of_member(&self, member: &Loaded) -> f64 {
        let own = self.config.change.tolerance;
        let says = member.origins.origin_of("change.tolerance") != &ConfigOrigin::Default;
        if says { own.min(member.config.change.tolerance) } else { own }
    }
}

/// The folders below the root that hold changed files.
fn folders_of(touched: &[TouchedFile]) -> BTreeSet<&str> {
    let mut folders = BTreeSet::new();
    for mut path in touched.iter().filter_map(TouchedFile::head_path) {
        while let Some((folder, _)) = path.rsplit_once('/') {
            folders.insert(folder);
            path = folder;
        }
    }
    folders
}

fn settings_of(folder: &str) -> impl Iterator<Item = String> {
    PROJECT_FILES.iter().map(move |name| format!("{folder}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_member_counts() {
        let gate = tapps_config::Config::default().gate(None).unwrap();
        let member = |folder: &str| MemberLimits { folder: folder.to_owned(), gate: gate.clone(), tolerance: 0.5 };
        let members = [member("packages/a"), member("packages"), member("packages/a/inner")];
        let nearest = |file: &str| nearest_member(&members, file).map(|member| member.folder.as_str());
        assert_eq!(nearest("packages/a/inner/x.py"), Some("packages/a/inner"));
        assert_eq!(nearest("packages/a/x.py"), Some("packages/a"));
        assert_eq!(nearest("packages/ab/x.py"), Some("packages"));
        assert_eq!(nearest("x.py"), None);
    }
}
