//! Gate presets: the built-in three, and the project's own on top of them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::{Metric, MetricLimits};
use tapps_base::{Error, ErrorCode, Result, nearest};

/// The built-in presets, each stricter than the one before.
pub const BUILT_IN: [&str; 3] = ["standard", "framework", "strict"];

/// From which severity on a single security finding fails a gate, whatever the score.
///
/// One call of `eval` on what a user sends costs a category one point of ten, and no merge should pass with it. Findings
/// that the tool itself has little confidence in never count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SecurityFindings {
    /// Only the security score decides.
    Off,
    High,
    #[default]
    Medium,
}

/// A preset as written in the configuration; what is left out comes from the preset it extends.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GateSpec {
    /// The preset this one starts from; `standard` when not given. A built-in preset extends nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extends: Option<String>,
    /// Least overall score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overall: Option<f64>,
    /// Least security score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security: Option<f64>,
    /// From which severity on a security finding fails the gate by itself; `off` leaves it to the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security_findings: Option<SecurityFindings>,
    /// Least maintainability score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maintainability: Option<f64>,
    /// Least percentage of covered lines, where coverage was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Most comments that hide findings which a change may bring, forgiven ones included; no limit when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_suppressions: Option<u32>,
    /// Most percentage of a file's statements that stand in the project a second time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplication: Option<f64>,
    /// Limits on single metrics.
    #[serde(skip_serializing_if = "MetricLimits::is_empty")]
    pub limits: MetricLimits,
    /// Whether verdicts must be the same everywhere: recorded outcomes then never move the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproducible: Option<bool>,
}

/// What a file has to reach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// Name of the preset.
    pub preset: String,
    /// Least overall score, 0–100.
    pub overall: f64,
    /// Least security score, 0–10.
    pub security: f64,
    /// From which severity on a security finding fails by itself.
    pub security_findings: SecurityFindings,
    /// Least maintainability score, 0–10; no limit when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub maintainability: Option<f64>,
    /// Least percentage of covered lines, 0–100, where coverage was measured.
    pub coverage: f64,
    /// Most comments that hide findings which a change may bring, forgiven ones included; no limit when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub new_suppressions: Option<u32>,
    /// Most percentage of a file's statements that stand in the project a second time, 0–100; no limit when absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duplication: Option<f64>,
    /// Limits on single metrics, without those above.
    #[serde(skip_serializing_if = "MetricLimits::is_empty", default)]
    pub limits: MetricLimits,
    /// Verdicts must be the same everywhere.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub reproducible: bool,
}

impl Gate {
    fn from_limits(preset: &str, overall: f64, security: f64, maintainability: Option<f64>, coverage: f64) -> Self {
        let security_findings = SecurityFindings::default();
        Self {
            preset: preset.to_owned(),
            overall,
            security,
            security_findings,
            maintainability,
            coverage,
            new_suppressions: None,
            duplication: None,
            limits: MetricLimits::default(),
            reproducible: false,
        }
    }

    fn with_spec(mut self, preset: &str, spec: &GateSpec) -> Self {
        preset.clone_into(&mut self.preset);
        self.overall = spec.overall.unwrap_or(self.overall);
        self.security = spec.security.unwrap_or(self.security);
        self.security_findings = spec.security_findings.unwrap_or(self.security_findings);
        self.maintainability = spec.maintainability.or(self.maintainability);
        self.coverage = spec.coverage.unwrap_or(self.coverage);
        self.new_suppressions = spec.new_suppressions.or(self.new_suppressions);
        self.duplication = spec.duplication.or(self.duplication);
        self.reproducible = spec.reproducible.unwrap_or(self.reproducible);
        for (metric, limit) in spec.limits.set_limits() {
            self.set_limit(metric, limit);
        }
        self
    }

    /// Sets one limit. Some had a place of their own before there was a table of all.
    fn set_limit(&mut self, metric: Metric, limit: f64) {
        match metric {
            Metric::Overall => self.overall = limit,
            Metric::Security => self.security = limit,
            Metric::Maintainability => self.maintainability = Some(limit),
            Metric::Coverage => self.coverage = limit,
            Metric::Duplication => self.duplication = Some(limit),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by its key")]
            Metric::NewSuppressions => self.new_suppressions = Some(limit as u32),
            _ => self.limits.set(metric, limit),
        }
    }

