//! Gathers what a brief may tell, without a look at its length.

use std::collections::{BTreeMap, BTreeSet};

use super::{Central, Folder, Hard, ImportedPackage, LanguageShare, ProjectBrief};
use crate::complexity::measure_nodes;
use crate::coverage::{CoverageDetail, RecordedCoverage, build_coverage_report};
use crate::cycles;
use crate::graph::Graph;
use crate::model::{EdgeKind, EdgeStatus, EdgeTarget, ElementId, ExportKind, FileId, GraphNode, Language, Parse};
use crate::view::{NodeLocation, reference_of};
use tapps_base::{Error, ErrorCode, Result};

/// Most entries of any list: what is not among the first has no place in a brief.
const MOST: usize = 40;

/// Most exports that are named of one folder.
const MOST_EXPORTS: usize = 12;

/// Everything worth telling about the files of some languages; all of them when none is named.
pub(super) fn collect_brief(graph: &Graph<'_>, project: &str, languages: &[Language]) -> Result<ProjectBrief> {
    let index = graph.index();
    let wanted = |language: Language| languages.is_empty() || languages.contains(&language);
    let files: Vec<FileId> = (0..index.files.len())
        .map(|position| FileId(u32::try_from(position).unwrap_or(u32::MAX)))
        .filter(|id| index.files.get(id.0 as usize).is_some_and(|file| wanted(file.language)))
        .collect();
    if files.is_empty() {
        return Err(Error::new(ErrorCode::FileNotFound, "there is no source file of these languages here")
            .hint("leave `languages` out, or check the project path"));
    }
    let nodes: Vec<GraphNode> = files.iter().flat_map(|file| graph.with_members(GraphNode::File(*file))).collect();
    let elements = nodes.len() - files.len();
    let uses = count_references(graph);
    let of = |id: &FileId| index.files.get(id.0 as usize);
    let reach = build_coverage_report(graph, &RecordedCoverage::default(), CoverageDetail::Summary, Some(0));
    Ok(ProjectBrief {
        project: project.to_owned(),
        files: files.len(),
        lines: files.iter().filter_map(of).map(|file| u64::from(file.lines)).sum(),
        elements,
        test_files: files.iter().filter_map(of).filter(|file| file.test).count(),
        reached_by_tests: reach.overall,
        languages: language_shares(graph, &files),
        folders: folders(graph, &files, &uses),
        entry_points: entry_points(graph, &files),
        central: most_used_elements(graph, &nodes, &uses),
        hardest: hardest(graph, &nodes),
        packages: packages(graph, &files),
        cycles: cycles::of_files(graph).into_iter().map(|cycle| paths_of_files(graph, &cycle)).take(MOST).collect(),
        unread: files
            .iter()
            .filter_map(of)
            .filter(|file| file.parse != Parse::Whole)
            .map(|file| file.path.clone())
            .take(MOST)
            .collect(),
    })
}

/// How many other nodes refer to each element, without those it holds itself.
fn count_references(graph: &Graph<'_>) -> BTreeMap<GraphNode, usize> {
    let count = u32::try_from(graph.index().elements.len()).unwrap_or(u32::MAX);
    let mut uses = BTreeMap::new();
    for id in (0..count).map(ElementId) {
        let node = GraphNode::Element(id);
        let outside = |from: &GraphNode| match from {
            GraphNode::Element(from) => !graph.is_within(*from, id),
            GraphNode::File(_) => true,
        };
        let referring = graph.incoming(node).filter(|step| {
            step.edge.status == EdgeStatus::Resolved && !matches!(step.edge.kind, EdgeKind::Export | EdgeKind::Test)
        });
        let from: BTreeSet<GraphNode> = referring.map(|step| step.node).filter(outside).collect();
        if !from.is_empty() {
            uses.insert(node, from.len());
        }
    }
    uses
}

fn language_shares(graph: &Graph<'_>, files: &[FileId]) -> Vec<LanguageShare> {
    let mut shares: BTreeMap<Language, (usize, u64)> = BTreeMap::new();
    for file in files.iter().filter_map(|id| graph.file(GraphNode::File(*id))) {
        let share = shares.entry(file.language).or_default();
        *share = (share.0 + 1, share.1 + u64::from(file.lines));
    }
    let share = |(language, (files, lines)): (Language, (usize, u64))| LanguageShare {
        language: language.as_str(),
        files,
        lines,
    };
    let mut shares: Vec<LanguageShare> = shares.into_iter().map(share).collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.lines));
    shares
}

/// How often a file is used, and its path.
type Used<'a> = (usize, &'a str);

