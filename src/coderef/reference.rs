//! References to places in code: `@Type/path[#element][:line][{metadata}]`.
//!
//! ```text
//! @M/src/query.ts#Query.#dispatch:88        a private method and its line
//! @Fn/app/%5Bslug%5D/page.tsx#default       a file named `[slug]/page.tsx`
//! @F/README.md:10-20                        lines of a file
//! @Fn/auth/login#authenticate{status=done}  without an ending, when only one file fits
//! ```
//! What a path or name may not hold as it is, is percent-encoded; a backslash before `#`, `:`, `/`, `{` and `}` is read
//! too, and never written.

mod escape;
pub mod find;
pub mod parse;
pub mod resolve;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{CodebaseIndex, ElementId, ElementKind};
pub use parse::parse_reference;

/// Every designator with what it stands for, sorted.
pub const DESIGNATORS: [(&str, &str); 27] = [
    ("A", "API endpoint"),
    ("AST", "syntax node"),
    ("C", "component"),
    ("Cfg", "configuration"),
    ("Cl", "class"),
    ("Ctx", "context"),
    ("D", "document"),
    ("DB", "database"),
    ("Dep", "dependency"),
    ("Doc", "documentation"),
    ("E", "event"),
    ("En", "enum"),
    ("F", "file"),
    ("Fn", "function"),
    ("Gen", "generated code"),
    ("H", "hook"),
    ("I", "interface or type"),
    ("M", "method"),
    ("ML", "model of machine learning"),
    ("Ns", "namespace"),
    ("Q", "query"),
    ("R", "route"),
    ("S", "service"),
    ("SEC", "security"),
    ("T", "test"),
    ("V", "variable, constant or property"),
    ("WIP", "work in progress"),
];

/// Which lines a reference means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceLines {
    One(u32),
    /// First and last.
    Range(u32, u32),
    /// A block statement with a name of its own: `if{guard}`.
    Block {
        kind: String,
        id: String,
    },
}

/// A value of metadata; its type is told by how it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MetaValue {
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
}

/// One entry of metadata: `[category:]key[=value]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meta {
    pub category: Option<String>,
    pub key: String,
    pub value: Option<MetaValue>,
}

/// A reference, decoded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    pub designator: String,
    /// Project-relative, with `/`.
    pub path: String,
    /// Names joined by dots.
    pub element: Option<String>,
    /// Parameters named to tell overloads apart.
    pub parameters: Option<Vec<String>>,
    pub lines: Option<ReferenceLines>,
    pub metadata: Vec<Meta>,
}

impl Reference {
    /// A reference to a whole file.
    #[must_use]
    pub fn to_file(path: &str) -> Self {
        Self {
            designator: "F".to_owned(),
            path: path.to_owned(),
            element: None,
            parameters: None,
            lines: None,
            metadata: Vec::new(),
        }
    }

    /// The reference of an element, with its line; none for a number that is not of this index.
    #[must_use]
    pub fn to_element(index: &CodebaseIndex, id: ElementId) -> Option<Self> {
        let element = index.elements.get(id.0 as usize)?;
        let file = index.files.get(element.file.0 as usize)?;
        Some(Self {
            designator: designator(element.kind).to_owned(),
            element: Some(element.path.clone()),
            lines: Some(ReferenceLines::One(element.span.line)),
            ..Self::to_file(&file.path)
        })
    }
}

/// The designator of a kind of element.
#[must_use]
pub const fn designator(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Function => "Fn",
        ElementKind::Class => "Cl",
        ElementKind::Method | ElementKind::Constructor | ElementKind::Accessor => "M",
        ElementKind::Hook => "H",
        ElementKind::Component => "C",
        ElementKind::Interface | ElementKind::Type => "I",
        ElementKind::Enum => "En",
        ElementKind::Namespace => "Ns",
        ElementKind::Constant | ElementKind::Property => "V",
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}/{}", self.designator, escape::encode_path(&self.path))?;
        if let Some(element) = &self.element {
            write!(f, "#{}", escape::encode_element(element))?;
            if let Some(parameters) = &self.parameters {
                let each: Vec<String> = parameters.iter().map(|each| escape::encode_text(each)).collect();
                write!(f, "({})", each.join(","))?;
            }
        }
        match &self.lines {
            None => {}
            Some(ReferenceLines::One(line)) => write!(f, ":{line}")?,
            Some(ReferenceLines::Range(from, to)) => write!(f, ":{from}-{to}")?,
            Some(ReferenceLines::Block { kind, id }) => write!(f, ":{kind}{{{}}}", escape::encode_text(id))?,
        }
        if !self.metadata.is_empty() {
            let each: Vec<String> = self.metadata.iter().map(ToString::to_string).collect();
            write!(f, "{{{}}}", each.join(","))?;
        }
        Ok(())
    }
}

impl fmt::Display for Meta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(category) = &self.category {
            write!(f, "{}:", escape::encode_text(category))?;
        }
        f.write_str(&escape::encode_text(&self.key))?;
        match &self.value {
            None => Ok(()),
            Some(MetaValue::Bool(value)) => write!(f, "={value}"),
            Some(MetaValue::Integer(value)) => write!(f, "={value}"),
            // The form with a point or an exponent, so that it is read as the same type.
            Some(MetaValue::Number(value)) => write!(f, "={value:?}"),
            Some(MetaValue::Text(text)) if parse::is_plain_text(text) => write!(f, "={}", escape::encode_text(text)),
            Some(MetaValue::Text(text)) => write!(f, "=\"{}\"", escape::encode_text(text)),
        }
    }
}
