//! Questions about who refers to whom: along edges to a depth, and along paths between two places.

mod may_import;
mod paths;
mod walk;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use may_import::answer_may_import;
pub use paths::Chain;
pub(super) use walk::{Direction, GraphTraversalOptions, ReachedNode, traverse_graph};

use super::contracts::ForbiddenImport;
use super::graph::Graph;
use super::model::{EdgeKind, EdgeStatus, EdgeTarget, GraphNode, IndexProblem};
use super::target;
use super::view::{NodeLocation, lines_of};
use tapps_base::{Error, Result};

/// How far a question goes unless it says so, in edges.
pub const DEFAULT_DEPTH: u32 = 3;

/// The longest chain of edges that can be asked for.
pub const MAX_DEPTH: u32 = 10;

/// What is asked; each `what-…` is another spelling of the word after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum QueryType {
    Calls,
    CallsMe,
    Imports,
    ImportsMe,
    DependsOn,
    DependsOnMe,
    ShortestPath,
    AllPaths,
    /// Whether `source` may import `target`, by the contracts of the project.
    MayImport,
    WhatCalls,
    WhatCallsMe,
    WhatImports,
    WhatImportsMe,
    WhatDependsOn,
    WhatDependsOnMe,
}

impl QueryType {
    /// The short spelling.
    #[must_use]
    pub const fn canonical_type(self) -> Self {
        match self {
            Self::WhatCalls => Self::Calls,
            Self::WhatCallsMe => Self::CallsMe,
            Self::WhatImports => Self::Imports,
            Self::WhatImportsMe => Self::ImportsMe,
            Self::WhatDependsOn => Self::DependsOn,
            Self::WhatDependsOnMe => Self::DependsOnMe,
            other => other,
        }
    }

    const fn direction(self) -> Direction {
        match self.canonical_type() {
            Self::CallsMe | Self::ImportsMe | Self::DependsOnMe => Direction::Inbound,
            _ => Direction::Outbound,
        }
    }

    const fn kinds(self) -> &'static [EdgeKind] {
        match self.canonical_type() {
            Self::Calls | Self::CallsMe => &[EdgeKind::Call],
            Self::Imports | Self::ImportsMe => &[EdgeKind::Import],
            _ => &[EdgeKind::Call, EdgeKind::Import, EdgeKind::Extends, EdgeKind::Implements],
        }
    }
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRequest {
    pub query_type: QueryType,
    /// An element, `Class.method`, a file or a reference; of a path query where it ends.
    pub target: String,
    /// Where a path begins.
    pub source: Option<String>,
    /// 1–10; none means [`DEFAULT_DEPTH`], for path queries [`MAX_DEPTH`].
    pub max_depth: Option<u32>,
    /// Most results to give; none means all.
    pub limit: Option<usize>,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueryResult {
    #[serde(flatten)]
    pub place: NodeLocation,
    /// The kind of edge it was found by.
    pub relationship: &'static str,
    /// Number of edges from the target.
    pub depth: u32,
    pub status: &'static str,
    /// Lines of the calls or imports, in the file where they stand: that of the result when something refers to the
    /// target, else that of what refers to the result.
    pub lines: Vec<u32>,
    /// Through what it was found, beyond depth 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
}

/// Something outside the project that is referred to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Outside {
    pub module: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub lines: Vec<u32>,
}

/// References of the target itself that no answer can follow, by their status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotFollowed {
    /// May be any of several; the candidates are among the results at depth 1.
    pub ambiguous: u32,
    pub unresolved: u32,
    pub dynamic: u32,
    pub builtin: u32,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QueryReport {
    pub query_type: QueryType,
    pub target: String,
    /// What the target was taken for; more than one when the name is not unique, and the answer is for all of them.
    pub matches: Vec<NodeLocation>,
    pub max_depth: u32,
    /// How many there are, also of those that are not shown.
    pub total: usize,
    pub truncated: bool,
    /// By depth, file and line; of a path query the chains, of `may-import` the contracts that forbid it.
    pub results: Vec<QueryAnswer>,
    /// What the target refers to directly outside the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Outside>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_followed: Option<NotFollowed>,
    /// Configuration that could not be used, so that fewer modules are found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<IndexProblem>,
    /// What to ask instead, where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Of `may-import`: whether no contract forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<bool>,
    /// Of `may-import`: how many contracts were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contracts: Option<usize>,
}

/// One result of either kind of question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum QueryAnswer {
    Found(QueryResult),
    Path(Chain),
    Forbidden(ForbiddenImport),
}

