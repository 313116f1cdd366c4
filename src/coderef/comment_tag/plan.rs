//! Which lines of a file are to be put in or rewritten.

use std::collections::BTreeMap;

use super::TagOptions;
use crate::model::{Element, ElementId, ElementKind, SourceFile};
use crate::reference::{Reference, ReferenceLines, designator, parse_reference};

/// One change of a file, at a 1-based line of the text as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edit {
    /// Puts a line before this one.
    Insert(String),
    /// Puts a line in the place of this one.
    Replace(String),
}

/// All changes of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CommentTagPlan {
    pub(super) edits: BTreeMap<u32, Edit>,
    pub(super) inserted: usize,
    pub(super) updated: usize,
    pub(super) unchanged: usize,
    pub(super) stale: Vec<String>,
}

/// A declaration to be tagged.
struct Site<'a> {
    element: &'a Element,
    indent: &'a str,
    /// The line of the tag that is there.
    tag: Option<(u32, Reference)>,
}

/// Plans the tags of a file. `first` is the number of the first of its `elements`; `lines` are those of the text without
/// their ends.
pub(super) fn plan_tags(
    file: &SourceFile,
    (elements, first): (&[Element], u32),
    text: &str,
    lines: &[&str],
    options: &TagOptions,
) -> CommentTagPlan {
    let mark = file.language.line_comment();
    let sites = find_tag_sites(elements, first, text, lines, mark, options);
    let missing: Vec<u32> =
        sites.iter().filter(|site| site.tag.is_none()).map(|site| site.element.span.lead_line).collect();
    let moved = |line: u32| {
        let above = missing.iter().filter(|before| **before <= line).count();
        line + u32::try_from(above).unwrap_or(u32::MAX)
    };
    let mut plan = CommentTagPlan::default();
    for site in &sites {
        let right = declaration_reference(file, site.element, moved(site.element.span.line));
        let write = |reference: &Reference| format!("{}{mark} {reference}", site.indent);
        let Some((at, there)) = &site.tag else {
            plan.edits.insert(site.element.span.lead_line, Edit::Insert(write(&right)));
            plan.inserted += 1;
            continue;
        };
        let wanted = match corrected_tag(there, &right, site.element.span.line, options) {
            Some(wanted) => wanted,
            None => {
                plan.stale.push(there.to_string());
                continue;
            }
        };
        if wanted == *there {
            plan.unchanged += 1;
        } else {
            plan.edits.insert(*at, Edit::Replace(write(&wanted)));
            plan.updated += 1;
        }
    }
    plan
}

/// What a tag that is there should say; nothing when it is wrong and may not be rewritten.
fn corrected_tag(there: &Reference, right: &Reference, line: u32, options: &TagOptions) -> Option<Reference> {
    let same = there.designator == right.designator && there.path == right.path && there.element == right.element;
    if !same {
        return options.force.then(|| right.clone());
    }
    let corrected = Reference { lines: right.lines.clone(), ..there.clone() };
    // A tag that was right stays right, although lines above it have been put in.
    let was_right = there.lines.is_none() || there.lines == Some(ReferenceLines::One(line));
    match () {
        () if corrected == *there => Some(corrected),
        () if options.force => Some(right.clone()),
        () if was_right && there.lines.is_none() => Some(there.clone()),
        () if was_right || options.update_lineno => Some(corrected),
        () => None,
    }
}

fn declaration_reference(file: &SourceFile, element: &Element, line: u32) -> Reference {
    Reference {
        designator: designator(element.kind).to_owned(),
        element: Some(element.path.clone()),
        lines: Some(ReferenceLines::One(line)),
        ..Reference::to_file(&file.path)
    }
}

/// The declarations to be tagged, at most one of a line.
fn find_tag_sites<'a>(
    elements: &'a [Element],
    first: u32,
    text: &'a str,
    lines: &[&str],
    mark: &str,
    options: &TagOptions,
) -> Vec<Site<'a>> {
    let mut sites: Vec<Site<'_>> = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    for element in elements {
        let lead = element.span.lead_line;
        if !is_tagged(element, elements, first, options) || !taken.insert(lead) {
            continue;
        }
        let line_at = |number: u32| (number as usize).checked_sub(1).and_then(|at| lines.get(at)).copied();
        let Some(indent) = own_line(text, element) else { continue };
        // Above the declaration; or already within what stands before it.
        let near = lead.saturating_sub(1)..element.span.line;
        let tag = near.rev().find_map(|at| Some((at, tag_in(line_at(at)?, mark)?)));
        sites.push(Site { element, indent, tag });
    }
    sites
}

/// Words that may stand before what a declaration is taken to begin with.
const BEFORE: [&str; 15] = [
    "abstract",
    "async",
    "const",
    "declare",
    "default",
    "export",
    "let",
    "override",
    "private",
    "protected",
    "public",
    "readonly",
    "static",
    "type",
    "var",
];

/// The white space before a declaration; nothing when other code stands before it on its line.
fn own_line<'a>(text: &'a str, element: &Element) -> Option<&'a str> {
    let before = text.get(..element.span.bytes.start as usize)?;
    let line = before.rsplit('\n').next()?.trim_start_matches('\u{feff}');
    let indent = line.get(..line.len() - line.trim_start_matches([' ', '\t', '\u{c}']).len())?;
    line.split_whitespace().all(|word| BEFORE.binary_search(&word).is_ok()).then_some(indent)
}

fn tag_in(line: &str, mark: &str) -> Option<Reference> {
    let text = line.trim_start_matches('\u{feff}').trim().strip_prefix(mark)?.trim();
    text.starts_with('@').then(|| parse_reference(text).ok()).flatten().filter(|reference| reference.element.is_some())
}

/// Functions and types of files, classes and namespaces; what is inside a function is its own business.
fn is_tagged(element: &Element, elements: &[Element], first: u32, options: &TagOptions) -> bool {
    if matches!(element.kind, ElementKind::Constant | ElementKind::Property) {
        return false;
    }
    let mut at = Some(element);
    while let Some(holder) = at {
        if holder.modifiers.private && !options.include_private {
            return false;
        }
        at = holder.parent.and_then(|ElementId(id)| elements.get((id.checked_sub(first)?) as usize));
        let opens = |kind: ElementKind| {
            matches!(
                kind,
                ElementKind::Class
                    | ElementKind::Interface
                    | ElementKind::Enum
                    | ElementKind::Namespace
                    | ElementKind::Component
            )
        };
        if at.is_some_and(|holder| !opens(holder.kind) || holder.metrics.is_some()) {
            return false;
        }
    }
    true
}
