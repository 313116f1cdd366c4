//! The layers that the code shows by itself: what imports is above what it imports, and what is in a circle stands in a row.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::import_graph::ImportGraph;
use crate::cycles::strongly_connected_components;
use crate::diagram::{DiagramEdge, DiagramFormat, Picture, Vertex, VertexShape, render_picture};
use tapps_base::{Error, Result, log_text, nearest};

/// A folder is opened by itself while one folder in it holds this share of the files, in percent.
const NEARLY_ALL: usize = 80;

/// Modules of one height.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LayerRow {
    /// By name; those that import each other in a circle are in one list.
    pub groups: Vec<Vec<String>>,
}

/// Imports from one module to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LayerEdge {
    pub from: String,
    pub to: String,
    /// Imports between files of the two.
    pub imports: usize,
    /// Both are in one circle.
    pub circular: bool,
}

/// What is above what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LayerOverview {
    /// The folder whose files and folders are compared; empty for the project's root.
    pub below: String,
    /// Files in it.
    pub files: usize,
    /// From what nobody imports down to what imports nothing.
    pub rows: Vec<LayerRow>,
    /// By origin and target.
    pub edges: Vec<LayerEdge>,
}

/// Guesses layers from the imports between what stands directly in a folder. Without one, the folder that holds nearly all
/// files is taken.
///
/// # Errors
/// `invalid_argument` for a folder without files that are looked at, with the nearest.
pub fn guess_layers(graph: &ImportGraph, below: Option<&str>) -> Result<LayerOverview> {
    let below = match below.map(|path| path.trim_start_matches("./").trim_end_matches('/')) {
        Some("" | ".") => String::new(),
        Some(path) => {
            if !graph.files.iter().any(|file| is_below(&file.path, path)) {
                return Err(unknown_folder(graph, path));
            }
            path.to_owned()
        }
        None => crowded_folder(graph),
    };
    let mut labels: BTreeSet<String> = BTreeSet::new();
    let child = |path: &str| child_of(path, &below).map(str::to_owned);
    let children: Vec<Option<String>> = graph.files.iter().map(|file| child(&file.path)).collect();
    labels.extend(children.iter().flatten().cloned());
    let labels: Vec<String> = labels.into_iter().collect();
    let number = |file: usize| {
        let label = children.get(file).and_then(Option::as_ref)?;
        labels.binary_search(label).ok()
    };
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for from in 0..graph.file_count() {
        for step in graph.steps(from) {
            if let (Some(from), Some(to)) = (number(from), number(step.to))
                && from != to
            {
                *counts.entry((from, to)).or_default() += 1;
            }
        }
    }
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); labels.len()];
    counts.keys().for_each(|(from, to)| next[*from].push(*to));
    // A component comes after everything that it reaches.
    let components = strongly_connected_components(&next);
    let mut component = vec![0; labels.len()];
    for (at, members) in components.iter().enumerate() {
        members.iter().for_each(|member| component[*member] = at);
    }
    let mut heights = vec![0_usize; components.len()];
    for (at, members) in components.iter().enumerate() {
        let reached = members.iter().flat_map(|member| &next[*member]).map(|to| component[*to]);
        heights[at] = reached.filter(|to| *to != at).map(|to| heights[to] + 1).max().unwrap_or_default();
    }
    let mut rows: BTreeMap<usize, Vec<Vec<String>>> = BTreeMap::new();
    for (members, height) in components.iter().zip(&heights) {
        let names = members.iter().map(|member| labels[*member].clone()).collect();
        rows.entry(*height).or_default().push(names);
    }
    let edge = |((from, to), imports): (&(usize, usize), &usize)| LayerEdge {
        from: labels[*from].clone(),
        to: labels[*to].clone(),
        imports: *imports,
        circular: component[*from] == component[*to],
    };
    let edges = counts.iter().map(edge).collect();
    let row = |mut groups: Vec<Vec<String>>| {
        groups.sort_unstable();
        LayerRow { groups }
    };
    Ok(LayerOverview {
        files: children.iter().flatten().count(),
        below,
        rows: rows.into_values().rev().map(row).collect(),
        edges,
    })
}

