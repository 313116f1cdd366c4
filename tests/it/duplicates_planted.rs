//! Clones that are planted into real packages are found: exact ones, ones under other names, ones with gaps.
//!
//! A function of a package is written into a file of its own after it was changed: nothing but layout and comments (type 1); all
//! parameters, local variables and literals besides (type 2); statements put in and taken out besides (type 3). It is
//! found when a family has one place on most of it and another on most of the function that it was made from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use tapps_coderef::duplicates::families::{CloneKind, find_families};
use tapps_coderef::duplicates::statement::{FileStatements, Statement};
use tapps_coderef::family::{parse_source_file, read_file_statements};
use tapps_coderef::model::Language;

use crate::corpus;

const PACKAGES: &[&str] = &["click", "requests", "rich"];
/// Fewest statements and tokens of a function that is planted.
const STATEMENTS: usize = 7;
const TOKENS: usize = 60;

/// A function of a package.
struct Original {
    file: usize,
    lines: (u32, u32),
    text: String,
}

/// A stream of numbers that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

fn read(text: &str) -> FileStatements {
    read_file_statements("a.py", Language::Python, text)
}

fn originals(root: &Path) -> (Vec<String>, Vec<Original>) {
    let mut texts = Vec::new();
    let mut functions = Vec::new();
    for path in corpus::files(root, "py") {
        let text = std::fs::read_to_string(root.join(&path)).unwrap();
        let file = texts.len();
        let statements = read(&text);
        for element in parse_source_file(&path, Language::Python, &text).elements {
            let inner = element.path.contains("<") || element.metrics.is_none();
            let lines = (element.span.line, element.span.end_line);
            let own: Vec<&Statement> =
                statements.statements.iter().filter(|one| lines.0 <= one.line && one.end_line <= lines.1).collect();
            let tokens: usize = own.iter().map(|one| usize::from(one.tokens)).sum();
            let shapes: BTreeSet<u32> = own.iter().map(|one| one.shape).collect();
            if inner || own.len() < STATEMENTS || tokens < TOKENS || shapes.len() < STATEMENTS - 2 {
                continue;
            }
            let cut: Vec<&str> =
                text.lines().skip(lines.0 as usize - 1).take((lines.1 - lines.0 + 1) as usize).collect();
            let indent = cut[0].len() - cut[0].trim_start().len();
            let dedented = |line: &&str| line.get(indent..).unwrap_or("").to_owned() + "\n";
            let cut: String = cut.iter().map(dedented).collect();
            // What is no whole function by itself (a text over several lines) is left out.
            if !cut.contains("\"\"\"") && !cut.contains("'''") && read(&cut).statements.len() == own.len() {
                functions.push(Original { file, lines, text: cut });
            }
        }
        texts.push(text);
    }
    (texts, functions)
}

/// Comments and empty lines between statements.
fn relaid(text: &str) -> String {
    let starts: BTreeSet<u32> = read(text).statements.iter().skip(1).map(|one| one.line).collect();
    let mut laid = String::new();
    for (line, number) in text.lines().zip(1_u32..) {
        if starts.contains(&number) && number % 3 == 0 {
            laid.push_str("\n# planted\n");
        }
        laid.push_str(line);
        laid.push('\n');
    }
    laid
}

/// Other names for all parameters and local variables, other numbers and texts.
fn renamed(text: &str) -> String {
    static BOUND: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s*([a-z_][a-z0-9_]*)(?:, ([a-z_][a-z0-9_]*))?\s*(?::[^=\n]+)?=[^=]|\bfor ([a-z_][a-z0-9_]*)(?:, ([a-z_][a-z0-9_]*))? in\b|\bas ([a-z_][a-z0-9_]*)")
            .unwrap()
    });
    static PARAMETER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[(,]\s*\**([a-z_][a-z0-9_]*)\s*[:=,)]").unwrap());
    static WORD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"[fbrFBR]{0,2}"(?:[^"\\\n]|\\.)*"|[fbrFBR]{0,2}'(?:[^'\\\n]|\\.)*'|#[^\n]*|\.?\b[A-Za-z_][A-Za-z0-9_]*|\b[0-9][0-9a-zA-Z_.]*"#).unwrap()
    });
    let head = text.split("):").next().unwrap_or_default();
    let mut bound: BTreeSet<&str> = BTreeSet::new();
    for found in PARAMETER.captures_iter(head).chain(BOUND.captures_iter(text)) {
        bound.extend(found.iter().skip(1).flatten().map(|name| name.as_str()));
    }
    bound.remove("self");
    bound.remove("cls");
    let names: BTreeMap<&str, String> =
        bound.into_iter().zip(0..).map(|(name, n)| (name, format!("fresh_{n}"))).collect();
    // The name of an argument belongs to what is called.
    let is_argument = |from: usize, to: usize| {
        let before = &text[..from];
        let is_open = from > head.len() && before.matches('(').count() > before.matches(')').count();
        is_open && text[to..].starts_with('=') && !text[to..].starts_with("==")
    };
    WORD.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).unwrap();
        let word = whole.as_str();
        match word.as_bytes()[0] {
            b'#' => word.to_owned(),
            b'0'..=b'9' if word.starts_with("0") && word.len() > 1 && !word.starts_with("0.") => word.to_owned(),
            b'0'..=b'9' => format!("7{word}"),
            _ if word.starts_with(['"', '\'']) => format!("{}z{}", &word[..word.len() - 1], &word[word.len() - 1..]),
            _ if is_argument(whole.start(), whole.end()) => word.to_owned(),
            _ => names.get(word).cloned().unwrap_or_else(|| word.to_owned()),
        }
    })
    .into_owned()
}

