//! Pictures of a project: who depends on whom, small enough to be looked at.

mod boxes;
mod collapse;
mod collect;
mod dot;
mod layout;
mod mermaid;
mod svg;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use tapps_base::{Error, Result};

/// How many boxes a picture has at most unless something else is asked for.
pub const DEFAULT_NODES: usize = 40;

/// Edges around the focus unless something else is asked for.
const DEFAULT_DEPTH: u32 = 2;

/// Lines that are drawn for each box, at most; the lightest are left out, but no box loses its last.
const LINES_PER_NODE: usize = 2;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum DiagramType {
    /// Files, by imports, calls and heritage.
    #[default]
    Dependencies,
    /// Elements, by calls.
    Calls,
    /// Files and packages, by imports.
    Imports,
    /// Elements and files, by everything.
    All,
}

/// In which language it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum DiagramFormat {
    #[default]
    Mermaid,
    Dot,
    Svg,
}

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DiagramRequest {
    pub diagram_type: DiagramType,
    pub format: DiagramFormat,
    /// Only what is near this element or file.
    pub focus: Option<String>,
    /// Edges around the focus (2 when not said); without a focus how many levels of folders are opened.
    pub depth: Option<u32>,
    /// Most boxes; what is more is drawn as folders. None means [`DEFAULT_NODES`].
    pub max_nodes: Option<usize>,
    /// Longest text in bytes; boxes are merged until it fits.
    pub max_bytes: Option<usize>,
}

/// The picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiagramReport {
    pub diagram_type: DiagramType,
    pub format: DiagramFormat,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
    pub nodes: usize,
    pub edges: usize,
    /// Files or elements that the boxes stand for.
    pub covered: usize,
    /// True when a box stands for more than one file or element.
    pub collapsed: bool,
    /// The lightest lines, left out so that the others can be followed.
    pub hidden_edges: usize,
    pub diagram: String,
}

/// What a box stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum VertexShape {
    Folder,
    File,
    Element,
    Package,
}

/// A box of the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Vertex {
    pub(super) label: String,
    pub(super) shape: VertexShape,
    /// The file an element stands in.
    pub(super) group: Option<String>,
    /// Files or elements it stands for.
    pub(super) size: usize,
}

/// A line from one box to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DiagramEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// References it stands for.
    pub(super) weight: usize,
    /// Gone at run time, or uncertain.
    pub(super) faint: bool,
}

/// Boxes and lines, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) boxes: Vec<Vertex>,
    pub(super) lines: Vec<DiagramEdge>,
    pub(super) hidden: usize,
    pub(super) covered: usize,
}

/// Draws a project, or what is near its focus.
///
/// # Errors
/// `invalid_argument` for a focus that is not there, or bounds that leave room for nothing.
pub fn draw_diagram(graph: &Graph<'_>, request: &DiagramRequest) -> Result<DiagramReport> {
    let mut most = request.max_nodes.unwrap_or(DEFAULT_NODES);
    if most == 0 || request.depth == Some(0) {
        return Err(Error::invalid("a picture without boxes shows nothing")
            .hint("give `max_nodes` and `depth` values of at least 1"));
    }
    let around = request.focus.as_deref().map(|focus| (focus, request.depth.unwrap_or(DEFAULT_DEPTH)));
    let fine = collect::collect_leaves(graph, request.diagram_type, around)?;
    let levels = if request.focus.is_none() { request.depth } else { None };
    loop {
        let picture = collapse::collapse(&fine, most, levels, most.saturating_mul(LINES_PER_NODE));
        let text = render_picture(&picture, request.format);
        let fits = request.max_bytes.is_none_or(|limit| text.len() <= limit);
        if fits || most <= 2 {
            return Ok(DiagramReport {
                diagram_type: request.diagram_type,
                format: request.format,
                focus: request.focus.clone(),
                nodes: picture.boxes.len(),
                edges: picture.lines.len(),
                covered: picture.covered,
                collapsed: picture.boxes.iter().any(|one| one.size > 1),
                hidden_edges: picture.hidden,
                diagram: text,
            });
        }
        most = most.min(picture.boxes.len().max(3)) * 4 / 5;
    }
}

