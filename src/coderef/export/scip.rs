//! The graph as a SCIP index, which editors and code search read.

use std::collections::BTreeMap;

use protobuf::{EnumOrUnknown, Message as _, MessageField};
use scip::symbol::format_symbol;
use scip::types::descriptor::Suffix;
use scip::types::symbol_information::Kind as ScipKind;
use scip::types::{
    Descriptor, Document, Index, Metadata, Occurrence, Package, PositionEncoding, Relationship, Symbol,
    SymbolInformation, SymbolRole, TextEncoding, ToolInfo,
};

use super::document::{element_id, most_connected_nodes};
use super::{ExportFormat, GraphExport};
use crate::graph::Graph;
use crate::model::{
    EdgeKind, EdgeStatus, EdgeTarget, Element, ElementId, ElementKind, FileId, GraphNode, Language, SourceFile,
};
use tapps_base::{Error, Result};

/// The index in protobuf. Only what is proven is a reference; nothing tells the machine it was made on.
pub(super) fn export_scip(graph: &Graph<'_>, max_nodes: Option<usize>) -> Result<GraphExport> {
    let nodes = most_connected_nodes(graph, max_nodes);
    let wanted = |id: ElementId| nodes.contains(&GraphNode::Element(id));
    let mut index = Index::new();
    index.metadata = MessageField::some(metadata());
    let mut edges = 0;
    for (position, file) in graph.index().files.iter().enumerate() {
        let id = FileId(u32::try_from(position).unwrap_or(u32::MAX));
        let (document, references) = scip_document(graph, id, file, &wanted);
        edges += references;
        index.documents.push(document);
    }
    let bytes =
        index.write_to_bytes().map_err(|error| Error::internal(format!("the index has no SCIP form: {error}")))?;
    let left_out = graph.index().files.len() + graph.index().elements.len() - nodes.len();
    Ok(GraphExport { format: ExportFormat::Scip, nodes: nodes.len(), edges, left_out, bytes })
}

fn metadata() -> Metadata {
    let mut tool = ToolInfo::new();
    tool.name = "coderef".to_owned();
    tool.version = env!("CARGO_PKG_VERSION").to_owned();
    let mut metadata = Metadata::new();
    metadata.tool_info = MessageField::some(tool);
    metadata.text_document_encoding = EnumOrUnknown::new(TextEncoding::UTF8);
    metadata
}

/// One file, and how many references are in it.
fn scip_document(
    graph: &Graph<'_>,
    id: FileId,
    file: &SourceFile,
    wanted: &dyn Fn(ElementId) -> bool,
) -> (Document, usize) {
    let mut document = Document::new();
    document.relative_path.clone_from(&file.path);
    document.language = scip_language(file.language).to_owned();
    document.position_encoding = EnumOrUnknown::new(PositionEncoding::UTF32CodeUnitOffsetFromLineStart);
    let mut occurrences: BTreeMap<(u32, u32, u32, String), i32> = BTreeMap::new();
    for (element_id, element) in graph.elements_of(id).filter(|(id, _)| wanted(*id)) {
        let symbol = symbol(graph, element);
        let length = length(&element.name);
        let place = (element.span.line, element.span.column, length, symbol.clone());
        occurrences.insert(place, SymbolRole::Definition as i32);
        document.symbols.push(build_symbol_information(graph, element_id, element, symbol));
    }
    let mut references = 0;
    let all = graph.with_members(GraphNode::File(id));
    for step in all.iter().flat_map(|node| graph.outgoing(*node)) {
        let is_reference = step.edge.kind != EdgeKind::Test && !matches!(step.edge.to, EdgeTarget::Candidates { .. });
        let known = step.edge.status != EdgeStatus::Ambiguous && element_id(step.node).is_some_and(wanted);
        let Some(target) = graph.element(step.node).filter(|_| is_reference && known) else { continue };
        references += 1;
        let symbol = symbol(graph, target);
        for &(line, column) in &step.edge.sites {
            occurrences.entry((line, column, length(&target.name), symbol.clone())).or_insert(0);
        }
    }
    document.occurrences = occurrences.into_iter().map(occurrence).collect();
    (document, references)
}

fn occurrence(((line, column, length, symbol), roles): ((u32, u32, u32, String), i32)) -> Occurrence {
    let number = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let (line, start) = (line.saturating_sub(1), column.saturating_sub(1));
    let mut occurrence = Occurrence::new();
    occurrence.range = vec![number(line), number(start), number(start.saturating_add(length))];
    occurrence.symbol = symbol;
    occurrence.symbol_roles = roles;
    occurrence
}

