//! `tapps-mcp deps`: imports between modules, unused definitions, vulnerable packages.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use serde::Serialize;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::call::Call;
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_config::Advisories;
use tapps_project::ProjectIndex;
use tapps_project::advisories::{Database, DependencyScan, VulnerabilitySeverity, scan_dependencies};
use tapps_project::coupling;
use tapps_project::coupling::DependencyReport;
use tapps_project::dead_code;
use tapps_project::dead_code::DeadCodeReport;
use tapps_project::reach::ImportTiming;
use tapps_sandbox::Boundary;

/// Look at imports between modules, unused definitions and vulnerable packages
#[derive(Debug, clap::Args)]
pub struct DepsArgs {
    #[command(subcommand)]
    action: DepsCommand,
    /// How to write it
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

#[derive(Debug, Clone, Subcommand)]
enum DepsCommand {
    /// Show import cycles and the coupling of modules: exit code 1 when modules import each other while they load
    Graph {
        /// Only this folder
        #[arg(value_name = "PATH")]
        path: Option<String>,
        /// Tests too
        #[arg(long)]
        include_tests: bool,
        /// Most modules to show
        #[arg(long, value_name = "COUNT", default_value_t = 20)]
        most: usize,
    },
    /// List definitions that nothing in the project mentions: exit code 1 when there is one
    Unused {
        /// Only at or below these
        #[arg(value_name = "PATH")]
        paths: Vec<String>,
        /// Least confidence in percent: 90 is what nothing outside its file can see, 40 also what a package offers to importers
        #[arg(long, value_name = "PERCENT", default_value_t = 60)]
        min_confidence: u8,
    },
    /// Look locked versions up in a database of advisories: exit code 1 when one is vulnerable
    Scan {
        /// A database in OSV's format: a file, a folder or a ZIP archive [default: the configured one]
        #[arg(long, value_name = "PATH")]
        database: Option<PathBuf>,
    },
}

impl DepsArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Runs the command.
///
/// # Errors
/// What the reports say.
pub async fn run(args: DepsArgs, context: &CliContext) -> Result<u8> {
    let asked = DepsJob {
        action: args.action,
        boundary: Arc::clone(&context.boundary),
        advisories: context.config.advisories.clone(),
        coverage: context.config.coverage.files.clone(),
        call: context.call(),
        style: context.out.style(),
    };
    let answered = tokio::task::spawn_blocking(move || asked.compute_answer()).await;
    let answer = answered.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    match args.format {
        CliOutputFormat::Json => context.out.write(&answer.json)?,
        CliOutputFormat::Human => context.out.write(&answer.human)?,
    }
    Ok(if answer.clean { exit::CLEAN } else { exit::FINDINGS })
}

/// What was asked, ready to be answered on another thread.
struct DepsJob {
    action: DepsCommand,
    boundary: Arc<Boundary>,
    advisories: Advisories,
    coverage: Vec<String>,
    call: Call,
    style: Style,
}

struct DepsAnswer {
    json: String,
    human: String,
    clean: bool,
}

impl DepsAnswer {
    fn new(report: &impl Serialize, human: String, clean: bool) -> Result<Self> {
        let json = serde_json::to_string_pretty(report)
            .map_err(|e| Error::internal(format!("the result has no JSON form: {e}")))?;
        Ok(Self { json: json + "\n", human, clean })
    }
}

impl DepsJob {
    fn compute_answer(self) -> Result<DepsAnswer> {
        let links = || ProjectIndex::new(Arc::clone(&self.boundary)).snapshot(&self.coverage)?.links();
        match &self.action {
            DepsCommand::Graph { path, include_tests, most } => {
                let below =
                    path.as_deref().map_or(Ok(None), |path| coupling::resolve_report_folder(&self.boundary, path))?;
                let report = coupling::build_dependency_report(&links()?, *include_tests, below.as_deref());
                let clean = report.cycles.iter().all(|cycle| cycle.kind != ImportTiming::Runtime);
                DepsAnswer::new(&report, draw_graph(&report, *most, self.style), clean)
            }
            DepsCommand::Unused { paths, min_confidence } => {
                let report = dead_code::find_dead_code(&self.boundary, &links()?, paths, *min_confidence, &self.call)?;
                DepsAnswer::new(&report, draw_unused(&report, self.style), report.unused.is_empty())
            }
            DepsCommand::Scan { database } => {
                let named = database.as_deref();
                let inside = if named.is_some() { &[][..] } else { &self.advisories.files };
                let shared = named.or(self.advisories.shared.as_deref());
                let database = Database::open(&self.boundary, inside, shared)?;
                let report = scan_dependencies(&self.boundary, &database, &self.call)?;
                DepsAnswer::new(&report, draw_scan(&report, self.style), report.passed)
            }
        }
    }
}

fn draw_graph(report: &DependencyReport, most: usize, style: Style) -> String {
    let mut text = String::new();
    for cycle in &report.cycles {
        let kind = match cycle.kind {
            ImportTiming::Runtime => style.bad("cycle while loading"),
            ImportTiming::Deferred => style.fair("cycle through functions"),
            ImportTiming::TypeChecking => style.dim("cycle for type checkers"),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{kind}: {}", log_text(&cycle.modules.join(" → ")));
    }
    for one in report.coupling.iter().take(most) {
        let hub = if one.hub { " hub" } else { "" };
        let numbers = format!("Ca {} Ce {} instability {:.2}{hub}", one.afferent, one.efferent, one.instability);
        let _ = writeln!(text, "{} {}", log_text(&one.file), style.dim(numbers));
    }
    let (modules, imports) = (pluralize_count(report.modules, "module"), pluralize_count(report.imports, "import"));
    text + &format!("{} in {modules} with {imports}\n", style.bold(pluralize_count(report.cycles.len(), "cycle")))
}

fn draw_unused(report: &DeadCodeReport, style: Style) -> String {
    let mut text = String::new();
    for one in &report.unused {
        let _ = writeln!(
            text,
            "{}:{} {} {}",
            log_text(&one.file),
            one.line,
            style.bold(log_text(&one.name)),
            style.dim(format!("{} %", one.confidence))
        );
    }
    for path in &report.unread {
        let _ = writeln!(text, "{} {}", style.fair("not read:"), log_text(path));
    }
    if report.less_certain > 0 {
        let told = format!("{} less certain: --min-confidence 0 lists all", report.less_certain);
        let _ = writeln!(text, "{}", style.dim(told));
    }
    text + &format!(
        "{} in {}\n",
        style.bold(pluralize_count(report.total, "unused definition")),
        pluralize_count(report.files, "file")
    )
}

fn draw_scan(report: &DependencyScan, style: Style) -> String {
    let mut text = String::new();
    for one in &report.vulnerable {
        let level = match one.level {
            VulnerabilitySeverity::Critical | VulnerabilitySeverity::High => {
                style.bad(format!("{:?}", one.level).to_lowercase())
            }
            other => style.fair(format!("{other:?}").to_lowercase()),
        };
        let fix = if one.fixed_in.is_empty() {
            "not mended yet".to_owned()
        } else {
            format!("mended in {}", one.fixed_in.join(", "))
        };
        let _ = writeln!(
            text,
            "{level} {} {} {} {}",
            style.bold(log_text(&one.package)),
            log_text(&one.version),
            log_text(&one.id),
            log_text(&one.summary)
        );
        let _ = writeln!(text, "  {}", style.dim(log_text(&format!("{}; {fix}", one.files.join(", ")))));
    }
    for unread in &report.unread {
        let _ = writeln!(text, "{} {}", style.fair("not read:"), log_text(unread));
    }
    if !report.unlocked.is_empty() {
        let _ = writeln!(text, "{} {}", style.fair("without a locked version:"), log_text(&report.unlocked.join(", ")));
    }
    let known = pluralize_count(report.database.advisories, "advisory").replace("advisorys", "advisories");
    let verdict = if report.passed {
        style.good("nothing known")
    } else {
        style.bad(format!("{} known to be vulnerable", report.vulnerable.len()))
    };
    text + &format!("{verdict}: {} held against {known}\n", pluralize_count(report.packages, "package"))
}