    /// Raises every limit to that of another gate, so that passing this one implies passing that one.
    #[must_use]
    pub fn at_least(mut self, laxer: &Self) -> Self {
        self.overall = self.overall.max(laxer.overall);
        self.security = self.security.max(laxer.security);
        self.security_findings = self.security_findings.max(laxer.security_findings);
        self.maintainability = self.maintainability.into_iter().chain(laxer.maintainability).reduce(f64::max);
        self.coverage = self.coverage.max(laxer.coverage);
        self.new_suppressions = self.new_suppressions.into_iter().chain(laxer.new_suppressions).min();
        self.duplication = self.duplication.into_iter().chain(laxer.duplication).reduce(f64::min);
        self.limits = self.limits.at_least(&laxer.limits);
        self.reproducible |= laxer.reproducible;
        self
    }
}

/// The three built-in presets with the project's changes, each at least as strict as the one before.
fn built_in(specs: &BTreeMap<String, GateSpec>) -> [Gate; 3] {
    let own = |gate: Gate| match specs.get(&gate.preset) {
        Some(spec) => gate.clone().with_spec(&gate.preset, spec),
        None => gate,
    };
    let standard = own(Gate::from_limits("standard", 70.0, 7.0, None, 75.0));
    let framework = own(Gate::from_limits("framework", 75.0, 8.5, None, 75.0)).at_least(&standard);
    let strict = own(Gate::from_limits("strict", 80.0, 8.5, Some(7.0), 80.0)).at_least(&framework);
    [standard, framework, strict]
}

/// Every preset there is: the built-in ones first, then the project's own by name.
#[must_use]
pub fn preset_names(specs: &BTreeMap<String, GateSpec>) -> Vec<&str> {
    let own = specs.keys().map(String::as_str).filter(|name| !BUILT_IN.contains(name));
    BUILT_IN.into_iter().chain(own).collect()
}

/// The limits of a preset.
///
/// # Errors
/// `invalid_argument` with the nearest names for an unknown preset; `config_error` for a preset that extends an unknown
/// one or, in the end, itself.
pub fn resolve_preset(specs: &BTreeMap<String, GateSpec>, preset: &str) -> Result<Gate> {
    if !preset_names(specs).contains(&preset) {
        return Err(
            Error::invalid(format!("unknown preset `{preset}`")).hint(nearest::hint(preset, preset_names(specs)))
        );
    }
    let mut chain: Vec<(&str, &GateSpec)> = Vec::new();
    let mut current = preset;
    loop {
        if let Some(base) = built_in(specs).into_iter().find(|gate| gate.preset == current) {
            let gate = chain.iter().rev().fold(base, |gate: Gate, (name, spec)| gate.with_spec(name, spec));
            return Ok(gate);
        }
        let Some(spec) = specs.get(current) else {
            return Err(Error::new(ErrorCode::ConfigError, format!("a preset extends the unknown preset `{current}`"))
                .hint(nearest::hint(current, preset_names(specs))));
        };
        if chain.iter().any(|(name, _)| *name == current) {
            return Err(Error::new(ErrorCode::ConfigError, format!("the preset `{current}` extends itself"))
                .hint("let the chain of `extends` end at a built-in preset"));
        }
        chain.push((current, spec));
        current = spec.extends.as_deref().unwrap_or("standard");
    }
}