/// The text of a picture in a language.
pub(super) fn render_picture(picture: &Picture, format: DiagramFormat) -> String {
    match format {
        DiagramFormat::Mermaid => mermaid::render_mermaid(picture),
        DiagramFormat::Dot => dot::render_dot(picture),
        DiagramFormat::Svg => svg::render_svg(picture),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CodebaseIndex, EdgeKind, EdgeStatus, EdgeTarget, ElementKind, GraphNode};
    use crate::sample::Sample;

    fn small() -> CodebaseIndex {
        let mut sample = Sample::new();
        let (a, b, c) = (sample.file("src/a \"q\".ts"), sample.file("src/b.ts"), sample.file("src/lib/c.ts"));
        let f = sample.element(a, ElementKind::Function, "f");
        let g = sample.element(b, ElementKind::Function, "g");
        let h = sample.element(c, ElementKind::Function, "#h");
        sample.edge(f, EdgeKind::Call, g, &[3, 4]);
        sample.edge(g, EdgeKind::Call, h, &[3]);
        sample.edge(GraphNode::File(a), EdgeKind::Import, GraphNode::File(b), &[1]);
        sample.push(
            GraphNode::File(b),
            EdgeKind::Import,
            EdgeStatus::TypeOnly,
            EdgeTarget::Node(GraphNode::File(c)),
            &[1],
        );
        let react = EdgeTarget::External { module: "react".to_owned(), name: Some("memo".to_owned()) };
        sample.push(GraphNode::File(a), EdgeKind::Import, EdgeStatus::External, react, &[2]);
        sample.index()
    }

    fn draw(
        index: &CodebaseIndex,
        diagram_type: DiagramType,
        format: DiagramFormat,
        focus: Option<&str>,
    ) -> DiagramReport {
        let focus = focus.map(str::to_owned);
        let request = DiagramRequest { diagram_type, format, focus, depth: Some(1), ..DiagramRequest::default() };
        let request = if request.focus.is_none() { DiagramRequest { depth: None, ..request } } else { request };
        draw_diagram(&Graph::new(index), &request).unwrap()
    }

    #[test]
    fn each_kind_shows_its_edges() {
        let index = small();
        let drawn = |kind, focus| draw(&index, kind, DiagramFormat::Mermaid, focus).diagram;
        assert_eq!(
            drawn(DiagramType::Imports, None),
            "graph TD\n  n0[\"src/a #quot;q#quot;.ts\"]\n  n1[\"src/b.ts\"]\n  n2[\"src/lib/c.ts\"]\n  \
             n3([\"react\"])\n  n0 --> n1\n  n0 --> n3\n  n1 -.-> n2\n"
        );
        assert_eq!(
            drawn(DiagramType::Calls, Some("f")),
            "graph TD\n  subgraph g0[\"src/a #quot;q#quot;.ts\"]\n    n0[\"f\"]\n  end\n  subgraph g1[\"src/b.ts\"]\n    \
             n1[\"g\"]\n  end\n  n0 -->|2| n1\n"
        );
        assert_eq!(draw(&index, DiagramType::Dependencies, DiagramFormat::Mermaid, None).edges, 2);
        assert_eq!(
            draw(&index, DiagramType::Calls, DiagramFormat::Dot, Some("g")).diagram,
            "digraph code {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n  \
             edge [fontname=\"sans-serif\", fontsize=10, color=\"#57606a\"];\n  subgraph cluster_0 {\n    label=\"src/a \\\"q\\\".ts\";\n    n0 [label=\"f\"];\n  }\n  \
             subgraph cluster_1 {\n    label=\"src/b.ts\";\n    n1 [label=\"g\"];\n  }\n  \
             subgraph cluster_2 {\n    label=\"src/lib/c.ts\";\n    n2 [label=\"#h\"];\n  }\n  \
             n0 -> n1 [label=\"2\"];\n  n1 -> n2;\n}\n"
        );
    }

    /// A thousand files in 4 × 10 folders, each importing the next and some far ones.
    fn large() -> CodebaseIndex {
        let mut sample = Sample::new();
        let files: Vec<_> =
            (0..1000).map(|n| sample.file(&format!("src/part{}/area{:02}/file{n:04}.ts", n / 250, n / 25))).collect();
        for n in 0..1000 {
            for to in [n + 1, (n * 7 + 13) % 1000, (n * 31 + 5) % 1000] {
                if let Some(to) = files.get(to).filter(|to| **to != files[n]) {
                    sample.edge(GraphNode::File(files[n]), EdgeKind::Import, GraphNode::File(*to), &[1]);
                }
            }
        }
        sample.index()
    }

    #[test]
    fn a_thousand_files_make_a_picture_that_can_be_read() {
        let index = large();
        for format in [DiagramFormat::Mermaid, DiagramFormat::Dot, DiagramFormat::Svg] {
            let report = draw(&index, DiagramType::Dependencies, format, None);
            assert!((20..=DEFAULT_NODES).contains(&report.nodes), "{}", report.nodes);
            assert!(report.edges <= report.nodes * LINES_PER_NODE + 20 && report.hidden_edges > 0, "{}", report.edges);
            assert_eq!((report.collapsed, report.covered), (true, 1000));
            assert_eq!(report, draw(&index, DiagramType::Dependencies, format, None));
        }
        let near =
            draw(&index, DiagramType::Dependencies, DiagramFormat::Mermaid, Some("src/part0/area00/file0003.ts"));
        assert!((4..30).contains(&near.nodes) && !near.collapsed, "{}", near.nodes);
        let level = DiagramRequest { depth: Some(2), ..DiagramRequest::default() };
        let level = draw_diagram(&Graph::new(&index), &level).unwrap();
        assert_eq!((level.nodes, level.covered), (4, 1000));
        for limit in [900, 2_000, 5_000] {
            for format in [DiagramFormat::Mermaid, DiagramFormat::Dot, DiagramFormat::Svg] {
                let request = DiagramRequest { format, max_bytes: Some(limit), ..DiagramRequest::default() };
                let report = draw_diagram(&Graph::new(&index), &request).unwrap();
                assert!(report.diagram.len() <= limit, "{format:?} {limit}: {}", report.diagram.len());
            }
        }
    }

    #[test]
    fn nothing_is_not_a_picture() {
        let index = small();
        let graph = Graph::new(&index);
        let request = DiagramRequest { max_nodes: Some(0), ..DiagramRequest::default() };
        assert_eq!(draw_diagram(&graph, &request).unwrap_err().message(), "a picture without boxes shows nothing");
        let request = DiagramRequest { focus: Some("nobody".to_owned()), ..DiagramRequest::default() };
        assert!(draw_diagram(&graph, &request).unwrap_err().message().contains("nobody"));
        let empty = CodebaseIndex::default();
        let report = draw_diagram(&Graph::new(&empty), &DiagramRequest::default()).unwrap();
        assert_eq!((report.nodes, &*report.diagram), (0, "graph TD\n"));
    }
}
