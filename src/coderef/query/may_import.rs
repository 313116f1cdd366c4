//! Whether one module may import another, by the contracts of the project.

use super::{QueryAnswer, QueryReport, QueryRequest, QueryType};
use crate::contracts::{ImportGraph, forbidden_by_contracts};
use crate::graph::Graph;
use crate::target;
use crate::view::NodeLocation;
use tapps_base::{Error, Result};
use tapps_config::ArchitectureConfig;

/// Answers `may source import target`, whether the import is written or not.
///
/// # Errors
/// `invalid_argument` without a source and for one that is nowhere in the project; `config_error` for contracts that
/// cannot be used.
pub fn answer_may_import(
    graph: &Graph<'_>,
    config: &ArchitectureConfig,
    request: &QueryRequest,
) -> Result<QueryReport> {
    let source = request.source.as_deref().ok_or_else(|| {
        Error::invalid("may-import needs a `source`").hint("name who would import; `target` is what would be imported")
    })?;
    let imports = ImportGraph::from_index(graph.index(), config.tests);
    let named = |text: &str| named_file(graph, text);
    let mut forbidden = forbidden_by_contracts(config, &imports, &named(source)?, &named(&request.target)?)?;
    let total = forbidden.len();
    forbidden.truncate(request.limit.unwrap_or(usize::MAX));
    let matches = target::find_target_nodes(graph, &request.target).unwrap_or_default();
    Ok(QueryReport {
        query_type: QueryType::MayImport,
        target: request.target.clone(),
        matches: matches.iter().filter_map(|node| NodeLocation::from_node(graph, *node)).collect(),
        max_depth: 0,
        total,
        truncated: forbidden.len() < total,
        results: forbidden.into_iter().map(QueryAnswer::Forbidden).collect(),
        outside: Vec::new(),
        not_followed: None,
        problems: graph.index().problems.clone(),
        hint: None,
        allowed: Some(total == 0),
        contracts: Some(config.contracts.len()),
    })
}

/// The file of a reference or an element in a file; other names are as they are.
fn named_file(graph: &Graph<'_>, text: &str) -> Result<String> {
    if !text.starts_with('@') && !text.contains('#') {
        return Ok(text.to_owned());
    }
    let nodes = target::find_target_nodes(graph, text)?;
    let file = nodes.first().and_then(|node| graph.file(*node));
    Ok(file.map_or_else(|| text.to_owned(), |file| file.path.clone()))
}
