//! The domains.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::{Error, Result, nearest};

tapps_base::wire_enum! {
    /// A field of knowledge with files of its own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum Domain {
        Accessibility = "accessibility",
        AgentLearning = "agent-learning",
        AiFrameworks = "ai-frameworks",
        ApiDesign = "api-design",
        Architecture = "architecture",
        CloudInfrastructure = "cloud-infrastructure",
        CodeQuality = "code-quality",
        DataPrivacy = "data-privacy",
        Database = "database",
        Devops = "devops",
        Documentation = "documentation",
        Observability = "observability",
        Performance = "performance",
        Security = "security",
        Testing = "testing",
        Ux = "ux",
    }
}

impl Domain {
    /// What it is about, in one line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Accessibility => "interfaces for everybody: WCAG, keyboards, screen readers, contrast",
            Self::AgentLearning => "coding agents at work: context, memory, evaluation, feedback",
            Self::AiFrameworks => "programs on language models: calls, tools, retrieval, evaluation, cost",
            Self::ApiDesign => "interfaces between programs: HTTP, GraphQL, versions, errors, limits",
            Self::Architecture => "how parts are cut and joined: boundaries, events, consistency, change",
            Self::CloudInfrastructure => "clouds and clusters: Kubernetes, Terraform, networks, identities, cost",
            Self::CodeQuality => "code that can be changed: types, lints, complexity, duplication, review",
            Self::DataPrivacy => "personal data: lawfulness, minimisation, retention, deletion, transfers",
            Self::Database => "data at rest and in transactions: indexes, migrations, pools, backups",
            Self::Devops => "from commit to production: pipelines, images, releases, roll-backs",
            Self::Documentation => "texts that help: references, guides, decisions, change logs",
            Self::Observability => "knowing what runs: logs, metrics, traces, alerts, objectives",
            Self::Performance => "time and memory: profiling, caches, concurrency, load",
            Self::Security => "attacks and defences: injection, identity, secrets, supply chain",
            Self::Testing => "tests that fail when they should: strategy, doubles, flakiness, coverage",
            Self::Ux => "what people see and do: forms, feedback, errors, waiting, words",
        }
    }
}

impl FromStr for Domain {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::from_word(name).ok_or_else(|| {
            let near = nearest::hint(name, Self::ALL.map(Self::as_str));
            Error::invalid(format!("there is no domain `{name}`"))
                .hint(format!("{near}; or `auto` to have it found from the question"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_read_back() {
        assert!(Domain::ALL.is_sorted_by_key(|domain| domain.as_str()));
        for domain in Domain::ALL {
            assert_eq!(domain.as_str().parse::<Domain>().unwrap(), domain);
            assert_eq!(serde_json::to_value(domain).unwrap(), domain.as_str());
        }
        let error = "secrity".parse::<Domain>().unwrap_err();
        assert!(error.body().hint.as_deref().unwrap().contains("security"));
    }
}