/// The first preset that is broken, so that it is found before it is asked for: as [`resolve_preset`] says, or a built-in preset
/// that says `extends`.
#[must_use]
pub(crate) fn first_broken_preset(specs: &BTreeMap<String, GateSpec>) -> Option<(&str, Error)> {
    specs.iter().find_map(|(name, spec)| {
        if BUILT_IN.contains(&name.as_str()) && spec.extends.is_some() {
            let error = Error::new(ErrorCode::ConfigError, format!("`gates.{name}.extends` cannot be set"))
                .hint("a built-in preset extends nothing; give the preset another name");
            return Some((name.as_str(), error));
        }
        Some((name.as_str(), resolve_preset(specs, name).err()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(pairs: &[(&str, GateSpec)]) -> BTreeMap<String, GateSpec> {
        pairs.iter().map(|(name, spec)| ((*name).to_owned(), spec.clone())).collect()
    }

    #[test]
    fn the_built_in_presets() {
        let none = BTreeMap::new();
        assert_eq!(resolve_preset(&none, "standard").unwrap(), Gate::from_limits("standard", 70.0, 7.0, None, 75.0));
        assert_eq!(resolve_preset(&none, "framework").unwrap(), Gate::from_limits("framework", 75.0, 8.5, None, 75.0));
        assert_eq!(resolve_preset(&none, "strict").unwrap(), Gate::from_limits("strict", 80.0, 8.5, Some(7.0), 80.0));
    }

    #[test]
    fn a_stricter_built_in_preset_implies_the_laxer_after_changes() {
        let changed = specs(&[
            ("standard", GateSpec { overall: Some(85.0), maintainability: Some(7.5), ..GateSpec::default() }),
            ("framework", GateSpec { coverage: Some(90.0), ..GateSpec::default() }),
            ("strict", GateSpec { security: Some(1.0), ..GateSpec::default() }),
        ]);
        assert_eq!(
            resolve_preset(&changed, "strict").unwrap(),
            Gate::from_limits("strict", 85.0, 8.5, Some(7.5), 90.0)
        );
        let limited = |most: f64| GateSpec { duplication: Some(most), ..GateSpec::default() };
        let both = specs(&[("standard", limited(10.0)), ("strict", limited(20.0))]);
        assert_eq!(resolve_preset(&both, "strict").unwrap().duplication, Some(10.0), "more is laxer");
    }

    #[test]
    fn own_presets_extend_through_a_chain() {
        let own = specs(&[
            ("team", GateSpec { extends: Some("strict".into()), overall: Some(60.0), ..GateSpec::default() }),
            ("release", GateSpec { extends: Some("team".into()), coverage: Some(95.0), ..GateSpec::default() }),
        ]);
        assert_eq!(resolve_preset(&own, "release").unwrap(), Gate::from_limits("release", 60.0, 8.5, Some(7.0), 95.0));
        assert_eq!(preset_names(&own), ["standard", "framework", "strict", "release", "team"]);
    }

    #[test]
    fn the_table_of_limits_reaches_every_limit() {
        let limits = MetricLimits {
            coverage: Some(10.0),
            duplication: Some(4.0),
            nesting: Some(2.0),
            ..MetricLimits::default()
        };
        let own = specs(&[("team", GateSpec { duplication: Some(9.0), limits, ..GateSpec::default() })]);
        let gate = resolve_preset(&own, "team").unwrap();
        assert_eq!((gate.coverage, gate.duplication, gate.limits.nesting), (10.0, Some(4.0), Some(2.0)));
        assert_eq!((gate.limits.coverage, gate.limits.duplication), (None, None));
    }

    #[test]
    fn mistakes_are_named() {
        let extends = |name: &str| GateSpec { extends: Some(name.into()), ..GateSpec::default() };
        let unknown = resolve_preset(&BTreeMap::new(), "standrad").unwrap_err();
        assert_eq!(unknown.code(), ErrorCode::InvalidArgument);
        assert_eq!(unknown.body().hint.as_deref(), Some("did you mean standard?"));
        for (broken, text) in [
            (specs(&[("a", extends("b")), ("b", extends("a"))]), "extends itself"),
            (specs(&[("a", extends("strickt"))]), "unknown preset `strickt`"),
            (specs(&[("strict", extends("standard"))]), "`gates.strict.extends`"),
        ] {
            let (_, error) = first_broken_preset(&broken).unwrap();
            assert_eq!(error.code(), ErrorCode::ConfigError);
            assert!(error.message().contains(text), "{error}");
        }
    }
}
