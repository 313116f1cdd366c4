//! `tapps-mcp impact`: what a change of a file reaches.

use std::fmt::Write as _;

use clap::ValueEnum;

use super::CliContext;
use super::engine::engine;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::{Result, exit};
use tapps_project::impact::{ChangeType, Impact, ImpactRequest, Reach};

/// Most files that a list for people shows.
const SHOWN: usize = 20;

/// Show what a change of a file reaches: dependents, tests, entry points, public names
#[derive(Debug, clap::Args)]
pub struct ImpactArgs {
    #[arg(value_name = "PATH")]
    path: String,
    /// Only this of the file: a function, class or Class.method
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// What happens to it
    #[arg(long, value_name = "TYPE", default_value = "modified")]
    change: FileChangeKind,
    /// What to write on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FileChangeKind {
    Added,
    Modified,
    Removed,
}

impl ImpactArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Looks and reports.
///
/// # Errors
/// What [`tapps_project::ProjectIndex::analyze_impact`] says.
pub async fn run(args: ImpactArgs, context: &CliContext) -> Result<u8> {
    let file = context.boundary.resolve(&args.path)?.as_str().to_owned();
    let engine = engine(context)?;
    let change = match args.change {
        FileChangeKind::Added => ChangeType::Added,
        FileChangeKind::Modified => ChangeType::Modified,
        FileChangeKind::Removed => ChangeType::Removed,
    };
    let request = ImpactRequest { file, symbol: args.symbol, change };
    let impact = engine.project().analyze_impact(&request, &context.call())?;
    context.out.write_report(&impact, args.format, render_impact)?;
    Ok(exit::CLEAN)
}

fn render_impact(impact: &Impact, style: Style) -> String {
    let severity = match impact.severity {
        Reach::Low => style.good(impact.severity.as_str()),
        Reach::Medium => style.fair(impact.severity.as_str()),
        Reach::High | Reach::Critical => style.bad(impact.severity.as_str()),
    };
    let affected = pluralize_count(impact.total_affected, "affected file");
    let mut text = format!("{severity} · {affected} · {}\n", impact.reason);
    let direct = impact.direct_dependents.iter().map(|d| format!("{} ({})", d.file, d.names.join(", ")));
    let transitive = impact.transitive_dependents.iter().map(|d| format!("{} ({} imports away)", d.file, d.distance));
    let api = impact.public_api.iter().filter(|name| name.used_by > 0);
    append_list("direct dependents", direct.collect(), style, &mut text);
    append_list("transitive dependents", transitive.collect(), style, &mut text);
    let callers = impact.callers.iter().map(|caller| {
        let lines = caller.lines.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let doubt = if caller.proven { "" } else { ", perhaps" };
        format!("{}:{lines} {} ({} calls away{doubt})", caller.file, caller.name, caller.distance)
    });
    append_list("callers", callers.collect(), style, &mut text);
    let tests =
        impact.test_files.iter().enumerate().map(|(position, path)| {
            format!("{path}{}", if position < impact.tests_proven { " (calls it)" } else { "" })
        });
    append_list("tests", tests.collect(), style, &mut text);
    append_list("entry points", impact.entry_points.clone(), style, &mut text);
    append_list("public names in use", api.map(|n| format!("{} ({})", n.name, n.used_by)).collect(), style, &mut text);
    append_list("what to do", impact.recommendations.clone(), style, &mut text);
    append_list("limits", impact.limits.clone(), style, &mut text);
    text
}

fn append_list(title: &str, items: Vec<String>, style: Style, text: &mut String) {
    if items.is_empty() {
        return;
    }
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{}", style.bold(title));
    for item in items.iter().take(SHOWN) {
        let _ = writeln!(text, "  {item}");
    }
    if items.len() > SHOWN {
        let _ = writeln!(text, "  and {} more", items.len() - SHOWN);
    }
}
