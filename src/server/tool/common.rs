//! Arguments that the layer in front of the tools reads: it adds them to every input schema, and no tool sees them.

use serde_json::{Map, Value, json};

use super::Tool;

const SESSION_ID: &str = "session_id";
const CURSOR: &str = "cursor";
/// The project that a call is about; it is taken off before the tool is looked for.
pub const PROJECT_ROOT: &str = "project_root";

/// What `session_id` is to a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionArgument {
    /// It names the session of the call log; an unknown one is refused.
    Named,
    /// It names the session of the call log if there is such a one, else it is passed over: the toolset has sessions of
    /// its own, whose identifiers models send as well.
    NamedIfKnown,
    /// An argument of the tool's own, which means something else.
    Own,
}

/// The arguments that were taken off a call.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CommonArguments {
    pub session_id: Option<String>,
    pub cursor: Option<String>,
}

/// Adds `session_id` to an input schema that has none of its own.
pub(super) fn declare_session_id(input: &mut Map<String, Value>) {
    declare_argument(input, SESSION_ID, "From tapps_server_info");
}

/// Adds `cursor` to the input schema of a tool whose replies have pages.
pub(super) fn declare_cursor(input: &mut Map<String, Value>) {
    declare_argument(input, CURSOR, "From next_cursor");
}

/// Adds `project_root` to the input schema of a tool of a server that answers for several projects.
pub(super) fn declare_project_root(input: &mut Map<String, Value>) {
    declare_argument(input, PROJECT_ROOT, "Another project or worktree: its absolute path");
}

fn declare_argument(input: &mut Map<String, Value>, name: &str, description: &str) {
    if let Some(Value::Object(properties)) = input.get_mut("properties") {
        properties.entry(name).or_insert_with(|| json!({ "type": "string", "description": description }));
    }
}

impl Tool {
    /// Takes the common arguments off checked ones; the rest is the tool's.
    #[must_use]
    pub fn take_common(&self, arguments: &mut Map<String, Value>) -> CommonArguments {
        let mut take = |name: &str, is_common: bool| match is_common.then(|| arguments.remove(name)).flatten() {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        CommonArguments {
            session_id: take(SESSION_ID, self.session != SessionArgument::Own),
            cursor: take(CURSOR, self.has_pages),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ToolContext, Toolset};
    use super::*;
    use crate::dispatch::Reply;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct OwnSession {
        /// Which one to take up
        session_id: String,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    fn taken(tool: &Tool, arguments: Value) -> (CommonArguments, Value) {
        let mut arguments = tool.validated_arguments(arguments.as_object().unwrap().clone()).unwrap();
        let common = tool.take_common(&mut arguments);
        (common, Value::Object(arguments))
    }

    #[test]
    fn every_tool_takes_a_session_and_none_sees_it() {
        let tool = Tool::new(Toolset::Quality, "a", "A", |_: Nothing, _: ToolContext| async {
            Reply::from_serializable(&json!({}))
        });
        let expected = json!({ "session_id": { "type": "string", "description": "From tapps_server_info" } });
        assert_eq!(tool.input["properties"], expected);
        let (common, rest) = taken(&tool, json!({ "session_id": "s" }));
        assert_eq!((common.session_id.as_deref(), rest), (Some("s"), json!({})));
        assert!(
            tool.validated_arguments(json!({ "cursor": "x" }).as_object().unwrap().clone()).is_err(),
            "it has no pages"
        );
        let (common, rest) = taken(&tool.with_cursor(), json!({ "session_id": null, "cursor": "x" }));
        assert_eq!((common, rest), (CommonArguments { session_id: None, cursor: Some("x".into()) }, json!({})));
    }

    #[test]
    fn a_session_of_the_tools_own_stays_its_own() {
        let run = |_: OwnSession, _: ToolContext| async { Reply::from_serializable(&json!({})) };
        let tool = Tool::new(Toolset::Tdd, "a", "A", run).session_argument(SessionArgument::Own);
        assert_eq!(tool.input["properties"]["session_id"]["description"], "Which one to take up");
        let (common, rest) = taken(&tool, json!({ "session_id": "s" }));
        assert_eq!((common, rest), (CommonArguments::default(), json!({ "session_id": "s" })));
    }
}
