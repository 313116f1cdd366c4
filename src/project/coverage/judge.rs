//! Holding recorded lines against the text of the file as it is now.
//!
//! A report does not say of which text it speaks (lcov may give a digest of each line). So the text is asked whether it
//! can be the one: every recorded line must be one that can run, and for Python every line that can run must be
//! recorded or excluded. Times are not asked: a checkout sets them all anew.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use md5::{Digest as _, Md5};
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::executable::{self, ClassifiedLines};
use super::go_profile::statement_lines;
use super::record::{CoverageFormat, CoverageOrigin, Full, Ran, RecordedLines};
use crate::parse;
use tapps_base::Result;
use tapps_base::language::{Analyzers, Language, ScoredLanguage};
use tapps_base::source::Source;

/// The coverage of one file; line numbers are 1-based, sorted and single.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileCoverage {
    pub executed: Vec<u32>,
    pub missing: Vec<u32>,
    /// Left out on purpose; empty when the report does not say.
    pub excluded: Vec<u32>,
    /// The reports the lines come from.
    pub origins: Vec<CoverageOrigin>,
}

/// What coverage data says about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    Measured(FileCoverage),
    /// There is data, but of another text.
    Stale {
        origin: CoverageOrigin,
        /// How it shows, as a lower-case fragment.
        reason: String,
    },
    Absent,
}

impl FileCoverage {
    /// Number of lines that can run.
    #[must_use]
    pub fn executable(&self) -> usize {
        self.executed.len() + self.missing.len()
    }

    /// Share of executable lines that ran, 0–100; 100 when there are none.
    #[must_use]
    pub fn percent(&self) -> f64 {
        let total = self.executable();
        if total == 0 { 100.0 } else { 100.0 * self.executed.len() as f64 / total as f64 }
    }

    /// Takes in another run: what either ran, ran.
    pub(super) fn merge(&mut self, other: Self) {
        let executed: BTreeSet<u32> = self.executed.iter().chain(&other.executed).copied().collect();
        let missing: BTreeSet<u32> = self.missing.iter().chain(&other.missing).copied().collect();
        let excluded: BTreeSet<u32> = self.excluded.iter().chain(&other.excluded).copied().collect();
        self.missing = missing.difference(&executed).copied().collect();
        self.executed = executed.into_iter().collect();
        self.excluded = excluded.into_iter().collect();
        self.origins.extend(other.origins);
    }
}

/// Lines that ran, lines that did not, lines left out.
type Sets = (Vec<u32>, Vec<u32>, Vec<u32>);

pub(super) fn match_recorded_lines(
    recorded: &RecordedLines,
    source: &Source,
    exclusion: Option<&Regex>,
    origin: &CoverageOrigin,
) -> Result<Lookup> {
    let Some(text) = source.text() else {
        return Ok(Lookup::Stale { origin: origin.clone(), reason: "the file is not UTF-8 text".to_owned() });
    };
    let sets = match recorded {
        RecordedLines::Full(full) => match source.language().map(ScoredLanguage::analyzers) {
            Some(Analyzers::Go) => go_line_sets(full, source, text, origin.format),
            Some(Analyzers::Rust) => rust_line_sets(full, source, text),
            Some(Analyzers::Java | Analyzers::C | Analyzers::Shell) => compiled_line_sets(full, source),
            Some(Analyzers::Script) => script_line_sets(full, source, text, origin.format),
            Some(Analyzers::Python) | None => {
                let lines = executable::of_python(text, exclusion);
                python_line_sets(full, source, lines.as_ref())
            }
        },
        RecordedLines::Ran(ran) => {
            let lines = executable::of_python(text, exclusion);
            lines
                .ok_or_else(|| "the file cannot be parsed".to_owned())
                .and_then(|lines| derive_line_sets(ran, source, &lines))
        }
    };
    Ok(match sets {
        Ok((executed, missing, excluded)) => {
            Lookup::Measured(FileCoverage { executed, missing, excluded, origins: vec![origin.clone()] })
        }
        Err(reason) => Lookup::Stale { origin: origin.clone(), reason },
    })
}

