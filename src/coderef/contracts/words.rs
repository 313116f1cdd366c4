//! Contracts in words.

use super::contract::{Contract, Demand, ForbiddenTarget, GuardedUnit, ModuleGroup};
use tapps_config::{ContractKind, ContractSpec};

/// What a contract says of the code, a sentence each.
pub(super) fn contract_sentences(contract: &Contract, spec: &ContractSpec) -> Vec<String> {
    let mut sentences: Vec<String> = match &contract.demand {
        Demand::Unreachable(groups) => groups.iter().flat_map(|group| group_sentences(contract, group)).collect(),
        Demand::Guarded(units) => units.iter().map(|unit| guard_sentence(contract, unit, spec)).collect(),
        Demand::Acyclic { units, siblings } => {
            units.iter().map(|unit| acyclic_sentence(&unit.label, *siblings)).collect()
        }
    };
    if spec.exhaustive.unwrap_or_default() {
        sentences.push(format!("everything directly in {} is in a layer", quoted_list(&spec.containers, "and")));
    }
    if !contract.type_imports {
        sentences.push("imports that only type checkers see do not count".to_owned());
    }
    for exception in &contract.exceptions {
        let (importer, imported) = (exception.importer.text(), exception.imported.text());
        sentences.push(format!("`{importer}` may import `{imported}` all the same: {}", exception.reason));
    }
    sentences
}

fn group_sentences(contract: &Contract, group: &ModuleGroup) -> Vec<String> {
    let sentence = |(unit, targets): (&usize, &Vec<ForbiddenTarget>)| {
        let label = group.units.get(*unit).map(|unit| unit.label.as_str())?;
        let names: Vec<String> = targets.iter().map(|target| target_name(group, target).to_owned()).collect();
        (!names.is_empty()).then(|| may_not_import(label, &quoted_list(&names, "or"), contract.indirect))
    };
    group.forbidden.iter().filter_map(sentence).collect()
}

/// The sentence that an import from one unit breaks.
pub(super) fn may_not_import(from: &str, quoted: &str, indirect: bool) -> String {
    let how = if indirect { ", not even through others" } else { " directly" };
    format!("`{from}` may not import {quoted}{how}")
}

pub(super) fn target_name<'g>(group: &'g ModuleGroup, target: &'g ForbiddenTarget) -> &'g str {
    match target {
        ForbiddenTarget::Unit(unit) => group.units.get(*unit).map_or("", |unit| unit.label.as_str()),
        ForbiddenTarget::Package(package) => package,
    }
}

/// The sentence that an import of a guarded file breaks.
pub(super) fn guard_sentence(contract: &Contract, guarded: &GuardedUnit, spec: &ContractSpec) -> String {
    let label = &guarded.unit.label;
    if contract.kind == ContractKind::Public {
        format!("from outside `{label}`, only {} may be imported directly", quoted_list(&spec.interface, "and"))
    } else {
        format!("only {} may import `{label}` directly", quoted_list(&spec.importers, "and"))
    }
}

/// The sentence that a circle breaks.
pub(super) fn acyclic_sentence(label: &str, siblings: bool) -> String {
    if siblings {
        format!("in `{label}`, and in each package below it, no module imports itself through its siblings")
    } else {
        format!("no file of `{label}` imports itself through others of them")
    }
}

/// `a`, `b` and `c`, each in quotes.
pub(super) fn quoted_list(names: &[impl AsRef<str>], word: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
    }
}