fn length(name: &str) -> u32 {
    let name = name.split('~').next().unwrap_or(name);
    u32::try_from(name.chars().count()).unwrap_or(u32::MAX)
}

fn build_symbol_information(graph: &Graph<'_>, id: ElementId, element: &Element, symbol: String) -> SymbolInformation {
    let mut information = SymbolInformation::new();
    information.symbol = symbol;
    information.display_name.clone_from(&element.name);
    information.documentation = element.doc.iter().cloned().collect();
    information.kind = EnumOrUnknown::new(scip_kind(element.kind));
    let heirs = |kind: EdgeKind| matches!(kind, EdgeKind::Extends | EdgeKind::Implements);
    for step in graph.outgoing(GraphNode::Element(id)).filter(|step| heirs(step.edge.kind)) {
        if let Some(parent) = graph.element(step.node).filter(|_| step.edge.status == EdgeStatus::Resolved) {
            let mut relationship = Relationship::new();
            relationship.symbol = self::symbol(graph, parent);
            relationship.is_implementation = true;
            information.relationships.push(relationship);
        }
    }
    information
}

/// The name of an element: the folders and the file as namespaces, then what holds it, then itself.
fn symbol(graph: &Graph<'_>, element: &Element) -> String {
    let path = graph.file(GraphNode::File(element.file)).map_or("", |file| file.path.as_str());
    let mut descriptors: Vec<Descriptor> = path.split('/').map(|part| descriptor(part, Suffix::Namespace)).collect();
    let parent = |element: &&Element| {
        let parent = element.parent?;
        graph.element(GraphNode::Element(parent))
    };
    let mut holders: Vec<&Element> = std::iter::successors(Some(element), parent).take(64).collect();
    holders.reverse();
    descriptors.extend(holders.iter().map(|element| {
        // The path tells apart what has one name; the part after the holder's is the element's own.
        let own = element.path.rsplit_once('.').map_or(element.path.as_str(), |(_, own)| own);
        let name = if own.starts_with(&*element.name) { own } else { &element.name };
        descriptor(name, suffix(element.kind))
    }));
    let mut symbol = Symbol::new();
    symbol.scheme = "coderef".to_owned();
    symbol.package = MessageField::some(Package::new());
    symbol.descriptors = descriptors;
    format_symbol(symbol)
}

fn descriptor(name: &str, suffix: Suffix) -> Descriptor {
    let mut descriptor = Descriptor::new();
    descriptor.name = name.to_owned();
    descriptor.suffix = EnumOrUnknown::new(suffix);
    descriptor
}

const fn suffix(kind: ElementKind) -> Suffix {
    match kind {
        ElementKind::Function
        | ElementKind::Method
        | ElementKind::Constructor
        | ElementKind::Accessor
        | ElementKind::Hook => Suffix::Method,
        ElementKind::Class | ElementKind::Interface | ElementKind::Type | ElementKind::Enum => Suffix::Type,
        ElementKind::Namespace => Suffix::Namespace,
        ElementKind::Component | ElementKind::Constant | ElementKind::Property => Suffix::Term,
    }
}

const fn scip_kind(kind: ElementKind) -> ScipKind {
    match kind {
        ElementKind::Function | ElementKind::Hook | ElementKind::Component => ScipKind::Function,
        ElementKind::Class => ScipKind::Class,
        ElementKind::Method => ScipKind::Method,
        ElementKind::Constructor => ScipKind::Constructor,
        ElementKind::Accessor => ScipKind::Accessor,
        ElementKind::Interface => ScipKind::Interface,
        ElementKind::Type => ScipKind::TypeAlias,
        ElementKind::Enum => ScipKind::Enum,
        ElementKind::Namespace => ScipKind::Namespace,
        ElementKind::Constant => ScipKind::Constant,
        ElementKind::Property => ScipKind::Property,
    }
}

const fn scip_language(language: Language) -> &'static str {
    match language {
        Language::TypeScript => "TypeScript",
        Language::Tsx => "TypeScriptReact",
        Language::JavaScript => "JavaScript",
        Language::Jsx => "JavaScriptReact",
        Language::Python => "Python",
        Language::Vue => "Vue",
        Language::Svelte => "Svelte",
        Language::Rust => "Rust",
        Language::Go => "Go",
        Language::Java => "Java",
        Language::C => "C",
        Language::Cpp => "CPP",
        Language::Shell => "ShellScript",
    }
}
