//! What is going to change: a file, or something in it.

use std::collections::{BTreeMap, BTreeSet};

use super::{ChangeType, ImpactRequest, PublicName};
use crate::code::CodeIndex;
use crate::users::{Use, WHOLE, file_of, top_of};
use tapps_base::language::Language;
use tapps_base::{Error, ErrorCode, Result, nearest};
use tapps_coderef::model::{EdgeKind, EdgeStatus, ElementId, ExportKind, FileId, GraphNode, Parse};

/// What changes, in terms of the graph.
#[derive(Debug)]
pub(super) struct Subject {
    /// None for a file that is yet to be written.
    pub(super) file: Option<FileId>,
    /// As it was asked for.
    pub(super) symbol: Option<String>,
    /// The file with all it holds, or the elements that are called so; empty for a name without an element.
    pub(super) nodes: Vec<GraphNode>,
    /// The files that take it or may do so.
    pub(super) users: BTreeMap<FileId, Use>,
    /// Names at the top level of the file whose meaning changes with it, because they call it.
    pub(super) carried: BTreeSet<String>,
}

impl Subject {
    /// Finds what a request names.
    ///
    /// # Errors
    /// `file_not_found`, `unsupported_language`, `invalid_argument`.
    pub(super) fn from_request(code: &CodeIndex, request: &ImpactRequest) -> Result<Self> {
        let files = (0..).map(FileId).zip(&code.index().files);
        let file = files.into_iter().find(|(_, file)| file.path == request.file).map(|(id, _)| id);
        let symbol = request.symbol.clone();
        let Some(id) = file else {
            if request.change != ChangeType::Added || Language::of_path(&request.file).is_none() {
                return Err(unknown_file(code, &request.file));
            }
            return Ok(Self { file, symbol, nodes: Vec::new(), users: BTreeMap::new(), carried: BTreeSet::new() });
        };
        let mut users = code.users.of_changed(id);
        let Some(name) = request.symbol.as_deref() else {
            return Ok(Self { file, symbol, nodes: vec![GraphNode::File(id)], users, carried: BTreeSet::new() });
        };
        let nodes = nodes_with_name(code, id, name);
        let top = name.split('.').next().unwrap_or(name);
        let is_taken = users.values().any(|used| used.names.contains(top));
        let is_whole = code.index().files.get(id.0 as usize).is_some_and(|file| file.parse == Parse::Whole);
        if nodes.is_empty() && !is_taken && is_whole && request.change != ChangeType::Added {
            return Err(unknown_symbol(code, id, name));
        }
        let tops: BTreeSet<&str> = nodes.iter().filter_map(|node| top_name(code, *node)).chain([top]).collect();
        let carried = top_level_callers(code, id, &nodes, &tops);
        // What else a user takes has nothing to do with the symbol.
        users.retain(|_, used| {
            used.names.retain(|name| name == WHOLE || tops.contains(name.as_str()));
            !used.names.is_empty()
        });
        Ok(Self { file, symbol, nodes, users, carried })
    }

    /// The public names that change, most used first.
    pub(super) fn public_api(&self, code: &CodeIndex) -> Vec<PublicName> {
        let Some(file) = self.file else { return Vec::new() };
        let users = code.users.of_changed(file);
        let graph = code.graph();
        let mut names: BTreeSet<&str> = match &self.symbol {
            Some(symbol) => {
                let top = symbol.split('.').next().unwrap_or(symbol);
                let holders = self.nodes.iter().filter_map(|node| top_name(code, *node));
                let is_public = |name: &&str| {
                    users.values().any(|used| used.names.contains(*name)) || is_exported_name(code, file, name)
                };
                holders.chain([top]).filter(is_public).collect()
            }
            None => {
                let own = graph.elements_of(file).map(|(_, element)| element);
                let own = own.filter(|element| element.parent.is_none() && element.export != ExportKind::No);
                let taken =
                    users.values().flat_map(|used| &used.names).map(String::as_str).filter(|name| *name != WHOLE);
                own.map(|element| element.name.as_str()).chain(taken).collect()
            }
        };
        names.retain(|name| !name.starts_with('_'));
        let used_by = |name: &str| users.values().filter(|used| used.names.contains(name)).count();
        let mut names: Vec<PublicName> =
            names.into_iter().map(|name| PublicName { name: name.to_owned(), used_by: used_by(name) }).collect();
        names.sort_by(|a, b| b.used_by.cmp(&a.used_by).then_with(|| a.name.cmp(&b.name)));
        names
    }
}

