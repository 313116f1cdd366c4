//! The handler that both transports serve.
#![expect(deprecated, reason = "the older era still has log levels and subscriptions by resource")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, DiscoverResult, GetPromptRequestParams, GetPromptResponse, GetSkillRequestMethod,
    GetSkillRequestParams, GetSkillResult, GetTaskParams, GetTaskResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsRequestMethod, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SetLevelRequestMethod,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool as ListedTool, UnsubscribeRequestParams,
    UpdateTaskParams,
};
use rmcp::service::{RequestContext, RoleServer, SubscriptionContext};
use rmcp::task_manager::TaskManager;
use serde_json::json;
use url::Url;

use super::calls::{Calls, Tasks};
use super::identity::{Features, Identity};
use super::roots::{OpenedProject, Roots};
use super::subscriptions::{Subscribed, Updates};
use super::successor::Successor;
use super::{calls, completion, listing, prompting, reading, skills, unreadable};
use crate::dispatch::{Dispatcher, NewSession, SessionSource};
use crate::prompts::Prompt;
use crate::resources::Catalogue;
use crate::tool::{OutputSchema, PROJECT_ROOT, ToolTable};
use tapps_base::Result as Outcome;

/// What a server is made of.
#[derive(Debug)]
pub struct ServerParts {
    pub identity: Identity,
    pub features: Features,
    pub table: ToolTable,
    pub catalogue: Catalogue,
    pub prompts: Vec<Prompt>,
    pub dispatcher: Dispatcher,
    pub updates: Updates,
}

/// A server; clones share everything but the subscriptions of a connection.
#[derive(Debug)]
pub struct McpServer {
    config: ServerConfig,
    features: Features,
    calls: Calls,
    catalogue: Arc<Catalogue>,
    prompts: Arc<[Prompt]>,
    updates: Updates,
    subscribed: Subscribed,
    /// What takes over, for a server that cannot do its work yet.
    successor: Option<Arc<Successor>>,
    new_session: Option<NewSessionOfClient>,
    /// The other projects that calls may name.
    roots: Option<Arc<Roots>>,
    /// The sessions of this connection in them.
    sessions_elsewhere: SessionsElsewhere,
}

/// By the root of the project.
#[derive(Default)]
struct SessionsElsewhere(Mutex<BTreeMap<PathBuf, SessionSource>>);

impl std::fmt::Debug for SessionsElsewhere {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionsElsewhere")
    }
}

/// Makes the sessions of clients that connect one after another.
#[derive(Clone)]
struct NewSessionOfClient(NewSession);

impl std::fmt::Debug for NewSessionOfClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewSessionOfClient")
    }
}

impl Clone for McpServer {
    fn clone(&self) -> Self {
        Self {
            config: self.config.clone(),
            features: self.features,
            calls: self.calls.clone(),
            catalogue: self.catalogue.clone(),
            prompts: self.prompts.clone(),
            updates: self.updates.clone(),
            subscribed: Subscribed::default(),
            successor: self.successor.clone(),
            new_session: self.new_session.clone(),
            roots: self.roots.clone(),
            sessions_elsewhere: SessionsElsewhere::default(),
        }
    }
}

impl McpServer {
    /// Puts a server together.
    #[must_use]
    pub fn new(parts: ServerParts) -> Self {
        let ServerParts { identity, features, table, catalogue, mut prompts, dispatcher, updates } = parts;
        prompts.sort_by_key(|prompt| prompt.name);
        Self {
            config: identity.server_config(features, catalogue.skills().is_some()),
            features,
            calls: Calls {
                table: Arc::new(table),
                dispatcher,
                tasks: Tasks(features.tasks.then(TaskManager::new)),
                session: None,
            },
            catalogue: Arc::new(catalogue),
            prompts: prompts.into(),
            updates,
            subscribed: Subscribed::default(),
            successor: None,
            new_session: None,
            roots: None,
            sessions_elsewhere: SessionsElsewhere::default(),
        }
    }

