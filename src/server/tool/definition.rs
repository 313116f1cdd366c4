//! One tool: what is listed about it and what runs when it is called.

use std::pin::Pin;
use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::TaskManager;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::common::{self, PROJECT_ROOT, SessionArgument};
use super::output::{OutputSchema, Shape};
use super::schema;
use super::toolset::Toolset;
use crate::dispatch::{Human, Reply};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

/// A future that owns everything it needs.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a tool does to the world, for the hints that clients show to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effects {
    /// Reads the project; at most the server's own caches and logs change.
    Reads,
    /// Changes what the server keeps for the caller: notes, sessions, feedback.
    Records,
    /// Changes the user's files whenever it is called.
    Writes,
    /// Changes the user's files only when this boolean argument is true.
    WritesWhen(&'static str),
}

/// Whether a call can become a task that the client polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TaskSupport {
    #[default]
    Never,
    /// A task for clients that declare the extension, a plain call for the others.
    Offered,
    /// Only as a task; refused to clients that do not declare the extension.
    Required,
}

/// The circumstances of a call that are not arguments.
#[derive(Debug, Clone)]
pub struct ToolContext {
    pub call: Call,
    /// The session the call belongs to: the one named by `session_id`, else the one of its connection.
    pub session: Option<String>,
    /// The session of the connection that the call came through, where that has one.
    pub own_session: Option<String>,
    /// What kept the session of the connection from being begun.
    pub session_refusal: Option<Error>,
    /// The way to the person at the client.
    pub human: Human,
}

impl ToolContext {
    /// The session of the call.
    ///
    /// # Errors
    /// `invalid_session` when none was named and the transport has none of its own; what kept its own from being begun.
    pub fn require_session(&self) -> Result<&str> {
        self.session.as_deref().ok_or_else(|| {
            self.session_refusal.clone().unwrap_or_else(|| {
                Error::new(ErrorCode::InvalidSession, "the call belongs to no session")
                    .hint("call tapps_server_info first and pass its `session_id`")
            })
        })
    }
}

/// Everything the protocol says about a call, for the few tools that talk to the client while they run.
#[derive(Clone)]
pub struct ProtocolCall {
    pub request: CallToolRequestParams,
    pub context: RequestContext<RoleServer>,
    pub tasks: TaskManager,
}

tapps_base::debug_fields!(ProtocolCall { request });

/// Takes checked arguments and returns a result; knows nothing of the protocol.
pub type RunValue = Arc<dyn Fn(Map<String, Value>, ToolContext) -> BoxFuture<Result<Reply>> + Send + Sync>;

/// Takes the whole request and answers in protocol terms.
pub type RunProtocol = Arc<dyn Fn(ProtocolCall) -> BoxFuture<Result<CallToolResponse, ErrorData>> + Send + Sync>;

/// What runs when a tool is called.
#[derive(Clone)]
pub enum Handler {
    Value(RunValue),
    Protocol(RunProtocol),
}

impl std::fmt::Debug for Handler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Value(_) => "Value",
            Self::Protocol(_) => "Protocol",
        })
    }
}

/// One tool.
#[derive(Clone)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// What it does, when to call it, what it returns; under 600 characters.
    pub description: &'static str,
    pub toolset: Toolset,
    /// Other names under which it can be called; they are not listed.
    pub aliases: &'static [&'static str],
    pub effects: Effects,
    /// True when calling it twice changes no more than calling it once.
    pub idempotent: bool,
    /// True when it talks to the network.
    pub open_world: bool,
    pub tasks: TaskSupport,
    /// A boolean argument that a read-only server does not list and does not obey.
    pub refused: Option<&'static str>,
    /// What the argument `session_id` is to it.
    pub session: SessionArgument,
    /// True when `project_root` is an argument of its own as well, for folders inside the project.
    pub has_own_root: bool,
    /// True when its replies have pages, and `cursor` asks for the next one.
    pub has_pages: bool,
    /// The address of the page that draws its results, for clients that show such pages.
    pub view: Option<&'static str>,
    pub input: Map<String, Value>,
    pub output: Option<OutputSchema>,
    pub handler: Handler,
}

tapps_base::debug_fields!(Tool { name, toolset });

