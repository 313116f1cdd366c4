//! `tapps-mcp architecture`: the layers that the code shows, and the verdict of the contracts about imports.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Subcommand, ValueEnum};
use serde::Serialize;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use super::out::json_text;
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::{Error, Result, atomic, exit, log_text};
use tapps_coderef::contracts::{
    ArchitectureVerdict, Breach, LayerOverview, guess_layers, judge_architecture, overview_picture,
};
use tapps_coderef::diagram::DiagramFormat;
use tapps_config::ArchitectureConfig;
use tapps_project::ProjectIndex;
use tapps_project::assess::breach_finding;
use tapps_quality::baseline::Baseline;
use tapps_sandbox::Boundary;

/// Largest baseline that is read, in bytes.
const LARGEST_BASELINE: u64 = 64 << 20;

/// Imports that are not followed and are named; the others are counted.
const UNRESOLVED_SHOWN: usize = 10;

#[derive(Debug, Clone, Subcommand)]
pub enum ArchitectureCommand {
    /// Draw the layers that the code shows by itself, and say what each contract asks for
    Show {
        /// The folder whose files and folders are compared [default: the one that holds nearly all files]
        #[arg(value_name = "PATH")]
        path: Option<String>,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: ArchitectureFormat,
    },
    /// Judge the imports by the contracts of the configuration: exit code 1 when one is broken
    Check {
        /// Breaches that this file knows do not count; `gate --baseline` reads the same file
        #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
        baseline: Option<String>,
        /// Write a baseline that knows all breaches of today, and pass
        #[arg(long, value_name = "FILE")]
        write_baseline: Option<PathBuf>,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
}

/// How layers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ArchitectureFormat {
    Human,
    Json,
    Mermaid,
    Dot,
    Svg,
}

