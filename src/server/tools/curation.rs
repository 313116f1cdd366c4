//! Toolset `curation`: the project's own knowledge, kept in order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Effects, Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_base::clock::{Clock as _, SystemClock, date_of};
use tapps_base::page::Problem;
use tapps_experts::{DEFAULT_DAYS, Domain, Draft, DraftRequest, Freshness, KnowledgeCheck};
use tapps_session::StatsScope;
use tapps_session::consultations::UncoveredQuestion;

const SECONDS_OF_A_DAY: u64 = 86_400;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckArguments {
    /// The built-in files as well. Default: the project's own
    builtin: Option<bool>,
    /// Days after which a file wants another review, 0 to 36500. Default: 365
    days: Option<i64>,
}

/// The state of the project's knowledge.
#[derive(Debug, Serialize, JsonSchema)]
struct KnowledgeState {
    /// True when no file has a problem.
    valid: bool,
    #[serde(flatten)]
    checked: KnowledgeCheck,
    /// Files that nobody has reviewed for long.
    freshness: Freshness,
    /// Questions that no file covered, most asked first.
    uncovered: Vec<UncoveredQuestion>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct IngestArguments {
    /// A markdown file with front matter (title, domain, tags, questions, reviewed, sources)
    file_path: String,
}

/// A file that was taken.
#[derive(Debug, Serialize, JsonSchema)]
struct Ingested {
    /// `<domain>/<topic>`: where questions find it from now on.
    name: String,
    /// What its form lacks; it is usable all the same.
    problems: Vec<Problem>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GenerateArguments {
    domain: Domain,
    /// Small letters, digits and dashes, for example feature-flags
    topic: String,
    /// Markdown files of the project, 1 to 20; nothing is said that does not stand there
    documents: Vec<String>,
    /// At least three, half of them in everyday words: files are found by them
    questions: Vec<String>,
    /// Default: the first heading of the documents
    title: Option<String>,
    /// Keep it among the project's knowledge. Default: false (show it)
    save: Option<bool>,
}

/// The tools of this file.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Curation, services.clone());
    vec![
        group.tool("tapps_check_knowledge", "Check the knowledge", handle_check)
        .describe(
            "The state of the project's own knowledge: problems of form, files that nobody has reviewed for long, and the \
             questions that no file covered.",
        )
        .returns::<KnowledgeState>()
        .with_cursor(),
        group.tool("tapps_ingest_knowledge", "Take a file into the knowledge", handle_ingest)
        .describe(
            "Take a markdown file of the project into its knowledge, where questions find it at once and it wins over a \
             built-in one of the same name. Returns its name and what its form lacks.",
        )
        .with_effects(Effects::Writes)
        .returns::<Ingested>(),
        group.tool("tapps_generate_expert", "Make an expert's file of documents", handle_generate)
        .describe(
            "Make a knowledge file out of markdown documents of the project: their rules, tables, examples and warnings in \
             the form that answers are made of, each with its lines. Nothing is added; what the documents do not say is \
             named. Shows the file, and keeps it with save.",
        )
        .with_effects(Effects::WritesWhen("save"))
        .returns::<Draft>(),
    ]
}

async fn handle_check(services: Services, given: CheckArguments, _: ToolContext) -> Result<Reply> {
    let experts = services.experts.current_experts();
    let checked = experts.check_files(given.builtin.unwrap_or_default());
    let today = i64::try_from(SystemClock.now().as_secs() / SECONDS_OF_A_DAY).unwrap_or_default();
    let days = given.days.unwrap_or(DEFAULT_DAYS).clamp(0, 36_500);
    let freshness = experts.check_freshness(today, days);
    let uncovered = services.calls.stats(StatsScope::default())?.consultations.uncovered;
    let valid = checked.problems.is_empty();
    let brief = format!(
        "{} files, {} problems, {} stale, {} questions without an answer",
        checked.files,
        checked.problems.len(),
        freshness.stale.len(),
        uncovered.len()
    );
    Ok(Reply::from_serializable(&KnowledgeState { valid, checked, freshness, uncovered })?.with_brief(brief))
}

async fn handle_ingest(services: Services, given: IngestArguments, _: ToolContext) -> Result<Reply> {
    let path = services.boundary.resolve(&given.file_path)?;
    let (name, problems) = services.experts.current_experts().ingest_file(&services.boundary, &path)?;
    let brief = format!("{name} is part of the project's knowledge, with {} problems", problems.len());
    Ok(Reply::from_serializable(&Ingested { name, problems })?.with_brief(brief))
}

async fn handle_generate(services: Services, given: GenerateArguments, _: ToolContext) -> Result<Reply> {
    let documents = given.documents.iter().map(|path| services.boundary.resolve(path));
    let request = DraftRequest {
        domain: given.domain,
        topic: given.topic,
        title: given.title,
        questions: given.questions,
        documents: documents.collect::<Result<_>>()?,
        reviewed: date_of(SystemClock.now()),
    };
    let experts = services.experts.current_experts();
    let draft = experts.draft_file(&services.boundary, &request, given.save.unwrap_or_default())?;
    let brief = format!("{} of {} passages, {} problems", draft.file, draft.sections.len(), draft.problems.len());
    Ok(Reply::from_serializable(&draft)?.with_brief(brief))
}