/// The layers as a picture; modules in a circle are framed, and the imports among them are faint.
#[must_use]
pub fn overview_picture(overview: &LayerOverview, format: DiagramFormat) -> String {
    let mut boxes = Vec::new();
    let mut circles = 0;
    for group in overview.rows.iter().flat_map(|row| &row.groups) {
        circles += usize::from(group.len() > 1);
        let frame = (group.len() > 1).then(|| format!("circle {circles}"));
        boxes.extend(group.iter().map(|label| Vertex {
            label: label.clone(),
            shape: if label.ends_with('/') { VertexShape::Folder } else { VertexShape::File },
            group: frame.clone(),
            size: 1,
        }));
    }
    let position = |label: &str| boxes.iter().position(|one| one.label == label).unwrap_or_default();
    let line = |edge: &LayerEdge| DiagramEdge {
        from: position(&edge.from),
        to: position(&edge.to),
        weight: edge.imports,
        faint: edge.circular,
    };
    let lines = overview.edges.iter().map(line).collect();
    let covered = boxes.len();
    render_picture(&Picture { boxes, lines, hidden: 0, covered }, format)
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// What stands directly in a folder and is or holds a file; folders end with a slash.
fn child_of<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let from = if folder.is_empty() { 0 } else { folder.len() + 1 };
    let rest = path.get(from..).filter(|_| is_below(path, folder))?;
    path.get(from..rest.find('/').map_or(path.len(), |slash| from + slash + 1))
}

fn crowded_folder(graph: &ImportGraph) -> String {
    let mut folder = String::new();
    loop {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for child in graph.files.iter().filter_map(|file| child_of(&file.path, &folder)) {
            *counts.entry(child).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        let crowded = counts.into_iter().find(|(child, count)| child.ends_with('/') && count * 100 >= all * NEARLY_ALL);
        match crowded {
            Some((child, _)) if folder.is_empty() => folder = child.trim_end_matches('/').to_owned(),
            Some((child, _)) => folder = format!("{folder}/{}", child.trim_end_matches('/')),
            None => return folder,
        }
    }
}

fn unknown_folder(graph: &ImportGraph, path: &str) -> Error {
    let ends =
        graph.files.iter().flat_map(|file| file.path.match_indices('/').filter_map(|(end, _)| file.path.get(..end)));
    let known: BTreeSet<&str> = ends.collect();
    let near = nearest::names(path, known);
    let hint = if near.is_empty() {
        "name a folder that holds code".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Error::invalid(format!("there is no file that is looked at below `{}`", log_text(path))).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EdgeKind, GraphNode};
    use crate::sample::Sample;

    #[test]
    fn rows_go_from_what_nobody_imports_to_what_imports_nothing() {
        let mut sample = Sample::new();
        let paths = ["src/app.ts", "src/base/a.ts", "src/one/a.ts", "src/two/a.ts", "src/web/a.ts", "src/web/b.ts"];
        let files = paths.map(|path| sample.file(path));
        for (from, to) in [(0, 4), (4, 2), (5, 2), (2, 3), (3, 2), (3, 1), (4, 5)] {
            sample.edge(GraphNode::File(files[from]), EdgeKind::Import, GraphNode::File(files[to]), &[1]);
        }
        let graph = ImportGraph::from_index(&sample.index(), false);
        let overview = guess_layers(&graph, None).unwrap();
        let rows: Vec<String> = overview
            .rows
            .iter()
            .map(|row| row.groups.iter().map(|group| group.join("+")).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!((overview.below.as_str(), overview.files), ("src", 6));
        assert_eq!(rows, ["app.ts", "web/", "one/+two/", "base/"]);
        let web = overview.edges.iter().find(|edge| edge.from == "web/").unwrap();
        assert_eq!((web.to.as_str(), web.imports, web.circular), ("one/", 2, false));
        let drawn = overview_picture(&overview, DiagramFormat::Mermaid);
        assert!(drawn.contains("subgraph g0[\"circle 1\"]") && drawn.contains("n1 -->|2| n2"), "{drawn}");
        let error = guess_layers(&graph, Some("src/wep")).unwrap_err();
        assert!(error.body().hint.as_deref().unwrap().contains("src/web"), "{error:?}");
    }
}
