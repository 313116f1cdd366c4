//! The locked radon in place of the native metrics, for those who want the numbers from the tool itself.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::outcome::AnalyzerOutcome;
use super::report::{FileReport, ReportDetails};
use super::{Analyzer, Dependence, Division, Need, Profile};
use crate::ask::Asker;
use crate::cache::Native;
use crate::engine::AnalysisPlan;
use crate::isolate::{Answers, Question, require_expected_end};
use tapps_base::finding::Category;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};
use tapps_config::{Config, MetricsProvider};
use tapps_rules::shape::{BlockKind, FileShape};
use tapps_toolchain::Program;

pub(crate) struct Radon;

pub(crate) const ANALYZER: Radon = Radon;

static PROFILE: Profile = Profile {
    name: "radon",
    reads: Analyzers::Python,
    measures: &[Category::Complexity, Category::Maintainability],
    depends_on: &[Dependence::Interpreter],
    division: Division::Chunks,
    speaks_of_broken_files: false,
};

impl Analyzer for Radon {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn need(&self, _plan: &AnalysisPlan, config: &Config) -> Need {
        match config.toolchain.metrics {
            MetricsProvider::Radon => Need::Asked,
            MetricsProvider::Native => Need::Computed,
        }
    }

    /// The metrics of the shape, which stay as they are; radon leaves files without any block out.
    fn computed(&self, _native: &mut Native) -> Option<FileReport> {
        Some(FileReport::default())
    }

    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>> {
        Box::pin(async move {
            let companion = asker.empty_companion_file()?;
            Ok(Box::new(RadonQuestion { asker, companion }) as Box<dyn Question>)
        })
    }
}

struct RadonQuestion<'a> {
    asker: Asker<'a>,
    companion: String,
}

impl Question for RadonQuestion<'_> {
    fn ask<'q>(&'q self, sources: &'q [&'q Source]) -> BoxFuture<'q, Result<Answers>> {
        Box::pin(async move {
            let files: Vec<String> = match sources {
                [] => vec![self.companion.clone()],
                some => some.iter().map(|source| source.path().to_owned()).collect(),
            };
            let ask = |question: &str| {
                let mut arguments = vec![question.to_owned(), "--json".to_owned(), "--".to_owned()];
                arguments.extend(files.iter().cloned());
                self.asker.run_on_stage(Program::Radon, arguments)
            };
            let [cc, raw, mi] = QUESTIONS.map(ask);
            let (cc, raw, mi) = futures::future::try_join3(cc, raw, mi).await?;
            for finished in [&cc, &raw, &mi] {
                require_expected_end("radon", sources, finished, &[0])?;
            }
            if sources.is_empty() {
                return Ok(Answers::new());
            }
            let found = parse_radon_output([&cc.stdout, &raw.stdout, &mi.stdout])?;
            let outcome = |answer| AnalyzerOutcome::unless_lacking("radon", answer);
            found.into_iter().map(|(path, answer)| Ok((path, outcome(answer)?))).collect()
        })
    }
}

/// radon's numbers for one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RadonMetrics {
    /// Complexity by line of the `def`.
    pub complexity: BTreeMap<u32, u32>,
    pub logical_lines: u32,
    pub maintainability_index: f64,
}

/// The three questions, in the order in which [`parse_radon_output`] takes their answers.
pub const QUESTIONS: [&str; 3] = ["cc", "raw", "mi"];

#[derive(Deserialize)]
#[serde(untagged)]
enum Reply<T> {
    Said(T),
    Failed { error: String },
}

#[derive(Deserialize)]
struct RadonBlock {
    lineno: u32,
    complexity: u32,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    methods: Vec<RadonBlock>,
    #[serde(default)]
    closures: Vec<RadonBlock>,
}

#[derive(Deserialize)]
struct RadonRawMetrics {
    lloc: u32,
}

#[derive(Deserialize)]
struct RadonMaintainabilityIndex {
    mi: f64,
}

type Replies<T> = BTreeMap<String, Reply<T>>;

