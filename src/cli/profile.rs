//! `tapps-mcp profile`: what kind of project this is.

use std::fmt::Write as _;
use std::sync::Arc;

use super::Context;
use super::global::Format;
use super::human::style::{Style, count};
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_project::profile::{Judged, ProfileEvidence, ProjectProfile, build_project_profile};

/// Show what kind of project this is: languages, frameworks, libraries with versions, each with its evidence
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    format: Format,
}

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Runs the command.
///
/// # Errors
/// What [`build_project_profile`] says.
pub async fn run(args: Args, context: &Context) -> Result<u8> {
    let (boundary, config) = (Arc::clone(&context.boundary), Arc::clone(&context.config));
    let looked = tokio::task::spawn_blocking(move || build_project_profile(&boundary, &config)).await;
    let found = looked.map_err(|_| Error::internal("the command failed unexpectedly"))??;
    match args.format {
        Format::Json => context.out.json(&found)?,
        Format::Human => context.out.write(&draw(&found, context.out.style()))?,
    }
    Ok(exit::CLEAN)
}

fn draw(profile: &ProjectProfile, style: Style) -> String {
    let mut text = String::new();
    for language in &profile.languages {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:>5.1} % {} {}",
            language.percent,
            style.bold(&language.name),
            style.dim(format!("{}, {}", count(language.lines, "line"), count(language.files, "file")))
        );
    }
    list(&mut text, "frameworks", &profile.frameworks, style);
    list(&mut text, "tests", &profile.test_frameworks, style);
    list(&mut text, "package managers", &profile.package_managers, style);
    list(&mut text, "workspace members", &profile.workspaces, style);
    list(&mut text, "integration", &profile.ci, style);
    list(&mut text, "containers", &profile.docker, style);
    list(&mut text, "entry points", &profile.entry_points, style);
    list(&mut text, "quality tools", &profile.quality_config.tools, style);
    judged(&mut text, "deployment", &profile.deployment_type, style);
    judged(&mut text, "security level", &profile.security_level, style);
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

fn list(text: &mut String, name: &str, shown: &[ProfileEvidence], style: Style) {
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

fn judged(text: &mut String, name: &str, judged: &Judged, style: Style) {
    let evidence = judged.evidence.join(", ");
    let _ = writeln!(text, "{} {} {}", style.bold(format!("{name}:")), judged.value, style.dim(log_text(&evidence)));
}
