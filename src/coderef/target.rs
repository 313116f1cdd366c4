//! From what a caller names to the files and elements that are meant.

use std::collections::BTreeSet;

use super::graph::Graph;
use super::model::{ElementId, FileId, GraphNode};
use super::reference::resolve::resolve_reference;
use super::reference::{Reference, parse_reference};
use tapps_base::{Error, Result, nearest};

/// Everything that a text names, sorted; what it is taken for first decides: a reference, `path#element`, a path with or
/// without its ending, the path of an element (`Class.method`) or the last parts of it.
///
/// # Errors
/// `invalid_argument` for an empty text and for one that names nothing, with the nearest names.
pub fn find_target_nodes(graph: &Graph<'_>, text: &str) -> Result<Vec<GraphNode>> {
    let text = text.trim();
    if text.is_empty() {
        return Err(
            Error::invalid("the target is empty").hint("name an element, `Class.method`, a file or a reference")
        );
    }
    if text.starts_with('@') {
        return by_reference(graph, text);
    }
    let found = by_name(graph, text);
    if found.is_empty() { Err(unknown_target_error(graph, text)) } else { Ok(found) }
}

/// Without its line: a reference lives longer than a line number.
fn by_reference(graph: &Graph<'_>, text: &str) -> Result<Vec<GraphNode>> {
    let reference = Reference { lines: None, ..parse_reference(text)? };
    match resolve_reference(graph.index(), &reference) {
        Ok(found) => Ok(vec![found.element.map_or(GraphNode::File(found.file), GraphNode::Element)]),
        Err(unresolved) => {
            let hint = match unresolved.suggestions.as_slice() {
                [] => "use coderef_scan to see what there is".to_owned(),
                near => format!("did you mean {}?", near.iter().take(3).cloned().collect::<Vec<_>>().join(" or ")),
            };
            Err(Error::invalid(unresolved.message).hint(hint))
        }
    }
}

fn without_line(text: &str) -> &str {
    match text.rsplit_once(':') {
        Some((before, line)) if line.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => before,
        _ => text,
    }
}

fn by_name(graph: &Graph<'_>, text: &str) -> Vec<GraphNode> {
    if let Some((path, name)) = text.split_once('#') {
        let inside = by_path(graph, path);
        if !inside.is_empty() {
            return inside.iter().flat_map(|file| in_file(graph, *file, without_line(name))).collect();
        }
    }
    let files = by_path(graph, text);
    if !files.is_empty() {
        return files.into_iter().map(GraphNode::File).collect();
    }
    let fits = |path: &str| path.strip_suffix(text).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    elements(graph).filter(|node| graph.element(*node).is_some_and(|element| fits(&element.path))).collect()
}

fn by_path(graph: &Graph<'_>, text: &str) -> Vec<FileId> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let fits = |fits: &dyn Fn(&str) -> bool| -> Vec<FileId> {
        files(graph)
            .filter(|(id, _)| graph.file(GraphNode::File(*id)).is_some_and(|f| fits(&f.path)))
            .map(|f| f.0)
            .collect()
    };
    let exact = fits(&|path| path == text);
    if !exact.is_empty() || !text.contains('/') && text.contains('.') {
        return exact;
    }
    fits(&|path| path.rsplit_once('.').is_some_and(|(stem, ending)| stem == text && !ending.contains('/')))
}

fn in_file(graph: &Graph<'_>, file: FileId, name: &str) -> Vec<GraphNode> {
    let all = || graph.elements_of(file);
    let whole: Vec<GraphNode> = all().filter(|(_, e)| e.path == name).map(|(id, _)| GraphNode::Element(id)).collect();
    if !whole.is_empty() {
        return whole;
    }
    all().filter(|(_, element)| element.name == name).map(|(id, _)| GraphNode::Element(id)).collect()
}

fn files<'g>(graph: &'g Graph<'_>) -> impl Iterator<Item = (FileId, GraphNode)> + use<'g> {
    let count = u32::try_from(graph.index().files.len()).unwrap_or(u32::MAX);
    (0..count).map(|id| (FileId(id), GraphNode::File(FileId(id))))
}