/// Reads the JSON answers to [`QUESTIONS`].
///
/// # Errors
/// `degraded_result` when an answer is not radon's JSON; a file that radon cannot read is an `Err` in the map.
pub fn parse_radon_output(answers: [&[u8]; 3]) -> Result<BTreeMap<String, Result<RadonMetrics, String>>> {
    let [cc, raw, mi] = answers;
    let (cc, mut raw, mut mi): (
        Replies<Vec<RadonBlock>>,
        Replies<RadonRawMetrics>,
        Replies<RadonMaintainabilityIndex>,
    ) = (parse_radon_replies(cc)?, parse_radon_replies(raw)?, parse_radon_replies(mi)?);
    let together = cc.into_iter().map(|(file, blocks)| {
        let answer = combine_radon_replies(blocks, raw.remove(&file), mi.remove(&file));
        (file, answer)
    });
    Ok(together.collect())
}

fn parse_radon_replies<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<Replies<T>> {
    serde_json::from_slice(bytes).map_err(|e| {
        Error::new(ErrorCode::DegradedResult, format!("radon printed something that is not its JSON: {e}"))
            .tool("radon")
    })
}

fn combine_radon_replies(
    blocks: Reply<Vec<RadonBlock>>,
    raw: Option<Reply<RadonRawMetrics>>,
    mi: Option<Reply<RadonMaintainabilityIndex>>,
) -> Result<RadonMetrics, String> {
    match (blocks, raw, mi) {
        (Reply::Said(blocks), Some(Reply::Said(raw)), Some(Reply::Said(index))) => {
            let mut complexity = BTreeMap::new();
            blocks.iter().for_each(|block| block.collect_complexities(&mut complexity));
            Ok(RadonMetrics { complexity, logical_lines: raw.lloc, maintainability_index: index.mi })
        }
        (Reply::Failed { error }, ..)
        | (_, Some(Reply::Failed { error }), _)
        | (_, _, Some(Reply::Failed { error })) => Err(error),
        _ => Err("radon did not answer for the file".to_owned()),
    }
}

impl RadonBlock {
    fn collect_complexities(&self, into: &mut BTreeMap<u32, u32>) {
        if self.kind != "class" {
            into.insert(self.lineno, self.complexity);
        }
        self.methods.iter().chain(&self.closures).for_each(|block| block.collect_complexities(into));
    }
}

impl From<RadonMetrics> for FileReport {
    fn from(metrics: RadonMetrics) -> Self {
        Self { details: ReportDetails::Metrics(metrics), ..Self::default() }
    }
}

impl RadonMetrics {
    /// Puts radon's numbers in place of the native ones.
    pub fn replace(&self, shape: &mut FileShape) {
        for block in shape.blocks.iter_mut().filter(|block| block.kind != BlockKind::Class) {
            if let Some(complexity) = self.complexity.get(&block.line) {
                block.complexity = *complexity;
            }
        }
        shape.logical_lines = self.logical_lines;
        shape.maintainability_index = Some(self.maintainability_index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_answers_become_one_and_a_failure_stays_a_failure() {
        let cc = br#"{"a.py": [{"type": "class", "lineno": 1, "complexity": 9, "methods": [{"type": "method", "lineno": 2, "complexity": 3}]},
                      {"type": "function", "lineno": 8, "complexity": 4, "closures": [{"type": "function", "lineno": 9, "complexity": 2}]}],
                      "b.py": {"error": "invalid syntax"}}"#;
        let raw = br#"{"a.py": {"lloc": 7, "loc": 12}, "b.py": {"error": "invalid syntax"}}"#;
        let mi = br#"{"a.py": {"mi": 61.5, "rank": "A"}, "b.py": {"error": "invalid syntax"}}"#;
        let answers = parse_radon_output([cc, raw, mi]).unwrap();
        let a = answers["a.py"].as_ref().unwrap();
        assert_eq!(a.complexity, BTreeMap::from([(2, 3), (8, 4), (9, 2)]));
        assert_eq!((a.logical_lines, a.maintainability_index), (7, 61.5));
        assert_eq!(answers["b.py"], Err("invalid syntax".to_owned()));
        assert!(parse_radon_output([b"{}", b"{}", b"oops"]).is_err());
    }
}