impl ArchitectureCommand {
    pub(super) fn speaks_json(&self) -> bool {
        match self {
            Self::Show { format, .. } => *format == ArchitectureFormat::Json,
            Self::Check { format, .. } => *format == CliOutputFormat::Json,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// What the contracts say, and `internal` when a baseline cannot be written.
pub async fn run(command: ArchitectureCommand, context: &CliContext) -> Result<u8> {
    let job = ArchitectureJob {
        boundary: Arc::clone(&context.boundary),
        architecture: context.config.architecture.clone(),
        call: context.call(),
        style: context.out.style(),
    };
    // Scanning is work for other threads: an interrupt has to be heard meanwhile.
    let answered = tokio::task::spawn_blocking(move || job.compute_answer(&command)).await;
    let (text, code) = answered.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    context.out.write(&text)?;
    Ok(code)
}

struct ArchitectureJob {
    boundary: Arc<Boundary>,
    architecture: ArchitectureConfig,
    call: Call,
    style: Style,
}

/// Layers with what contracts ask for.
#[derive(Debug, Serialize)]
struct ShownArchitecture {
    #[serde(flatten)]
    overview: LayerOverview,
    contracts: Vec<ShownContract>,
}

#[derive(Debug, Serialize)]
struct ShownContract {
    name: String,
    says: Vec<String>,
}

/// The verdict, and how many breaches a baseline knew.
#[derive(Debug, Serialize)]
struct CheckedArchitecture {
    #[serde(flatten)]
    verdict: ArchitectureVerdict,
    forgiven: usize,
}

impl ArchitectureJob {
    fn compute_answer(&self, command: &ArchitectureCommand) -> Result<(String, u8)> {
        match command {
            ArchitectureCommand::Show { path, format } => {
                Ok((self.show_layers(path.as_deref(), *format)?, exit::CLEAN))
            }
            ArchitectureCommand::Check { baseline, write_baseline, format } => {
                let mut checked = self.judge(baseline.as_deref())?;
                if let Some(file) = write_baseline {
                    let findings: Vec<Finding> = checked.verdict.breaches.iter().map(breach_finding).collect();
                    atomic::write(file, Baseline::from_findings(&findings).to_text()?.as_bytes())?;
                    checked.forgiven = findings.len();
                    checked.verdict.kept = true;
                }
                let text = match format {
                    CliOutputFormat::Json => json_text(&checked)?,
                    CliOutputFormat::Human => draw_verdict(&checked, self.style),
                };
                Ok((text, if checked.verdict.kept { exit::CLEAN } else { exit::FINDINGS }))
            }
        }
    }

    fn index(&self) -> ProjectIndex {
        ProjectIndex::new(Arc::clone(&self.boundary))
    }

    fn show_layers(&self, path: Option<&str>, format: ArchitectureFormat) -> Result<String> {
        let graph = self.index().import_graph(self.architecture.tests, &self.call)?;
        let overview = guess_layers(&graph, path)?;
        let drawn = |format| overview_picture(&overview, format);
        match format {
            ArchitectureFormat::Mermaid => return Ok(drawn(DiagramFormat::Mermaid)),
            ArchitectureFormat::Dot => return Ok(drawn(DiagramFormat::Dot)),
            ArchitectureFormat::Svg => return Ok(drawn(DiagramFormat::Svg)),
            ArchitectureFormat::Human | ArchitectureFormat::Json => {}
        }
        let verdict = judge_architecture(&self.architecture, &graph)?.require_usable()?;
        let contracts = verdict.contracts.into_iter().map(|one| ShownContract { name: one.name, says: one.says });
        let shown = ShownArchitecture { overview, contracts: contracts.collect() };
        if format == ArchitectureFormat::Json { json_text(&shown) } else { Ok(draw_layers(&shown, self.style)) }
    }

    /// The verdict without the breaches that a baseline knows.
    fn judge(&self, baseline: Option<&str>) -> Result<CheckedArchitecture> {
        if self.architecture.contracts.is_empty() {
            return Err(Error::invalid("the project has no contract about imports").hint(
                "write one into tapps-mcp.toml below `[architecture.contracts.NAME]`, beginning with its `kind`",
            ));
        }
        let verdict = self.index().judge_contracts(&self.architecture, &self.call)?.require_usable()?;
        let mut checked = CheckedArchitecture { verdict, forgiven: 0 };
        if let Some(path) = baseline {
            let bytes = self.boundary.read(&self.boundary.resolve(path)?, LARGEST_BASELINE)?;
            let mut known = Baseline::parse(&String::from_utf8_lossy(&bytes))?;
            let before = checked.verdict.breaches.len();
            checked.verdict.breaches.retain(|breach| {
                let mut left = vec![breach_finding(breach)];
                known.forgive(&mut left);
                !left.is_empty()
            });
            checked.forgiven = before - checked.verdict.breaches.len();
            checked.verdict.kept = checked.verdict.breaches.is_empty();
            for contract in &mut checked.verdict.contracts {
                let own = |breach: &&Breach| breach.contract == contract.name;
                contract.breaches = checked.verdict.breaches.iter().filter(own).count();
                contract.kept = contract.breaches == 0;
            }
        }
        Ok(checked)
    }
}

fn draw_layers(shown: &ShownArchitecture, style: Style) -> String {
    let overview = &shown.overview;
    let below = if overview.below.is_empty() { "." } else { overview.below.as_str() };
    let files = pluralize_count(overview.files, "file");
    let mut text = format!("{} {}\n", style.bold(log_text(below)), style.dim(files));
    for row in &overview.rows {
        let groups: Vec<String> = row
            .groups
            .iter()
            .map(|group| match group.as_slice() {
                [one] => log_text(one).into_owned(),
                circle => style.fair(format!("({})", log_text(&circle.join(" ⇄ ")))),
            })
            .collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {}", groups.join("  "));
    }
    for contract in &shown.contracts {
        let _ = writeln!(text, "{}", style.bold(log_text(&contract.name)));
        for sentence in &contract.says {
            let _ = writeln!(text, "  {}", log_text(sentence));
        }
    }
    text
}

fn draw_verdict(checked: &CheckedArchitecture, style: Style) -> String {
    let verdict = &checked.verdict;
    let mut text = String::new();
    for contract in &verdict.contracts {
        let word = if contract.kept { style.good("kept") } else { style.bad("broken") };
        let _ = writeln!(text, "{word} {} {}", style.bold(log_text(&contract.name)), style.dim(contract.kind.as_str()));
        for sentence in &contract.says {
            let _ = writeln!(text, "  {}", style.dim(log_text(sentence)));
        }
        for exception in &contract.unused_exceptions {
            let _ = writeln!(text, "  {} {}", style.fair("no such import any more:"), log_text(exception));
        }
        for breach in verdict.breaches.iter().filter(|breach| breach.contract == contract.name) {
            draw_breach(&mut text, breach, style);
        }
    }
    for import in verdict.unresolved.iter().take(UNRESOLVED_SHOWN) {
        let place = format!("{}:{}", import.file, import.line);
        let _ = writeln!(text, "{} {} {}", style.fair("not followed:"), log_text(&place), log_text(&import.import));
    }
    let more = verdict.unresolved.len().saturating_sub(UNRESOLVED_SHOWN);
    if more > 0 {
        let _ = writeln!(text, "{} {}", style.fair("not followed:"), pluralize_count(more, "more import"));
    }
    let forgiven = match checked.forgiven {
        0 => String::new(),
        count => format!(", {count} known"),
    };
    let (files, imports) = (pluralize_count(verdict.files, "file"), pluralize_count(verdict.imports, "import"));
    let count = verdict.breaches.len();
    let breaches = match count {
        1 => "1 breach".to_owned(),
        _ => format!("{count} breaches"),
    };
    text + &format!("{}{forgiven} in {files} with {imports}\n", style.bold(breaches))
}

fn draw_breach(text: &mut String, breach: &Breach, style: Style) {
    let place = if breach.line == 0 { breach.file.clone() } else { format!("{}:{}", breach.file, breach.line) };
    let _ = writeln!(text, "  {} {}", style.bad(log_text(&place)), log_text(&breach.says));
    for link in &breach.chain {
        let importer = format!("{}:{}", link.importer, link.line);
        let _ = writeln!(text, "    {} → {}", log_text(&importer), log_text(&link.imported));
    }
}
