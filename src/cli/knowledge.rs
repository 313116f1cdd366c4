//! `tapps-mcp knowledge`: the files behind the experts.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Subcommand;
use serde_json::json;

use super::CliContext;
use super::experts::SearchOptions;
use super::global::CliOutputFormat;
use tapps_base::clock::{Clock as _, SystemClock, date_of};
use tapps_base::log_text;
use tapps_base::page::Problem;
use tapps_base::{Error, Result, exit};
use tapps_experts::{DEFAULT_DAYS, Domain, Draft, DraftRequest, ExpertCorpus};

const SECONDS_OF_A_DAY: u64 = 86_400;

#[derive(Debug, Subcommand)]
pub enum KnowledgeCommand {
    /// Show the files that match words, best first
    Search {
        /// Words, or a question
        words: String,
        /// Only files of this domain
        #[arg(long, value_name = "NAME")]
        domain: Option<Domain>,
        #[command(flatten)]
        how: SearchOptions,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Check the shape of the files: headings, dates, links, examples; exit code 1 when something is wrong
    Validate {
        /// Check the built-in files as well as the project's own
        #[arg(long)]
        builtin: bool,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Show the files that nobody has reviewed for long; exit code 1 when there are any
    Freshness {
        /// Days after which a file is stale
        #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_DAYS)]
        days: i64,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Make a file for the experts out of the project's own markdown documents; shows it, and keeps it with --save
    Generate {
        /// Where it belongs: a domain and a topic, for example devops/feature-flags
        #[arg(value_name = "DOMAIN/TOPIC")]
        name: String,
        /// The documents; nothing is said that does not stand there
        #[arg(value_name = "FILE", required = true)]
        documents: Vec<String>,
        /// A question that it answers; at least three
        #[arg(long = "question", value_name = "TEXT")]
        questions: Vec<String>,
        /// Default: the first heading of the documents
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
        /// Keep it among the project's knowledge
        #[arg(long)]
        save: bool,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Take a file of the project into its knowledge, where it is found and wins over a built-in one of the same name
    Ingest {
        /// A markdown file with front matter
        file: String,
    },
}

impl KnowledgeCommand {
    pub(super) fn speaks_json(&self) -> bool {
        let (Self::Search { format, .. }
        | Self::Validate { format, .. }
        | Self::Freshness { format, .. }
        | Self::Generate { format, .. }) = self
        else {
            return false;
        };
        *format == CliOutputFormat::Json
    }
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// Those of reading the files; `invalid_argument` for what is no knowledge.
pub fn run(command: KnowledgeCommand, context: &CliContext) -> Result<u8> {
    let experts = ExpertCorpus::open(&context.boundary);
    match command {
        KnowledgeCommand::Search { words, domain, how, format } => {
            let how = Arc::new(how.build_search(context)?);
            let fallback = how.status().and_then(|searched| searched.fallback);
            if let Some(fallback) = fallback {
                tracing::warn!("words alone are compared: {fallback}");
            }
            search(&experts.with_search(how), &words, domain, format, context)
        }
        KnowledgeCommand::Validate { builtin, format } => check_knowledge(&experts, builtin, format, context),
        KnowledgeCommand::Freshness { days, format } => freshness(&experts, days, format, context),
        KnowledgeCommand::Generate { name, documents, questions, title, save, format } => {
            let Some((domain, topic)) = name.split_once('/') else {
                return Err(Error::invalid(format!("`{}` is no DOMAIN/TOPIC", log_text(&name)))
                    .hint("for example devops/feature-flags; `tapps-mcp experts list` names the domains"));
            };
            let resolve = |path: &String| context.boundary.resolve(path);
            let request = DraftRequest {
                domain: domain.parse()?,
                topic: topic.to_owned(),
                title,
                questions,
                documents: documents.iter().map(resolve).collect::<Result<_>>()?,
                reviewed: date_of(SystemClock.now()),
            };
            let draft = experts.draft_file(&context.boundary, &request, save)?;
            context.out.write_report(&draft, format, |draft, _| render_draft(draft))?;
            Ok(exit::CLEAN)
        }
        KnowledgeCommand::Ingest { file } => ingest(&experts, &file, context),
    }
}

fn render_draft(draft: &Draft) -> String {
    let mut text = draft.text.clone();
    if !draft.left_out.is_empty() {
        let _ = writeln!(text, "left out: {}", draft.left_out.join(", "));
    }
    text.push_str(&render_problems(&draft.problems));
    let kept = if draft.saved { "is part of the project's knowledge" } else { "would be kept with --save" };
    let _ = writeln!(text, "{} {kept}", draft.file);
    text
}

fn search(
    experts: &ExpertCorpus,
    words: &str,
    domain: Option<Domain>,
    format: CliOutputFormat,
    context: &CliContext,
) -> Result<u8> {
    let hits = experts.search_files(words, domain)?;
    match format {
        CliOutputFormat::Json => {
            let found = |(file, hit): &(&tapps_experts::Knowledge, tapps_experts::FileHit)| {
                let mut found = json!({"name": file.name, "title": file.title(), "file": file.path,
                       "sha256": file.sha256, "score": hit.score, "coverage": hit.coverage, "nearness": hit.nearness});
                if let (Some(likeness), Some(found)) = (hit.likeness, found.as_object_mut()) {
                    found.insert("likeness".to_owned(), likeness.into());
                }
                found
            };
            context.out.write_json(&hits.iter().map(found).collect::<Vec<_>>())?;
        }
        CliOutputFormat::Human => {
            let mut text = String::new();
            for (file, hit) in &hits {
                let _ = writeln!(text, "{:6.1}  {}  {}", hit.score, file.name, log_text(file.title()));
            }
            context.out.write(&text)?;
        }
    }
    Ok(if hits.is_empty() { exit::NO_INPUT } else { exit::CLEAN })
}

fn check_knowledge(experts: &ExpertCorpus, builtin: bool, format: CliOutputFormat, context: &CliContext) -> Result<u8> {
    let checked = experts.check_files(builtin);
    match format {
        CliOutputFormat::Json => context.out.write_json(&checked)?,
        CliOutputFormat::Human => {
            let mut text = render_problems(&checked.problems);
            let _ = writeln!(text, "{} files, {} problems", checked.files, checked.problems.len());
            context.out.write(&text)?;
        }
    }
    Ok(if checked.problems.is_empty() { exit::CLEAN } else { exit::FINDINGS })
}

fn freshness(experts: &ExpertCorpus, days: i64, format: CliOutputFormat, context: &CliContext) -> Result<u8> {
    let today = i64::try_from(SystemClock.now().as_secs() / SECONDS_OF_A_DAY).unwrap_or(0);
    let found = experts.check_freshness(today, days);
    match format {
        CliOutputFormat::Json => context.out.write_json(&found)?,
        CliOutputFormat::Human => {
            let mut text = String::new();
            for file in &found.stale {
                let _ = writeln!(text, "{}  {}", file.reviewed, file.name);
            }
            let _ = writeln!(text, "{} files, {} not reviewed for {days} days", found.files, found.stale.len());
            context.out.write(&text)?;
        }
    }
    Ok(if found.stale.is_empty() { exit::CLEAN } else { exit::FINDINGS })
}

fn ingest(experts: &ExpertCorpus, file: &str, context: &CliContext) -> Result<u8> {
    let path = context.boundary.resolve(file)?;
    let (name, problems) = experts.ingest_file(&context.boundary, &path)?;
    context.out.write(&format!("{}{name} is part of the project's knowledge\n", render_problems(&problems)))?;
    if ExpertCorpus::open(&context.boundary).own_file(&name).is_none() {
        return Err(Error::internal(format!("{name} was written and is not found again")));
    }
    Ok(if problems.is_empty() { exit::CLEAN } else { exit::FINDINGS })
}

fn render_problems(problems: &[Problem]) -> String {
    problems.iter().map(|problem| log_text(&problem.to_string()).into_owned() + "\n").collect()
}