fn folders(graph: &Graph<'_>, files: &[FileId], uses: &BTreeMap<GraphNode, usize>) -> Vec<Folder> {
    let mut folders: BTreeMap<&str, (usize, Vec<Used<'_>>)> = BTreeMap::new();
    for id in files {
        let Some(file) = graph.file(GraphNode::File(*id)) else { continue };
        let path = file.path.rsplit_once('/').map_or(".", |(folder, _)| folder);
        let folder = folders.entry(path).or_default();
        folder.0 += 1;
        if file.test {
            continue;
        }
        let exported = graph.elements_of(*id).filter(|(_, element)| element.export != ExportKind::No);
        folder.1.extend(exported.map(|(id, element)| {
            (uses.get(&GraphNode::Element(id)).copied().unwrap_or_default(), element.name.as_str())
        }));
    }
    let mut all: Vec<(usize, Folder)> = folders
        .into_iter()
        .map(|(path, (files, mut exports))| {
            exports.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
            let weight = exports.iter().map(|export| export.0 + 1).sum::<usize>();
            let exports = exports.iter().take(MOST_EXPORTS).map(|export| export.1.to_owned()).collect();
            (weight, Folder { path: path.to_owned(), files, exports })
        })
        .collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    all.into_iter().map(|(_, folder)| folder).take(MOST).collect()
}

/// Where a program begins: it imports, and nothing imports it.
fn entry_points(graph: &Graph<'_>, files: &[FileId]) -> Vec<String> {
    let import = |kind| kind == EdgeKind::Import;
    let begins = |id: &&FileId| {
        let node = GraphNode::File(**id);
        let imports = graph.outgoing(node).filter(|step| import(step.edge.kind)).count();
        let imported = graph.incoming(node).any(|step| import(step.edge.kind));
        imports > 0 && !imported && graph.file(node).is_some_and(|file| !file.test)
    };
    let reach = |id: &FileId| graph.outgoing(GraphNode::File(*id)).filter(|step| import(step.edge.kind)).count();
    let mut found: Vec<&FileId> = files.iter().filter(begins).collect();
    found.sort_by_key(|id| (std::cmp::Reverse(reach(id)), **id));
    let path = |id: &FileId| Some(graph.file(GraphNode::File(*id))?.path.clone());
    found.into_iter().filter_map(path).take(MOST).collect()
}

fn most_used_elements(graph: &Graph<'_>, nodes: &[GraphNode], uses: &BTreeMap<GraphNode, usize>) -> Vec<Central> {
    let is_code = |node: &&GraphNode| graph.file(**node).is_some_and(|file| !file.test);
    let mut found: Vec<(usize, GraphNode)> =
        nodes.iter().filter(is_code).filter_map(|node| Some((*uses.get(node)?, *node))).collect();
    found.sort_by_key(|(used, node)| (std::cmp::Reverse(*used), *node));
    let one = |(used_by, node): (usize, GraphNode)| {
        let (file, element) = graph.file(node).zip(graph.element(node))?;
        Some(Central { reference: reference_of(file, element), used_by, doc: element.doc.clone() })
    };
    found.into_iter().filter_map(one).take(MOST).collect()
}

fn hardest(graph: &Graph<'_>, nodes: &[GraphNode]) -> Vec<Hard> {
    let code: Vec<GraphNode> =
        nodes.iter().copied().filter(|node| graph.file(*node).is_some_and(|file| !file.test)).collect();
    let one = |found: crate::complexity::FunctionComplexity| Hard {
        reference: found.place.reference,
        score: found.score,
        cyclomatic: found.metrics.cyclomatic,
    };
    measure_nodes(graph, &code).into_iter().take(MOST).map(one).collect()
}

fn packages(graph: &Graph<'_>, files: &[FileId]) -> Vec<ImportedPackage> {
    let mut packages: BTreeMap<String, BTreeSet<FileId>> = BTreeMap::new();
    for edge in graph.index().edges.iter().filter(|edge| edge.kind == EdgeKind::Import) {
        if let (EdgeTarget::External { module, .. }, Some(file)) = (&edge.to, graph.file_id(edge.from))
            && files.contains(&file)
        {
            packages.entry(package_of(module).to_owned()).or_default().insert(file);
        }
    }
    let mut found: Vec<ImportedPackage> =
        packages.into_iter().map(|(name, files)| ImportedPackage { name, files: files.len() }).collect();
    found.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.name.cmp(&b.name)));
    found.truncate(MOST);
    found
}

/// `@scope/name/deep` is of the package `@scope/name`, `os.path` of the module `os`.
fn package_of(module: &str) -> &str {
    let parts = if module.starts_with('@') { 2 } else { 1 };
    match module.match_indices('/').nth(parts - 1) {
        Some((end, _)) => module.get(..end).unwrap_or(module),
        None if module.contains('/') || module.starts_with("node:") => module,
        None => module.split_once('.').map_or(module, |(first, _)| if first.is_empty() { module } else { first }),
    }
}

fn paths_of_files(graph: &Graph<'_>, files: &[FileId]) -> Vec<String> {
    files.iter().filter_map(|id| NodeLocation::from_node(graph, GraphNode::File(*id))).map(|place| place.file).collect()
}
