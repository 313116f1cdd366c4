//! A contract over the files of a project: its patterns have become sets of files.

use std::collections::{BTreeMap, BTreeSet};

use super::contract_fault::{ContractFault, overlap_fault, unmatched_fault};
use super::import_graph::ImportGraph;
use super::layer_line::{LayerLine, parse_layer_line};
use super::module_pattern::ModulePattern;
use tapps_base::Result;
use tapps_config::{ArchitectureConfig, ContractKind, ContractSpec};

/// Modules that are spoken of as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModuleUnit {
    /// As messages name it.
    pub(super) label: String,
    pub(super) files: BTreeSet<usize>,
}

/// What may not be imported: another unit, or packages outside the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ForbiddenTarget {
    Unit(usize),
    Package(String),
}

/// Units none of whose files is passed on the way from one to another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ModuleGroup {
    pub(super) units: Vec<ModuleUnit>,
    /// Of each unit what it may not import.
    pub(super) forbidden: BTreeMap<usize, Vec<ForbiddenTarget>>,
    /// Files that ought to be in a unit and are in none, by the module that they belong to.
    pub(super) homeless: BTreeMap<String, BTreeSet<usize>>,
}

/// Who may import the files of a unit directly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GuardedUnit {
    pub(super) unit: ModuleUnit,
    pub(super) importers: BTreeSet<usize>,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Demand {
    /// No way leads from a unit to what it may not import.
    Unreachable(Vec<ModuleGroup>),
    /// Nobody else imports the files.
    Guarded(Vec<GuardedUnit>),
    /// No circle among these files, or among the children of these packages.
    Acyclic { units: Vec<ModuleUnit>, siblings: bool },
}

/// An exception with its patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CompiledException {
    pub(super) importer: ModulePattern,
    pub(super) imported: ModulePattern,
    pub(super) reason: String,
}

/// A contract that can be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contract {
    pub(super) name: String,
    pub(super) kind: ContractKind,
    pub(super) demand: Demand,
    /// Imports through others count.
    pub(super) indirect: bool,
    pub(super) type_imports: bool,
    pub(super) exceptions: Vec<CompiledException>,
}

/// The contracts of a configuration and what is wrong with them. A pattern that names nothing is left out of its contract,
/// and a contract that contradicts itself is left out as a whole.
pub(super) fn compile_contracts(
    config: &ArchitectureConfig,
    graph: &ImportGraph,
) -> Result<(Vec<Contract>, Vec<ContractFault>)> {
    let (mut contracts, mut faults) = (Vec::new(), Vec::new());
    for (name, spec) in &config.contracts {
        let Some(kind) = spec.kind else { continue };
        let mut compiler = ContractCompiler { name, graph, faults: Vec::new() };
        let demand = compiler.demand(kind, spec);
        faults.append(&mut compiler.faults);
        let Some(demand) = demand else { continue };
        let exceptions = spec.exceptions()?.into_iter().map(|one| CompiledException {
            importer: ModulePattern::parse(one.importer),
            imported: ModulePattern::parse(one.imported),
            reason: one.reason.to_owned(),
        });
        contracts.push(Contract {
            name: name.clone(),
            kind,
            demand,
            indirect: spec.indirect.unwrap_or(true),
            type_imports: spec.type_imports.unwrap_or(config.type_imports),
            exceptions: exceptions.collect(),
        });
    }
    Ok((contracts, faults))
}

struct ContractCompiler<'c> {
    name: &'c str,
    graph: &'c ImportGraph,
    faults: Vec<ContractFault>,
}

