//! Toolset `knowledge`: the experts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::detail::ReplyDetail;
use crate::dispatch::Reply;
use crate::services::Services;
use crate::tool::{Tool, ToolContext, ToolGroup, Toolset};
use tapps_base::Result;
use tapps_experts::{
    Domain, DomainListing, ExpertAnswer, ExpertQuestion, LearnedRanks, MOST_TOKENS, Refused, Searched,
};
use tapps_session::{NewConsultation, Outcomes};

/// Least tokens of an answer.
const LEAST_TOKENS: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConsultArguments {
    /// One question, in a sentence, naming what is used
    question: String,
    /// A domain of tapps_list_experts. Default: auto (found from the question)
    domain: Option<String>,
    /// What the code does and with what; helps to choose
    context: Option<String>,
    /// Most tokens of the answer, 100 to 8000. Default: 1150
    max_tokens: Option<usize>,
    /// full: titles and digests of the sources too
    detail: Option<ReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    /// Only this domain, with its topics
    domain: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ExpertDomainList {
    domains: Vec<DomainListing>,
    total: usize,
    /// Files of the project that cannot be used, and why.
    #[serde(skip_serializing_if = "<[Refused]>::is_empty")]
    refused: Vec<Refused>,
    /// How questions find their files; left out where words alone are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Searched>,
}

/// The tools of the experts.
pub(super) fn tools(services: &Services) -> Vec<Tool> {
    let group = ToolGroup::new(Toolset::Knowledge, services.clone());
    let domains: Vec<String> =
        std::iter::once("auto").chain(Domain::ALL.map(Domain::as_str)).map(str::to_owned).collect();
    vec![
        group.tool("tapps_consult_expert", "Consult an expert", handle_consult_expert)
        .describe(
            "Decisions, numbers and pitfalls from reviewed files on 16 domains, cited by file, heading and lines; the \
             same question gets the same answer. Call it before a design decision or when unsure of current practice. \
             Returns the sections that answer, the confidence and the tools that check it; covered is false when no file \
             is about it; more says what brings the rest.",
        )
        .with_choices("domain", &domains)
        .returns::<ExpertAnswer>(),
        group.tool("tapps_list_experts", "List the experts", handle_list_experts)
        .describe("The domains of tapps_consult_expert with their files; with a domain, its topics.")
        .with_choices("domain", &domains[1..])
        .with_cursor()
        .returns::<ExpertDomainList>(),
    ]
}

fn learned_ranks(outcomes: BTreeMap<String, Outcomes>) -> LearnedRanks {
    LearnedRanks::from_outcomes(outcomes.into_iter().map(|(name, Outcomes { right, wrong })| (name, right, wrong)))
}

fn parse_domain(name: Option<&str>) -> Result<Option<Domain>> {
    name.filter(|name| *name != "auto").map(str::parse).transpose()
}

async fn handle_consult_expert(services: Services, given: ConsultArguments, context: ToolContext) -> Result<Reply> {
    let experts = services.experts.current_experts();
    let question = ExpertQuestion {
        text: given.question,
        domain: parse_domain(given.domain.as_deref())?,
        context: given.context.unwrap_or_default(),
        max_tokens: given.max_tokens.map(|tokens| tokens.clamp(LEAST_TOKENS, MOST_TOKENS)),
        short: !ReplyDetail::is_full(given.detail),
        learned: match services.config.adaptive {
            true => learned_ranks(services.calls.outcomes_by_expert_file()?),
            false => LearnedRanks::default(),
        },
    };
    let mut answer = experts.ask(&question)?;
    // A tool that is switched off would only cost a call that fails.
    answer.suggested_tools.retain(|tool| services.offers(tool));
    services.calls.record_consultation(&NewConsultation {
        id: &answer.consultation,
        session: context.session.as_deref(),
        question: &question.text,
        domain: answer.domain.map(Domain::as_str),
        confidence: answer.confidence.value,
        files: &answer.files(),
    })?;
    let brief = match (answer.covered, answer.sources.first()) {
        (true, Some(source)) => format!("{}: {}", source.title, source.heading),
        _ => answer.notes.join("; "),
    };
    let answer = if question.short { answer.with_short_sources() } else { answer };
    Ok(Reply::from_serializable(&answer)?.without_budget().with_brief(brief))
}

async fn handle_list_experts(services: Services, given: ListArguments, _: ToolContext) -> Result<Reply> {
    let experts = services.experts.current_experts();
    let domains = experts.list_domains(parse_domain(given.domain.as_deref())?);
    let total = domains.iter().map(|domain| domain.files).sum();
    let search = services.experts.search().status();
    Reply::from_serializable(&ExpertDomainList { domains, total, refused: experts.refused().to_vec(), search })
}
