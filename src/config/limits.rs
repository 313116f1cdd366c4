//! Every metric that a preset may limit: one table, from which the keys, the schema and the checks are made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricPlace {
    /// The file as a whole.
    File,
    /// Each function of the file.
    Function,
    /// All of a change; a verdict on files does not look at it.
    Change,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricDirection {
    AtMost,
    AtLeast,
}

/// What is known of a metric besides its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricProfile {
    pub place: MetricPlace,
    pub direction: MetricDirection,
    /// Behind a number of it: ` %`, or nothing.
    pub unit: &'static str,
    /// The largest limit that can be set.
    pub most: u32,
}

/// Largest limit of what is counted.
pub(crate) const COUNT_MOST: u32 = 1_000_000;

macro_rules! metrics {
    ($($(#[doc = $doc:literal])+ $field:ident $metric:ident: $place:ident $direction:ident $most:expr, $unit:literal;)+) => {
        /// A number that a preset may limit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Metric {
            $($(#[doc = $doc])+ $metric,)+
        }

        impl Metric {
            /// All of them, in the order of presentation.
            pub const ALL: &'static [Self] = &[$(Self::$metric),+];

            /// Its name in the configuration and in verdicts.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$metric => stringify!($field),)+
                }
            }

            /// What is known of it besides its name.
            #[must_use]
            pub const fn profile(self) -> MetricProfile {
                match self {
                    $(Self::$metric => MetricProfile {
                        place: MetricPlace::$place,
                        direction: MetricDirection::$direction,
                        unit: $unit,
                        most: $most,
                    },)+
                }
            }
        }

        /// Limits by their metric; what is left out has none.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct MetricLimits {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<f64>,)+
        }

        impl MetricLimits {
            /// The limit of a metric.
            #[must_use]
            pub const fn get(&self, metric: Metric) -> Option<f64> {
                match metric {
                    $(Metric::$metric => self.$field,)+
                }
            }

            /// Sets the limit of a metric.
            pub const fn set(&mut self, metric: Metric, limit: f64) {
                match metric {
                    $(Metric::$metric => self.$field = Some(limit),)+
                }
            }
        }
    };
}

metrics! {
    /// Least overall score; as `overall` of the preset.
    overall Overall: File AtLeast 100, "";
    /// Least security score; as `security` of the preset.
    security Security: File AtLeast 10, "";
    /// Least maintainability score; as `maintainability` of the preset.
    maintainability Maintainability: File AtLeast 10, "";
    /// Least percentage of covered lines; as `coverage` of the preset.
    coverage Coverage: File AtLeast 100, " %";
    /// Most percentage of a file's statements that stand in the project a second time; as `duplication` of the preset.
    duplication Duplication: File AtMost 100, " %";
    /// Most comments that hide findings which a change may bring; as `new_suppressions` of the preset.
    new_suppressions NewSuppressions: Change AtMost COUNT_MOST, "";
    /// Most new findings that a change may bring, information aside.
    new_findings NewFindings: Change AtMost COUNT_MOST, "";
    /// Most cognitive complexity of a function.
    cognitive_complexity CognitiveComplexity: Function AtMost COUNT_MOST, "";
    /// Most cyclomatic complexity of a function.
    cyclomatic_complexity CyclomaticComplexity: Function AtMost COUNT_MOST, "";
    /// Most lines of a function.
    function_length FunctionLength: Function AtMost COUNT_MOST, " lines";
    /// Deepest nesting of a function's flow.
    nesting Nesting: Function AtMost COUNT_MOST, "";
    /// Most parameters of a function.
    parameters Parameters: Function AtMost COUNT_MOST, "";
    /// Most comments of a file that hide findings.
    suppressions Suppressions: File AtMost COUNT_MOST, "";
    /// Most imports of a file that break a contract.
    contract_breaches ContractBreaches: File AtMost COUNT_MOST, "";
    /// Most findings of a file, information aside.
    findings Findings: File AtMost COUNT_MOST, "";
    /// Most critical findings of a file.
    critical_findings CriticalFindings: File AtMost COUNT_MOST, "";
    /// Most findings of high severity of a file.
    high_findings HighFindings: File AtMost COUNT_MOST, "";
    /// Most findings of medium severity of a file.
    medium_findings MediumFindings: File AtMost COUNT_MOST, "";
    /// Most findings of low severity of a file.
    low_findings LowFindings: File AtMost COUNT_MOST, "";
    /// Most findings of a file by the project's own rules, information included.
    project_findings ProjectFindings: File AtMost COUNT_MOST, "";
}

impl MetricLimits {
    /// Those that are set.
    pub fn set_limits(&self) -> impl Iterator<Item = (Metric, f64)> + '_ {
        Metric::ALL.iter().filter_map(|metric| Some((*metric, self.get(*metric)?)))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.set_limits().next().is_none()
    }

    /// Each limit by the stricter of the two.
    #[must_use]
    pub fn at_least(mut self, laxer: &Self) -> Self {
        for (metric, limit) in laxer.set_limits() {
            let own = self.get(metric).unwrap_or(limit);
            self.set(
                metric,
                match metric.profile().direction {
                    MetricDirection::AtMost => own.min(limit),
                    MetricDirection::AtLeast => own.max(limit),
                },
            );
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{ConfigKeyPlace, ConfigValueKind, look_up_key};

    #[test]
    fn every_metric_is_a_key_with_its_bound() {
        for metric in Metric::ALL {
            let path = format!("gates.team.limits.{}", metric.as_str());
            let ConfigKeyPlace::Key(key) = look_up_key(&path) else { panic!("{path} is no key") };
            assert_eq!(key.kind, ConfigValueKind::Number(metric.profile().most), "{path}");
        }
    }

    #[test]
    fn the_stricter_limit_stays() {
        let mut strict = MetricLimits { nesting: Some(3.0), ..MetricLimits::default() };
        strict =
            strict.at_least(&MetricLimits { nesting: Some(5.0), parameters: Some(4.0), ..MetricLimits::default() });
        assert_eq!((strict.nesting, strict.parameters, strict.findings), (Some(3.0), Some(4.0), None));
    }
}
