//! `tapps-mcp experts`: questions to the knowledge that is built in and the project's own.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;

use super::CliContext;
use super::engine::settings;
use super::global::CliOutputFormat;
use super::human::style::Style;
use tapps_base::{Result, clock, exit};
use tapps_config::SearchMode;
use tapps_experts::{
    DEFAULT_TOKENS, Domain, DomainListing, ExpertAnswer, ExpertCorpus, ExpertQuestion, LearnedRanks, SearchBackend,
    Searched,
};
use tapps_session::CallLog;
use tapps_store::EntryStore;

#[derive(Debug, Subcommand)]
pub enum ExpertsCommand {
    /// Answer a question from the files; exit code 1 when none covers it
    Ask {
        /// The question, in a sentence
        question: String,
        /// A domain, or auto to have it found from the question
        #[arg(long, value_name = "NAME", default_value = "auto")]
        domain: String,
        /// What helps to choose: what the code does, which libraries it uses
        #[arg(long, value_name = "TEXT", default_value = "")]
        context: String,
        /// Most tokens of the answer; a token is four bytes
        #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_TOKENS)]
        max_tokens: usize,
        #[command(flatten)]
        search: SearchOptions,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// List the domains, or the topics of one
    List {
        /// The domain
        domain: Option<Domain>,
        #[command(flatten)]
        search: SearchOptions,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
}

/// How questions find their files.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SearchOptions {
    /// What to compare: lexical (words), vector, hybrid (both) or auto (both with a model) [default: experts.search]
    #[arg(long, value_name = "MODE")]
    search: Option<SearchMode>,
    /// The folder of the model that vector and hybrid use [default: experts.model]
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
}

impl SearchOptions {
    /// The search that these options and the configuration ask for; vectors are kept where everything else is.
    ///
    /// # Errors
    /// Those of the settings that say where.
    pub(super) fn build_search(self, context: &CliContext) -> Result<SearchBackend> {
        let config = &context.config;
        let mode = self.search.unwrap_or(config.experts.search);
        if mode == SearchMode::Lexical {
            return Ok(SearchBackend::words_only());
        }
        let store = match config.cache.enabled {
            true => Some(EntryStore::new(&settings(context)?.cache_dir.join("experts"), config.cache.max_mb << 20)),
            false => None,
        };
        let search = SearchBackend::new(mode, self.model.or_else(|| config.experts.model.clone()), store);
        Ok(search.or_beside(std::env::current_exe().ok()))
    }
}

impl ExpertsCommand {
    pub(super) fn speaks_json(&self) -> bool {
        matches!(
            self,
            Self::Ask { format: CliOutputFormat::Json, .. } | Self::List { format: CliOutputFormat::Json, .. }
        )
    }
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// `invalid_argument` for an unknown domain or an empty question.
pub fn run(command: ExpertsCommand, context: &CliContext) -> Result<u8> {
    match command {
        ExpertsCommand::Ask { question, domain, context: beside, max_tokens, search, format } => {
            let domain = if domain == "auto" { None } else { Some(domain.parse()?) };
            let learned = learned_ranks(context)?;
            let max_tokens = Some(max_tokens);
            let question =
                ExpertQuestion { text: question, domain, context: beside, max_tokens, short: false, learned };
            let search = Arc::new(search.build_search(context)?);
            let answer = ExpertCorpus::open(&context.boundary).with_search(search).ask(&question)?;
            context.out.write_report(&answer, format, render_expert_answer)?;
            Ok(if answer.covered { exit::CLEAN } else { exit::FINDINGS })
        }
        ExpertsCommand::List { domain, search, format } => {
            let searched = search.build_search(context)?.status();
            let experts = ExpertCorpus::open(&context.boundary);
            let listed = experts.list_domains(domain);
            match format {
                CliOutputFormat::Json => context.out.write_json(&listed)?,
                CliOutputFormat::Human => {
                    let how = searched.as_ref().map(render_search_mode).unwrap_or_default();
                    context.out.write(&format!("{}{how}", draw_list(&listed, context.out.style())))?;
                }
            }
            Ok(exit::CLEAN)
        }
    }
}

/// What was said of earlier answers, where the configuration says that it counts.
fn learned_ranks(context: &CliContext) -> Result<LearnedRanks> {
    if !context.config.adaptive {
        return Ok(LearnedRanks::default());
    }
    let log = CallLog::new(Arc::clone(&context.boundary), clock::system());
    let outcomes = log.outcomes_by_expert_file()?;
    Ok(LearnedRanks::from_outcomes(outcomes.into_iter().map(|(name, told)| (name, told.right, told.wrong))))
}

fn render_expert_answer(answer: &ExpertAnswer, style: Style) -> String {
    let mut text = answer.answer.clone();
    // Writing to a String cannot fail.
    for source in &answer.sources {
        let (first, last) = source.lines;
        let place = format!("{}:{first}-{last} ({}), reviewed {}", source.file, source.heading, source.reviewed);
        let _ = writeln!(text, "{}", style.dim(place));
    }
    let confidence = &answer.confidence;
    let meaning = confidence.meaning.map(|meaning| format!(", meaning {meaning:.2}")).unwrap_or_default();
    let _ = writeln!(
        text,
        "confidence {:.2} (strength {:.2}, coverage {:.2}, nearness {:.2}{meaning})",
        confidence.value, confidence.strength, confidence.coverage, confidence.nearness
    );
    for note in &answer.notes {
        let _ = writeln!(text, "note: {note}");
    }
    // What was not possible is among the notes.
    if let Some(searched) = answer.search.as_ref().filter(|searched| searched.fallback.is_none()) {
        text += &render_search_mode(searched);
    }
    for (what, names) in [("related", &answer.related), ("check with", &answer.suggested_tools)] {
        if !names.is_empty() {
            let _ = writeln!(text, "{what}: {}", names.join(", "));
        }
    }
    text
}

/// How files are found, in a line.
fn render_search_mode(searched: &Searched) -> String {
    match (&searched.fallback, &searched.model) {
        (Some(fallback), _) => format!("note: words alone are compared: {fallback}\n"),
        (None, Some(model)) => format!("search: {} with the model {}\n", searched.mode, model.sha256),
        (None, None) => format!("search: {}\n", searched.mode),
    }
}

fn draw_list(listed: &[DomainListing], style: Style) -> String {
    let mut text = String::new();
    for domain in listed {
        let own = if domain.own > 0 { format!(", {} of the project", domain.own) } else { String::new() };
        let name = style.bold(format!("{:20}", domain.domain.as_str()));
        let _ = writeln!(text, "{name} {:3} files{own}  {}", domain.files, domain.about);
        for (name, title) in &domain.topics {
            let _ = writeln!(text, "  {name}  {title}");
        }
    }
    text
}
