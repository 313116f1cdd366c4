//! Files that only some others may import directly.

use super::breach::{Breach, link};
use super::contract::{Contract, GuardedUnit};
use super::reach::CountedImports;
use super::words::guard_sentence;
use tapps_config::ContractSpec;

/// Every import of a guarded file by somebody who may not.
pub(super) fn guarded_breaches(
    contract: &Contract,
    units: &[GuardedUnit],
    imports: &CountedImports<'_>,
    spec: &ContractSpec,
) -> Vec<Breach> {
    let mut found = Vec::new();
    for guarded in units {
        let says = guard_sentence(contract, guarded, spec);
        for from in (0..imports.next.len()).filter(|from| !guarded.importers.contains(from)) {
            for step in imports.steps(from).iter().filter(|step| guarded.unit.files.contains(&step.to)) {
                found.push(Breach {
                    file: imports.graph.path(from).to_owned(),
                    line: step.line,
                    contract: contract.name.clone(),
                    kind: contract.kind,
                    says: says.clone(),
                    chain: vec![link(imports.graph, from, step)],
                });
            }
        }
    }
    found
}