    /// The server while it cannot do its work: it lists what it has, and every call is for `successor`.
    #[must_use]
    pub fn replaced_by(mut self, successor: Arc<Successor>) -> Self {
        self.successor = Some(successor);
        self
    }

    /// Lets calls name another project than the server's own.
    #[must_use]
    pub fn with_roots(mut self, roots: Arc<Roots>) -> Self {
        self.roots = Some(roots);
        self
    }

    /// The project that a call names, when it is not the server's own; the name is then taken off the arguments.
    ///
    /// # Errors
    /// `invalid_argument` for what is no folder, `path_denied` for a folder that nobody allowed, and what keeps the project
    /// from being opened.
    async fn project_elsewhere(
        &self,
        request: &mut CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Outcome<Option<Arc<OpenedProject>>> {
        let Some(roots) = &self.roots else { return Ok(None) };
        let named = request.arguments.as_ref().and_then(|arguments| arguments.get(PROJECT_ROOT)?.as_str());
        let Some(named) = named else { return Ok(None) };
        let folder = roots.find_folder(named).await?;
        let own_argument = self.active_server().table().get(&request.name).is_some_and(|tool| tool.has_own_root);
        if own_argument && roots.is_inside_own(&folder) {
            return Ok(None);
        }
        if let Some(arguments) = request.arguments.as_mut() {
            arguments.remove(PROJECT_ROOT);
        }
        if roots.is_own(&folder) {
            return Ok(None);
        }
        if !roots.permits(&folder).await && !listed_by_client(context, &folder).await {
            return Err(roots.refusal(&folder));
        }
        roots.project(folder).await.map(Some)
    }

    /// The session of this connection in another project.
    fn session_in(&self, project: &OpenedProject) -> Option<SessionSource> {
        self.calls.session.as_ref()?;
        let mut sessions = self.sessions_elsewhere.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(sessions.entry(project.root.clone()).or_insert_with(|| (project.sessions.0)())))
    }

    /// The server that took over, else this one.
    fn active_server(&self) -> &Self {
        self.successor.as_ref().and_then(|successor| successor.server_made()).unwrap_or(self)
    }

    /// The session that calls belong to when they name none, on a transport with one client.
    #[must_use]
    pub fn with_session(mut self, session: SessionSource) -> Self {
        self.calls.session = Some(session);
        self
    }

    /// Has each client of a transport with many begin a session of its own, when it first needs one.
    #[must_use]
    pub fn with_session_per_client(mut self, new_session: NewSession) -> Self {
        self.new_session = Some(NewSessionOfClient(new_session));
        self
    }

    /// The server for one more client.
    #[must_use]
    pub fn for_client(&self) -> Self {
        let mut server = self.clone();
        if let Some(NewSessionOfClient(new_session)) = &self.new_session {
            server.calls.session = Some(new_session());
        }
        server
    }

    /// The tools it offers.
    #[must_use]
    pub fn table(&self) -> &ToolTable {
        &self.calls.table
    }

    /// Makes the schemas of all results, so that a list of the tools need not wait for them.
    pub fn make_schemas(&self) {
        self.table().tools().iter().filter_map(|tool| tool.output.as_ref()).for_each(OutputSchema::make);
    }

    /// The layer that runs them.
    #[must_use]
    pub fn dispatcher(&self) -> &Dispatcher {
        &self.calls.dispatcher
    }

    /// Where changes of resources are announced.
    #[must_use]
    pub fn updates(&self) -> &Updates {
        &self.updates
    }

    fn tasks(&self) -> Result<&TaskManager, ErrorData> {
        self.active_server().calls.tasks.0.as_ref().ok_or_else(|| ErrorData::internal_error("tasks are off", None))
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        self.config.clone()
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(3_600_000)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        listing::tools(self.active_server().table().tools(), request.as_ref(), listing::page_size())
    }

