//! Designs whose pitfalls are their own, by the code that follows them: retrieval for language models, programs of several
//! agents, decisions by weighted sums.
//!
//! A file follows a design when it shows signs of at least two kinds, so that no single word makes one.

mod multi_agent;
mod retrieval;
mod weighted_decision;

use rayon::prelude::*;
use ruff_python_ast::Stmt;
use ruff_text_size::TextRange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::ProjectFiles;
use crate::parse::{on_parsing_threads, read_python};
use tapps_base::Result;
use tapps_syntax::python::imported::ImportedNames;
use tapps_syntax::python::lines::SourceLines;

/// The largest file that is looked at, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Most files that are parsed for designs; those beyond are counted.
const MOST_PARSED: usize = 2_000;
/// Most files of a design that are told with their signs.
const MOST_SHOWN: usize = 20;
/// Most characters of the text of a sign.
const MOST_TEXT: usize = 120;

/// A design that code of the project follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectDesign {
    /// `retrieval`, `multi-agent` or `weighted-decision`.
    pub name: String,
    /// The domain of the experts who know its pitfalls.
    pub expert_domain: String,
    /// Files that follow it.
    pub files: usize,
    /// The first of these files, by path, with what shows it.
    pub shown: Vec<DesignFile>,
}

/// A file that follows a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DesignFile {
    pub path: String,
    /// The first sign of each kind.
    pub signs: Vec<DesignSign>,
}

/// A place that shows a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DesignSign {
    /// What it shows, such as `embeds` or `searches`.
    pub kind: String,
    pub line: u32,
    /// The first line of the code that shows it.
    pub text: String,
}

/// What was found in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundDesigns {
    pub designs: Vec<ProjectDesign>,
    /// Files that may follow a design and were not looked at, because there are too many.
    pub not_looked_at: usize,
}

/// A Python file as the designs look at it.
struct DesignSource<'a> {
    body: &'a [Stmt],
    scopes: Vec<&'a [Stmt]>,
    imports: ImportedNames<'a>,
}

