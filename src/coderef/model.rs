//! What one scan knows of a project: its files, the elements they define and the edges between them.
//!
//! Everything is sorted (files by path, elements by file and position, edges by origin, kind and target), so that two
//! scans of the same bytes are equal, whatever folder they lie in and however many threads worked.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use tapps_base::language::{Family, Language};

/// Position of a file in [`CodebaseIndex::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// Position of an element in [`CodebaseIndex::elements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ElementId(pub u32);

/// How reading one file went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Parse {
    /// The whole file was understood.
    Whole,
    /// The parser reported an error at this 1-based line; what could be read is in the index.
    Broken { line: u32, message: String },
    /// Nothing of the file is in the index: too large, not UTF-8, unreadable.
    Skipped { reason: String },
}

/// One source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Project-relative, with `/`.
    pub path: String,
    pub language: Language,
    /// SHA-256 of the bytes, lower-case hex.
    pub sha256: String,
    pub lines: u32,
    #[serde(with = "super::compact")]
    pub parse: Parse,
    /// By its path and content a file of tests.
    pub test: bool,
    /// Of a file of tests: it holds tests itself, and not only what tests need.
    pub cases: bool,
    /// It does something of its own when it is run as a program.
    pub runs: bool,
}

tapps_base::wire_enum! {
    /// What an element is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum ElementKind {
        Function = "function",
        Class = "class",
        Method = "method",
        Constructor = "constructor",
        Accessor = "accessor",
        /// A function whose name starts with `use` and an upper-case letter, in a script language.
        Hook = "hook",
        /// A function or class that gives JSX back.
        Component = "component",
        Interface = "interface",
        Type = "type",
        Enum = "enum",
        Namespace = "namespace",
        Constant = "constant",
        Property = "property",
    }
}

/// Who can see an element from another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportKind {
    /// Not exported itself; a member is as visible as what holds it.
    No,
    Named,
    Default,
}

/// Where an element stands. Lines and columns are 1-based, columns count characters; bytes are 0-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First line with decorators and the doc comment directly above.
    pub lead_line: u32,
    /// The line of the name.
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    /// From the first byte of the declaration (decorators and `export` included) to the last.
    pub bytes: Range<u32>,
}

/// Numbers of one function-like element; all of its own body, without functions inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ElementMetrics {
    /// McCabe's count by ESLint's rule for scripts, by radon's for Python.
    pub cyclomatic: u32,
    /// With the functions inside.
    pub cyclomatic_total: u32,
    /// Cognitive complexity after SonarSource's white paper.
    pub cognitive: u32,
    pub nesting: u32,
    pub parameters: u32,
    /// Lines from the declaration's first to its last.
    pub lines: u32,
}

/// Something with a name (or the anonymous default export of a file).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    pub file: FileId,
    pub kind: ElementKind,
    /// The last part: `dispatch`, `#dispatch`, `default`.
    pub name: String,
    /// With what holds it: `Query.#dispatch`. Unique in its file together with the kind (overloads are one element);
    /// a second of the same name carries `~2`.
    pub path: String,
    pub parent: Option<ElementId>,
    pub span: Span,
    /// The declaration's head on one line, without body and decorators; at most 300 characters.
    pub signature: String,
    pub export: ExportKind,
    /// First line of the doc comment.
    pub doc: Option<String>,
    pub modifiers: Modifiers,
    /// Callee names of decorators, without `@` and arguments, in order.
    pub decorators: Vec<String>,
    /// Functions, methods, constructors, accessors, hooks, components that are functions.
    pub metrics: Option<ElementMetrics>,
    /// Hash of the body's tokens without comments, whitespace and the element's own name: what drift compares.
    pub body: u64,
}

/// Words before a declaration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifiers {
    pub asynchronous: bool,
    pub generator: bool,
    pub abstract_: bool,
    pub static_: bool,
    /// `private`, `#name`, or a leading underscore in Python.
    pub private: bool,
}

/// Where an edge starts or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphNode {
    /// Code of a file outside every element, or the module as a whole.
    File(FileId),
    Element(ElementId),
}

tapps_base::wire_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum EdgeKind {
        /// Calls and `new`; to a class without a constructor of its own, the class or the inherited constructor.
        Call = "call",
        /// From the importing file to a file, and to each element it names.
        Import = "import",
        /// From a file to each element it exports, its own or another's.
        Export = "export",
        Extends = "extends",
        Implements = "implements",
        /// From a test to what it reaches directly.
        Test = "test",
    }
}

/// What is known of an edge's target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeTarget {
    /// Status `resolved`, `type_only` or `dynamic`: shown by scope, import, `this` and heritage, or a typed receiver.
    Node(GraphNode),
    /// Status `ambiguous`: what it may be, sorted; never empty.
    Candidates { name: String, nodes: Vec<GraphNode> },
    /// Status `external`: a package or module outside the project, with the member.
    External { module: String, name: Option<String> },
    /// Status `builtin`: of the language or its run time.
    Builtin(String),
    /// Status `unresolved`, or `dynamic` without a known target.
    Unknown(String),
}

tapps_base::wire_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum EdgeStatus {
        /// With a chain of proof; never a guess by bare name.
        Resolved = "resolved",
        Ambiguous = "ambiguous",
        Unresolved = "unresolved",
        External = "external",
        Builtin = "builtin",
        /// An import or a reference that is gone at run time.
        TypeOnly = "type_only",
        /// Made at run time: `import(x)`, `getattr`, a computed member.
        Dynamic = "dynamic",
    }
}

/// One reference, or all references of one kind from one origin to one target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    pub from: GraphNode,
    pub kind: EdgeKind,
    pub status: EdgeStatus,
    pub to: EdgeTarget,
    /// 1-based line and column of each place in the origin's file, sorted.
    pub sites: Vec<(u32, u32)>,
}

/// What a file takes from another beyond the elements that its import edges name: a module as a whole, or a name that
/// stands for no element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Taken {
    pub by: FileId,
    pub from: FileId,
    /// None for the module as a whole.
    pub name: Option<String>,
    /// It is gone at run time.
    pub type_only: bool,
}

/// A place of an import edge at which the file that it leads to is not what is imported: the package around an imported
/// submodule, the file of a module that is only declared, a module that another one hands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Passage {
    pub by: FileId,
    pub through: FileId,
    /// 1-based line and column, as in [`Edge::sites`].
    pub site: (u32, u32),
}

/// Something around the sources that could not be used, so that less is known than could be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct IndexProblem {
    pub file: String,
    pub message: String,
}

/// The whole of a scan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodebaseIndex {
    pub files: Vec<SourceFile>,
    pub elements: Vec<Element>,
    pub edges: Vec<Edge>,
    /// Sorted and single.
    pub taken: Vec<Taken>,
    /// Sorted and single.
    pub passages: Vec<Passage>,
    /// Sorted and single.
    pub problems: Vec<IndexProblem>,
}
