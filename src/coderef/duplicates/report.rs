//! The families of a project, as people and programs are told of them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::families::{CloneKind, CloneStretch, StretchFamily, find_families};
use super::home::{FileImports, propose_home};
use super::listing::ListedStatements;
use super::statement::FileStatements;
use crate::graph::Graph;
use crate::model::{Element, Family, FileId, Language};
use tapps_base::{Error, Result, log_text};

/// Which families are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DuplicatesRequest {
    /// Only families with a place at or below this path.
    pub path: Option<String>,
    /// Only of this kind.
    pub kind: Option<CloneKind>,
    /// Most families to give; none means all.
    pub limit: Option<usize>,
}

/// One place of a family.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ClonePlace {
    pub file: String,
    /// 1-based.
    pub line: u32,
    pub end_line: u32,
    /// The innermost element that holds all of it; none where no single one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
}

/// Places that have one stretch of code in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CloneFamily {
    pub kind: CloneKind,
    /// Statements that the places have in common.
    pub statements: usize,
    /// Tokens of those.
    pub tokens: usize,
    pub places: Vec<ClonePlace>,
    /// What sets the first place apart from the one that is likest; empty when nothing does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub differs: String,
    /// The file or folder nearest to all places, where the code could stand once.
    pub home: String,
}

/// What was not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutCounts {
    /// Files, by reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<&'static str, usize>,
    /// Statements that import something.
    pub imports: usize,
    /// Files that begin with a licence.
    pub licences: usize,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DuplicatesReport {
    /// Files that were compared.
    pub files: usize,
    /// Statements in them.
    pub statements: usize,
    /// Share of those that stand in a family, in percent.
    pub duplicated_percent: f64,
    pub left_out: LeftOutCounts,
    /// Families of each kind that fit the request.
    pub by_kind: BTreeMap<&'static str, usize>,
    pub total: usize,
    pub truncated: bool,
    /// Those by which most could be saved first.
    pub families: Vec<CloneFamily>,
}

/// Languages with one number are compared with each other.
const fn language_group(language: Language) -> u64 {
    match language.family() {
        Family::Script | Family::ScriptInMarkup => 1,
        Family::Python => 2,
        Family::SyntaxTree => match language {
            Language::C | Language::Cpp => 3,
            other => 4 + other as u64,
        },
    }
}

/// The files of a listing that are compared, with their groups.
pub(super) fn compared_files(listed: &[ListedStatements]) -> (Vec<&ListedStatements>, Vec<(u64, &FileStatements)>) {
    let files: Vec<&ListedStatements> = listed.iter().filter(|file| file.reading.left_out.is_none()).collect();
    let compared = files.iter().map(|file| (language_group(file.language), &file.reading.statements)).collect();
    (files, compared)
}

/// Finds the families among listed files.
///
/// # Errors
/// `invalid_argument` for a path at which no file was compared.
pub fn report_duplicates(
    listed: &[ListedStatements],
    graph: &Graph<'_>,
    request: &DuplicatesRequest,
) -> Result<DuplicatesReport> {
    let (files, compared) = compared_files(listed);
    let below = request.path.as_deref().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let is_below = |path: &str| match below {
        None | Some("" | ".") => true,
        Some(below) => path.strip_prefix(below).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
    };
    if let (Some(path), false) = (below, files.iter().any(|file| is_below(&file.path))) {
        return Err(Error::invalid(format!("no file at `{}` is compared", log_text(path)))
            .hint("name a source file or a folder with some; generated and vendored ones are left out"));
    }
    let families = find_families(&compared);
    let mut stands: BTreeSet<(usize, usize)> = BTreeSet::new();
    for place in families.iter().flat_map(|family| &family.places) {
        stands.extend((place.statements.first..=place.statements.last).map(|at| (place.file, at)));
    }
    let statements: usize = compared.iter().map(|(_, file)| file.statements.len()).sum();
    let path_of = |place: &CloneStretch| files.get(place.file).map_or("", |file| file.path.as_str());
    let wanted: Vec<&StretchFamily> = families
        .iter()
        .filter(|family| request.kind.is_none_or(|kind| kind == family.kind))
        .filter(|family| family.places.iter().any(|place| is_below(path_of(place))))
        .collect();
    let mut by_kind: BTreeMap<&'static str, usize> = BTreeMap::new();
    for family in &wanted {
        *by_kind.entry(family.kind.as_str()).or_default() += 1;
    }
    let elements = ElementsByFile::from_graph(graph);
    let imports = FileImports::from_graph(graph);
    let shown = wanted.iter().take(request.limit.unwrap_or(usize::MAX));
    let shown: Vec<CloneFamily> = shown.map(|family| describe_family(family, &files, &elements, &imports)).collect();
    Ok(DuplicatesReport {
        files: files.len(),
        statements,
        duplicated_percent: (1_000.0 * stands.len() as f64 / statements.max(1) as f64).round() / 10.0,
        left_out: count_left_out(listed),
        by_kind,
        total: wanted.len(),
        truncated: shown.len() < wanted.len(),
        families: shown,
    })
}

