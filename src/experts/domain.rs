//! The domains.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tapps_base::{Error, Result, nearest};

/// A field of knowledge with files of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    Accessibility,
    AgentLearning,
    AiFrameworks,
    ApiDesign,
    Architecture,
    CloudInfrastructure,
    CodeQuality,
    DataPrivacy,
    Database,
    Devops,
    Documentation,
    Observability,
    Performance,
    Security,
    Testing,
    Ux,
}

impl Domain {
    /// All domains, by name.
    pub const ALL: [Self; 16] = [
        Self::Accessibility,
        Self::AgentLearning,
        Self::AiFrameworks,
        Self::ApiDesign,
        Self::Architecture,
        Self::CloudInfrastructure,
        Self::CodeQuality,
        Self::DataPrivacy,
        Self::Database,
        Self::Devops,
        Self::Documentation,
        Self::Observability,
        Self::Performance,
        Self::Security,
        Self::Testing,
        Self::Ux,
    ];

    /// The name, which is also that of its folder.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accessibility => "accessibility",
            Self::AgentLearning => "agent-learning",
            Self::AiFrameworks => "ai-frameworks",
            Self::ApiDesign => "api-design",
            Self::Architecture => "architecture",
            Self::CloudInfrastructure => "cloud-infrastructure",
            Self::CodeQuality => "code-quality",
            Self::DataPrivacy => "data-privacy",
            Self::Database => "database",
            Self::Devops => "devops",
            Self::Documentation => "documentation",
            Self::Observability => "observability",
            Self::Performance => "performance",
            Self::Security => "security",
            Self::Testing => "testing",
            Self::Ux => "ux",
        }
    }

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

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Domain {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let names = Self::ALL.map(Self::as_str);
        Self::ALL.into_iter().find(|domain| domain.as_str() == name).ok_or_else(|| {
            Error::invalid(format!("there is no domain `{name}`"))
                .hint(format!("{}; or `auto` to have it found from the question", nearest::hint(name, names)))
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