/// Answers a question.
///
/// # Errors
/// `invalid_argument` for a target or source that is not there, a depth out of range, or a source missing from or given
/// besides a path query.
pub fn query_graph(graph: &Graph<'_>, request: &QueryRequest) -> Result<QueryReport> {
    let kind = request.query_type.canonical_type();
    let is_path = matches!(kind, QueryType::ShortestPath | QueryType::AllPaths);
    let max_depth = depth_or_default(request.max_depth, if is_path { MAX_DEPTH } else { DEFAULT_DEPTH })?;
    let matches = target::find_target_nodes(graph, &request.target)?;
    let mut report = QueryReport {
        query_type: request.query_type,
        target: request.target.clone(),
        matches: matches.iter().filter_map(|node| NodeLocation::from_node(graph, *node)).collect(),
        max_depth,
        total: 0,
        truncated: false,
        results: Vec::new(),
        outside: Vec::new(),
        not_followed: None,
        problems: graph.index().problems.clone(),
        hint: None,
        allowed: None,
        contracts: None,
    };
    let mut results: Vec<QueryAnswer> = if is_path {
        let source = request.source.as_deref().ok_or_else(|| {
            Error::invalid("a path query needs a `source`").hint("name where the path begins; it ends at `target`")
        })?;
        let from = target::find_target_nodes(graph, source)?;
        let (chains, whole) = paths::chains_between(graph, &from, &matches, max_depth, kind == QueryType::ShortestPath);
        report.truncated = !whole;
        chains.into_iter().map(QueryAnswer::Path).collect()
    } else {
        if request.source.is_some() {
            return Err(Error::invalid(format!("`source` has no meaning for this query of `{}`", request.target))
                .hint("ask for shortest-path or all-paths, or leave `source` out"));
        }
        let search =
            GraphTraversalOptions { direction: kind.direction(), kinds: kind.kinds(), max_depth, through_files: true };
        if kind.direction() == Direction::Outbound {
            (report.outside, report.not_followed) = external_references(graph, &matches, kind.kinds());
        }
        traverse_graph(graph, &matches, &search)
            .iter()
            .filter_map(|found| query_result(graph, found))
            .map(QueryAnswer::Found)
            .collect()
    };
    report.total = results.len();
    if results.is_empty() {
        report.hint = other_users(graph, &matches, kind);
    }
    if let Some(limit) = request.limit.filter(|limit| *limit < results.len()) {
        results.truncate(limit);
        report.truncated = true;
    }
    report.results = results;
    Ok(report)
}

impl QueryReport {
    /// The same without the references of its rows, which name and file say as well; those of `matches` stay.
    #[must_use]
    pub fn with_short_rows(mut self) -> Self {
        for answer in &mut self.results {
            match answer {
                QueryAnswer::Found(found) => found.place.reference.clear(),
                QueryAnswer::Path(chain) => chain.steps.iter_mut().for_each(|step| step.place.reference.clear()),
                QueryAnswer::Forbidden(_) => {}
            }
        }
        self
    }
}

/// What else refers to something that nothing calls or imports.
fn other_users(graph: &Graph<'_>, matches: &[GraphNode], kind: QueryType) -> Option<String> {
    if !matches!(kind, QueryType::CallsMe | QueryType::ImportsMe) {
        return None;
    }
    let any = QueryType::DependsOnMe;
    let search =
        GraphTraversalOptions { direction: any.direction(), kinds: any.kinds(), max_depth: 1, through_files: true };
    let users = traverse_graph(graph, matches, &search).len();
    let of = if users == 1 { "one place refers" } else { "places refer" };
    let count = if users == 1 { String::new() } else { format!("{users} ") };
    (users > 0).then(|| format!("{count}{of} to it in another way: ask depends-on-me"))
}

/// A depth within bounds.
///
/// # Errors
/// `invalid_argument` when it is out of range.
pub fn depth_or_default(asked: Option<u32>, default: u32) -> Result<u32> {
    match asked {
        None => Ok(default),
        Some(depth) if (1..=MAX_DEPTH).contains(&depth) => Ok(depth),
        Some(depth) => Err(Error::invalid(format!("a depth of {depth} edges cannot be asked for"))
            .hint(format!("give a depth from 1 to {MAX_DEPTH}"))),
    }
}

fn query_result(graph: &Graph<'_>, found: &ReachedNode) -> Option<QueryResult> {
    let via =
        if found.depth > 1 { NodeLocation::from_node(graph, found.via).map(|place| place.reference) } else { None };
    Some(QueryResult {
        place: NodeLocation::from_node(graph, found.node)?,
        relationship: found.kind.as_str(),
        depth: found.depth,
        status: found.status.as_str(),
        lines: found.lines.clone(),
        via,
    })
}

