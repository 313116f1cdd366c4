//! Files and elements as every answer names them.

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::Graph;
use super::model::{Edge, Element, GraphNode, SourceFile};
use super::reference::{Reference, ReferenceLines, designator};

/// Where something stands and what it is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct NodeLocation {
    /// Names it in a later request; `@F/…` is a file. Left out of short rows, whose name and file say the same.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// With what holds it, as `Class.method`; of a file its last part.
    pub name: String,
    /// `file`, or the kind of the element.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub file: String,
    /// 1-based.
    pub line: u32,
}

impl NodeLocation {
    /// The place of a node; none when the node is not of this index.
    #[must_use]
    pub fn from_node(graph: &Graph<'_>, node: GraphNode) -> Option<Self> {
        let file = graph.file(node)?;
        Some(graph.element(node).map_or_else(|| Self::of_file(file), |element| Self::of_element(file, element)))
    }

    #[must_use]
    pub fn of_file(file: &SourceFile) -> Self {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        Self {
            reference: reference_of_file(file),
            name: name.to_owned(),
            kind: "file",
            file: file.path.clone(),
            line: 1,
        }
    }

    #[must_use]
    pub fn of_element(file: &SourceFile, element: &Element) -> Self {
        Self {
            reference: reference_of(file, element),
            name: element.path.clone(),
            kind: element.kind.as_str(),
            file: file.path.clone(),
            line: element.span.line,
        }
    }
}

/// The reference of a file.
#[must_use]
pub fn reference_of_file(file: &SourceFile) -> String {
    Reference::to_file(&file.path).to_string()
}

/// The reference of an element.
#[must_use]
pub fn reference_of(file: &SourceFile, element: &Element) -> String {
    let reference = Reference {
        designator: designator(element.kind).to_owned(),
        element: Some(element.path.clone()),
        lines: Some(ReferenceLines::One(element.span.line)),
        ..Reference::to_file(&file.path)
    };
    reference.to_string()
}

/// The lines of an edge's places in its origin's file, sorted and single.
#[must_use]
pub fn lines_of(edge: &Edge) -> Vec<u32> {
    let mut lines: Vec<u32> = edge.sites.iter().map(|site| site.0).collect();
    lines.dedup();
    lines
}
