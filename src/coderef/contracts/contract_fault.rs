//! What is wrong with a contract, given the code.

use std::collections::BTreeSet;

use super::contract::{Contract, Demand, ForbiddenTarget};
use super::import_graph::ImportGraph;
use crate::cycles::strongly_connected_components;
use tapps_base::{Error, ErrorCode, log_text, nearest};
use tapps_config::ContractKind;

/// Most names that are compared with one that fits nothing.
const MOST_CANDIDATES: usize = 20_000;

/// A contract that cannot be used as it stands.
#[derive(Debug, Clone)]
pub struct ContractFault {
    pub contract: String,
    /// `config_error`, with the nearest names.
    pub error: Error,
}

/// A pattern names no file.
pub(super) fn unmatched_fault(contract: &str, pattern: &str, graph: &ImportGraph) -> ContractFault {
    let by_path = pattern.contains('/');
    let mut known: BTreeSet<String> = BTreeSet::new();
    for file in &graph.files {
        let (whole, separator) = if by_path {
            (file.path.clone(), '/')
        } else {
            (file.names.first().map(|name| name.join(".")).unwrap_or_default(), '.')
        };
        let ends = whole.match_indices(separator).filter_map(|(end, _)| whole.get(..end)).map(str::to_owned);
        let names: Vec<String> = ends.chain([whole.clone()]).collect();
        known.extend(names);
        if known.len() > MOST_CANDIDATES {
            break;
        }
    }
    let near = nearest::names(pattern.trim_start_matches("./"), known.iter().map(String::as_str));
    let hint = if near.is_empty() {
        "run `tapps-mcp architecture show` to see what there is; a layer in brackets need not be there".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    fault(contract, &format!("`{}` names no file that is looked at", log_text(pattern)), hint)
}

/// A file is in two units that exclude each other.
pub(super) fn overlap_fault(contract: &str, path: &str, one: &str, other: &str) -> ContractFault {
    let message = format!("{} is in `{}` and in `{}`", log_text(path), log_text(one), log_text(other));
    fault(contract, &message, "let each module be in one of them".to_owned())
}

fn fault(contract: &str, message: &str, hint: String) -> ContractFault {
    let place = format!("`architecture.contracts.{contract}`");
    let error = Error::new(ErrorCode::ConfigError, message.to_owned()).hint(hint).located_at(place);
    ContractFault { contract: contract.to_owned(), error }
}

/// Layers that several contracts together put above each other in a circle.
pub(super) fn layer_circles(contracts: &[Contract]) -> Vec<ContractFault> {
    let mut labels: Vec<&str> = Vec::new();
    let mut below: Vec<BTreeSet<usize>> = Vec::new();
    let mut named: Vec<BTreeSet<&str>> = Vec::new();
    for contract in contracts.iter().filter(|contract| contract.kind == ContractKind::Layers) {
        let Demand::Unreachable(groups) = &contract.demand else { continue };
        for group in groups {
            let numbers: Vec<usize> = group
                .units
                .iter()
                .map(|unit| {
                    let known = labels.iter().position(|label| *label == unit.label);
                    known.unwrap_or_else(|| {
                        labels.push(&unit.label);
                        below.push(BTreeSet::new());
                        named.push(BTreeSet::new());
                        labels.len() - 1
                    })
                })
                .collect();
            for number in &numbers {
                named[*number].insert(&contract.name);
            }
            for (lower, targets) in &group.forbidden {
                let higher = targets.iter().filter_map(|target| match target {
                    // Those beside each other exclude each other both ways, and are no order.
                    ForbiddenTarget::Unit(unit) if unit < lower && !excludes(group, *unit, *lower) => Some(*unit),
                    _ => None,
                });
                for unit in higher {
                    below[numbers[unit]].insert(numbers[*lower]);
                }
            }
        }
    }
    let next: Vec<Vec<usize>> = below.into_iter().map(|below| below.into_iter().collect()).collect();
    let circles = strongly_connected_components(&next).into_iter().filter(|circle| circle.len() > 1);
    let told = circles.map(|circle| {
        let names: Vec<String> = circle.iter().map(|number| format!("`{}`", log_text(labels[*number]))).collect();
        let by: BTreeSet<&str> = circle.iter().flat_map(|number| named[*number].iter().copied()).collect();
        let first = by.first().copied().unwrap_or_default();
        let message = format!("the layers {} are above each other in a circle", names.join(", "));
        fault(first, &message, format!("mend the order in one of {}", by.into_iter().collect::<Vec<_>>().join(", ")))
    });
    told.collect()
}

fn excludes(group: &super::contract::ModuleGroup, from: usize, target: usize) -> bool {
    group.forbidden.get(&from).is_some_and(|targets| targets.contains(&ForbiddenTarget::Unit(target)))
}
