//! The whole graph for other programs.

mod document;
mod linked;
mod scip;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::diagram::{DiagramFormat, DiagramRequest, DiagramType, draw_diagram};
use super::graph::Graph;
use tapps_base::{Error, Result, digest};

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum ExportFormat {
    Json,
    /// JSON-LD with a context of its own.
    Jsonld,
    Mermaid,
    Dot,
    /// The SCIP code index, in protobuf.
    Scip,
}

/// What to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportRequest {
    pub format: ExportFormat,
    /// Only the nodes with most edges; of a picture the most boxes. None means all, of a picture the usual number.
    pub max_nodes: Option<usize>,
}

/// An export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphExport {
    pub format: ExportFormat,
    pub nodes: usize,
    pub edges: usize,
    /// Nodes and edges that were left out to keep to a number of nodes.
    pub left_out: usize,
    pub bytes: Vec<u8>,
}

/// What an export says of itself, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExportReport {
    pub format: ExportFormat,
    pub nodes: usize,
    pub edges: usize,
    pub left_out: usize,
    pub bytes: usize,
    pub sha256: String,
    /// Where it was written, relative to the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_path: Option<String>,
    /// The export itself when it was not written: text, or base 64 of what is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// True when the content is too long for this reply; `output_path` takes it.
    pub truncated: bool,
}

/// Writes the graph in a form.
///
/// # Errors
/// `invalid_argument` for room for no node at all.
pub fn export_graph(graph: &Graph<'_>, request: &ExportRequest) -> Result<GraphExport> {
    if request.max_nodes == Some(0) {
        return Err(Error::invalid("an export without nodes says nothing").hint("give `max_nodes` at least 1"));
    }
    let picture = |format| {
        let kind = DiagramType::Dependencies;
        let drawn = DiagramRequest { diagram_type: kind, format, max_nodes: request.max_nodes, ..Default::default() };
        let report = draw_diagram(graph, &drawn)?;
        let (nodes, edges, left_out) = (report.nodes, report.edges, report.hidden_edges);
        Ok(GraphExport { format: request.format, nodes, edges, left_out, bytes: report.diagram.into_bytes() })
    };
    match request.format {
        ExportFormat::Mermaid => picture(DiagramFormat::Mermaid),
        ExportFormat::Dot => picture(DiagramFormat::Dot),
        ExportFormat::Json | ExportFormat::Jsonld => {
            let (document, left_out) = document::build_graph_document(graph, request.max_nodes);
            let (nodes, edges) = (document.nodes.len(), document.edges.len());
            let mut bytes = if request.format == ExportFormat::Json {
                serde_json::to_vec(&document)
            } else {
                serde_json::to_vec(&linked::to_json_ld(&document))
            }
            .map_err(|error| Error::internal(format!("the graph has no JSON form: {error}")))?;
            bytes.push(b'\n');
            Ok(GraphExport { format: request.format, nodes, edges, left_out, bytes })
        }
        ExportFormat::Scip => scip::export_scip(graph, request.max_nodes),
    }
}

impl GraphExport {
    /// The report with the content in it.
    #[must_use]
    pub fn to_inline_report(&self) -> ExportReport {
        let text = match self.format {
            ExportFormat::Scip => None,
            _ => String::from_utf8(self.bytes.clone()).ok(),
        };
        let encoding = if text.is_some() { "utf-8" } else { "base64" };
        let content = text.unwrap_or_else(|| STANDARD.encode(&self.bytes));
        ExportReport { content: Some(content), encoding: Some(encoding), ..self.summary(None) }
    }

