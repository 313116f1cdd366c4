//! The verdict on all contracts of a project.

use schemars::JsonSchema;
use serde::Serialize;

use super::acyclic::acyclic_breaches;
use super::breach::Breach;
use super::contract::{Contract, Demand, compile_contracts};
use super::contract_fault::{ContractFault, layer_circles};
use super::guarded::guarded_breaches;
use super::import_graph::{ImportGraph, UnresolvedImport};
use super::module_pattern::is_in_package;
use super::reach::{CountedImports, unreachable_breaches};
use super::words::contract_sentences;
use tapps_base::Result;
use tapps_config::{ArchitectureConfig, ContractKind};

#[cfg(test)]
mod tests;

/// How one contract fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContractVerdict {
    pub name: String,
    pub kind: ContractKind,
    /// What it says, a sentence each.
    pub says: Vec<String>,
    pub kept: bool,
    /// How often it is broken.
    pub breaches: usize,
    /// Exceptions that fit no import any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unused_exceptions: Vec<String>,
}

/// The verdict on a project.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ArchitectureVerdict {
    /// Files that were looked at.
    pub files: usize,
    /// Imports from one of them to another.
    pub imports: usize,
    pub kept: bool,
    /// By name.
    pub contracts: Vec<ContractVerdict>,
    /// By file, line and contract.
    pub breaches: Vec<Breach>,
    /// Imports of which nobody knows where they lead: no contract sees them.
    pub unresolved: Vec<UnresolvedImport>,
    /// Files that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Contracts, or parts of them, that cannot be used.
    #[serde(skip)]
    pub faults: Vec<ContractFault>,
}

impl ArchitectureVerdict {
    /// The verdict, if every contract can be used.
    ///
    /// # Errors
    /// `config_error` for the first contract that cannot, with the nearest names.
    pub fn require_usable(self) -> Result<Self> {
        match self.faults.first() {
            Some(fault) => Err(fault.error.clone()),
            None => Ok(self),
        }
    }
}

/// Judges the imports of a project by its contracts.
///
/// # Errors
/// `config_error` for an exception without a reason; every other fault of a contract is in the verdict.
pub fn judge_architecture(config: &ArchitectureConfig, graph: &ImportGraph) -> Result<ArchitectureVerdict> {
    let (contracts, mut faults) = compile_contracts(config, graph)?;
    faults.extend(layer_circles(&contracts));
    let mut verdict = ArchitectureVerdict {
        files: graph.file_count(),
        imports: graph.import_count(),
        unresolved: graph.unresolved.clone(),
        unread: graph.unread.clone(),
        faults,
        ..ArchitectureVerdict::default()
    };
    for contract in &contracts {
        let Some(spec) = config.contracts.get(&contract.name) else { continue };
        let imports = CountedImports::new(graph, contract);
        let mut breaches = match &contract.demand {
            Demand::Unreachable(groups) => {
                groups.iter().flat_map(|group| unreachable_breaches(contract, group, &imports)).collect()
            }
            Demand::Guarded(units) => guarded_breaches(contract, units, &imports, spec),
            Demand::Acyclic { units, siblings } => acyclic_breaches(contract, units, *siblings, &imports),
        };
        verdict.contracts.push(ContractVerdict {
            name: contract.name.clone(),
            kind: contract.kind,
            says: contract_sentences(contract, spec),
            kept: breaches.is_empty(),
            breaches: breaches.len(),
            unused_exceptions: unused_exceptions(contract, graph),
        });
        verdict.breaches.append(&mut breaches);
    }
    verdict.breaches.sort_unstable();
    verdict.breaches.dedup();
    verdict.kept = verdict.breaches.is_empty();
    Ok(verdict)
}

fn unused_exceptions(contract: &Contract, graph: &ImportGraph) -> Vec<String> {
    let unused = contract.exceptions.iter().filter(|exception| {
        let imported = graph.files_named_by(&exception.imported);
        let fits = |from: usize| {
            graph.steps(from).iter().any(|step| imported.contains(&step.to))
                || graph.outside(from).iter().any(|it| is_in_package(&it.module, exception.imported.text()))
        };
        !graph.files_named_by(&exception.importer).into_iter().any(fits)
    });
    unused.map(|exception| format!("{} -> {}", exception.importer.text(), exception.imported.text())).collect()
}