fn elements<'g>(graph: &'g Graph<'_>) -> impl Iterator<Item = GraphNode> + use<'g> {
    let count = u32::try_from(graph.index().elements.len()).unwrap_or(u32::MAX);
    (0..count).map(|id| GraphNode::Element(ElementId(id)))
}

fn unknown_target_error(graph: &Graph<'_>, text: &str) -> Error {
    let message = format!("nothing in the project is called `{}`", tapps_base::log_text(text));
    let index = graph.index();
    if index.files.is_empty() {
        return Error::invalid(message).hint("there are no source files here; check the project path");
    }
    let wanted = text.rsplit_once('#').map_or(text, |(_, name)| without_line(name));
    let last = wanted.rsplit(['.', '/']).next().unwrap_or(wanted);
    let mut known: BTreeSet<&str> = index.elements.iter().map(|element| element.path.as_str()).collect();
    if wanted.contains('/') {
        known = index.files.iter().map(|file| file.path.as_str()).collect();
    } else {
        known.extend(index.elements.iter().map(|element| element.name.as_str()));
    }
    let mut near = nearest::names(wanted, known.iter().copied());
    if near.is_empty() {
        near = nearest::names(last, known.iter().copied());
    }
    let hint = match near.as_slice() {
        [] => "use coderef_scan to see what there is".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    Error::invalid(message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ElementKind;
    use crate::sample::Sample;

    #[test]
    fn a_target_is_named_in_many_ways() {
        let mut sample = Sample::new();
        let (a, b) = (sample.file("src/a.ts"), sample.file("src/lib/b.ts"));
        let run = sample.element(a, ElementKind::Function, "run");
        let query = sample.element(a, ElementKind::Class, "Query");
        let method = sample.member(query, ElementKind::Method, "#dispatch");
        let other = sample.element(b, ElementKind::Class, "Other");
        let dispatch = sample.member(other, ElementKind::Method, "#dispatch");
        let index = sample.index();
        let graph = Graph::new(&index);
        for (text, expected) in [
            ("run", vec![run]),
            ("Query", vec![query]),
            ("Query.#dispatch", vec![method]),
            ("#dispatch", vec![method, dispatch]),
            ("src/a.ts#run", vec![run]),
            ("src/a#Query.#dispatch", vec![method]),
            ("src/lib/b.ts##dispatch", vec![dispatch]),
            ("src/a.ts", vec![GraphNode::File(a)]),
            ("./src/lib/b", vec![GraphNode::File(b)]),
            ("@F/src/a.ts", vec![GraphNode::File(a)]),
            ("@Fn/src/a.ts#run:1", vec![run]),
            ("@Fn/src/a.ts#run:77", vec![run]),
            ("@Fn/src/a.ts#run", vec![run]),
            ("@M/src/lib/b.ts#Other.#dispatch:11{risk=high}", vec![dispatch]),
        ] {
            assert_eq!(find_target_nodes(&graph, text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_there_comes_with_what_is_near() {
        let mut sample = Sample::new();
        let file = sample.file("src/query.ts");
        sample.element(file, ElementKind::Function, "fetchQuery");
        let index = sample.index();
        let graph = Graph::new(&index);
        for (text, hint) in [
            ("fetchQurey", "did you mean fetchQuery?"),
            ("Client.fetchQuer", "did you mean fetchQuery?"),
            ("src/qery.ts", "did you mean src/query.ts?"),
            ("zzz", "use coderef_scan to see what there is"),
        ] {
            let error = find_target_nodes(&graph, text).unwrap_err();
            assert_eq!(error.body().hint.as_deref(), Some(hint), "{text}");
            assert_eq!(error.message(), format!("nothing in the project is called `{text}`"));
        }
        assert_eq!(find_target_nodes(&graph, "  ").unwrap_err().message(), "the target is empty");
    }
}
