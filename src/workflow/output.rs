//! What an agent hands in at the end of a step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use tapps_base::{Error, Result};

/// Most characters of a summary.
const LONGEST_SUMMARY: usize = 20_000;
/// Most artifacts of one step.
const MOST_ARTIFACTS: usize = 50;
/// Most bytes of one output, everything included.
const LARGEST_OUTPUT: usize = 4 * 1024 * 1024;

tapps_base::wire_enum! {
    /// What kind of thing an artifact is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum ArtifactKind {
        DesignDoc = "design_doc",
        ImplementationPlan = "implementation_plan",
        CodeReview = "code_review",
        ApiContract = "api_contract",
        Adr = "adr",
        TestPlan = "test_plan",
        SecurityAnalysis = "security_analysis",
        PerformanceAnalysis = "performance_analysis",
        DataModel = "data_model",
        Diagram = "diagram",
        Markdown = "markdown",
        Yaml = "yaml",
        Json = "json",
    }
}

/// Something made in a step that is worth keeping.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    #[serde(rename = "type")]
    pub kind: ArtifactKind,
    pub title: String,
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub metadata: Option<Map<String, Value>>,
}

/// A choice that was made, and what spoke for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    pub decision: String,
    pub rationale: String,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub alternatives_rejected: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trade_offs: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub context: Option<String>,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    Critical,
    High,
    Medium,
    Low,
}

/// Something an agent noticed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Noticed {
    pub severity: Weight,
    pub category: String,
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub location: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recommendation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub impact: Option<String>,
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelOutput {
    /// What was done and found
    pub summary: String,
    pub artifacts: Vec<Artifact>,
    /// Files and documents used
    pub references: Vec<String>,
    #[schemars(range(min = 0, max = 1))]
    pub confidence: f64,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<Noticed>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub next_steps: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub blockers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub metadata: Option<Map<String, Value>>,
}

impl ModelOutput {
    /// Checks what no schema can tell.
    ///
    /// # Errors
    /// `invalid_argument` naming the field.
    pub fn validate_fields(&self) -> Result<()> {
        let refuse = |what: String, hint: &str| Err(Error::invalid(what).hint(hint));
        if self.summary.trim().is_empty() {
            return refuse("`summary` is empty".into(), "say in a few sentences what was done and found");
        }
        let length = self.summary.chars().count();
        if length > LONGEST_SUMMARY {
            let what = format!("`summary` has {length} characters, more than {LONGEST_SUMMARY}");
            return refuse(what, "put the long text into an artifact");
        }
        if !(0.0..=1.0).contains(&self.confidence) {
            return refuse(
                format!("`confidence` is {}, not between 0 and 1", self.confidence),
                "0.9 means: almost sure",
            );
        }
        if self.artifacts.len() > MOST_ARTIFACTS {
            let what = format!("there are {} artifacts, more than {MOST_ARTIFACTS}", self.artifacts.len());
            return refuse(what, "put related texts into one artifact");
        }
        for (index, artifact) in self.artifacts.iter().enumerate() {
            if artifact.title.trim().is_empty() || artifact.content.trim().is_empty() {
                let what = format!("`artifacts[{index}]` has no title or no content");
                return refuse(what, "give each artifact a title and its whole content");
            }
        }
        let size = serde_json::to_string(self).map_or(usize::MAX, |text| text.len());
        if size > LARGEST_OUTPUT {
            let what = format!("the output has {size} bytes, more than {LARGEST_OUTPUT}");
            return refuse(what, "refer to large files by path instead of copying them");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_serde_words() {
        for kind in ArtifactKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }

    #[test]
    fn outputs_that_say_nothing_or_too_much_are_refused() {
        let good = json!({"summary": "s", "artifacts": [], "references": [], "confidence": 1});
        let read = |change: Value| {
            let mut value = good.clone();
            value.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let output: ModelOutput = serde_json::from_value(value).map_err(|e| e.to_string())?;
            output.validate_fields().map_err(|error| error.message().to_owned())
        };
        assert_eq!(read(json!({})), Ok(()));
        assert_eq!(read(json!({"summary": " "})).unwrap_err(), "`summary` is empty");
        assert_eq!(read(json!({"confidence": 1.5})).unwrap_err(), "`confidence` is 1.5, not between 0 and 1");
        let artifact = |title: &str, kind: &str| json!({"artifacts": [{"type": kind, "title": title, "content": "c"}]});
        assert_eq!(read(artifact(" ", "adr")).unwrap_err(), "`artifacts[0]` has no title or no content");
        assert!(read(artifact("t", "file")).unwrap_err().starts_with("unknown variant `file`"));
        assert!(read(json!({"sumary": "x"})).unwrap_err().starts_with("unknown field `sumary`"));
        assert!(read(json!({"summary": "x".repeat(20_001)})).unwrap_err().starts_with("`summary` has 20001"));
        let large = json!({"artifacts": [{"type": "adr", "title": "t", "content": "x".repeat(5_000_000)}]});
        assert!(read(large).unwrap_err().contains("more than 4194304"));
    }
}
