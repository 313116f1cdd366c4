//! Call edges of scripts beside the TypeScript checker's, on packages that carry the sources they were written in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tapps_mcp::base::call::Call;
use tapps_mcp::base::digest;
use tapps_mcp::coderef::engine::{ScanOptions, scan};
use tapps_mcp::coderef::model::{EdgeKind, Index, Node, Status, Target};
use tapps_mcp::guard::Boundary;

use super::corpus;

#[path = "../accuracy/compare.rs"]
mod compare;

use compare::{Place, Score, Truth};

/// A package, and the least precision and recall.
const BARS: &[(&str, f64, f64)] = &[("query-core", 0.98, 0.85), ("rxjs", 0.98, 0.85), ("zod", 0.95, 0.80)];

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accuracy/calls.cjs")
}

/// What the checker says; kept, because it takes its time and always says the same.
fn truth(package: &str) -> Truth {
    let (typescript, tree) = (corpus::dir("typescript"), corpus::dir(package));
    let asked = std::fs::read(script()).unwrap();
    let key = digest::sha256(&[asked.as_slice(), typescript.to_string_lossy().as_bytes()].concat());
    let kept = corpus::root().join(format!("calls-{package}-{}.json", &key[..16]));
    if !kept.is_file() {
        let output = Command::new("node")
            .arg(script())
            .arg(typescript.join("lib/typescript.js"))
            .arg(tree)
            .arg("src")
            .output()
            .expect("node is needed to ask the checker");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        tapps_mcp::base::atomic::write(&kept, &output.stdout).unwrap();
    }
    serde_json::from_slice(&std::fs::read(kept).unwrap()).unwrap()
}

fn index(package: &str) -> Index {
    let boundary = Boundary::open(&corpus::dir(package)).unwrap();
    let exclude = vec!["/*".to_owned(), "!/src".to_owned()];
    let options = ScanOptions { exclude, fresh: true, ..ScanOptions::default() };
    scan(&boundary, &options, &Call::quiet(Duration::from_secs(600))).unwrap()
}

/// For each call that is resolved, where the name of its target stands.
fn resolved(index: &Index) -> BTreeMap<Place, BTreeSet<Place>> {
    let mut found: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    let path = |file: u32| index.files[file as usize].path.clone();
    for edge in index.edges.iter().filter(|edge| edge.kind == EdgeKind::Call && edge.status == Status::Resolved) {
        let Target::Node(Node::Element(target)) = edge.to else { continue };
        let target = &index.elements[target.0 as usize];
        let from = match edge.from {
            Node::File(file) => file,
            Node::Element(id) => index.elements[id.0 as usize].file,
        };
        for &(line, column) in &edge.sites {
            let place = (path(target.file.0), target.span.line, target.span.column);
            found.entry((path(from.0), line, column)).or_default().insert(place);
        }
    }
    found
}

fn row(package: &str, score: &Score) -> String {
    format!(
        "{package:<12} {:>5} {:>6} {:>8} {:>10.4} {:>9} {:>7.4}",
        score.files,
        score.calls,
        score.claimed,
        score.precision(),
        score.concrete,
        score.recall()
    )
}

#[test]
fn call_edges_are_those_of_the_typescript_checker() {
    let mut table = vec![format!(
        "{:<12} {:>5} {:>6} {:>8} {:>10} {:>9} {:>7}",
        "package", "files", "calls", "claimed", "precision", "concrete", "recall"
    )];
    let mut short = Vec::new();
    for &(package, precision, recall) in BARS {
        let score = compare::compare(&truth(package), &resolved(&index(package)));
        assert!(score.concrete > 400, "{package}: too little was compared");
        table.push(row(package, &score));
        if score.precision() < precision || score.recall() < recall {
            short.push(format!("{package}\n  wrong: {:#?}\n  missed: {:#?}", score.wrong, score.missed));
        }
    }
    eprintln!("{}", table.join("\n"));
    assert!(short.is_empty(), "{}\n{}", table.join("\n"), short.join("\n"));
}
