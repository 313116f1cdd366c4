//! A vault of a test, and what is asked of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tapps_base::Result;
use tapps_base::call::Call;
use tapps_base::clock;
use tapps_config::Config;
use tapps_sandbox::Boundary;
use tapps_tags::batch::{ReplaceRequest, replace_tags};
use tapps_tags::report::ReplaceReport;
use tapps_tags::vault::VaultSelection;
use tapps_tags::{Profile, Replacement, Vaults};
use tempfile::TempDir;

pub(super) struct Vault(pub TempDir);

impl Vault {
    pub(super) fn new(notes: &[(&str, &str)]) -> Self {
        let vault = Self(tempfile::tempdir().unwrap());
        for (path, text) in notes {
            vault.write(path, text);
        }
        vault
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(super) fn root(&self) -> String {
        self.0.path().canonicalize().unwrap().to_str().unwrap().to_owned()
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    /// Every file with its bytes, without what this program keeps for itself.
    pub(super) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(self.0.path(), &mut found);
        found
    }

    pub(super) fn place(&self) -> VaultSelection {
        VaultSelection { root: self.root(), profile: Profile::Obsidian }
    }

    pub(super) fn vaults(&self) -> Vaults {
        Vaults::new(Arc::new(Boundary::open(self.0.path()).unwrap()), &Config::default(), clock::system())
    }

    pub(super) fn request(&self, pairs: &[(&str, &str)], dry_run: bool) -> ReplaceRequest {
        let replacements = replacements(pairs);
        ReplaceRequest { place: self.place(), replacements, nested: false, dry_run, max_diff_bytes: None }
    }

    pub(super) fn replace(&self, pairs: &[(&str, &str)]) -> Result<ReplaceReport> {
        replace_tags(&self.vaults(), &self.request(pairs, false), &call())
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_symlink() {
            continue;
        }
        if !kind.is_dir() {
            found.insert(path.clone(), fs::read(&path).unwrap());
        } else if !path.ends_with(".tapps-mcp") {
            collect(&path, found);
        }
    }
}

pub(super) fn replacements(pairs: &[(&str, &str)]) -> Vec<Replacement> {
    let one = |(old, new): &(&str, &str)| Replacement { old_tag: (*old).to_owned(), new_tag: (*new).to_owned() };
    pairs.iter().map(one).collect()
}

pub(super) fn call() -> Call {
    Call::quiet(Duration::from_secs(600))
}
