//! The files of a change, each with both of its sides.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::report::FileStatus;
use crate::result::FileScore;
use tapps_base::finding::Finding;
use tapps_base::language::{Analyzers, Language, ScoredLanguage};
use tapps_coderef::family::parse_source_file;
use tapps_coderef::model::{Element, ElementKind, ElementMetrics};
use tapps_syntax::{python, script, tree};

/// A function or class, or another thing that holds code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    /// With what holds it: `Class.method`.
    pub(super) path: String,
    pub(super) name: String,
    pub(super) is_class: bool,
    /// Position of what holds it.
    pub(super) parent: Option<usize>,
    /// First line, with decorators and the comment above it.
    pub(super) first: u32,
    /// The line of the name.
    pub(super) line: u32,
    pub(super) last: u32,
    /// Hash of its tokens without its own name.
    pub(super) body: u64,
    pub(super) complexity: Option<u32>,
    /// Of what is a function.
    pub(super) metrics: Option<ElementMetrics>,
}

/// What the text of a side says by itself, before anything is known of its score.
#[derive(Debug, Clone, Default)]
pub(super) struct SideText {
    lines: Vec<String>,
    definitions: Vec<Definition>,
    surface: BTreeMap<String, String>,
}

/// One side of a file.
#[derive(Debug, Clone)]
pub(super) struct FileSide {
    pub(super) score: FileScore,
    pub(super) lines: Vec<String>,
    /// In order of position.
    pub(super) definitions: Vec<Definition>,
    /// For each name of the top level that other files may take, how it and its members look from outside.
    pub(super) surface: BTreeMap<String, String>,
}

/// A file of the change.
#[derive(Debug, Clone)]
pub(super) struct FilePair {
    pub(super) path: String,
    /// Where a renamed file was.
    pub(super) old_path: Option<String>,
    /// What a copied file was made from.
    pub(super) copied_from: Option<String>,
    pub(super) status: FileStatus,
    /// Of an untouched file: the changed one through which the change reaches it.
    pub(super) because: Option<String>,
    pub(super) filtered: bool,
    /// It was a file and is a link.
    pub(super) became_link: bool,
    pub(super) base: Option<FileSide>,
    pub(super) head: Option<FileSide>,
    /// Both sides are one program, written differently.
    pub(super) same_tree: bool,
    /// Of an added file: findings about the project that it would have had in the base.
    pub(super) standing: Vec<Finding>,
}

impl FilePair {
    /// The file of the base that is here now: the renamed one, and also a gone one of which several files were made.
    pub(super) fn gone_origin<'p>(&'p self, pairs: &'p [Self]) -> Option<&'p str> {
        let was_renamed = |origin: &&String| pairs.iter().any(|other| other.old_path.as_ref() == Some(origin));
        self.old_path.as_ref().or_else(|| self.copied_from.as_ref().filter(was_renamed)).map(String::as_str)
    }
}

impl SideText {
    pub(super) fn read(path: &str, text: &str) -> Self {
        let elements = Language::of_file(path, text.as_bytes())
            .map(|language| parse_source_file(path, language, text).elements)
            .unwrap_or_default();
        let (definitions, surface) = (definitions_of(&elements), surface_of(&elements));
        Self { lines: text.lines().map(str::to_owned).collect(), definitions, surface }
    }

    /// As [`FileSide::surface`].
    pub(super) const fn surface(&self) -> &BTreeMap<String, String> {
        &self.surface
    }
}

impl FileSide {
    pub(super) fn new(score: FileScore, text: SideText) -> Self {
        let SideText { lines, definitions, surface } = text;
        Self { score, lines, definitions, surface }
    }

    /// The innermost definition around a line.
    pub(super) fn definition_at(&self, line: u32) -> Option<usize> {
        let around = |(_, one): &(usize, &Definition)| (one.first..=one.last).contains(&line);
        self.definitions.iter().enumerate().filter(around).min_by_key(|(_, one)| one.last - one.first).map(|(at, _)| at)
    }

    /// A line by its number; empty for one that is not there.
    pub(super) fn line(&self, number: u32) -> &str {
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        at.and_then(|at| self.lines.get(at)).map_or("", String::as_str)
    }
}

/// Whether two texts of a file are one program, written differently.
pub(super) fn is_same_tree(path: &str, base: &str, head: &str) -> bool {
    match ScoredLanguage::of_file(path, head.as_bytes()).map(ScoredLanguage::analyzers) {
        Some(Analyzers::Python) => python::equality::is_same_module(base, head),
        Some(Analyzers::Script) => script::equality::is_same_script(path, base, head),
        Some(Analyzers::Go) => tree::is_same_syntax_tree(Language::Go, base, head),
        Some(Analyzers::Rust) => tree::is_same_syntax_tree(Language::Rust, base, head),
        Some(Analyzers::C) => tapps_syntax::c::is_same_c_text(base, head),
        Some(Analyzers::Java) => tree::is_same_syntax_tree(Language::Java, base, head),
        Some(Analyzers::Shell) => tree::is_same_syntax_tree(Language::Shell, base, head),
        None => false,
    }
}

/// What holds code in a file, as code intelligence reads it.
fn definitions_of(elements: &[Element]) -> Vec<Definition> {
    let holds_code = |element: &Element| {
        !matches!(element.kind, ElementKind::Constant | ElementKind::Property | ElementKind::Type | ElementKind::Enum)
    };
    let kept: Vec<usize> =
        elements.iter().enumerate().filter(|(_, element)| holds_code(element)).map(|(at, _)| at).collect();
    let position = |element: &Element| {
        let parent = usize::try_from(element.parent?.0).ok()?;
        kept.binary_search(&parent).ok()
    };
    kept.iter()
        .map(|at| &elements[*at])
        .map(|element| Definition {
            path: element.path.clone(),
            name: element.name.clone(),
            is_class: matches!(element.kind, ElementKind::Class | ElementKind::Interface | ElementKind::Namespace),
            parent: position(element),
            first: element.span.lead_line,
            line: element.span.line,
            last: element.span.end_line,
            body: element.body,
            complexity: element.metrics.map(|metrics| metrics.cyclomatic),
            metrics: element.metrics,
        })
        .collect()
}

fn surface_of(elements: &[Element]) -> BTreeMap<String, String> {
    let mut surface: BTreeMap<String, String> = BTreeMap::new();
    for element in elements {
        let mut parts = element.path.split('.');
        let Some(top) = parts.next() else { continue };
        // Defaults and annotations of constants are no part of how they are used.
        let is_value = matches!(element.kind, ElementKind::Constant | ElementKind::Property);
        let shape = if is_value { "" } else { element.signature.as_str() };
        if element.parent.is_none() || !element.modifiers.private {
            // Writing to a String cannot fail.
            let _ = writeln!(surface.entry(top.to_owned()).or_default(), "{} {shape}", element.path);
        }
    }
    surface
}