impl ContractCompiler<'_> {
    fn demand(&mut self, kind: ContractKind, spec: &ContractSpec) -> Option<Demand> {
        match kind {
            ContractKind::Layers => self.layers(spec),
            ContractKind::Independence => {
                let units = self.expand_all(&spec.modules);
                let count = units.len();
                let others = |own: usize| (0..count).filter(move |other| *other != own).map(ForbiddenTarget::Unit);
                let forbidden = (0..count).map(|own| (own, others(own).collect())).collect();
                let group = ModuleGroup { units, forbidden, homeless: BTreeMap::new() };
                self.separate(&group).then(|| Demand::Unreachable(vec![group]))
            }
            ContractKind::Forbidden => {
                let mut units = self.expand_all(&spec.from);
                let sources = units.len();
                units.extend(self.expand_all(&spec.to));
                let targets = (sources..units.len()).map(ForbiddenTarget::Unit);
                let packages = spec.packages.iter().cloned().map(ForbiddenTarget::Package);
                let targets: Vec<ForbiddenTarget> = targets.chain(packages).collect();
                let forbidden = (0..sources).map(|source| (source, targets.clone())).collect();
                let group = ModuleGroup { units, forbidden, homeless: BTreeMap::new() };
                self.separate(&group).then(|| Demand::Unreachable(vec![group]))
            }
            ContractKind::Protected => {
                let importers = self.files_of(&spec.importers);
                let guard = |unit: ModuleUnit| {
                    let importers = importers.union(&unit.files).copied().collect();
                    GuardedUnit { unit, importers }
                };
                let units = self.expand_all(&spec.modules);
                Some(Demand::Guarded(units.into_iter().map(guard).collect()))
            }
            ContractKind::Public => {
                let interface = self.files_of(&spec.interface);
                let guard = |unit: ModuleUnit| {
                    let inside = unit.files.difference(&interface).copied().collect();
                    GuardedUnit { importers: unit.files, unit: ModuleUnit { label: unit.label, files: inside } }
                };
                let units = self.expand_all(&spec.modules);
                Some(Demand::Guarded(units.into_iter().map(guard).collect()))
            }
            ContractKind::Acyclic => {
                let units = self.expand_all(&spec.modules);
                Some(Demand::Acyclic { units, siblings: spec.siblings.unwrap_or_default() })
            }
        }
    }

    fn layers(&mut self, spec: &ContractSpec) -> Option<Demand> {
        let lines: Vec<LayerLine> = spec.layers.iter().map(|line| parse_layer_line(line)).collect();
        if spec.containers.is_empty() {
            let group = self.layer_group(&lines, None);
            return self.separate(&group).then(|| Demand::Unreachable(vec![group]));
        }
        let mut groups = Vec::new();
        for container in self.expand_all(&spec.containers) {
            let mut group = self.layer_group(&lines, Some(&container.label));
            if !self.separate(&group) {
                return None;
            }
            if spec.exhaustive.unwrap_or_default() {
                group.homeless = self.homeless_files(&container, &group);
            }
            groups.push(group);
        }
        Some(Demand::Unreachable(groups))
    }

    fn layer_group(&mut self, lines: &[LayerLine], container: Option<&str>) -> ModuleGroup {
        let mut group = ModuleGroup::default();
        // The units of the lines so far, which are higher.
        let mut higher: Vec<usize> = Vec::new();
        for line in lines {
            let mut own: Vec<usize> = Vec::new();
            for member in &line.members {
                let pattern = match container {
                    Some(container) => ModulePattern::below(container, &member.pattern),
                    None => ModulePattern::parse(&member.pattern),
                };
                let files = self.graph.files_named_by(&pattern);
                if files.is_empty() {
                    if !member.optional {
                        self.faults.push(unmatched_fault(self.name, pattern.text(), self.graph));
                    }
                    continue;
                }
                own.push(group.units.len());
                group.units.push(ModuleUnit { label: pattern.text().to_owned(), files });
            }
            for unit in &own {
                let beside = own.iter().filter(|other| line.independent && *other != unit);
                let targets = higher.iter().chain(beside).map(|target| ForbiddenTarget::Unit(*target)).collect();
                group.forbidden.insert(*unit, targets);
            }
            higher.extend(own);
        }
        group
    }

    /// What stands directly in a container and is in no layer.
    fn homeless_files(&self, container: &ModuleUnit, group: &ModuleGroup) -> BTreeMap<String, BTreeSet<usize>> {
        let pattern = ModulePattern::below(&container.label, "*");
        let mut homeless: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for file in &container.files {
            let in_layer = group.units.iter().any(|unit| unit.files.contains(file));
            let child = self.graph.files.get(*file).and_then(|file| pattern.named_module(file));
            if let Some(child) = child.filter(|_| !in_layer) {
                homeless.entry(child).or_default().insert(*file);
            }
        }
        homeless
    }

    /// The modules that patterns name; a pattern with a star may name several.
    fn expand_all(&mut self, patterns: &[String]) -> Vec<ModuleUnit> {
        let mut units: Vec<ModuleUnit> = Vec::new();
        for text in patterns {
            let pattern = ModulePattern::parse(text);
            let mut found: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
            for (number, file) in self.graph.files.iter().enumerate() {
                if let Some(module) = pattern.named_module(file) {
                    let label = if pattern.has_wildcard() { module } else { pattern.text().to_owned() };
                    found.entry(label).or_default().insert(number);
                }
            }
            if found.is_empty() {
                self.faults.push(unmatched_fault(self.name, text, self.graph));
            }
            let new = found.into_iter().filter(|(label, _)| !units.iter().any(|unit| unit.label == *label));
            let new: Vec<ModuleUnit> = new.map(|(label, files)| ModuleUnit { label, files }).collect();
            units.extend(new);
        }
        units
    }

    fn files_of(&mut self, patterns: &[String]) -> BTreeSet<usize> {
        self.expand_all(patterns).into_iter().flat_map(|unit| unit.files).collect()
    }

    /// True when no file is in two of the units.
    fn separate(&mut self, group: &ModuleGroup) -> bool {
        let mut owner: BTreeMap<usize, &ModuleUnit> = BTreeMap::new();
        for unit in &group.units {
            for file in &unit.files {
                if let Some(other) = owner.insert(*file, unit) {
                    let path = self.graph.path(*file);
                    self.faults.push(overlap_fault(self.name, path, &other.label, &unit.label));
                    return false;
                }
            }
        }
        true
    }
}
