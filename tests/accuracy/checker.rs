//! The TypeScript checker.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use tapps_base::digest;
use tapps_coderef::model::{CodebaseIndex, EdgeStatus, EdgeTarget, GraphNode};

use super::calls;
use super::compare::{Place, Truth};
use crate::corpus;

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accuracy/calls.cjs")
}

/// What the checker says of a part of a package; kept, because it takes its time and always says the same.
pub(super) fn truth(package: &str, part: &str) -> Truth {
    let (typescript, tree) = (corpus::dir("typescript"), corpus::dir(package));
    let asked = std::fs::read(script()).unwrap();
    let key = digest::sha256(&[&asked, typescript.to_string_lossy().as_bytes(), part.as_bytes()].concat());
    let kept = corpus::root().join(format!("calls-{package}-{}.json", &key[..16]));
    if !kept.is_file() {
        let output = Command::new("node")
            .arg(script())
            .arg(typescript.join("lib/typescript.js"))
            .arg(tree)
            .arg(part)
            .output()
            .expect("node is needed to ask the checker");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        tapps_base::atomic::write(&kept, &output.stdout).unwrap();
    }
    serde_json::from_slice(&std::fs::read(kept).unwrap()).unwrap()
}

/// For each call that is resolved, where the name of its target stands.
pub(super) fn resolved(index: &CodebaseIndex) -> BTreeMap<Place, BTreeSet<Place>> {
    let mut found: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    let path = |file: u32| index.files[file as usize].path.clone();
    for (edge, from) in calls(index).filter(|(edge, _)| edge.status == EdgeStatus::Resolved) {
        let EdgeTarget::Node(GraphNode::Element(target)) = edge.to else { continue };
        let target = &index.elements[target.0 as usize];
        for &(line, column) in &edge.sites {
            let place = (path(target.file.0), target.span.line, target.span.column);
            found.entry((path(from.0), line, column)).or_default().insert(place);
        }
    }
    found
}
