//! The index as resources: the whole in figures, and the elements of each file.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::resources::{Freshness, Resource, ResourceContent, ResourceUriTemplate};
use crate::services::Services;
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_coderef::codebase::Codebase;
use tapps_coderef::scan::{ScanRequest, scan_elements};

const INDEX: &str = "tapps://coderef/index";
const FILE: &str = "tapps://coderef/files/{+path}";
const JSON: &str = "application/json";

/// Longest that reading one may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Most paths that are offered to complete one.
const OFFERED: usize = 100;

/// What can be read without knowing a path.
pub(crate) fn resources(services: &Services) -> Vec<Resource> {
    let codebase = codebase(services);
    let index = Resource::new(INDEX, "coderef_index", JSON, Freshness::Project, move || {
        let code = codebase.code(&Call::quiet(LIMIT))?;
        let (index, report) = (&code.index, scan_elements(&code.graph(), &ScanRequest::default())?);
        let files = index.files.iter().map(|file| {
            json!({"file": file.path, "language": file.language.as_str(), "lines": file.lines,
                   "sha256": file.sha256, "test": file.test})
        });
        text(&json!({
            "files": files.collect::<Vec<_>>(),
            "elements": report.elements_found,
            "edges": index.edges.len(),
            "by_type": report.by_type,
            "by_language": report.by_language,
            "unread": report.unread,
        }))
    });
    vec![index.with_title_and_description(
        "Code index",
        "Every source file with its digest, and counts of elements by type and language",
    )]
}

/// What can be read by path.
pub(crate) fn templates(services: &Services) -> Vec<ResourceUriTemplate> {
    let (reading, completing) = (codebase(services), codebase(services));
    let file = ResourceUriTemplate::new(FILE, "coderef_file", JSON, Freshness::Project, move |values| {
        let path = values.first()?;
        let code = match reading.code(&Call::quiet(LIMIT)) {
            Ok(code) => code,
            Err(error) => return Some(Err(error)),
        };
        code.index.files.iter().find(|file| file.path == *path)?;
        let request = ScanRequest { path: Some(path.clone()), use_ast: true, ..ScanRequest::default() };
        Some(scan_elements(&code.graph(), &request).and_then(|report| text(&report)))
    });
    let paths = move |_: &str, typed: &str| {
        let Ok(code) = completing.code(&Call::quiet(LIMIT)) else { return Vec::new() };
        let fitting = code.index.files.iter().map(|file| &file.path).filter(|path| path.starts_with(typed));
        fitting.take(OFFERED).cloned().collect()
    };
    vec![
        file.with_title_and_description("Elements of a file", "Everything one source file defines, with what it calls")
            .with_completion(paths),
    ]
}

/// The project as a whole, which the tools ask as well.
fn codebase(services: &Services) -> Codebase {
    Codebase::new(Arc::clone(&services.boundary)).remembering(services.engine.project().code_memory())
}

fn text(value: &impl Serialize) -> Result<ResourceContent> {
    serde_json::to_string(value)
        .map(ResourceContent::Text)
        .map_err(|error| Error::internal(format!("the resource has no JSON form: {error}")))
}
