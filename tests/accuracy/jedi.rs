//! jedi, which follows names of Python without running it.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tapps_base::digest;
use tapps_coderef::model::{CodebaseIndex, EdgeStatus, EdgeTarget, Element, ElementKind, GraphNode, Language};

use super::compare::Place;
use super::{Row, Tree, calls, ratio};
use crate::corpus;

/// File (none when outside), line and kind.
type Definition = (Option<String>, Option<u32>, String);

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accuracy/python_oracle.py");

/// What the oracle says of places; kept, because it takes its time and always says the same.
fn ask(package: &str, places: &[Place]) -> Vec<Vec<Definition>> {
    let input = serde_json::to_vec(places).unwrap();
    let key = digest::sha256(&[std::fs::read(SCRIPT).unwrap(), input.clone()].concat());
    let kept = corpus::root().join(format!("jedi-{package}-{}.json", &key[..16]));
    if !kept.is_file() {
        tapps_base::atomic::write(&kept, &run(&corpus::dir(package), input)).unwrap();
    }
    serde_json::from_slice(&std::fs::read(kept).unwrap()).unwrap()
}

fn run(root: &Path, input: Vec<u8>) -> Vec<u8> {
    let path = std::env::join_paths([corpus::dir("jedi"), corpus::dir("parso")]).unwrap();
    let mut child = Command::new("python3")
        .arg(SCRIPT)
        .arg(root)
        .env("PYTHONPATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs the oracle");
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    output.stdout
}

fn target<'a>(index: &'a CodebaseIndex, target: &EdgeTarget) -> Option<(&'a str, &'a Element)> {
    let EdgeTarget::Node(GraphNode::Element(id)) = target else { return None };
    let element = &index.elements[id.0 as usize];
    Some((index.files[element.file.0 as usize].path.as_str(), element))
}

/// Of the calls that are resolved, how many lead where jedi says; and how many of those that jedi follows to a function or
/// class of the project are resolved. What jedi says nothing of is not judged, nor the making of an object of whose class it
/// finds no constructor.
pub(super) fn compare(tree: &Tree, every: usize, lines: u32, index: &CodebaseIndex) -> Row {
    let mut sites: Vec<(Place, EdgeStatus, &EdgeTarget)> = Vec::new();
    for (edge, file) in calls(index) {
        let file = &index.files[file.0 as usize];
        if file.path.starts_with(&format!("{}/", tree.part)) && file.language == Language::Python {
            let at = |&(line, column): &(u32, u32)| ((file.path.clone(), line, column), edge.status, &edge.to);
            sites.extend(edge.sites.iter().map(at));
        }
    }
    sites.sort_by(|a, b| a.0.cmp(&b.0));
    let sites: Vec<_> = sites.into_iter().step_by(every).collect();
    let places: Vec<Place> = sites.iter().map(|(place, ..)| place.clone()).collect();
    let (mut judged, mut right, mut concrete, mut reached, mut details) = (0, 0, 0, 0, Vec::new());
    for ((place, status, to), answers) in sites.iter().zip(ask(tree.package, &places)) {
        let inside = answers.iter().any(|(file, _, kind)| file.is_some() && kind != "module" && kind != "property");
        concrete += usize::from(inside);
        reached += usize::from(inside && *status == EdgeStatus::Resolved);
        let Some((file, element)) = target(index, to).filter(|_| *status == EdgeStatus::Resolved) else { continue };
        let is_class = answers.iter().any(|(file, _, kind)| kind == "class" && file.is_some());
        let no_constructor = answers.iter().all(|(file, _, kind)| kind != "constructor" || file.is_none());
        if answers.is_empty() || (element.kind == ElementKind::Constructor && is_class && no_constructor) {
            continue;
        }
        judged += 1;
        let same = |(to, line, _): &Definition| to.as_deref() == Some(file) && *line == Some(element.span.line);
        if answers.iter().any(same) {
            right += 1;
        } else {
            details.push(format!("{place:?} is not {file} {}: {answers:?}", element.path));
        }
    }
    let (precision, recall) = (ratio(right, judged), ratio(reached, concrete));
    Row { tree: *tree, lines, calls: sites.len(), judged, precision, concrete, recall, details }
}
