//! What of a configuration decides scores and verdicts.

use super::model::{Config, LibraryTypes};
use tapps_base::{Result, digest};

impl Config {
    /// This configuration with what decides scores and verdicts taken from another. The Python that the code is written
    /// for stays: it is a fact about the code.
    #[must_use]
    pub fn with_policy_of(&self, other: &Self) -> Self {
        Self {
            preset: other.preset.clone(),
            rules: other.rules,
            types: other.types,
            exclude: other.exclude.clone(),
            adaptive: other.adaptive,
            weights: other.weights,
            gates: other.gates.clone(),
            architecture: other.architecture.clone(),
            change: other.change.clone(),
            security: other.security,
            coverage: other.coverage.clone(),
            limits: other.limits.clone(),
            ..self.clone()
        }
    }

    /// Digest of what in the configuration can change a score, and of nothing else.
    ///
    /// # Errors
    /// `internal` when a value has no JSON form.
    pub fn score_digest(&self) -> Result<String> {
        let mut parts = serde_json::json!({
            "weights": self.weights,
            "rules": self.rules,
            "exclude": self.exclude,
            "adaptive": self.adaptive,
            "python": self.python.version,
            "metrics": self.toolchain.metrics,
            "security_engine": self.security.engine,
            "coverage_files": self.coverage.files,
        });
        // Without contracts nothing about them can change a score.
        if !self.architecture.contracts.is_empty() {
            parts["architecture"] = serde_json::json!(self.architecture);
        }
        // It is as it always was unless it is set.
        if self.types != LibraryTypes::default() {
            parts["types"] = serde_json::json!(self.types);
        }
        digest::of_json(&parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{InterpreterSource, MetricsProvider, Rules, SecurityEngine, Workers};
    use crate::{ContractSpec, PythonVersion, SearchMode};

    #[test]
    fn the_score_digest_moves_with_scores_only() {
        let base = Config::default().score_digest().unwrap();
        let digest = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            config.score_digest().unwrap()
        };
        for unrelated in [
            (|c| c.preset = "strict".into()) as fn(&mut Config),
            |c| c.toolchain.offline = true,
            |c| c.server.read_only = true,
            |c| c.cache.enabled = false,
            |c| c.toolchain.workers = Workers::Off,
            |c| c.toolchain.interpreter = InterpreterSource::Locked,
            |c| c.limits.deadline_seconds = 5,
            |c| c.coverage.require = true,
            |c| c.advisories.files = vec!["osv".into()],
            |c| c.tags.roots = vec!["/notes".into()],
            |c| c.workflow.stall_minutes = 5,
            |c| c.docs.context7 = false,
            |c| c.experts.search = SearchMode::Hybrid,
            |c| c.architecture.tests = true,
        ] {
            assert_eq!(digest(unrelated), base);
        }
        for related in [
            (|c| c.weights.security = 0.275) as fn(&mut Config),
            |c| c.rules = Rules::Project,
            |c| c.types = LibraryTypes::None,
            |c| c.python.version = PythonVersion::OLDEST,
            |c| c.toolchain.metrics = MetricsProvider::Radon,
            |c| c.security.engine = SecurityEngine::Bandit,
            |c| c.coverage.files = vec!["a.xml".into()],
            |c| c.exclude = vec!["b".into()],
            |c| drop(c.architecture.contracts.insert("a".into(), ContractSpec::default())),
        ] {
            assert_ne!(digest(related), base);
        }
    }
}
