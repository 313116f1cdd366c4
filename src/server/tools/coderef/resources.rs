//! The index as resources: the whole in figures, and the elements of each file.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::resources::{Content, Freshness, Resource, Template};
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_coderef::codebase::Codebase;
use tapps_coderef::scan::{ScanRequest, scan};
use tapps_coderef::view::language_name;
use tapps_sandbox::Boundary;

const INDEX: &str = "tapps://coderef/index";
const FILE: &str = "tapps://coderef/files/{+path}";
const JSON: &str = "application/json";

/// Longest that reading one may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Most paths that are offered to complete one.
const OFFERED: usize = 100;

/// What can be read without knowing a path.
pub(crate) fn resources(boundary: &Arc<Boundary>) -> Vec<Resource> {
    let boundary = Arc::clone(boundary);
    let index = Resource::new(INDEX, "coderef_index", JSON, Freshness::Project, move || {
        let index = Codebase::new(Arc::clone(&boundary)).index(&Call::quiet(LIMIT))?;
        let report = scan(&tapps_coderef::graph::Graph::new(&index), &ScanRequest::default())?;
        let files = index.files.iter().map(|file| {
            json!({"file": file.path, "language": language_name(file.language), "lines": file.lines,
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
    vec![index.about("Code index", "Every source file with its digest, and counts of elements by type and language")]
}

/// What can be read by path.
pub(crate) fn templates(boundary: &Arc<Boundary>) -> Vec<Template> {
    let (reading, completing) = (Arc::clone(boundary), Arc::clone(boundary));
    let file = Template::new(FILE, "coderef_file", JSON, Freshness::Project, move |values| {
        let path = values.first()?;
        let codebase = Codebase::new(Arc::clone(&reading));
        let index = match codebase.index(&Call::quiet(LIMIT)) {
            Ok(index) => index,
            Err(error) => return Some(Err(error)),
        };
        index.files.iter().find(|file| file.path == *path)?;
        let request = ScanRequest { path: Some(path.clone()), use_ast: true, ..ScanRequest::default() };
        Some(scan(&tapps_coderef::graph::Graph::new(&index), &request).and_then(|report| text(&report)))
    });
    let paths = move |_: &str, typed: &str| {
        let index = Codebase::new(Arc::clone(&completing)).index(&Call::quiet(LIMIT)).unwrap_or_default();
        let fitting = index.files.into_iter().map(|file| file.path).filter(|path| path.starts_with(typed));
        fitting.take(OFFERED).collect()
    };
    vec![file.about("Elements of a file", "Everything one source file defines, with what it calls").completing(paths)]
}

fn text(value: &impl Serialize) -> Result<Content> {
    serde_json::to_string(value)
        .map(Content::Text)
        .map_err(|error| Error::internal(format!("the resource has no JSON form: {error}")))
}
