//! Reading resources.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{CacheScope, ReadResourceResponse, ReadResourceResult, ResourceContents};
use serde_json::json;

use crate::dispatch::CaughtPanic;
use crate::resources::{Catalogue, Freshness, ResourceContent};

/// Reads `uri` off the async threads.
pub(super) async fn read_resource_at(
    catalogue: Arc<Catalogue>,
    uri: String,
    correlation: String,
) -> Result<ReadResourceResponse, ErrorData> {
    let address = uri.clone();
    let source = catalogue.clone();
    let found = tokio::task::spawn_blocking(move || source.read_resource(&address)).await.map_err(|failed| {
        let error = match failed.try_into_panic() {
            Ok(payload) => CaughtPanic::from_payload(payload.as_ref()).into_error(&uri, &correlation),
            Err(_) => tapps_base::Error::internal("the server is closing"),
        };
        read_failure(&error)
    })?;
    let Some(found) = found else {
        let hint = catalogue.hint(&uri);
        return Err(ErrorData::resource_not_found(
            format!("there is no resource at {uri}"),
            Some(json!({"uri": uri, "hint": hint})),
        ));
    };
    let (contents, mime) = match found.content.map_err(|error| read_failure(&error))? {
        ResourceContent::Text(text) => (ResourceContents::text(text, uri), found.mime),
        ResourceContent::Typed(mime, text) => (ResourceContents::text(text, uri), mime),
        ResourceContent::Blob(blob) => (ResourceContents::blob(blob, uri), found.mime),
    };
    let scope = match found.freshness {
        Freshness::Program => CacheScope::Public,
        Freshness::Project => CacheScope::Private,
    };
    let more = found.note.map(|note| ResourceContents::text(note.sentence, note.next).with_mime_type("text/plain"));
    // Without a type of their own, texts would be listed as JSON and read as plain text.
    let contents = std::iter::once(contents.with_mime_type(mime)).chain(more).collect();
    Ok(ReadResourceResult::new(contents).with_ttl_ms(found.freshness.ttl_ms()).with_cache_scope(scope).into())
}

pub(super) fn read_failure(error: &tapps_base::Error) -> ErrorData {
    ErrorData::internal_error(error.message().to_owned(), serde_json::to_value(error.body()).ok())
}
