//! Circles of imports: of files, or of what stands directly in one package.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::breach::{Breach, ImportLink, link};
use super::contract::{Contract, ModuleUnit};
use super::import_graph::{ImportFile, ImportStep};
use super::module_pattern::ModulePattern;
use super::reach::CountedImports;
use super::words::acyclic_sentence;
use crate::cycles::strongly_connected_components;

/// Every import that lies on a circle, each with the shortest way back.
pub(super) fn acyclic_breaches(
    contract: &Contract,
    units: &[ModuleUnit],
    siblings: bool,
    imports: &CountedImports<'_>,
) -> Vec<Breach> {
    let mut found = Vec::new();
    for unit in units {
        if siblings {
            for members in sibling_groups(unit, imports) {
                found.extend(circles_among(contract, unit, &members, true, imports));
            }
        } else {
            let members = unit.files.iter().map(|file| (*file, *file)).collect();
            found.extend(circles_among(contract, unit, &members, false, imports));
        }
    }
    // One import may lie on circles of several packages.
    found.sort_unstable();
    found.dedup();
    found
}

/// For each package at or below a unit with at least two children: which child each of its files belongs to.
fn sibling_groups(unit: &ModuleUnit, imports: &CountedImports<'_>) -> Vec<BTreeMap<usize, usize>> {
    let pattern = ModulePattern::parse(&unit.label);
    let mut packages: BTreeMap<String, BTreeMap<String, Vec<usize>>> = BTreeMap::new();
    for number in &unit.files {
        let Some(file) = imports.graph.files.get(*number) else { continue };
        for (package, child) in packages_around(file, &pattern) {
            packages.entry(package).or_default().entry(child).or_default().push(*number);
        }
    }
    let groups = packages.into_values().filter(|children| children.len() > 1);
    let numbered = groups.map(|children| {
        let all = children.into_values().enumerate();
        all.flat_map(|(child, files)| files.into_iter().map(move |file| (file, child))).collect()
    });
    numbered.collect()
}

/// The packages at or below the module that the pattern names, each with the child that holds the file.
fn packages_around(file: &ImportFile, pattern: &ModulePattern) -> Vec<(String, String)> {
    let Some(top) = pattern.named_module(file) else { return Vec::new() };
    let (whole, separator) = if pattern.is_path() {
        (file.path.clone(), '/')
    } else {
        let names = file.names.iter().map(|name| name.join("."));
        let fits = |name: &String| name.strip_prefix(&top).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        (names.into_iter().find(fits).unwrap_or_default(), '.')
    };
    let ends: Vec<usize> = whole
        .match_indices(separator)
        .map(|(end, _)| end)
        .chain([whole.len()])
        .filter(|end| *end >= top.len())
        .collect();
    let part = |end: usize| whole.get(..end).unwrap_or_default().to_owned();
    ends.windows(2).map(|pair| (part(pair[0]), part(pair[1]))).collect()
}

/// The circles among groups of files, each file with the number of its group.
fn circles_among(
    contract: &Contract,
    unit: &ModuleUnit,
    members: &BTreeMap<usize, usize>,
    siblings: bool,
    imports: &CountedImports<'_>,
) -> Vec<Breach> {
    // Between two groups the first import by file.
    let mut between: BTreeMap<usize, BTreeMap<usize, (usize, ImportStep)>> = BTreeMap::new();
    let mut crossing: Vec<(usize, ImportStep)> = Vec::new();
    for (file, group) in members {
        for step in imports.steps(*file) {
            if let Some(other) = members.get(&step.to).filter(|other| *other != group) {
                between.entry(*group).or_default().entry(*other).or_insert((*file, *step));
                crossing.push((*file, *step));
            }
        }
    }
    let groups: BTreeSet<usize> = members.values().copied().collect();
    let order: Vec<usize> = groups.into_iter().collect();
    let position = |group: usize| order.binary_search(&group).unwrap_or_default();
    let next: Vec<Vec<usize>> = order
        .iter()
        .map(|group| between.get(group).into_iter().flatten().map(|(to, _)| position(*to)).collect())
        .collect();
    let mut component = vec![0; order.len()];
    for (number, circle) in strongly_connected_components(&next).into_iter().enumerate() {
        circle.into_iter().for_each(|member| component[member] = number);
    }
    let says = acyclic_sentence(&unit.label, siblings);
    let mut ways: BTreeMap<(usize, usize), Vec<ImportLink>> = BTreeMap::new();
    let mut found = Vec::new();
    for (file, step) in crossing {
        let (Some(from), Some(to)) = (members.get(&file), members.get(&step.to)) else { continue };
        if component[position(*from)] != component[position(*to)] {
            continue;
        }
        let way = ways.entry((*to, *from)).or_insert_with(|| {
            let same = |group: usize| component[position(group)] == component[position(*from)];
            shortest_way(&between, *to, *from, same, imports)
        });
        let mut chain = vec![link(imports.graph, file, &step)];
        chain.extend(way.iter().cloned());
        found.push(Breach {
            file: imports.graph.path(file).to_owned(),
            line: step.line,
            contract: contract.name.clone(),
            kind: contract.kind,
            says: says.clone(),
            chain,
        });
    }
    found
}

/// The imports along a shortest way between two groups of one circle.
fn shortest_way(
    between: &BTreeMap<usize, BTreeMap<usize, (usize, ImportStep)>>,
    start: usize,
    end: usize,
    is_on_circle: impl Fn(usize) -> bool,
    imports: &CountedImports<'_>,
) -> Vec<ImportLink> {
    let mut before: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for to in between.get(&at).into_iter().flatten().map(|(to, _)| *to).filter(|to| is_on_circle(*to)) {
            if to != start && !before.contains_key(&to) {
                before.insert(to, at);
                queue.push_back(to);
            }
        }
        if before.contains_key(&end) {
            break;
        }
    }
    let mut links = Vec::new();
    let mut at = end;
    while let Some(from) = before.get(&at).copied().filter(|_| at != start) {
        let import = between.get(&from).and_then(|targets| targets.get(&at));
        links.extend(import.map(|(file, step)| link(imports.graph, *file, step)));
        at = from;
    }
    links.reverse();
    links
}
