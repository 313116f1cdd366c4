//! Ways from a unit to what it may not import: the shortest one for each import that begins one.

use std::collections::{BTreeSet, VecDeque};

use super::breach::{Breach, ImportLink, link};
use super::contract::{Contract, ForbiddenTarget, ModuleGroup, ModuleUnit};
use super::import_graph::{ImportGraph, ImportStep};
use super::module_pattern::is_in_package;
use super::words::{may_not_import, quoted_list, target_name};

/// The imports that count for a contract.
#[derive(Debug)]
pub(super) struct CountedImports<'g> {
    pub(super) graph: &'g ImportGraph,
    pub(super) next: Vec<Vec<ImportStep>>,
    previous: Vec<Vec<usize>>,
}

impl<'g> CountedImports<'g> {
    pub(super) fn new(graph: &'g ImportGraph, contract: &Contract) -> Self {
        // The files of each exception, so that no import is compared with a pattern.
        let excepted: Vec<(BTreeSet<usize>, BTreeSet<usize>)> = contract
            .exceptions
            .iter()
            .map(|it| (graph.files_named_by(&it.importer), graph.files_named_by(&it.imported)))
            .collect();
        let next = graph.without(|from, step| {
            (step.type_only && !contract.type_imports)
                || excepted.iter().any(|(importers, imported)| importers.contains(&from) && imported.contains(&step.to))
        });
        let mut previous = vec![Vec::new(); next.len()];
        for (from, steps) in next.iter().enumerate() {
            for step in steps {
                previous[step.to].push(from);
            }
        }
        Self { graph, next, previous }
    }

    pub(super) fn steps(&self, from: usize) -> &[ImportStep] {
        self.next.get(from).map_or(&[], Vec::as_slice)
    }

    /// The imports of packages outside the project that a contract counts, by file.
    fn outside<'c>(&'c self, contract: &'c Contract, package: &'c str, file: usize) -> Option<(&'c str, u32)> {
        let excepted = |module: &str| {
            let file = self.graph.files.get(file);
            contract
                .exceptions
                .iter()
                .any(|it| file.is_some_and(|file| it.importer.names(file)) && is_in_package(module, it.imported.text()))
        };
        let counts = |module: &str, type_only: bool| {
            (!type_only || contract.type_imports) && is_in_package(module, package) && !excepted(module)
        };
        let found = self.graph.outside(file).iter().filter(|it| counts(&it.module, it.type_only));
        found.min_by_key(|it| it.line).map(|it| (it.module.as_str(), it.line))
    }
}

/// Everything that a group does not allow.
pub(super) fn unreachable_breaches(
    contract: &Contract,
    group: &ModuleGroup,
    imports: &CountedImports<'_>,
) -> Vec<Breach> {
    let mut found = Vec::new();
    let barrier: BTreeSet<usize> = group.units.iter().flat_map(|unit| unit.files.iter().copied()).collect();
    let mut targets: Vec<&ForbiddenTarget> = Vec::new();
    for target in group.forbidden.values().flatten() {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    for target in targets {
        let ends = TargetEnds::new(contract, group, imports, target);
        let ways = if contract.indirect { ends.ways(&barrier) } else { Vec::new() };
        let sources = group.forbidden.iter().filter(|(_, targets)| targets.contains(target));
        for unit in sources.filter_map(|(unit, _)| group.units.get(*unit)) {
            let name = target_name(group, target);
            let what = match target {
                ForbiddenTarget::Unit(_) => quoted_list(&[name], "or"),
                ForbiddenTarget::Package(_) => format!("the package `{name}`"),
            };
            let says = may_not_import(&unit.label, &what, contract.indirect);
            for file in &unit.files {
                for chain in ends.chains_from(*file, &ways) {
                    found.push(Breach {
                        file: imports.graph.path(*file).to_owned(),
                        line: chain.first().map_or(0, |link| link.line),
                        contract: contract.name.clone(),
                        kind: contract.kind,
                        says: says.clone(),
                        chain,
                    });
                }
            }
        }
    }
    for (module, files) in &group.homeless {
        let first = files.first().map(|file| imports.graph.path(*file).to_owned());
        found.extend(first.map(|file| Breach {
            file,
            line: 0,
            contract: contract.name.clone(),
            kind: contract.kind,
            says: format!("`{module}` is in no layer"),
            chain: Vec::new(),
        }));
    }
    found
}

/// Where a target begins.
struct TargetEnds<'t> {
    contract: &'t Contract,
    imports: &'t CountedImports<'t>,
    unit: Option<&'t ModuleUnit>,
    package: Option<&'t str>,
}

impl<'t> TargetEnds<'t> {
    fn new(
        contract: &'t Contract,
        group: &'t ModuleGroup,
        imports: &'t CountedImports<'t>,
        target: &'t ForbiddenTarget,
    ) -> Self {
        let (unit, package) = match target {
            ForbiddenTarget::Unit(unit) => (group.units.get(*unit), None),
            ForbiddenTarget::Package(package) => (None, Some(package.as_str())),
        };
        Self { contract, imports, unit, package }
    }

    fn is_in_unit(&self, file: usize) -> bool {
        self.unit.is_some_and(|unit| unit.files.contains(&file))
    }

    /// The imports of a file that lead right into the target.
    fn direct_links(&self, file: usize) -> Vec<ImportLink> {
        let graph = self.imports.graph;
        if let Some(package) = self.package {
            let found = self.imports.outside(self.contract, package, file);
            let outside = |(module, line): (&str, u32)| ImportLink {
                importer: graph.path(file).to_owned(),
                line,
                imported: module.to_owned(),
            };
            return found.map(outside).into_iter().collect();
        }
        let steps = self.imports.steps(file).iter().filter(|step| self.is_in_unit(step.to));
        steps.map(|step| link(graph, file, step)).collect()
    }

    /// Of each file outside the barrier, how many imports lead to the target at least.
    fn ways(&self, barrier: &BTreeSet<usize>) -> Vec<Option<u32>> {
        let count = self.imports.next.len();
        let mut ways: Vec<Option<u32>> = vec![None; count];
        let mut queue: VecDeque<usize> = VecDeque::new();
        for file in (0..count).filter(|file| !barrier.contains(file)) {
            if !self.direct_links(file).is_empty() {
                ways[file] = Some(1);
                queue.push_back(file);
            }
        }
        while let Some(file) = queue.pop_front() {
            let further = ways[file].map(|way| way + 1);
            for before in &self.imports.previous[file] {
                if ways[*before].is_none() && !barrier.contains(before) {
                    ways[*before] = further;
                    queue.push_back(*before);
                }
            }
        }
        ways
    }

    /// The shortest chain for each import of a file that begins one.
    fn chains_from(&self, file: usize, ways: &[Option<u32>]) -> Vec<Vec<ImportLink>> {
        let mut chains: Vec<Vec<ImportLink>> = self.direct_links(file).into_iter().map(|link| vec![link]).collect();
        for step in self.imports.steps(file) {
            let Some(Some(way)) = ways.get(step.to).copied() else { continue };
            let mut chain = vec![link(self.imports.graph, file, step)];
            let (mut at, mut left) = (step.to, way);
            while left > 1 {
                let nearer = |step: &&ImportStep| ways.get(step.to).copied().flatten() == Some(left - 1);
                let Some(step) = self.imports.steps(at).iter().find(nearer) else { break };
                chain.push(link(self.imports.graph, at, step));
                (at, left) = (step.to, left - 1);
            }
            chain.extend(self.direct_links(at).into_iter().next());
            chains.push(chain);
        }
        chains
    }
}
