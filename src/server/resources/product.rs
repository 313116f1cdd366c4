//! The product's resources: presets, weights, rules, toolchain.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Catalogue, Freshness, Resource, ResourceContent, ResourceUriTemplate, Skill, SkillFile, Skills, rules};
use crate::services::Services;
use tapps_base::{Error, Result};
use tapps_config::gates;
use tapps_quality::rule_set;
use tapps_report::app;
use tapps_toolchain::Lock;

/// The lock and where verification stands.
pub(crate) const TOOLCHAIN: &str = "tapps://toolchain";

const MARKDOWN: &str = "text/markdown";

pub(super) const JSON: &str = "application/json";

/// Everything the product offers to read.
pub(crate) fn catalogue(services: &Services) -> Catalogue {
    let (presets, weights, tools) = (services.clone(), services.clone(), services.clone());
    let [listed, read, completed] = [0; 3].map(|_| Arc::clone(&services.boundary));
    let resources = vec![
        Resource::new("tapps://config/quality-presets", "quality-presets", JSON, Freshness::Project, move || {
            preset_limits(&presets)
        })
        .with_title_and_description(
            "Quality presets",
            "The limits of every gate preset of this project, and which one is the default.",
        ),
        Resource::new("tapps://config/scoring-weights", "scoring-weights", JSON, Freshness::Project, move || {
            pretty_json_content(
                &json!({"weights": weights.config.weights, "config_digest": weights.config.score_digest()?}),
            )
        })
        .with_title_and_description(
            "Scoring weights",
            "The share of each category in the overall score, and the digest it is part of.",
        ),
        Resource::new(app::URI, "verdict", app::MIME, Freshness::Program, || {
            Ok(ResourceContent::Text(app::PAGE.to_owned()))
        })
        .with_title_and_description(
            "Verdict",
            "The page that draws scores and verdicts, for clients that show MCP Apps.",
        )
        .without_parts(),
        Resource::new("tapps://rules", "rules", JSON, Freshness::Project, move || {
            rules::compact_rule_list(&listed)
        })
        .with_title_and_description(
            "Rules",
            "Every rule with its category, severity and cost, the project's own behind, in parts: ?part=2 is the second, ?part=all the whole 100 KB. tapps://rules/{rule} has the details of one.",
        ),
        Resource::new(TOOLCHAIN, "toolchain", JSON, Freshness::Project, move || toolchain(&tools))
            .with_title_and_description(
                "Toolchain",
                "The locked tools with their hashes, and whether the bytes on this machine are theirs, in parts; ?part=all for programs.",
            ),
    ];
    let templates = vec![
        ResourceUriTemplate::new("tapps://rules/{rule}", "rule", JSON, Freshness::Project, move |values| {
            rules::read_rule(&read, values.first()?)
        })
        .with_title_and_description("Rule", "One rule, for example tapps://rules/ruff:F401: what it reports and costs, why it matters, what to do, with examples.")
        .with_completion(move |_, typed| rules::beginning_with(&completed, typed)),
        knowledge(services),
    ];
    Catalogue::new(resources, templates)
}

fn knowledge(services: &Services) -> ResourceUriTemplate {
    let (read, complete) = (services.clone(), services.clone());
    ResourceUriTemplate::new(
        "tapps://knowledge/{domain}/{topic}",
        "knowledge",
        MARKDOWN,
        Freshness::Project,
        move |values| {
            let name = values.join("/");
            read.experts.current_experts().file(&name).map(|file| Ok(ResourceContent::Text(file.text.clone())))
        },
    )
    .with_title_and_description(
        "Knowledge",
        "A file of the experts, for example tapps://knowledge/database/postgresql-indexes.",
    )
    .with_completion(move |variable, typed| {
        let experts = complete.experts.current_experts();
        let part = |name: &str| {
            name.split_once('/')
                .map(|(domain, topic)| if variable == "domain" { domain.to_owned() } else { topic.to_owned() })
        };
        let mut parts: Vec<String> =
            experts.files().iter().filter_map(|file| part(&file.name)).filter(|part| part.starts_with(typed)).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    })
}

/// The domains of the experts as skills.
pub(crate) fn skills(services: &Services) -> Skills {
    let experts = services.experts.clone();
    Skills::new(move || {
        let skill = |skill: tapps_experts::Skill| {
            let file = |(file, text): (String, String)| SkillFile { uri: Skills::uri(&skill.name, &file), text };
            Skill {
                files: skill.files.into_iter().map(file).collect(),
                name: skill.name.clone(),
                description: skill.description,
            }
        };
        Ok(experts.current_experts().skills().into_iter().map(skill).collect())
    })
}

fn preset_limits(services: &Services) -> Result<ResourceContent> {
    let specs = &services.config.gates;
    let presets = gates::preset_names(specs)
        .into_iter()
        .map(|name| gates::resolve_preset(specs, name).map(|gate| (name.to_owned(), to_json(&gate))))
        .collect::<Result<serde_json::Map<String, Value>>>()?;
    pretty_json_content(&json!({"default": services.config.preset, "presets": presets}))
}

fn toolchain(services: &Services) -> Result<ResourceContent> {
    let lock = Lock::embedded()?;
    pretty_json_content(&json!({
        "rule_set": rule_set::VERSION,
        "state": services.engine.toolchain().current_state(),
        "lock": lock,
    }))
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

pub(super) fn pretty_json_content(value: &impl Serialize) -> Result<ResourceContent> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::internal(format!("a resource has no JSON form: {error}")))?;
    Ok(ResourceContent::Text(text))
}
