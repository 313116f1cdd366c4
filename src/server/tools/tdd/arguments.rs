//! What the tools take.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct EmptyArguments {}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Start {
    /// What is to be built and when it is done
    pub goal: String,
    /// Files to write tests in, by path; no patterns
    #[schemars(length(min = 1))]
    pub test_files: Vec<String>,
    /// Files to write the implementation in
    #[schemars(length(min = 1))]
    pub implementation_files: Vec<String>,
    /// Commands that run the tests, from the project root
    #[schemars(length(min = 1))]
    pub run_tests: Vec<String>,
    /// Rules to be reminded of besides the built-in ones
    pub custom_rules: Option<Vec<String>>,
    /// The server runs run_tests itself before it lets go of a phase. Default: false
    pub verified: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Update {
    pub goal: Option<String>,
    pub test_files: Option<Vec<String>>,
    pub implementation_files: Option<Vec<String>>,
    pub run_tests: Option<Vec<String>>,
    pub custom_rules: Option<Vec<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Resume {
    /// From tdd_start_session
    pub session_id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Next {
    /// What was done and what the test run showed
    pub evidence_description: String,
    /// In implement: go straight to the next test. Default: false
    pub skip_refactor: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Back {
    /// Why
    pub reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TddLogArguments {
    pub message: String,
}

/// How much to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TddReplyDetail {
    #[default]
    Summary,
    Full,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TddStateArguments {
    /// full: nothing is shortened
    pub detail: Option<TddReplyDetail>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Past {
    /// Events before this number: next_before of the page read last
    #[schemars(range(min = 1))]
    pub before: Option<u64>,
    /// Most events on the page. Default: as many as fit
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<usize>,
    /// full: whole texts
    pub detail: Option<TddReplyDetail>,
}