/// What the starting nodes refer to directly without an end in the project.
fn external_references(
    graph: &Graph<'_>,
    starts: &[GraphNode],
    kinds: &[EdgeKind],
) -> (Vec<Outside>, Option<NotFollowed>) {
    let mut inside: Vec<GraphNode> = starts.iter().flat_map(|node| graph.with_members(*node)).collect();
    inside.sort_unstable();
    inside.dedup();
    let mut outside: Vec<Outside> = Vec::new();
    let mut counts = NotFollowed::default();
    let edges = graph.index().edges.iter();
    for edge in edges.filter(|edge| kinds.contains(&edge.kind) && inside.binary_search(&edge.from).is_ok()) {
        let places = u32::try_from(edge.sites.len().max(1)).unwrap_or(u32::MAX);
        match (&edge.to, edge.status) {
            (EdgeTarget::External { module, name }, _) => {
                outside.push(Outside { module: module.clone(), name: name.clone(), lines: lines_of(edge) });
            }
            (EdgeTarget::Candidates { .. }, _) => counts.ambiguous += places,
            (EdgeTarget::Builtin(_), _) => counts.builtin += places,
            (EdgeTarget::Unknown(_), EdgeStatus::Dynamic) => counts.dynamic += places,
            (EdgeTarget::Unknown(_), _) => counts.unresolved += places,
            (EdgeTarget::Node(_), _) => {}
        }
    }
    outside.sort();
    let mut merged: Vec<Outside> = Vec::new();
    for next in outside {
        match merged.last_mut().filter(|last| last.module == next.module && last.name == next.name) {
            Some(last) => last.lines.extend(next.lines),
            None => merged.push(next),
        }
    }
    for one in &mut merged {
        one.lines.sort_unstable();
        one.lines.dedup();
    }
    (merged, (counts != NotFollowed::default()).then_some(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CodebaseIndex, ElementKind};
    use crate::sample::Sample;

    /// `main` calls `load` and `parse`; `load` calls `parse`; `parse` calls itself and maybe `Tree.add`.
    fn sample() -> CodebaseIndex {
        let mut sample = Sample::new();
        let (a, b, c) = (sample.file("src/a.ts"), sample.file("src/b.ts"), sample.file("src/c.ts"));
        let main = sample.element(a, ElementKind::Function, "main");
        let load = sample.element(b, ElementKind::Function, "load");
        let parse = sample.element(b, ElementKind::Function, "parse");
        let tree = sample.element(c, ElementKind::Class, "Tree");
        let add = sample.member(tree, ElementKind::Method, "add");
        let prune = sample.member(tree, ElementKind::Method, "prune");
        sample.edge(GraphNode::File(a), EdgeKind::Import, GraphNode::File(b), &[1]);
        sample.edge(GraphNode::File(a), EdgeKind::Import, load, &[1]);
        sample.edge(GraphNode::File(b), EdgeKind::Import, GraphNode::File(c), &[2]);
        sample.edge(main, EdgeKind::Call, load, &[5, 6]);
        sample.edge(main, EdgeKind::Call, parse, &[7]);
        sample.edge(load, EdgeKind::Call, parse, &[3]);
        sample.edge(parse, EdgeKind::Call, parse, &[14]);
        sample.candidates(parse, &[add], &[15]);
        sample.edge(prune, EdgeKind::Call, add, &[12]);
        let external = EdgeTarget::External { module: "react".to_owned(), name: Some("memo".to_owned()) };
        sample.push(main, EdgeKind::Call, EdgeStatus::External, external, &[8]);
        sample.push(main, EdgeKind::Call, EdgeStatus::Builtin, EdgeTarget::Builtin("Array.map".to_owned()), &[9, 10]);
        sample.index()
    }

    fn ask(query_type: QueryType, target: &str, max_depth: u32) -> QueryReport {
        let index = sample();
        let request = QueryRequest {
            query_type,
            target: target.to_owned(),
            source: None,
            max_depth: Some(max_depth),
            limit: None,
        };
        query_graph(&Graph::new(&index), &request).unwrap()
    }

    fn lines(report: &QueryReport) -> Vec<String> {
        let line = |answer: &QueryAnswer| match answer {
            QueryAnswer::Found(found) => {
                format!("{} {} {} {:?}", found.depth, found.place.name, found.status, found.lines)
            }
            QueryAnswer::Path(chain) => {
                chain.steps.iter().map(|link| &*link.place.name).collect::<Vec<_>>().join(" > ")
            }
            QueryAnswer::Forbidden(forbidden) => forbidden.says.clone(),
        };
        report.results.iter().map(line).collect()
    }

    #[test]
    fn edges_are_followed_to_the_depth() {
        use QueryType::*;
        for (kind, target, depth, expected) in [
            (Calls, "main", 1, vec!["1 load resolved [5, 6]", "1 parse resolved [7]"]),
            (Calls, "load", 1, vec!["1 parse resolved [3]"]),
            (Calls, "load", 5, vec!["1 parse resolved [3]"]),
            (Calls, "parse", 5, vec!["1 parse resolved [14]", "1 add? ambiguous [15]"]),
            (CallsMe, "parse", 3, vec!["1 main resolved [7]", "1 load resolved [3]", "1 parse resolved [14]"]),
            (CallsMe, "load", 3, vec!["1 main resolved [5, 6]"]),
            (CallsMe, "Tree", 3, vec!["1 parse ambiguous [15]"]),
            (CallsMe, "Tree.add", 3, vec!["1 parse ambiguous [15]", "1 prune? resolved [12]"]),
            (Imports, "src/a.ts", 1, vec!["1 b.ts resolved [1]", "1 load resolved [1]"]),
            (Imports, "src/a.ts", 2, vec!["1 b.ts resolved [1]", "1 load resolved [1]", "2 c.ts resolved [2]"]),
            (ImportsMe, "src/c.ts", 9, vec!["1 b.ts resolved [2]", "2 a.ts resolved [1]"]),
            (WhatImportsMe, "load", 1, vec!["1 a.ts resolved [1]"]),
            (DependsOnMe, "load", 1, vec!["1 a.ts resolved [1]", "1 main resolved [5, 6]"]),
        ] {
            let expected: Vec<String> =
                expected.iter().map(|line| line.replace("add?", "Tree.add").replace("prune?", "Tree.prune")).collect();
            assert_eq!(lines(&ask(kind, target, depth)), expected, "{kind:?} {target} {depth}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_counted() {
        let report = ask(QueryType::Calls, "main", 1);
        assert_eq!(
            report.outside,
            [Outside { module: "react".to_owned(), name: Some("memo".to_owned()), lines: vec![8] }]
        );
        assert_eq!(report.not_followed, Some(NotFollowed { builtin: 2, ..NotFollowed::default() }));
        assert_eq!(ask(QueryType::Calls, "load", 1).not_followed, None);
    }

    #[test]
    fn chains_are_given_shortest_first() {
        let index = sample();
        let graph = Graph::new(&index);
        let request = |query_type, max_depth| QueryRequest {
            query_type,
            target: "parse".to_owned(),
            source: Some("main".to_owned()),
            max_depth,
            limit: None,
        };
        let shortest = query_graph(&graph, &request(QueryType::ShortestPath, None)).unwrap();
        assert_eq!(lines(&shortest), ["main > parse"]);
        let all = query_graph(&graph, &request(QueryType::AllPaths, None)).unwrap();
        assert_eq!(lines(&all), ["main > parse", "main > load > parse"]);
        assert_eq!((all.total, all.truncated), (2, false));
        let near = query_graph(&graph, &request(QueryType::AllPaths, Some(1))).unwrap();
        assert_eq!(lines(&near), ["main > parse"]);
        let QueryAnswer::Path(chain) = &all.results[1] else { panic!("a chain") };
        assert_eq!((chain.length, &chain.steps[1].lines, chain.steps[0].relationship), (2, &vec![5, 6], None));
    }

    #[test]
    fn bad_questions_are_refused() {
        let index = sample();
        let graph = Graph::new(&index);
        let request = |query_type, source: Option<&str>, max_depth| QueryRequest {
            query_type,
            target: "parse".to_owned(),
            source: source.map(str::to_owned),
            max_depth,
            limit: None,
        };
        for (request, message) in [
            (request(QueryType::Calls, None, Some(0)), "a depth of 0 edges cannot be asked for"),
            (request(QueryType::Calls, None, Some(11)), "a depth of 11 edges cannot be asked for"),
            (request(QueryType::AllPaths, None, None), "a path query needs a `source`"),
            (request(QueryType::Calls, Some("main"), None), "`source` has no meaning for this query of `parse`"),
            (request(QueryType::AllPaths, Some("man"), None), "nothing in the project is called `man`"),
        ] {
            let error = query_graph(&graph, &request).unwrap_err();
            assert_eq!(error.message(), message);
            assert!(error.body().hint.is_some());
        }
        let limited = QueryRequest { limit: Some(1), ..request(QueryType::CallsMe, None, None) };
        let report = query_graph(&graph, &limited).unwrap();
        assert_eq!((report.results.len(), report.total, report.truncated), (1, 3, true));
    }
}