    /// The report without the content, which is at `output_path` if anywhere.
    #[must_use]
    pub fn summary(&self, output_path: Option<String>) -> ExportReport {
        ExportReport {
            format: self.format,
            nodes: self.nodes,
            edges: self.edges,
            left_out: self.left_out,
            bytes: self.bytes.len(),
            sha256: digest::sha256(&self.bytes),
            output_path,
            content: None,
            encoding: None,
            truncated: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CodebaseIndex, EdgeKind, EdgeStatus, EdgeTarget, ElementKind, GraphNode};
    use crate::sample::Sample;

    fn sample() -> CodebaseIndex {
        let mut sample = Sample::new();
        let (a, b) = (sample.file("src/a.ts"), sample.file("src/b c.ts"));
        let f = sample.element(a, ElementKind::Function, "f");
        let class = sample.element(b, ElementKind::Class, "Query");
        let method = sample.member(class, ElementKind::Method, "#dispatch");
        sample.edge(f, EdgeKind::Call, method, &[4, 5]);
        sample.edge(GraphNode::File(a), EdgeKind::Import, GraphNode::File(b), &[1]);
        let react = EdgeTarget::External { module: "react".to_owned(), name: Some("memo".to_owned()) };
        sample.push(f, EdgeKind::Call, EdgeStatus::External, react, &[2]);
        sample.candidates(f, &[class, method], &[3]);
        sample.index()
    }

    fn json(format: ExportFormat, max_nodes: Option<usize>) -> (GraphExport, serde_json::Value) {
        let index = sample();
        let exported = export_graph(&Graph::new(&index), &ExportRequest { format, max_nodes }).unwrap();
        let value = serde_json::from_slice(&exported.bytes).unwrap();
        (exported, value)
    }

    #[test]
    fn everything_is_in_the_document() {
        let (exported, value) = json(ExportFormat::Json, None);
        assert_eq!((exported.nodes, exported.edges, exported.left_out), (5, 4, 0));
        assert_eq!((&value["format"], &value["version"]), (&"coderef-graph".into(), &1.into()));
        assert_eq!(value["nodes"][1]["id"], "@Fn/src/a.ts#f:1");
        let statuses: Vec<&str> =
            value["edges"].as_array().unwrap().iter().map(|edge| edge["status"].as_str().unwrap()).collect();
        assert_eq!(statuses, ["resolved", "resolved", "external", "ambiguous"]);
        assert_eq!(value["edges"][0]["lines"], serde_json::json!([4, 5]));
        assert_eq!(value["edges"][2]["target"], "react#memo");
        assert_eq!(value["edges"][3]["candidates"].as_array().unwrap().len(), 2);
        let (exported, value) = json(ExportFormat::Json, Some(2));
        assert_eq!((exported.nodes, exported.left_out > 0), (2, true));
        assert_eq!(value["nodes"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn linked_data_has_a_context_and_names() {
        let (_, value) = json(ExportFormat::Jsonld, None);
        assert!(value["@context"]["@vocab"].is_string());
        let graph = value["@graph"].as_array().unwrap();
        assert_eq!(graph.len(), 5);
        let f = graph.iter().find(|node| node["name"] == "f").unwrap();
        assert_eq!(f["@type"], "function");
        assert_eq!(f["@id"], "urn:coderef:@Fn/src/a.ts%23f:1");
        assert_eq!(f["call"], serde_json::json!([{"@id": "urn:coderef:@M/src/b%2520c.ts%23Query.%23dispatch:11"}]));
    }

    #[test]
    fn scip_is_read_by_its_own_library() {
        use ::scip::types::{Index as Written, SymbolRole};
        use protobuf::Message as _;
        let index = sample();
        let request = ExportRequest { format: ExportFormat::Scip, max_nodes: None };
        let exported = export_graph(&Graph::new(&index), &request).unwrap();
        let read = Written::parse_from_bytes(&exported.bytes).unwrap();
        let paths: Vec<&str> = read.documents.iter().map(|document| &*document.relative_path).collect();
        assert_eq!(paths, ["src/a.ts", "src/b c.ts"]);
        let defined: Vec<&str> =
            read.documents.iter().flat_map(|document| &document.symbols).map(|symbol| &*symbol.symbol).collect();
        assert_eq!(
            defined,
            [
                "coderef . . . src/`a.ts`/f().",
                "coderef . . . src/`b c.ts`/Query#",
                "coderef . . . src/`b c.ts`/Query#`#dispatch`().",
            ]
        );
        for symbol in &defined {
            let parsed = ::scip::symbol::parse_symbol(symbol).unwrap();
            assert_eq!(&::scip::symbol::format_symbol(parsed), symbol);
        }
        let roles = |document: usize| -> Vec<(Vec<i32>, i32)> {
            let occurrences = &read.documents[document].occurrences;
            occurrences.iter().map(|one| (one.range.clone(), one.symbol_roles)).collect()
        };
        let definition = SymbolRole::Definition as i32;
        assert_eq!(roles(0), [(vec![0, 0, 1], definition), (vec![3, 0, 9], 0), (vec![4, 0, 9], 0)]);
        assert_eq!(roles(1).len(), 2);
        let report = exported.to_inline_report();
        assert_eq!((report.encoding, report.bytes), (Some("base64"), exported.bytes.len()));
    }

    #[test]
    fn pictures_are_those_of_the_diagram() {
        let index = sample();
        let request = |format| ExportRequest { format, max_nodes: None };
        let exported = export_graph(&Graph::new(&index), &request(ExportFormat::Mermaid)).unwrap();
        assert_eq!(
            exported.to_inline_report().content.unwrap(),
            "graph TD\n  n0[\"src/a.ts\"]\n  n1[\"src/b c.ts\"]\n  n0 -->|3| n1\n"
        );
        assert!(export_graph(&Graph::new(&index), &request(ExportFormat::Dot)).unwrap().bytes.starts_with(b"digraph"));
        let nothing = ExportRequest { format: ExportFormat::Json, max_nodes: Some(0) };
        assert!(export_graph(&Graph::new(&index), &nothing).is_err());
    }
}