fn count_left_out(listed: &[ListedStatements]) -> LeftOutCounts {
    let mut counts = LeftOutCounts::default();
    for file in listed {
        if let Some(reason) = file.reading.left_out {
            *counts.files.entry(reason.as_str()).or_default() += 1;
        }
        counts.imports += file.reading.statements.statements.iter().filter(|statement| statement.is_import).count();
        counts.licences += usize::from(file.reading.has_licence);
    }
    counts
}

/// The elements of each file, by its path.
#[derive(Debug)]
pub(super) struct ElementsByFile<'g>(BTreeMap<&'g str, Vec<&'g Element>>);

impl<'g> ElementsByFile<'g> {
    pub(super) fn from_graph(graph: &'g Graph<'g>) -> Self {
        let files = (0..).zip(&graph.index().files);
        let elements = |number: u32| graph.elements_of(FileId(number)).map(|(_, element)| element).collect();
        Self(files.map(|(number, file)| (file.path.as_str(), elements(number))).collect())
    }

    /// The innermost element that holds these lines.
    fn around(&self, path: &str, line: u32, end_line: u32) -> Option<String> {
        let elements = self.0.get(path)?.iter();
        let holds = elements.filter(|one| one.span.lead_line <= line && end_line <= one.span.end_line);
        holds.min_by_key(|one| one.span.end_line - one.span.lead_line).map(|element| element.path.clone())
    }
}

fn describe_family(
    family: &StretchFamily,
    files: &[&ListedStatements],
    elements: &ElementsByFile<'_>,
    imports: &FileImports<'_>,
) -> CloneFamily {
    let place = |stretch: &CloneStretch| {
        let file = files.get(stretch.file)?;
        let statements = &file.reading.statements.statements;
        let line = statements.get(stretch.statements.first)?.line;
        let end_line = statements.get(stretch.statements.last)?.end_line;
        let element = elements.around(&file.path, line, end_line);
        Some(ClonePlace { file: file.path.clone(), line, end_line, element })
    };
    let places: Vec<ClonePlace> = family.places.iter().filter_map(place).collect();
    let paths: BTreeSet<&str> = places.iter().map(|place| place.file.as_str()).collect();
    let paths: Vec<&str> = paths.into_iter().collect();
    CloneFamily {
        kind: family.kind,
        statements: family.statements,
        tokens: family.tokens,
        differs: describe_difference(family, files).unwrap_or_default(),
        home: propose_home(&paths, imports),
        places,
    }
}

/// What sets the two places apart that are compared.
fn describe_difference(family: &StretchFamily, files: &[&ListedStatements]) -> Option<String> {
    let other = family.places.get(family.compared_with)?;
    let (first, second) = (files.get(family.places.first()?.file)?, files.get(other.file)?);
    let (a, b) = (&first.reading.statements, &second.reading.statements);
    let mut parts = Vec::new();
    let mut exchanged: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut at = None;
    for (x, y) in &family.matched {
        for names in a.names_of(*x).iter().zip(b.names_of(*y)).filter(|(x, y)| x != y) {
            exchanged.insert((*names.0, *names.1));
            at = at.or_else(|| Some((a.statements.get(*x)?.line, b.statements.get(*y)?.line)));
        }
    }
    if let Some((line, other_line)) = at {
        let count = exchanged.len();
        let noun = if count == 1 { "name or literal" } else { "names or literals" };
        parts.push(format!("{count} {noun}, first in {}:{line} and {}:{other_line}", first.path, second.path));
    }
    for (file, lines) in [
        (first, gap_lines(a, family.matched.iter().map(|pair| pair.0))),
        (second, gap_lines(b, family.matched.iter().map(|pair| pair.1))),
    ] {
        if let Some(line) = lines.first() {
            let noun = if lines.len() == 1 { "statement" } else { "statements" };
            parts.push(format!("{} {noun} of its own at {}:{line}", lines.len(), file.path));
        }
    }
    Some(parts.join("; "))
}

/// The lines of the statements between matched ones.
fn gap_lines(file: &FileStatements, matched: impl Iterator<Item = usize>) -> Vec<u32> {
    let matched: Vec<usize> = matched.collect();
    let gaps = matched.iter().zip(matched.iter().skip(1)).flat_map(|(from, to)| from + 1..*to);
    gaps.filter_map(|at| Some(file.statements.get(at)?.line)).collect()
}
