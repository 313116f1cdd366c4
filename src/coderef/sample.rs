//! Small indexes for the tests of this room, written down rather than read from source.

use super::model::{
    CodebaseIndex, Edge, EdgeKind, EdgeStatus, EdgeTarget, Element, ElementId, ElementKind, ElementMetrics, ExportKind,
    FileId, GraphNode, Language, Modifiers, Parse, SourceFile, Span,
};

/// An index that grows. Files have to be named in the order of their paths, elements in the order of their files.
#[derive(Debug, Default)]
pub(super) struct Sample(CodebaseIndex);

impl Sample {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A file of the language its ending says; with `test` in its path a file of tests.
    pub(super) fn file(&mut self, path: &str) -> FileId {
        let language = if path.ends_with(".py") { Language::Python } else { Language::TypeScript };
        self.0.files.push(SourceFile {
            path: path.to_owned(),
            language,
            sha256: "0".repeat(64),
            lines: 100,
            parse: Parse::Whole,
            test: path.contains("test"),
            cases: path.contains("test"),
            runs: false,
        });
        FileId(u32::try_from(self.0.files.len() - 1).unwrap())
    }

    /// An exported element at the next free tenth line of its file.
    pub(super) fn element(&mut self, file: FileId, kind: ElementKind, name: &str) -> GraphNode {
        self.push_element(file, kind, name, None)
    }

    /// An element inside another.
    pub(super) fn member(&mut self, holder: GraphNode, kind: ElementKind, name: &str) -> GraphNode {
        let GraphNode::Element(parent) = holder else { panic!("only elements hold elements") };
        self.push_element(self.0.elements[parent.0 as usize].file, kind, name, Some(parent))
    }

    fn push_element(&mut self, file: FileId, kind: ElementKind, name: &str, parent: Option<ElementId>) -> GraphNode {
        let before = self.0.elements.iter().filter(|element| element.file == file).count();
        let line = u32::try_from(before * 10 + 1).unwrap();
        let holder = parent.map(|parent| self.0.elements[parent.0 as usize].path.clone() + ".").unwrap_or_default();
        self.0.elements.push(Element {
            file,
            kind,
            name: name.to_owned(),
            path: format!("{holder}{name}"),
            parent,
            span: Span { lead_line: line, line, column: 1, end_line: line + 8, bytes: line * 40..line * 40 + 300 },
            signature: format!("{name}()"),
            export: if parent.is_none() { ExportKind::Named } else { ExportKind::No },
            doc: None,
            modifiers: Modifiers::default(),
            decorators: Vec::new(),
            metrics: None,
            body: 0,
        });
        GraphNode::Element(ElementId(u32::try_from(self.0.elements.len() - 1).unwrap()))
    }

    pub(super) fn measure(&mut self, node: GraphNode, metrics: ElementMetrics) {
        self.element_mut(node).metrics = Some(metrics);
    }

    pub(super) fn element_mut(&mut self, node: GraphNode) -> &mut Element {
        let GraphNode::Element(id) = node else { panic!("not an element") };
        &mut self.0.elements[id.0 as usize]
    }

    /// A resolved edge.
    pub(super) fn edge(&mut self, from: GraphNode, kind: EdgeKind, to: GraphNode, lines: &[u32]) {
        self.push(from, kind, EdgeStatus::Resolved, EdgeTarget::Node(to), lines);
    }

    /// A call that may mean any of some nodes.
    pub(super) fn candidates(&mut self, from: GraphNode, nodes: &[GraphNode], lines: &[u32]) {
        let to = EdgeTarget::Candidates { name: "x".to_owned(), nodes: nodes.to_vec() };
        self.push(from, EdgeKind::Call, EdgeStatus::Ambiguous, to, lines);
    }

    pub(super) fn push(&mut self, from: GraphNode, kind: EdgeKind, status: EdgeStatus, to: EdgeTarget, lines: &[u32]) {
        let sites = lines.iter().map(|&line| (line, 1)).collect();
        self.0.edges.push(Edge { from, kind, status, to, sites });
    }

    pub(super) fn index(self) -> CodebaseIndex {
        self.0
    }
}
