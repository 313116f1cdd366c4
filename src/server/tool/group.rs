//! Tools of one toolset whose handlers share something.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::definition::{Tool, ToolContext};
use super::toolset::Toolset;
use crate::dispatch::Reply;
use tapps_base::Result;

/// Where tools are declared that belong to one toolset: each call gets a clone of what they share.
#[derive(Debug, Clone)]
pub struct ToolGroup<S> {
    toolset: Toolset,
    shared: S,
}

impl<S: Clone + Send + Sync + 'static> ToolGroup<S> {
    /// No tools yet; cloning `shared` should be cheap.
    pub const fn new(toolset: Toolset, shared: S) -> Self {
        Self { toolset, shared }
    }

    /// A read-only tool with the arguments `A`; `handle` gets what is shared, the checked arguments and the circumstances.
    pub fn tool<A, W>(
        &self,
        name: &'static str,
        title: &'static str,
        handle: impl Fn(S, A, ToolContext) -> W + Send + Sync + 'static,
    ) -> Tool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        W: Future<Output = Result<Reply>> + Send + 'static,
    {
        let shared = self.shared.clone();
        Tool::new(self.toolset, name, title, move |given, context| handle(shared.clone(), given, context))
    }

    /// As [`tool`](Self::tool), with a handler that never waits.
    pub fn immediate_tool<A>(
        &self,
        name: &'static str,
        title: &'static str,
        handle: impl Fn(&S, A, &ToolContext) -> Result<Reply> + Send + Sync + 'static,
    ) -> Tool
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
    {
        self.tool(name, title, move |shared, given, context| std::future::ready(handle(&shared, given, &context)))
    }
}