fn split(full: &Full, keep: impl Fn(u32) -> bool) -> Sets {
    let pick = |ran: bool| full.ran.iter().filter(|(_, r)| **r == ran).map(|(l, _)| *l).filter(|l| keep(*l)).collect();
    (pick(true), pick(false), full.excluded.clone().unwrap_or_default())
}

fn check_line_range(full: &Full, source: &Source) -> Result<(), String> {
    let count = source.line_count();
    let last = full.ran.keys().next_back().copied().unwrap_or(0);
    if last > count {
        return Err(format!("it speaks of line {last}, and the file has {count}"));
    }
    if full.ran.contains_key(&0) {
        return Err("it speaks of line 0".to_owned());
    }
    for (line, checksum) in &full.checksums {
        let digest = STANDARD_NO_PAD.encode(Md5::digest(source.line(*line).as_bytes()));
        if digest != checksum.trim_end_matches('=') {
            return Err(format!("line {line} has another checksum"));
        }
    }
    Ok(())
}

fn python_line_sets(full: &Full, source: &Source, lines: Option<&ClassifiedLines>) -> Result<Sets, String> {
    check_line_range(full, source)?;
    let lines = lines.ok_or("the file cannot be parsed")?;
    if let Some(line) = full.ran.keys().find(|line| !lines.code.contains(&lines.first_of(**line))) {
        return Err(format!("line {line} is recorded, and no statement begins there now"));
    }
    let recorded: BTreeSet<u32> = full.ran.keys().map(|line| lines.first_of(*line)).collect();
    let excluded: BTreeSet<u32> = full.excluded.iter().flatten().copied().collect();
    let bare: BTreeSet<u32> = lines.annotations.iter().map(|(line, _)| *line).collect();
    let known = |line: u32| recorded.contains(&line) || excluded.contains(&line) || bare.contains(&line);
    if let Some(line) = lines.executable.iter().find(|line| !known(**line)) {
        return Err(format!("line {line} can run and is not recorded"));
    }
    Ok(split(full, |_| true))
}

fn derive_line_sets(ran: &Ran, source: &Source, lines: &ClassifiedLines) -> Result<Sets, String> {
    let count = source.line_count();
    let raw = ran.up_to(count).ok_or_else(|| format!("it speaks of lines after the last, {count}"))?;
    let firsts: BTreeSet<u32> = raw.iter().map(|&line| lines.first_of(line)).collect();
    if let Some(line) = firsts.iter().find(|line| !lines.code.contains(line)) {
        // An empty file is said to have run its first line.
        if !lines.code.is_empty() || firsts.len() > 1 || *line != 1 {
            return Err(format!("line {line} ran, and no statement begins there now"));
        }
    }
    let undefined = |&(line, around): &(u32, Option<u32>)| {
        let around_ran = around.map_or(!firsts.is_empty(), |header| firsts.contains(&header));
        around_ran && !firsts.contains(&line) && !lines.excluded.contains(&line)
    };
    // A class header runs before its body, so a class is only known to have been built when part of its body ran.
    let built = |&(_, around): &(u32, Option<u32>)| {
        around.is_none() || lines.definitions.iter().any(|(line, class)| *class == around && firsts.contains(line))
    };
    if let Some((line, _)) = lines.definitions.iter().find(|d| undefined(d) && built(d)) {
        return Err(format!("the definition on line {line} never ran, though its surroundings did"));
    }
    let without_code = |&&(line, next): &&(u32, Option<u32>)| {
        !firsts.contains(&line) && next.is_some_and(|next| firsts.contains(&next))
    };
    let bare: BTreeSet<u32> = lines.annotations.iter().filter(without_code).map(|(line, _)| *line).collect();
    let executable = lines.executable.iter().filter(|line| !bare.contains(line));
    let (executed, missing) = executable.partition(|line| firsts.contains(line));
    Ok((executed, missing, lines.excluded.iter().copied().collect()))
}

