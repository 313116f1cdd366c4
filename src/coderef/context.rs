//! A brief of a project for somebody who has never seen it, as long as they care to read.

mod collect;
mod markdown;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::coverage::CoverageTally;
use super::graph::Graph;
use super::model::Language;
use tapps_base::{Error, Result};

/// Tokens of a brief unless something else is asked for.
pub const DEFAULT_TOKENS: usize = 1_200;

/// The least that a brief needs.
const LEAST_TOKENS: usize = 200;

/// Bytes that are taken for one token.
const BYTES_PER_TOKEN: usize = 4;

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum OutputFormat {
    #[default]
    Json,
    Markdown,
    /// Both share the budget.
    Both,
}

/// What to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextRequest {
    /// Only files of these languages; empty means all.
    pub languages: Vec<Language>,
    pub output_format: OutputFormat,
    /// None means [`DEFAULT_TOKENS`].
    pub max_tokens: Option<usize>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ContextReport {
    pub output_format: OutputFormat,
    pub max_tokens: usize,
    /// At four bytes each.
    pub estimated_tokens: usize,
    /// True when there is more to tell than fits.
    pub truncated: bool,
    /// What to pass for what was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<ProjectBrief>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
}

/// What is worth knowing first; each list begins with what matters most.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ProjectBrief {
    pub project: String,
    pub files: usize,
    pub lines: u64,
    pub elements: usize,
    /// Files with tests, and how many functions and classes they reach.
    pub test_files: usize,
    pub reached_by_tests: CoverageTally,
    pub languages: Vec<LanguageShare>,
    /// Folders that hold code.
    pub folders: Vec<Folder>,
    /// Files that import others and that nothing imports.
    pub entry_points: Vec<String>,
    /// What most other places refer to.
    pub central: Vec<Central>,
    /// What is hardest to understand.
    pub hardest: Vec<Hard>,
    /// What the project uses from outside.
    pub packages: Vec<ImportedPackage>,
    /// Groups of files that import each other in a circle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<Vec<String>>,
    /// Files that could not be read whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LanguageShare {
    pub language: &'static str,
    pub files: usize,
    pub lines: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Folder {
    pub path: String,
    pub files: usize,
    /// What it exports, most referred to first.
    pub exports: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Central {
    pub reference: String,
    /// Number of other elements and files that refer to it.
    pub used_by: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Hard {
    pub reference: String,
    pub score: f64,
    pub cyclomatic: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedPackage {
    pub name: String,
    /// Number of files that import it.
    pub files: usize,
}

/// Tells what is worth knowing within a budget.
///
/// # Errors
/// `invalid_argument` for a budget nothing fits into; `file_not_found` where there is no source file.
pub fn build_context_report(graph: &Graph<'_>, project: &str, request: &ContextRequest) -> Result<ContextReport> {
    let max_tokens = request.max_tokens.unwrap_or(DEFAULT_TOKENS);
    if max_tokens < LEAST_TOKENS {
        return Err(Error::invalid(format!("nothing can be told in {max_tokens} tokens"))
            .hint(format!("give `max_tokens` a value of at least {LEAST_TOKENS}")));
    }
    let mut brief = collect::collect_brief(graph, project, &request.languages)?;
    let mut truncated = false;
    loop {
        let report = render_brief(&brief, request.output_format, max_tokens, truncated)?;
        if report.estimated_tokens <= max_tokens || !brief.shorten() {
            return Ok(report);
        }
        truncated = true;
    }
}

fn render_brief(
    brief: &ProjectBrief,
    format: OutputFormat,
    max_tokens: usize,
    truncated: bool,
) -> Result<ContextReport> {
    let markdown = (format != OutputFormat::Json).then(|| markdown::render_brief_markdown(brief));
    let brief = (format != OutputFormat::Markdown).then(|| brief.clone());
    let more = truncated.then(|| format!("max_tokens: {}", max_tokens.saturating_mul(2)));
    let estimated_tokens = max_tokens;
    let mut report =
        ContextReport { output_format: format, max_tokens, estimated_tokens, truncated, more, brief, markdown };
    let bytes = serde_json::to_string(&report)
        .map_err(|error| Error::internal(format!("the brief has no JSON form: {error}")))?
        .len();
    report.estimated_tokens = bytes.div_ceil(BYTES_PER_TOKEN);
    Ok(report)
}

impl ProjectBrief {
    /// Takes the last entry from what is longest; false when nothing is left to take.
    fn shorten(&mut self) -> bool {
        let lengths = [
            self.folders.len() + self.folders.iter().map(|folder| folder.exports.len()).sum::<usize>(),
            self.entry_points.len(),
            self.central.len() * 2,
            self.hardest.len() * 2,
            self.packages.len(),
            self.cycles.iter().map(Vec::len).sum(),
            self.unread.len() * 2,
            self.languages.len(),
        ];
        let longest = lengths.iter().enumerate().max_by_key(|(position, length)| (**length, usize::MAX - position));
        match longest {
            Some((_, 0)) | None => return false,
            Some((0, _)) => self.shorten_folders(),
            Some((1, _)) => drop(self.entry_points.pop()),
            Some((2, _)) => drop(self.central.pop()),
            Some((3, _)) => drop(self.hardest.pop()),
            Some((4, _)) => drop(self.packages.pop()),
            Some((5, _)) => drop(self.cycles.pop()),
            Some((6, _)) => drop(self.unread.pop()),
            Some(_) => drop(self.languages.pop()),
        }
        true
    }

    /// The longest list of exports first; a folder goes when no folder has any left.
    fn shorten_folders(&mut self) {
        let longest = self.folders.iter_mut().rev().max_by_key(|folder| folder.exports.len());
        match longest {
            Some(folder) if !folder.exports.is_empty() => drop(folder.exports.pop()),
            _ => drop(self.folders.pop()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CodebaseIndex, EdgeKind, EdgeStatus, EdgeTarget, ElementKind, ElementMetrics, GraphNode};
    use crate::sample::Sample;

    fn sample(files: usize) -> CodebaseIndex {
        let mut sample = Sample::new();
        let all: Vec<_> = (0..files).map(|n| sample.file(&format!("src/m{:02}/file{n:03}.ts", n % 20))).collect();
        let nodes: Vec<GraphNode> = all
            .iter()
            .enumerate()
            .map(|(n, file)| sample.element(*file, ElementKind::Function, &format!("work{n}")))
            .collect();
        for (n, pair) in nodes.windows(2).enumerate() {
            sample.edge(pair[0], EdgeKind::Call, nodes[0], &[3]);
            sample.edge(GraphNode::File(all[n]), EdgeKind::Import, GraphNode::File(all[n + 1]), &[1]);
            let outside = EdgeTarget::External { module: format!("package{}", n % 9), name: None };
            sample.push(GraphNode::File(all[n]), EdgeKind::Import, EdgeStatus::External, outside, &[2]);
            let value = u32::try_from(n).unwrap();
            sample.measure(
                pair[0],
                ElementMetrics {
                    cyclomatic: value,
                    cyclomatic_total: value,
                    cognitive: value,
                    nesting: 1,
                    parameters: 1,
                    lines: 9,
                },
            );
        }
        sample.edge(GraphNode::File(all[2]), EdgeKind::Import, GraphNode::File(all[1]), &[1]);
        sample.index()
    }

    fn ask(files: usize, output_format: OutputFormat, max_tokens: usize) -> ContextReport {
        let index = sample(files);
        let request = ContextRequest { languages: Vec::new(), output_format, max_tokens: Some(max_tokens) };
        build_context_report(&Graph::new(&index), "shop", &request).unwrap()
    }

    #[test]
    fn what_matters_most_comes_first() {
        let brief = ask(12, OutputFormat::Json, 5_000).brief.unwrap();
        assert_eq!((brief.files, brief.elements, brief.lines), (12, 12, 1_200));
        assert_eq!(brief.languages, [LanguageShare { language: "ts", files: 12, lines: 1_200 }]);
        assert_eq!(brief.entry_points, ["src/m00/file000.ts"]);
        assert_eq!(brief.central[0].reference, "@Fn/src/m00/file000.ts#work0:1");
        assert_eq!(brief.central[0].used_by, 10);
        assert_eq!(brief.hardest[0].reference, "@Fn/src/m10/file010.ts#work10:1");
        assert_eq!(brief.packages[0], ImportedPackage { name: "package0".to_owned(), files: 2 });
        assert_eq!(brief.cycles, [["src/m01/file001.ts", "src/m02/file002.ts"]]);
    }

    #[test]
    fn the_budget_holds_in_every_form() {
        for format in [OutputFormat::Json, OutputFormat::Markdown, OutputFormat::Both] {
            for budget in [300, 600, 1_200, 4_000] {
                let report = ask(200, format, budget);
                let tokens = serde_json::to_string(&report).unwrap().len().div_ceil(4);
                assert!(tokens <= budget, "{format:?} {budget}: {tokens}");
                assert_eq!(report.estimated_tokens, tokens);
                assert!(tokens * 3 > budget || !report.truncated, "{format:?} {budget}: {tokens} is too little");
                assert_eq!(report.brief.is_some(), format != OutputFormat::Markdown);
                assert_eq!(report.markdown.is_some(), format != OutputFormat::Json);
            }
        }
        assert!(!ask(3, OutputFormat::Json, 1_200).truncated);
    }

    #[test]
    fn nothing_fits_into_nothing_and_nothing_is_told_of_nothing() {
        let index = sample(3);
        let graph = Graph::new(&index);
        let request = |max_tokens, languages| ContextRequest {
            languages,
            output_format: OutputFormat::Json,
            max_tokens: Some(max_tokens),
        };
        let error = build_context_report(&graph, "shop", &request(10, Vec::new())).unwrap_err();
        assert_eq!(error.message(), "nothing can be told in 10 tokens");
        let error = build_context_report(&graph, "shop", &request(900, vec![Language::Go])).unwrap_err();
        assert_eq!(error.code(), tapps_base::ErrorCode::FileNotFound);
    }

    #[test]
    fn markdown_says_the_same() {
        let report = ask(12, OutputFormat::Both, 9_000);
        let text = report.markdown.unwrap();
        for line in [
            "# shop",
            "files: 12, lines: 1200, elements: 12; languages: ts",
            "- src/m00/file000.ts",
            "- `@Fn/src/m00/file000.ts#work0:1`, used by 10",
            "- `package0`, importing files: 2",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
