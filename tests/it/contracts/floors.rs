//! The floors of this program are a contract, judged on the imports of its crates.

use std::path::Path;

use tapps_coderef::contracts::{ImportGraph, forbidden_by_contracts, judge_architecture};
use tapps_config::{ArchitectureConfig, ContractKind, ContractSpec};

use super::support::{list, spec};
use crate::coderef_support::index_of;

/// From the highest floor to the lowest, as `ARCHITECTURE.md` has them. The two rooms of the root package know each other.
fn floors() -> ArchitectureConfig {
    let layers = list(&[
        "cli : setup",
        "server",
        "report",
        "quality | docs | workflow",
        "names",
        "project | session",
        "coderef | rules | security | experts | tdd | tags",
        "toolchain | sandbox | injection | config | store | syntax",
        "base",
    ]);
    let floors = ContractSpec { layers, ..spec(ContractKind::Layers) };
    ArchitectureConfig { contracts: [("floors".to_owned(), floors)].into(), ..ArchitectureConfig::default() }
}

#[test]
fn the_floors_of_this_program_are_kept() {
    let index = index_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let config = floors();
    let graph = ImportGraph::from_index(&index, false);
    let verdict = judge_architecture(&config, &graph).unwrap().require_usable().unwrap();
    let told: Vec<String> = verdict.breaches.iter().map(|breach| breach.message()).collect();
    assert_eq!(told, [""; 0]);
    // It is no empty promise: the imports between crates are found.
    assert!(verdict.imports > 1_500, "{}", verdict.imports);
    let found = forbidden_by_contracts(&config, &graph, "base/lib.rs", "quality/lib.rs").unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].says, "`base` may not import `quality`, not even through others");
    assert_eq!(forbidden_by_contracts(&config, &graph, "quality/lib.rs", "base/lib.rs").unwrap(), []);
    // Two rooms of one floor do not know each other, not even through a third.
    let found = forbidden_by_contracts(&config, &graph, "rules/lib.rs", "coderef/lib.rs").unwrap();
    assert_eq!(found.len(), 1);
}
