//! Whether a file has the shape that answers are made of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::corpus::ExpertCorpus;
use super::examples;
use super::file::{Knowledge, KnowledgeOrigin};
use super::freshness::day_number;
use tapps_base::page::{Place, Problem};

/// The headings of every file, in their order.
const HEADINGS: [&str; 6] = ["When it applies", "Decision", "Rules", "Example", "Check", "Pitfalls"];
/// Least and most lines of a file, front matter included.
const LINES: std::ops::RangeInclusive<usize> = 60..=200;
/// Least questions that a file answers.
const QUESTIONS: usize = 3;

/// What is wrong with the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeCheck {
    /// How many were looked at.
    pub files: usize,
    /// In the order of the files; also those that cannot be read at all.
    pub problems: Vec<Problem>,
}

impl ExpertCorpus {
    /// Looks at the shape of the project's own files, and of the built-in ones as well where `builtin` is true.
    #[must_use]
    pub fn check_files(&self, builtin: bool) -> KnowledgeCheck {
        let files: Vec<&Knowledge> =
            self.files().iter().filter(|file| builtin || file.origin == KnowledgeOrigin::Project).collect();
        let mut problems: Vec<Problem> = self.refused().iter().map(|refused| refused.problem.clone()).collect();
        problems.extend(files.iter().flat_map(|file| validate_file(file, |name| self.file(name).is_some())));
        problems.sort();
        KnowledgeCheck { files: files.len(), problems }
    }
}

/// What is wrong with a file, in the order of its lines; `knows` tells whether a file `<domain>/<topic>` is there.
#[must_use]
pub fn validate_file(file: &Knowledge, knows: impl Fn(&str) -> bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut say = |line: u64, message: String| {
        problems.push(Place { file: file.path.clone(), line, column: 1 }.problem(message));
    };
    let lines = file.text.lines().count();
    if !LINES.contains(&lines) {
        say(1, format!("the file has {lines} lines, not {} to {}", LINES.start(), LINES.end()));
    }
    front(file, &mut say);
    headings(file, &mut say);
    let (found, open) = examples::find_examples(&file.text);
    if let Some(line) = open {
        say(line, "the fence is never closed".to_owned());
    }
    for example in &found {
        if let Some(fault) = examples::example_fault(example) {
            say(example.line, fault);
        }
    }
    for name in file.related().into_iter().filter(|name| !knows(name)) {
        let line = line_of(&file.text, &format!("[[{name}]]"));
        say(line, format!("there is no file `{name}` to be related to"));
    }
    problems.sort();
    problems
}

fn front(file: &Knowledge, say: &mut impl FnMut(u64, String)) {
    let front = &file.front;
    let folder = file.name.split('/').next().unwrap_or_default();
    if folder != front.domain.as_str() {
        say(line_of(&file.text, "domain:"), format!("the domain is {}, and the folder is {folder}", front.domain));
    }
    if front.title.trim().is_empty() {
        say(2, "the title is empty".to_owned());
    }
    if front.questions.len() < QUESTIONS {
        say(line_of(&file.text, "questions:"), format!("fewer than {QUESTIONS} questions that it answers"));
    }
    if day_number(&front.reviewed).is_none() {
        say(line_of(&file.text, "reviewed:"), format!("`{}` is no date like 2026-11-21", front.reviewed));
    }
    if front.tags.is_empty() {
        say(1, "there are no tags".to_owned());
    }
    let is_source =
        |source: &str| is_address(source) || (file.origin == KnowledgeOrigin::Project && is_document(source));
    for source in front.sources.iter().filter(|source| !is_source(source)) {
        say(line_of(&file.text, source), format!("`{source}` is no https address"));
    }
    if front.sources.is_empty() {
        say(1, "no sources are named".to_owned());
    }
}

fn is_address(source: &str) -> bool {
    source.strip_prefix("https://").is_some_and(|rest| rest.contains('.') && !rest.contains(char::is_whitespace))
}

/// A document of the project, which its own files may rest on.
fn is_document(source: &str) -> bool {
    source.ends_with(".md") && !source.starts_with('/') && !source.contains("..") && !source.contains("://")
}

fn headings(file: &Knowledge, say: &mut impl FnMut(u64, String)) {
    let found: Vec<&str> = file.sections.iter().map(|section| section.heading.as_str()).collect();
    if found != HEADINGS {
        say(1, format!("the headings are {}, not {}", found.join(", "), HEADINGS.join(", ")));
        return;
    }
    let Some(decision) = file.section("Decision") else { return };
    if !decision.text.lines().any(|line| line.starts_with("|--") || line.starts_with("| --") || line.starts_with("|:-"))
    {
        say(decision.lines.start, "the decision has no table".to_owned());
    }
    let Some(example) = file.section("Example") else { return };
    let (fences, _) = examples::find_examples(&example.text);
    if !example.text.contains("\n### Wrong") || fences.len() < 2 {
        say(example.lines.start, "the example has no wrong twin below `### Wrong`".to_owned());
    }
}

/// The first line that holds a text, counted from 1.
fn line_of(text: &str, part: &str) -> u64 {
    text.lines().position(|line| line.contains(part)).map_or(1, |at| at as u64 + 1)
}
