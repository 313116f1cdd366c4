//! Reading artifacts by pattern.

use serde::Serialize;
use serde_json::Value;

use super::views::millis_to_rfc3339;
use super::workflows::Workflows;
use crate::output::ArtifactKind;
use crate::record::ArtifactRecord;
use crate::store::ArtifactQuery;
use tapps_base::Result;

/// Artifacts that one reading gives at most.
const MOST: u32 = 500;
/// Artifacts that `recent` gives unless told otherwise.
const RECENT: u32 = 50;
/// Artifacts that the other patterns give unless told otherwise.
const USUAL: u32 = 100;

/// An artifact with its content.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactView {
    pub artifact_id: String,
    pub execution_id: String,
    /// None for the synthesis.
    pub step_name: Option<String>,
    pub agent_name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub title: String,
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Value>,
    pub is_final: bool,
    /// True when the execution went back behind the step.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
    pub content_size_bytes: usize,
    pub created_at: String,
}

/// The artifacts of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArtifactList {
    /// Latest first.
    pub artifacts: Vec<ArtifactView>,
    /// How many there are in all.
    pub total: u64,
    /// The pattern.
    pub query: String,
}

impl Workflows {
    /// The artifacts of `recent`, `type/{type}`, `final`, `final/{execution}` or `{execution}`, the last with
    /// `?final=true` for final ones only and all with `?limit=N`; none for any other pattern and for unknown names.
    ///
    /// # Errors
    /// What the store says.
    pub fn artifacts(&self, pattern: &str) -> Result<Option<ArtifactList>> {
        let Some(query) = parse_artifact_pattern(pattern) else { return Ok(None) };
        if let Some(execution) = &query.execution
            && self.store.execution(execution)?.is_none()
        {
            return Ok(None);
        }
        let found = self.store.artifacts(&query)?;
        let artifacts = found.artifacts.into_iter().map(view).collect();
        Ok(Some(ArtifactList { artifacts, total: found.total, query: pattern.to_owned() }))
    }
}

fn parse_artifact_pattern(pattern: &str) -> Option<ArtifactQuery> {
    let (path, options) = pattern.split_once('?').unwrap_or((pattern, ""));
    let mut query = match path.split_once('/') {
        None if path == "recent" => ArtifactQuery { limit: RECENT, ..ArtifactQuery::default() },
        None if path == "final" => ArtifactQuery { only_final: true, ..ArtifactQuery::default() },
        None => ArtifactQuery { execution: Some(path.to_owned()), ..ArtifactQuery::default() },
        Some(("final", execution)) => {
            ArtifactQuery { execution: Some(execution.to_owned()), only_final: true, ..ArtifactQuery::default() }
        }
        Some(("type", kind)) => {
            let kind = ArtifactKind::ALL.into_iter().find(|known| known.as_str() == kind)?;
            ArtifactQuery { kind: Some(kind), ..ArtifactQuery::default() }
        }
        Some(_) => return None,
    };
    if query.limit == 0 {
        query.limit = USUAL;
    }
    for option in options.split('&').filter(|option| !option.is_empty()) {
        match option.split_once('=')? {
            ("limit", number) => query.limit = number.parse().ok().filter(|limit| (1..=MOST).contains(limit))?,
            ("final", "true") => query.only_final = true,
            ("final", "false") => {}
            _ => return None,
        }
    }
    Some(query)
}

fn view(artifact: ArtifactRecord) -> ArtifactView {
    ArtifactView {
        artifact_id: artifact.artifact_id,
        execution_id: artifact.execution,
        step_name: artifact.step,
        agent_name: artifact.agent,
        kind: artifact.kind.as_str(),
        title: artifact.title,
        content_size_bytes: artifact.content_bytes,
        content: artifact.content,
        description: artifact.description,
        metadata: artifact.metadata.and_then(|metadata| serde_json::from_str(&metadata).ok()),
        is_final: artifact.is_final,
        undone: artifact.undone,
        created_at: millis_to_rfc3339(artifact.at_ms),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn query(
        execution: Option<&str>,
        kind: Option<ArtifactKind>,
        only_final: bool,
        limit: u32,
    ) -> Option<ArtifactQuery> {
        let execution = execution.map(str::to_owned);
        Some(ArtifactQuery { execution, kind, only_final, limit, ..ArtifactQuery::default() })
    }

    #[rstest]
    #[case("recent", query(None, None, false, 50))]
    #[case("recent?limit=7", query(None, None, false, 7))]
    #[case("type/test_plan", query(None, Some(ArtifactKind::TestPlan), false, 100))]
    #[case("type/test_plan?limit=500", query(None, Some(ArtifactKind::TestPlan), false, 500))]
    #[case("final", query(None, None, true, 100))]
    #[case("final/e-1", query(Some("e-1"), None, true, 100))]
    #[case("e-1", query(Some("e-1"), None, false, 100))]
    #[case("e-1?final=true", query(Some("e-1"), None, true, 100))]
    #[case("e-1?final=true&limit=2", query(Some("e-1"), None, true, 2))]
    #[case("recent?limit=0", None)]
    #[case("recent?limit=501", None)]
    #[case("recent?limit", None)]
    #[case("recent?sort=asc", None)]
    #[case("type/file", None)]
    #[case("e-1/x", None)]
    fn patterns(#[case] pattern: &str, #[case] expected: Option<ArtifactQuery>) {
        assert_eq!(parse_artifact_pattern(pattern), expected);
    }
}
