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
    let contracts = asked.iter().map(|(name, one)| (name.clone(), one.spec.clone())).collect();
    let config = ArchitectureConfig { type_imports, tests: true, contracts };
    let graph = ImportGraph::from_index(&index_of(root), true);
    let verdict = judge_architecture(&config, &graph).unwrap().require_usable().unwrap();
    assert_eq!(verdict.contracts.len(), asked.len());
    verdict.contracts.into_iter().filter(|contract| !contract.kept).map(|contract| contract.name).collect()
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