    fn get_tool(&self, name: &str) -> Option<ListedTool> {
        self.active_server().table().get(name).map(listing::list_tool)
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.project_elsewhere(&mut request, &context).await {
            Ok(None) => {}
            Ok(Some(project)) => {
                // Tasks are asked for by their number, without a project.
                let session = self.session_in(&project);
                let calls = Calls { session, tasks: self.calls.tasks.clone(), ..project.server.calls.clone() };
                return calls.call(request, context).await;
            }
            Err(error) => return Ok(calls::refused_call(&error)),
        }
        let Some(successor) = &self.successor else { return self.calls.call(request, context).await };
        match successor.take_over().await {
            Ok(server) => {
                // The session of the client goes on.
                let calls = Calls { session: self.calls.session.clone(), ..server.calls.clone() };
                calls.call(request, context).await
            }
            Err(error) => Ok(calls::refused_call(&successor.explain_refusal(&request.name, error))),
        }
    }

    /// What the library cannot read as any request it knows: an unknown method, or a known one with other params.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(unreadable::unreadable_request_error(&request.method))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        listing::resources(self.active_server().catalogue.resources(), request.as_ref(), listing::page_size())
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        listing::templates(self.active_server().catalogue.templates(), request.as_ref(), listing::page_size())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let server = match &self.successor {
            Some(successor) => successor.take_over().await.map_err(|error| reading::read_failure(&error))?,
            None => self,
        };
        reading::read_resource_at(server.catalogue.clone(), request.uri, self.dispatcher().fresh_correlation_id()).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        match self.active_server().catalogue.skills() {
            Some(all) => skills::list(all.clone(), request).await,
            None => Err(ErrorData::method_not_found::<ListSkillsRequestMethod>()),
        }
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        match self.active_server().catalogue.skills() {
            Some(all) => skills::get(all.clone(), request).await,
            None => Err(ErrorData::method_not_found::<GetSkillRequestMethod>()),
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        listing::prompts(&self.active_server().prompts, request.as_ref(), listing::page_size())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let correlation = self.dispatcher().fresh_correlation_id();
        prompting::get_prompt(&self.active_server().prompts, request, context.client_capabilities(), correlation).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let server = self.active_server();
        Ok(completion::complete(&server.prompts, &server.catalogue, &request))
    }

    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // Accepted where log notifications exist at all; they are few enough to need no filter.
        if self.features.logging { Ok(()) } else { Err(ErrorData::method_not_found::<SetLevelRequestMethod>()) }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        // Lists never change while the process lives.
        accepted.tools_list_changed = None;
        accepted.prompts_list_changed = None;
        accepted.resources_list_changed = None;
        if let Some(uris) = accepted.resource_subscriptions.as_mut() {
            uris.retain(|uri| self.active_server().catalogue.knows(uri));
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.updates.forward_updates(context, self.dispatcher().closing()).await;
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let catalogue = &self.active_server().catalogue;
        if !catalogue.knows(&request.uri) {
            let data = json!({"uri": request.uri, "hint": catalogue.hint(&request.uri)});
            return Err(ErrorData::resource_not_found(format!("there is no resource at {}", request.uri), Some(data)));
        }
        self.subscribed.add(request.uri, context.peer, &self.updates, self.dispatcher().closing());
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed.remove(&request.uri);
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks()?.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks()?.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks()?.cancel_task(&request.task_id)
    }
}

/// How long a client may take to say which folders it works in.
const ROOTS: Duration = Duration::from_secs(2);

/// True when the client says that the folder is one of those it works in, or lies in one. Clients of the newer era are not
/// asked anything.
async fn listed_by_client(context: &RequestContext<RoleServer>, folder: &std::path::Path) -> bool {
    let knows = context.client_capabilities().is_some_and(|capabilities| capabilities.roots.is_some());
    if !knows || context.meta.protocol_version().is_some() {
        return false;
    }
    let Ok(Ok(listed)) = tokio::time::timeout(ROOTS, context.peer.list_roots()).await else { return false };
    let paths = listed.roots.iter().filter_map(|root| Url::parse(&root.uri).ok()?.to_file_path().ok());
    paths.filter_map(|path| path.canonicalize().ok()).any(|path| folder.starts_with(path))
}