impl Tool {
    /// A read-only tool with the arguments `A`; `run` gets them checked and parsed.
    pub fn new<A, F, W>(toolset: Toolset, name: &'static str, title: &'static str, run: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(A, ToolContext) -> W + Send + Sync + 'static,
        W: Future<Output = Result<Reply>> + Send + 'static,
    {
        let handler = Handler::Value(Arc::new(move |arguments, context| match parse::<A>(arguments) {
            Ok(arguments) => Box::pin(run(arguments, context)),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }));
        let mut input = schema::input_of::<A>();
        common::declare_session_id(&mut input);
        Self::with_handler(toolset, name, title, input, handler)
    }

    /// A read-only tool with an input schema and a handler of its own.
    #[must_use]
    pub fn with_handler(
        toolset: Toolset,
        name: &'static str,
        title: &'static str,
        input: Map<String, Value>,
        handler: Handler,
    ) -> Self {
        let has_own_root = input.get("properties").is_some_and(|properties| properties.get(PROJECT_ROOT).is_some());
        Self {
            name,
            title,
            description: "",
            toolset,
            aliases: &[],
            effects: Effects::Reads,
            idempotent: true,
            open_world: false,
            tasks: TaskSupport::Never,
            refused: None,
            session: SessionArgument::Named,
            has_own_root,
            has_pages: false,
            view: None,
            input,
            output: None,
            handler,
        }
    }

    /// Lists `project_root`, for a server that answers for several projects.
    #[must_use]
    pub fn with_project_root(mut self) -> Self {
        common::declare_project_root(&mut self.input);
        self
    }

    #[must_use]
    pub fn describe(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// Declares the shape of its results.
    #[must_use]
    pub fn returns<R: JsonSchema>(self) -> Self {
        self.returns_any(&[|generator| generator.subschema_for::<R>()])
    }

    /// Declares the two shapes that a result can have.
    #[must_use]
    pub fn returns_either<R: JsonSchema, S: JsonSchema>(self) -> Self {
        self.returns_any(&[|generator| generator.subschema_for::<R>(), |generator| generator.subschema_for::<S>()])
    }

    /// Declares the shapes that a result can have; see [`schema::output_of`].
    #[must_use]
    pub fn returns_any(mut self, shapes: &[Shape]) -> Self {
        self.output = Some(OutputSchema::of_shapes(shapes));
        self
    }

    #[must_use]
    pub fn with_effects(mut self, effects: Effects) -> Self {
        self.effects = effects;
        self.idempotent = effects != Effects::Records;
        self
    }

    /// Says what the argument `session_id` is to it.
    #[must_use]
    pub fn session_argument(mut self, session: SessionArgument) -> Self {
        self.session = session;
        self
    }

    /// Takes `cursor`, since its replies have pages.
    #[must_use]
    pub fn with_cursor(mut self) -> Self {
        common::declare_cursor(&mut self.input);
        self.has_pages = true;
        self
    }

    /// Has its results drawn by the page at `uri`.
    #[must_use]
    pub fn with_view(mut self, uri: &'static str) -> Self {
        self.view = Some(uri);
        self
    }

    /// Says whether it talks to the network.
    #[must_use]
    pub fn open_world(mut self, talks: bool) -> Self {
        self.open_world = talks;
        self
    }

    #[must_use]
    pub fn with_aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    #[must_use]
    pub fn with_task_support(mut self, tasks: TaskSupport) -> Self {
        self.tasks = tasks;
        self
    }

    /// Replaces the allowed values of a string argument, for values that come from the configuration.
    #[must_use]
    pub fn with_choices(mut self, argument: &str, values: &[String]) -> Self {
        if let Some(Value::Object(property)) = self.input.get_mut("properties").and_then(|all| all.get_mut(argument)) {
            property.insert("enum".into(), values.iter().cloned().map(Value::String).collect());
        }
        self
    }

    /// The tool as it is offered by a server that must not change the user's files; `None` when nothing is left of it.
    #[must_use]
    pub fn read_only(mut self) -> Option<Self> {
        match self.effects {
            Effects::Reads | Effects::Records => Some(self),
            Effects::Writes => None,
            Effects::WritesWhen(argument) => {
                if let Some(Value::Object(properties)) = self.input.get_mut("properties") {
                    properties.remove(argument);
                }
                self.refused = Some(argument);
                self.effects = Effects::Reads;
                Some(self)
            }
        }
    }
}

impl Tool {
    /// The arguments as the handler may see them.
    ///
    /// # Errors
    /// `invalid_argument` naming the argument and the nearest known name or value.
    pub fn validated_arguments(&self, mut arguments: Map<String, Value>) -> Result<Map<String, Value>> {
        if let Some(argument) = self.refused
            && arguments.remove(argument) == Some(Value::Bool(true))
        {
            return Err(Error::invalid(format!(
                "{} cannot take `{argument}: true`: the server is read-only",
                self.name
            ))
            .hint("apply the change yourself, or start the server without --read-only"));
        }
        super::arguments::check_against_schema(self.name, &self.input, arguments)
    }
}

fn parse<A: DeserializeOwned>(arguments: Map<String, Value>) -> Result<A> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        Error::invalid(format!("the arguments do not fit: {error}")).hint("see the input schema of the tool")
    })
}
