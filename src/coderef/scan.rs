//! What a project defines: its elements by language, type and place.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::Graph;
use super::model::{
    EdgeKind, EdgeStatus, Element, ElementKind, ExportKind, GraphNode, IndexProblem, Language, Parse, SourceFile,
};
use super::view::NodeLocation;
use tapps_base::log_text;
use tapps_base::{Error, Result, nearest};

/// Which elements are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScanRequest {
    /// Of files of these languages; empty means all.
    pub languages: Vec<Language>,
    /// Of these types; empty means all.
    pub types: Vec<ElementKind>,
    /// At or below this path.
    pub path: Option<String>,
    /// Tells also what only the syntax tree knows: signature, number of parameters, what is called.
    pub use_ast: bool,
    /// Most elements to give; none means all.
    pub limit: Option<usize>,
}

/// One element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScannedElement {
    #[serde(flatten)]
    pub place: NodeLocation,
    pub exported: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u32>,
    /// The names of what it calls in the project, as far as that is proven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
}

/// A file of which not everything is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unread {
    pub file: String,
    #[serde(flatten)]
    pub parse: Parse,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScanReport {
    /// All that fit the request.
    pub elements_found: usize,
    /// Files looked at.
    pub files: usize,
    pub lines: u64,
    pub by_type: BTreeMap<&'static str, usize>,
    /// Elements of each language.
    pub by_language: BTreeMap<&'static str, usize>,
    /// Files that could not be read whole; the rest is known all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
    /// Configuration that could not be used, so that fewer modules are found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<IndexProblem>,
    pub total: usize,
    pub truncated: bool,
    /// By file and position.
    pub elements: Vec<ScannedElement>,
}

/// Lists the elements of a project.
///
/// # Errors
/// `invalid_argument` for a path at which there is no source file, with the nearest ones.
pub fn scan_elements(graph: &Graph<'_>, request: &ScanRequest) -> Result<ScanReport> {
    let index = graph.index();
    let below = request.path.as_deref().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let here = |file: &SourceFile| match below {
        None | Some("" | ".") => true,
        Some(path) => file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
    };
    let wanted =
        |file: &SourceFile| here(file) && (request.languages.is_empty() || request.languages.contains(&file.language));
    if let (Some(path), false) = (below, index.files.iter().any(here)) {
        let folders = index.files.iter().flat_map(|file| folders_of(&file.path));
        let known: std::collections::BTreeSet<&str> = folders.collect();
        return Err(Error::invalid(format!("there is no source file at `{}`", log_text(path)))
            .hint(nearest::hint(path, known.into_iter().take(2_000).collect::<Vec<_>>())));
    }
    let files: Vec<bool> = index.files.iter().map(wanted).collect();
    let of = |element: &Element| files.get(element.file.0 as usize) == Some(&true);
    let kind = |element: &Element| request.types.is_empty() || request.types.contains(&element.kind);
    let mut report = ScanReport {
        elements_found: 0,
        files: files.iter().filter(|wanted| **wanted).count(),
        lines: index.files.iter().filter(|file| wanted(file)).map(|file| u64::from(file.lines)).sum(),
        by_type: BTreeMap::new(),
        by_language: BTreeMap::new(),
        unread: index.files.iter().filter(|file| wanted(file) && file.parse != Parse::Whole).map(unread).collect(),
        problems: index.problems.clone(),
        total: 0,
        truncated: false,
        elements: Vec::new(),
    };
    for (position, element) in index.elements.iter().enumerate().filter(|(_, element)| of(element) && kind(element)) {
        let node = GraphNode::Element(super::model::ElementId(u32::try_from(position).unwrap_or(u32::MAX)));
        let Some(file) = graph.file(node) else { continue };
        report.elements_found += 1;
        *report.by_type.entry(element.kind.as_str()).or_default() += 1;
        *report.by_language.entry(file.language.as_str()).or_default() += 1;
        if request.limit.is_none_or(|limit| report.elements.len() < limit) {
            report.elements.push(scanned_element(graph, node, file, element, request.use_ast));
        }
    }
    report.total = report.elements_found;
    report.truncated = report.elements.len() < report.total;
    Ok(report)
}

fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(end, _)| path.get(..end)).chain([path])
}

fn unread(file: &SourceFile) -> Unread {
    Unread { file: file.path.clone(), parse: file.parse.clone() }
}

fn scanned_element(
    graph: &Graph<'_>,
    node: GraphNode,
    file: &SourceFile,
    element: &Element,
    use_ast: bool,
) -> ScannedElement {
    let mut calls: Vec<String> = Vec::new();
    if use_ast {
        let steps = graph.outgoing(node).filter(|step| {
            step.edge.kind == EdgeKind::Call && step.edge.status == EdgeStatus::Resolved && step.node != node
        });
        calls.extend(steps.filter_map(|step| graph.element(step.node)).map(|callee| callee.path.clone()));
        calls.sort_unstable();
        calls.dedup();
    }
    ScannedElement {
        place: NodeLocation::of_element(file, element),
        exported: element.export != ExportKind::No,
        signature: use_ast.then(|| element.signature.clone()),
        parameters: element.metrics.filter(|_| use_ast).map(|metrics| metrics.parameters),
        calls,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CodebaseIndex;
    use crate::sample::Sample;

    fn sample() -> CodebaseIndex {
        let mut sample = Sample::new();
        let (a, b) = (sample.file("src/a.ts"), sample.file("src/deep/b.py"));
        let f = sample.element(a, ElementKind::Function, "f");
        let class = sample.element(a, ElementKind::Class, "Box");
        let method = sample.member(class, ElementKind::Method, "open");
        sample.element(b, ElementKind::Function, "g");
        sample.edge(f, EdgeKind::Call, method, &[3]);
        sample.index()
    }

    #[test]
    fn elements_are_chosen_by_language_type_and_path() {
        let index = sample();
        let graph = Graph::new(&index);
        let all = ScanRequest { use_ast: true, ..ScanRequest::default() };
        for (request, expected) in [
            (all.clone(), vec!["f", "Box", "Box.open", "g"]),
            (ScanRequest { languages: vec![Language::Python], ..all.clone() }, vec!["g"]),
            (
                ScanRequest { types: vec![ElementKind::Class, ElementKind::Method], ..all.clone() },
                vec!["Box", "Box.open"],
            ),
            (ScanRequest { path: Some("src/deep".to_owned()), ..all.clone() }, vec!["g"]),
            (ScanRequest { path: Some("./src/a.ts".to_owned()), limit: Some(1), ..all.clone() }, vec!["f"]),
        ] {
            let report = scan_elements(&graph, &request).unwrap();
            let names: Vec<&str> = report.elements.iter().map(|element| &*element.place.name).collect();
            assert_eq!(names, expected, "{request:?}");
            assert_eq!(report.truncated, request.limit.is_some());
        }
        let report = scan_elements(&graph, &all).unwrap();
        assert_eq!(report.by_type, BTreeMap::from([("class", 1), ("function", 2), ("method", 1)]));
        assert_eq!(report.by_language, BTreeMap::from([("py", 1), ("ts", 3)]));
        assert_eq!(report.elements[0].calls, ["Box.open"]);
        let plain = scan_elements(&graph, &ScanRequest::default()).unwrap();
        assert_eq!((plain.elements[0].signature.as_deref(), plain.elements[0].calls.len()), (None, 0));
        let error = scan_elements(&graph, &ScanRequest { path: Some("src/depe".to_owned()), ..all }).unwrap_err();
        assert_eq!(error.body().hint.as_deref(), Some("did you mean src/deep or src/deep/b.py or src?"));
    }
}