/// Signs of one file: what each shows, and where.
type Signs = Vec<(&'static str, TextRange)>;

/// One design.
struct Design {
    name: &'static str,
    expert_domain: &'static str,
    /// Words of which one stands in every file that shows a kind of sign. A file without words of two kinds is not parsed; when
    /// all kinds are known by the same word, one list is enough.
    words: &'static [&'static [&'static str]],
    /// Every sign, in any order.
    look: fn(&DesignSource<'_>) -> Signs,
}

const DESIGNS: [Design; 3] = [retrieval::DESIGN, multi_agent::DESIGN, weighted_decision::DESIGN];

impl Design {
    /// True for a text that can show the design.
    fn may_be_in(&self, text: &str) -> bool {
        let kinds = self.words.iter().filter(|words| words.iter().any(|word| text.contains(word)));
        kinds.take(2).count() == self.words.len().min(2)
    }
}

/// The designs that a Python text follows, by name, with the first sign of each kind.
#[must_use]
pub fn designs_of_text(text: &str) -> Vec<(&'static str, Vec<DesignSign>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let possible: Vec<&Design> = DESIGNS.iter().filter(|design| design.may_be_in(text)).collect();
    if possible.is_empty() {
        return Vec::new();
    }
    let read = read_python(text, |parsed| {
        let body = parsed.suite();
        let scopes = tapps_syntax::python::flow::python_scopes(body);
        let source = DesignSource { body, scopes, imports: ImportedNames::of_module(body) };
        let lines = SourceLines::new(text);
        let shown = possible.iter().map(|design| (design.name, first_signs((design.look)(&source), &lines)));
        shown.filter(|(_, signs)| signs.len() >= 2).collect()
    });
    read.unwrap_or_default()
}

/// The first sign of each kind, by place.
fn first_signs(mut signs: Signs, lines: &SourceLines<'_>) -> Vec<DesignSign> {
    signs.sort_by_key(|(kind, place)| (place.start(), *kind));
    let mut first: Vec<DesignSign> = Vec::new();
    for (kind, place) in signs {
        if first.iter().any(|known| known.kind == kind) {
            continue;
        }
        let shown = lines.slice(place).lines().next().unwrap_or_default();
        let text = shown.chars().take(MOST_TEXT).collect();
        first.push(DesignSign { kind: kind.to_owned(), line: lines.line(place.start()), text });
    }
    first
}

/// Looks for designs in the Python files of a project; those of tests, examples and documentation are left out.
///
/// # Errors
/// `internal` when the system gives no threads to parse on.
pub(crate) fn find_designs(files: &ProjectFiles, paths: &[&str]) -> Result<FoundDesigns> {
    let mut possible: Vec<(&str, String)> = paths
        .par_iter()
        .filter(|path| path.ends_with(".py") && !crate::profile::is_aside(path))
        .filter_map(|path| {
            let text = String::from_utf8(files.read(path, MAX_BYTES).ok()?).ok()?;
            DESIGNS.iter().any(|design| design.may_be_in(&text)).then_some((*path, text))
        })
        .collect();
    let not_looked_at = possible.len().saturating_sub(MOST_PARSED);
    possible.truncate(MOST_PARSED);
    let look = || possible.par_iter().map(|(path, text)| (*path, designs_of_text(text))).collect::<Vec<_>>();
    let looked = on_parsing_threads(look)?;
    let told = |design: &Design| {
        let of_file = |(path, found): &(&str, Vec<(&'static str, Vec<DesignSign>)>)| {
            let (_, signs) = found.iter().find(|(name, _)| *name == design.name)?;
            Some(DesignFile { path: (*path).to_owned(), signs: signs.clone() })
        };
        let mut shown: Vec<DesignFile> = looked.iter().filter_map(of_file).collect();
        let count = shown.len();
        shown.truncate(MOST_SHOWN);
        (count > 0).then(|| ProjectDesign {
            name: design.name.to_owned(),
            expert_domain: design.expert_domain.to_owned(),
            files: count,
            shown,
        })
    };
    Ok(FoundDesigns { designs: DESIGNS.iter().filter_map(told).collect(), not_looked_at })
}

#[cfg(test)]
mod testing {
    /// The kinds of signs that make a text follow a design; none when it does not.
    pub(super) fn kinds(design: &str, text: &str) -> Vec<String> {
        let found = super::designs_of_text(text);
        let signs = found.into_iter().find(|(name, _)| *name == design).map(|(_, signs)| signs);
        signs.unwrap_or_default().into_iter().map(|sign| format!("{}:{}", sign.kind, sign.line)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use tapps_sandbox::Boundary;

    const WEIGHING: &str =
        "WEIGHTS = {\"a\": 0.5, \"b\": 0.5}\n\n\ndef total(x):\n    return sum(w * x[k] for k, w in WEIGHTS.items())\n";

    fn found(files: &[(String, &str)]) -> FoundDesigns {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let full = folder.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
        let files = ProjectFiles::new(Arc::new(Boundary::open(folder.path()).unwrap()));
        let entries = files.list().unwrap();
        let paths: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        find_designs(&files, &paths).unwrap()
    }

    #[test]
    fn a_design_is_told_with_its_files_and_what_shows_it() {
        let files = [
            ("shop/rank.py".to_owned(), WEIGHING),
            ("shop/plain.py".to_owned(), "WEIGHTS = {\"a\": 0.5, \"b\": 0.5}\n"),
            ("tests/test_rank.py".to_owned(), WEIGHING),
            ("shop/broken.py".to_owned(), "WEIGHTS = {'a': 1, 'b': 2\nt = sum(w * x for w in WEIGHTS.values())\n"),
        ];
        let sign = |kind: &str, line, text: &str| DesignSign { kind: kind.to_owned(), line, text: text.to_owned() };
        let signs = vec![
            sign("weights", 1, "WEIGHTS = {\"a\": 0.5, \"b\": 0.5}"),
            sign("weighted-sum", 5, "sum(w * x[k] for k, w in WEIGHTS.items())"),
        ];
        let expected = ProjectDesign {
            name: "weighted-decision".to_owned(),
            expert_domain: "code-quality".to_owned(),
            files: 1,
            shown: vec![DesignFile { path: "shop/rank.py".to_owned(), signs }],
        };
        assert_eq!(found(&files), FoundDesigns { designs: vec![expected], not_looked_at: 0 });
    }

    #[test]
    fn of_many_files_the_first_are_shown_and_all_are_counted() {
        let many: Vec<(String, &str)> =
            (0..MOST_PARSED + 3).map(|number| (format!("shop/rank_{number}.py"), WEIGHING)).collect();
        let found = found(&many);
        assert_eq!((found.designs[0].files, found.designs[0].shown.len()), (MOST_PARSED, MOST_SHOWN));
        assert_eq!(found.not_looked_at, 3);
    }

    #[test]
    fn a_text_without_words_of_two_kinds_is_not_parsed() {
        for design in &DESIGNS {
            assert!(!design.may_be_in("def f(vector):\n    return Agent(vector)\n"), "{}", design.name);
            assert!(!design.may_be_in(""), "{}", design.name);
        }
    }

    #[test]
    fn domains_are_folders_of_knowledge() {
        for design in &DESIGNS {
            let folder =
                std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge").join(design.expert_domain);
            assert!(folder.is_dir(), "{}", design.expert_domain);
        }
    }
}
