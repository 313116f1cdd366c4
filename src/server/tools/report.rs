//! `tapps_report`: a verdict in a format for people and platforms, kept so that it can be read again.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dispatch::{Reply, ReplyResourceLink};
use crate::resources::{Freshness, ResourceContent, ResourceUriTemplate, count_parts};
use crate::services::Services;
use crate::tool::{TaskSupport, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_quality::requests::GateRequest;
use tapps_report::document::ReportSummary;
use tapps_report::{QualityReport, ReportFormat, history, kept};

/// A text of at most so many bytes stands in the reply itself.
const INLINE: usize = 3_000;

/// What the tool does, with the words of the formats.
static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
    let default = ReportFormat::default();
    let word =
        |format: &ReportFormat| if *format == default { format!("{format} (default)") } else { format.to_string() };
    let words: Vec<String> = ReportFormat::ALL.iter().map(word).collect();
    let listed = match words.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.join(", "),
    };
    format!(
        "Judge a file, a folder or the project and write the verdict as {listed}. Returns totals, and the address of the \
         whole report."
    )
});

#[derive(Debug, Deserialize, JsonSchema)]
struct ReportArguments {
    /// File or folder (default: the project)
    file_path: Option<String>,
    format: Option<ReportFormat>,
}

/// The answer.
#[derive(Debug, Serialize, JsonSchema)]
struct WrittenReport {
    /// Read the report here.
    uri: String,
    format: ReportFormat,
    bytes: usize,
    /// The address gives one part at a time, `?part=2` the second and `?part=all` the whole.
    parts: usize,
    passed: Option<bool>,
    summary: ReportSummary,
    /// The report itself, where it is short.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Project, services.clone());
    vec![
        group
            .tool("tapps_report", "Write a report", handle_report)
            .describe(DESCRIPTION.as_str())
            .with_task_support(TaskSupport::Offered)
            .returns::<WrittenReport>(),
    ]
}

async fn handle_report(services: Services, given: ReportArguments, context: ToolContext) -> Result<Reply> {
    let trend = history::read_trend(&services.boundary, None)?;
    let paths = vec![given.file_path.unwrap_or_else(|| ".".to_owned())];
    let verdict = services.engine.gate(&GateRequest { paths, ..GateRequest::default() }, &context.call).await?;
    let format = given.format.unwrap_or_default();
    let report = QualityReport::of_gate(&verdict).with_trend(trend);
    let text = format.render(&report)?;
    let id = kept::keep_report(&services.boundary, format, &text)?;
    let written = WrittenReport {
        uri: format!("tapps://report/{id}"),
        format,
        bytes: text.len(),
        parts: count_parts(&text),
        passed: report.passed,
        summary: report.summary,
        content: (text.len() <= INLINE).then_some(text),
    };
    let brief = format!("{} files, {} fail: {}", written.summary.files, written.summary.failed, written.uri);
    let link = ReplyResourceLink { uri: written.uri.clone(), name: "report", mime: format.mime() };
    Ok(Reply::from_serializable(&written)?.with_brief(brief).with_link(link))
}

/// The reports that are kept.
pub(crate) fn templates(services: &Services) -> Vec<ResourceUriTemplate> {
    let (reading, completing) = (services.boundary.clone(), services.boundary.clone());
    vec![
        ResourceUriTemplate::new("tapps://report/{id}", "report", "text/plain", Freshness::Project, move |values| {
            let found = kept::read_kept_report(&reading, values.first()?).transpose()?;
            Some(found.map(|(mime, text)| ResourceContent::Typed(mime, text)))
        })
        .with_title_and_description("Report", "A report that tapps_report has written.")
        .with_completion(move |_, typed| {
            let known = kept::list(&completing).unwrap_or_default();
            known.into_iter().filter(|id| id.starts_with(typed)).collect()
        }),
    ]
}
