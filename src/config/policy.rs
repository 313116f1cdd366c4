//! What of a configuration decides scores and verdicts.

use super::model::Config;

impl Config {
    /// This configuration with what decides scores and verdicts taken from another. The Python that the code is written
    /// for stays: it is a fact about the code.
    #[must_use]
    pub fn with_policy_of(&self, other: &Self) -> Self {
        Self {
            preset: other.preset.clone(),
            rules: other.rules,
            exclude: other.exclude.clone(),
            adaptive: other.adaptive,
            weights: other.weights,
            gates: other.gates.clone(),
            change: other.change.clone(),
            security: other.security,
            coverage: other.coverage.clone(),
            limits: other.limits.clone(),
            ..self.clone()
        }
    }
}