/// One statement in eight put in or taken out, one at least.
fn gapped(text: &str, numbers: &mut Numbers) -> String {
    let statements = read(text).statements;
    let mut lines: Vec<Option<String>> = text.lines().map(|line| Some(line.to_owned())).collect();
    let changes = 1 + statements.len() / 8;
    for change in 0..changes {
        let at = 1 + numbers.below(statements.len() - 2);
        let (one, next) = (&statements[at], &statements[at + 1]);
        let first = one.line as usize - 1;
        let Some(line) = &lines[first] else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let word = line.trim_start();
        let is_simple = one.depth == next.depth && one.depth == statements[at - 1].depth;
        let joined = ["elif", "else", "except", "finally", "case"].iter().any(|start| word.starts_with(start));
        if change % 2 == 1 && is_simple {
            for gone in &mut lines[first..one.end_line as usize] {
                *gone = None;
            }
        } else if !joined {
            lines[first] = Some(format!("{indent}planted_call({change}, \"step\")\n{line}"));
        }
    }
    lines.into_iter().flatten().map(|line| line + "\n").collect()
}

/// How many of the planted functions are found, and of how many.
fn found(texts: &[String], functions: &[Original], plant: impl Fn(&Original) -> String) -> (usize, usize, Vec<String>) {
    let planted: Vec<String> = functions.iter().map(plant).collect();
    let files: Vec<FileStatements> = texts.iter().chain(&planted).map(|text| read(text)).collect();
    let compared: Vec<(u64, &FileStatements)> = files.iter().map(|file| (0, file)).collect();
    let families = find_families(&compared);
    /// A file, and its first and last line.
    type Lines = (usize, (u32, u32));
    let mut reached: BTreeMap<usize, Vec<Lines>> = BTreeMap::new();
    for family in &families {
        for place in family.places.iter().filter(|place| place.file >= texts.len()) {
            let own = &files[place.file].statements;
            let share = (place.statements.last - place.statements.first + 1) as f64 / own.len() as f64;
            if share < 0.7 {
                continue;
            }
            for other in family.places.iter().filter(|other| *other != place) {
                let statements = &files[other.file].statements;
                let lines = (statements[other.statements.first].line, statements[other.statements.last].end_line);
                reached.entry(place.file - texts.len()).or_default().push((other.file, lines));
            }
        }
    }
    let mut missed = Vec::new();
    for (number, function) in functions.iter().enumerate() {
        let covers = |(file, lines): &Lines| {
            let (from, to) = (lines.0.max(function.lines.0), lines.1.min(function.lines.1));
            let common = (to + 1).saturating_sub(from);
            *file == function.file && f64::from(common) >= 0.7 * f64::from(function.lines.1 - function.lines.0 + 1)
        };
        if !reached.get(&number).is_some_and(|places| places.iter().any(covers)) {
            missed.push(format!("--- from\n{}--- to\n{}", function.text, planted[number]));
        }
    }
    (functions.len() - missed.len(), functions.len(), missed)
}

/// How many planted clones of each kind are found, and of how many; prints the table of the documentation.
pub(crate) fn measure_recall() -> BTreeMap<CloneKind, (usize, usize)> {
    let mut table: BTreeMap<CloneKind, (usize, usize)> = BTreeMap::new();
    let shows = std::env::var_os("TAPPS_TEST_SHOW_MISSED").is_some();
    for package in PACKAGES {
        let (texts, functions) = originals(&corpus::dir(package));
        assert!(functions.len() > 50, "{package} has {} functions", functions.len());
        for kind in CloneKind::ALL {
            let plant = |function: &Original| match kind {
                CloneKind::Exact => relaid(&function.text),
                CloneKind::Renamed => relaid(&renamed(&function.text)),
                CloneKind::Gapped => gapped(&renamed(&function.text), &mut Numbers(function.text.len() as u64)),
            };
            let (hits, all, missed) = found(&texts, &functions, plant);
            println!("| {package} | {} | {hits} of {all} | {:.3} |", kind.as_str(), hits as f64 / all as f64);
            for text in missed.iter().filter(|_| shows) {
                println!("{text}");
            }
            let sum = table.entry(kind).or_default();
            *sum = (sum.0 + hits, sum.1 + all);
        }
    }
    table
}

#[test]
fn planted_clones_are_found() {
    let table = measure_recall();
    for (kind, least) in [(CloneKind::Exact, 0.98), (CloneKind::Renamed, 0.98), (CloneKind::Gapped, 0.85)] {
        let (hits, all) = table[&kind];
        let recall = hits as f64 / all as f64;
        println!("| all | {} | {hits} of {all} | {recall:.3} |", kind.as_str());
        assert!(recall >= least, "{}: {hits} of {all}", kind.as_str());
    }
}
