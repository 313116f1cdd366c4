//! `tapps-mcp profile`: what kind of project this is.

use std::fmt::Write as _;
use std::sync::Arc;

use super::CliContext;
use super::global::CliOutputFormat;
use super::human::style::{Style, pluralize_count};
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_project::profile::{Judged, ProfileEvidence, ProjectProfile, build_project_profile};

/// Show what kind of project this is: languages, frameworks, libraries with versions, each with its evidence
#[derive(Debug, clap::Args)]
pub struct ProfileArgs {
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: CliOutputFormat,
}

impl ProfileArgs {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == CliOutputFormat::Json
    }
}

/// Runs the command.
///
/// # Errors
/// What [`build_project_profile`] says.
pub async fn run(args: ProfileArgs, context: &CliContext) -> Result<u8> {
    let (boundary, config) = (Arc::clone(&context.boundary), Arc::clone(&context.config));
    let looked = tokio::task::spawn_blocking(move || build_project_profile(&boundary, &config)).await;
    let found = looked.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    context.out.write_report(&found, args.format, render_profile)?;
    Ok(exit::CLEAN)
}

fn render_profile(profile: &ProjectProfile, style: Style) -> String {
    let mut text = String::new();
    for language in &profile.languages {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:>5.1} % {} {}",
            language.percent,
            style.bold(&language.name),
            style.dim(format!(
                "{}, {}",
                pluralize_count(language.lines, "line"),
                pluralize_count(language.files, "file")
            ))
        );
    }
    append_detected_list(&mut text, "frameworks", &profile.frameworks, style);
    append_detected_list(&mut text, "tests", &profile.test_frameworks, style);
    append_detected_list(&mut text, "package managers", &profile.package_managers, style);
    append_detected_list(&mut text, "workspace members", &profile.workspaces, style);
    append_detected_list(&mut text, "integration", &profile.ci, style);
    append_detected_list(&mut text, "containers", &profile.docker, style);
    append_detected_list(&mut text, "entry points", &profile.entry_points, style);
    append_detected_list(&mut text, "quality tools", &profile.quality_config.tools, style);
    append_designs(&mut text, profile, style);
    append_judged_line(&mut text, "deployment", &profile.deployment_type, style);
    append_judged_line(&mut text, "security level", &profile.security_level, style);
    let locked = profile.libraries.iter().filter(|library| library.version.is_some()).count();
    let _ = writeln!(text, "{}", style.bold(format!("libraries: {} ({locked} locked)", profile.libraries.len())));
    for library in &profile.libraries {
        let version = library.version.as_deref().unwrap_or(&library.requirement);
        let _ = writeln!(
            text,
            "  {} {} {}",
            log_text(&library.name),
            log_text(version),
            style.dim(log_text(&library.manifest))
        );
    }
    for unread in &profile.unread {
        let _ = writeln!(text, "{} {}", style.fair("not read:"), log_text(unread));
    }
    text
}

fn append_detected_list(text: &mut String, name: &str, shown: &[ProfileEvidence], style: Style) {
    if shown.is_empty() {
        return;
    }
    let _ = writeln!(text, "{}", style.bold(name));
    for one in shown {
        let version = one.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let _ =
            writeln!(text, "  {}{} {}", log_text(&one.name), log_text(&version), style.dim(log_text(&one.evidence)));
    }
}

/// Most files of a design that are shown.
const SHOWN_FILES: usize = 3;

fn append_designs(text: &mut String, profile: &ProjectProfile, style: Style) {
    for design in &profile.designs {
        let name = style.bold(format!("design: {}", design.name));
        let experts = format!("{}; experts: {}", pluralize_count(design.files, "file"), design.expert_domain);
        let _ = writeln!(text, "{name} {}", style.dim(experts));
        for file in design.shown.iter().take(SHOWN_FILES) {
            for sign in &file.signs {
                let place = style.dim(format!("{}:{}", log_text(&file.path), sign.line));
                let _ = writeln!(text, "  {place} {} {}", sign.kind, log_text(&sign.text));
            }
        }
    }
    if profile.designs_not_looked_at > 0 {
        let left = pluralize_count(profile.designs_not_looked_at, "file");
        let _ = writeln!(text, "{} {left} that may follow a design", style.fair("not looked at:"));
    }
}

fn append_judged_line(text: &mut String, name: &str, judged: &Judged, style: Style) {
    let evidence = judged.evidence.join(", ");
    let _ = writeln!(text, "{} {} {}", style.bold(format!("{name}:")), judged.value, style.dim(log_text(&evidence)));
}
