//! Contracts written down, and their verdicts on a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tapps_coderef::contracts::{ImportGraph, judge_architecture};
use tapps_config::{ArchitectureConfig, ContractKind, ContractSpec};

use crate::coderef_support::index_of;

/// A contract that another program can be asked about as well.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) spec: ContractSpec,
    /// The same for the other program.
    pub(super) other: String,
}

pub(super) fn list(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

pub(super) fn spec(kind: ContractKind) -> ContractSpec {
    ContractSpec { kind: Some(kind), ..ContractSpec::default() }
}

/// Which of the contracts are broken, by name.
pub(super) fn broken(root: &Path, asked: &BTreeMap<String, Asked>, type_imports: bool) -> BTreeSet<String> {
    let graph = ImportGraph::from_index(&index_of(root), true);
    // Each alone: together their layers contradict each other.
    let is_broken = |(name, one): &(&String, &Asked)| {
        let contracts = [((*name).clone(), one.spec.clone())].into();
        let config = ArchitectureConfig { type_imports, tests: true, contracts };
        !judge_architecture(&config, &graph).unwrap().require_usable().unwrap().kept
    };
    asked.iter().filter(is_broken).map(|(name, _)| name.clone()).collect()
}

/// Says what is different between two verdicts.
pub(super) fn assert_same(
    package: &str,
    asked: &BTreeMap<String, Asked>,
    ours: &BTreeSet<String>,
    theirs: &BTreeSet<String>,
) {
    let shown = |name: &String| format!("{name}: {}", asked[name].other.replace('\n', " "));
    let only_ours: Vec<String> = ours.difference(theirs).map(shown).collect();
    let only_theirs: Vec<String> = theirs.difference(ours).map(shown).collect();
    println!("{package}: {} contracts, {} broken", asked.len(), theirs.len());
    assert!(!theirs.is_empty() && theirs.len() < asked.len(), "{package}: the contracts tell nothing apart");
    assert!(
        only_ours.is_empty() && only_theirs.is_empty(),
        "{package}: broken only here:\n{}\nbroken only there:\n{}",
        only_ours.join("\n"),
        only_theirs.join("\n")
    );
}
