//! Lists: stable order, real pages, true cache hints.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, Prompt as ListedPrompt, PromptArgument, Resource as ListedResource,
    ResourceTemplate as ListedTemplate, Tool as ListedTool, ToolAnnotations,
};
use serde_json::{Value, json};

use crate::prompts::Prompt;
use crate::resources::{Resource, ResourceUriTemplate};
use crate::tool::{Effects, Tool};

/// Entries of one page. Every toolset together fits into one page: some clients never ask for the second.
const PAGE: usize = 200;

/// A list is made once at start and holds as long as the process.
const TTL_MS: u64 = 3_600_000;

/// A tool as it is listed.
pub(super) fn list_tool(tool: &Tool) -> ListedTool {
    let (read_only, destructive) = match tool.effects {
        Effects::Reads => (true, false),
        Effects::Records => (false, false),
        Effects::Writes | Effects::WritesWhen(_) => (false, true),
    };
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(read_only)
        .destructive(destructive)
        .idempotent(tool.idempotent)
        .open_world(tool.open_world);
    let listed = ListedTool::new(tool.name, tool.description, Arc::new(tool.input.clone()))
        .with_title(tool.title)
        .with_annotations(annotations);
    let listed = match tool.view {
        Some(uri) => listed.with_meta(view_meta(uri)),
        None => listed,
    };
    match &tool.output {
        Some(output) => listed.with_raw_output_schema(Arc::clone(output.object())),
        None => listed,
    }
}

/// How the MCP Apps extension says which page draws the results of a tool.
fn view_meta(uri: &str) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert("ui".to_owned(), json!({ "resourceUri": uri }));
    meta
}

fn list_resource(resource: &Resource) -> ListedResource {
    ListedResource::new(resource.uri, resource.name)
        .with_title(resource.title)
        .with_description(resource.description)
        .with_mime_type(resource.mime)
}

fn list_resource_template(template: &ResourceUriTemplate) -> ListedTemplate {
    ListedTemplate::new(template.uri_template, template.name)
        .with_title(template.title)
        .with_description(template.description)
        .with_mime_type(template.mime)
}

fn list_prompt(prompt: &Prompt) -> ListedPrompt {
    let arguments = prompt
        .arguments
        .iter()
        .map(|argument| {
            PromptArgument::new(argument.name).with_description(argument.description).with_required(argument.required)
        })
        .collect::<Vec<_>>();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    ListedPrompt::new(prompt.name, Some(prompt.description), arguments).with_title(prompt.title)
}

macro_rules! list {
    ($name:ident, $source:ty, $listed:expr, $result:ident) => {
        pub(super) fn $name(
            all: &[$source],
            request: Option<&PaginatedRequestParams>,
            page: usize,
        ) -> Result<$result, ErrorData> {
            let (slice, next) = page_of(all, request, page)?;
            let items = slice.iter().map($listed).collect();
            let mut result = $result::with_all_items(items).with_ttl_ms(TTL_MS).with_cache_scope(CacheScope::Public);
            result.next_cursor = next;
            Ok(result)
        }
    };
}

list!(tools, Tool, list_tool, ListToolsResult);
list!(resources, Resource, list_resource, ListResourcesResult);
list!(templates, ResourceUriTemplate, list_resource_template, ListResourceTemplatesResult);
list!(prompts, Prompt, list_prompt, ListPromptsResult);

/// The page size of a server.
pub(super) const fn page_size() -> usize {
    PAGE
}

/// One page of `all` and the cursor of the next.
pub(super) fn page_of<'a, T>(
    all: &'a [T],
    request: Option<&PaginatedRequestParams>,
    page: usize,
) -> Result<(&'a [T], Option<String>), ErrorData> {
    let cursor = request.and_then(|request| request.cursor.as_deref());
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor
            .strip_prefix("at-")
            .and_then(|offset| offset.parse::<usize>().ok())
            .filter(|offset| *offset < all.len())
            .ok_or_else(|| {
                let data = serde_json::json!({"cursor": cursor, "hint": "list again without a cursor"});
                ErrorData::invalid_params(format!("unknown cursor `{cursor}`"), Some(data))
            })?,
    };
    let end = all.len().min(start + page.max(1));
    let next = (end < all.len()).then(|| format!("at-{end}"));
    Ok((all.get(start..end).unwrap_or_default(), next))
}

/// Bytes that a client puts into a model's context for `tools`: names, descriptions and input schemas.
#[must_use]
pub fn context_bytes(tools: &[Tool]) -> usize {
    tools
        .iter()
        .map(|tool| tool.name.len() + tool.description.len() + Value::Object(tool.input.clone()).to_string().len())
        .sum()
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::tool::{Handler, Toolset};

    fn tools_named(names: &[&'static str]) -> Vec<Tool> {
        let handler = Handler::Value(Arc::new(|_, _| Box::pin(std::future::pending())));
        names.iter().map(|name| Tool::with_handler(Toolset::Quality, name, name, Map::new(), handler.clone())).collect()
    }

    #[test]
    fn pages_put_together_are_the_list() {
        let all = tools_named(&["a", "b", "c", "d", "e"]);
        let mut names = Vec::new();
        let mut request = None;
        loop {
            let page = tools(&all, request.as_ref(), 2).unwrap();
            names.extend(page.tools.iter().map(|tool| tool.name.to_string()));
            assert_eq!((page.ttl_ms, page.cache_scope), (Some(TTL_MS), Some(CacheScope::Public)));
            match page.next_cursor {
                Some(cursor) => request = Some(PaginatedRequestParams::default().with_cursor(Some(cursor))),
                None => break,
            }
        }
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_foreign_cursor_is_refused() {
        let request = PaginatedRequestParams::default().with_cursor(Some("at-9".into()));
        assert_eq!(tools(&tools_named(&["a"]), Some(&request), 2).unwrap_err().code.0, -32602);
    }
}