fn is_exported_name(code: &CodeIndex, file: FileId, name: &str) -> bool {
    let graph = code.graph();
    let mut own = graph.elements_of(file).map(|(_, element)| element);
    own.any(|element| element.parent.is_none() && element.name == name && element.export != ExportKind::No)
}

/// The elements of a file with this path, else those with this name.
fn nodes_with_name(code: &CodeIndex, file: FileId, name: &str) -> Vec<GraphNode> {
    let graph = code.graph();
    let having = |fits: &dyn Fn(&tapps_coderef::model::Element) -> bool| -> Vec<GraphNode> {
        graph.elements_of(file).filter(|(_, element)| fits(element)).map(|(id, _)| GraphNode::Element(id)).collect()
    };
    let whole = having(&|element| element.path == name);
    if whole.is_empty() { having(&|element| element.name == name) } else { whole }
}

fn top_name(code: &CodeIndex, node: GraphNode) -> Option<&str> {
    match node {
        GraphNode::File(_) => None,
        GraphNode::Element(id) => top_of(code.index(), id).map(|(_, name)| name),
    }
}

/// The names at the top level, besides those that are meant, that call or extend one of the nodes through calls within
/// the file.
fn top_level_callers(code: &CodeIndex, file: FileId, nodes: &[GraphNode], tops: &BTreeSet<&str>) -> BTreeSet<String> {
    let graph = code.graph();
    let mut open: Vec<GraphNode> = nodes.iter().flat_map(|node| graph.with_members(*node)).collect();
    let mut seen: BTreeSet<GraphNode> = open.iter().copied().collect();
    let mut carried = BTreeSet::new();
    while let Some(node) = open.pop() {
        for step in graph.incoming(node) {
            let counts = matches!(step.edge.kind, EdgeKind::Call | EdgeKind::Extends | EdgeKind::Implements)
                && step.edge.status == EdgeStatus::Resolved
                && file_of(code.index(), step.node) == Some(file);
            if !counts || !seen.insert(step.node) {
                continue;
            }
            open.push(step.node);
            match step.node {
                // Code at the top level may make any name of the file.
                GraphNode::File(_) => carried.extend(all_names(code, file)),
                GraphNode::Element(id) => carried.extend(top_of(code.index(), id).map(|(_, name)| name.to_owned())),
            }
        }
    }
    carried.retain(|name| !tops.contains(name.as_str()));
    carried
}

fn all_names(code: &CodeIndex, file: FileId) -> Vec<String> {
    let graph = code.graph();
    let tops = graph.elements_of(file).filter(|(_, element): &(ElementId, _)| element.parent.is_none());
    tops.map(|(_, element)| element.name.clone()).chain([WHOLE.to_owned()]).collect()
}

fn unknown_file(code: &CodeIndex, file: &str) -> Error {
    if Language::of_path(file).is_none() {
        return Error::new(ErrorCode::UnsupportedLanguage, format!("what {file} refers to is not read"))
            .hint("name a source file: Python, TypeScript, JavaScript, Vue, Svelte, Rust, Go, Java, C or C++");
    }
    let near = nearest::names(file, code.index().files.iter().map(|file| file.path.as_str()));
    let hint = match near.as_slice() {
        [] => "check the path; it is relative to the project".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Error::new(ErrorCode::FileNotFound, format!("there is no source file {file} in the project")).hint(hint)
}

fn unknown_symbol(code: &CodeIndex, file: FileId, name: &str) -> Error {
    let graph = code.graph();
    let mut known: BTreeSet<&str> = graph.elements_of(file).map(|(_, element)| element.path.as_str()).collect();
    let users = code.users.of_changed(file);
    known.extend(users.values().flat_map(|used| &used.names).map(String::as_str).filter(|name| *name != WHOLE));
    Error::invalid(format!("the file does not define `{name}`")).hint(nearest::hint(name, known))
}
