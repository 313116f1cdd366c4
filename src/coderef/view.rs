//! Files and elements as every answer names them.

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::Graph;
use super::model::{Edge, EdgeKind, Element, File, Kind, Node, Status};
use super::reference::{Lines, Reference, designator};

/// Where something stands and what it is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Place {
    /// Names it in a later request; `@F/…` is a file.
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

impl Place {
    /// The place of a node; none when the node is not of this index.
    #[must_use]
    pub fn of(graph: &Graph<'_>, node: Node) -> Option<Self> {
        let file = graph.file(node)?;
        Some(graph.element(node).map_or_else(|| Self::of_file(file), |element| Self::of_element(file, element)))
    }

    #[must_use]
    pub fn of_file(file: &File) -> Self {
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
    pub fn of_element(file: &File, element: &Element) -> Self {
        Self {
            reference: reference_of(file, element),
            name: element.path.clone(),
            kind: kind_name(element.kind),
            file: file.path.clone(),
            line: element.span.line,
        }
    }
}

/// The reference of a file.
#[must_use]
pub fn reference_of_file(file: &File) -> String {
    Reference::to_file(&file.path).to_string()
}

/// The reference of an element.
#[must_use]
pub fn reference_of(file: &File, element: &Element) -> String {
    let reference = Reference {
        designator: designator(element.kind).to_owned(),
        element: Some(element.path.clone()),
        lines: Some(Lines::One(element.span.line)),
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

/// The word for a kind of element, as it is serialised.
#[must_use]
pub const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Function => "function",
        Kind::Class => "class",
        Kind::Method => "method",
        Kind::Constructor => "constructor",
        Kind::Accessor => "accessor",
        Kind::Hook => "hook",
        Kind::Component => "component",
        Kind::Interface => "interface",
        Kind::Type => "type",
        Kind::Enum => "enum",
        Kind::Namespace => "namespace",
        Kind::Constant => "constant",
        Kind::Property => "property",
    }
}

/// The word for a kind of edge, as it is serialised.
#[must_use]
pub const fn edge_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Call => "call",
        EdgeKind::Import => "import",
        EdgeKind::Export => "export",
        EdgeKind::Extends => "extends",
        EdgeKind::Implements => "implements",
        EdgeKind::Test => "test",
    }
}

/// The word for a status, as it is serialised.
#[must_use]
pub const fn status_name(status: Status) -> &'static str {
    match status {
        Status::Resolved => "resolved",
        Status::Ambiguous => "ambiguous",
        Status::Unresolved => "unresolved",
        Status::External => "external",
        Status::Builtin => "builtin",
        Status::TypeOnly => "type_only",
        Status::Dynamic => "dynamic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_serialised_form() {
        let word = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        for kind in [Kind::Function, Kind::Constructor, Kind::Enum, Kind::Property, Kind::Hook] {
            assert_eq!(kind_name(kind), word(serde_json::to_value(kind).unwrap()));
        }
        for status in [Status::TypeOnly, Status::Builtin, Status::Resolved] {
            assert_eq!(status_name(status), word(serde_json::to_value(status).unwrap()));
        }
        for kind in [EdgeKind::Call, EdgeKind::Implements, EdgeKind::Test] {
            assert_eq!(edge_name(kind), word(serde_json::to_value(kind).unwrap()));
        }
    }
}