fn go_line_sets(full: &Full, source: &Source, text: &str, format: CoverageFormat) -> Result<Sets, String> {
    check_line_range(full, source)?;
    let statements = statement_lines(Language::Go, text).ok_or("the file cannot be parsed")?;
    if format != CoverageFormat::GoProfile {
        return Ok(split(full, |line| statements.contains(&line)));
    }
    // A profile has every block of a file, so that each statement stands in one.
    match statements.iter().find(|line| !full.ran.contains_key(line)) {
        Some(line) => Err(format!("line {line} can run and is not recorded")),
        None => Ok(split(full, |line| statements.contains(&line))),
    }
}

/// What was recorded of lines on which a statement begins: the reports of LLVM have every line of a function, brackets and
/// comments too. A generic function that no test makes is in no report, so that a statement without a record is no sign.
fn rust_line_sets(full: &Full, source: &Source, text: &str) -> Result<Sets, String> {
    check_line_range(full, source)?;
    let statements = statement_lines(Language::Rust, text).ok_or("the file cannot be parsed")?;
    Ok(split(full, |line| statements.contains(&line)))
}

/// A compiler puts code on lines with more than white space, comments and opening braces.
fn compiled_line_sets(full: &Full, source: &Source) -> Result<Sets, String> {
    check_line_range(full, source)?;
    let is_bare = |line: u32| {
        let line = source.line(line);
        let text = line.trim();
        text.is_empty() || text.starts_with("//") || text == "{"
    };
    match full.ran.keys().find(|line| is_bare(**line)) {
        Some(line) => Err(format!("line {line} is recorded, and no statement stands there now")),
        None => Ok(split(full, |_| true)),
    }
}

fn script_line_sets(full: &Full, source: &Source, text: &str, format: CoverageFormat) -> Result<Sets, String> {
    let last = full.ran.keys().next_back().copied().unwrap_or(0);
    let code = code_lines(source, text);
    // Coverage taken from V8 gives every line, blank ones and comments too.
    let every_line = last > 1 && full.ran.len() == last as usize && full.ran.keys().any(|line| !code.contains(line));
    if every_line {
        // The line after a final line end counts for some of these tools.
        if last != source.line_count() && last != source.line_count() + 1 {
            return Err(format!("it speaks of {last} lines, and the file has {}", source.line_count()));
        }
        return Ok(split(full, |line| code.contains(&line)));
    }
    check_line_range(full, source)?;
    // Statements are recorded where they begin, which is never a line of closing brackets; other tools list those too.
    let closes = |line: u32| source.line(line).trim().chars().all(|c| matches!(c, ')' | ']' | '}' | ';' | ','));
    let odd = |line: &&u32| !code.contains(*line) || (format == CoverageFormat::Istanbul && closes(**line));
    if let Some(line) = full.ran.keys().find(odd) {
        return Err(format!("line {line} is recorded, and no statement begins there now"));
    }
    Ok(split(full, |_| true))
}

/// Lines of a script with more than white space and comments.
fn code_lines(source: &Source, text: &str) -> BTreeSet<u32> {
    let comments = parse::read_script(source.path(), text, |program| {
        program.comments.iter().map(|c| (c.span.start as usize, c.span.end as usize)).collect::<Vec<_>>()
    })
    .unwrap_or_default();
    let mut bytes = text.as_bytes().to_vec();
    for (start, end) in comments {
        let span = bytes.get_mut(start..end).unwrap_or_default();
        span.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    }
    let blanked = Source::new(source.path(), bytes);
    (1..=blanked.line_count()).filter(|line| !blanked.line(*line).trim().is_empty()).collect()
}
