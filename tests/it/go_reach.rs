//! What tests of Go reach, beside the files of which `go test` covers a statement: by imports, which is what scoring goes by, and by
//! the calls that code intelligence proves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tapps_base::call::Call;
use tapps_coderef::engine::{ScanOptions, scan};
use tapps_coderef::graph::Graph;
use tapps_coderef::model::{CodebaseIndex, EdgeKind, EdgeStatus, GraphNode, Language};
use tapps_project::ProjectIndex;
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::systems::{self, System};
use crate::toolchain_support::copy_tree;

/// Packages whose tests need no other, with the paths of their modules.
const PACKAGES: [(&str, &str); 4] = [
    ("go-mysql", "github.com/go-sql-driver/mysql"),
    ("go-toml", "github.com/BurntSushi/toml"),
    ("mux", "github.com/gorilla/mux"),
    ("pflag", "github.com/spf13/pflag"),
];

/// The files of a module that can be covered, and those that its tests cover.
fn run_tests(go: &Path, root: &Path, module: &str) -> [BTreeSet<String>; 2] {
    let profile = root.join("cover.out");
    let home = root.join("home");
    let mut command = Command::new(go);
    command
        .current_dir(root)
        .args(["test", "-count=1", "-vet=off", "-coverpkg=./...", "-coverprofile"])
        .arg(&profile)
        .arg("./...");
    command.env("HOME", &home).env("GOFLAGS", "-mod=mod").env("GOPROXY", "off").env("GOTOOLCHAIN", "local");
    // Tests that fail without their service have covered what they ran.
    command.output().unwrap();
    let text = fs::read_to_string(profile).unwrap();
    let blocks = text.lines().skip(1).filter_map(|line| {
        let (path, rest) = line.split_once(':')?;
        let path = path.strip_prefix(module)?.strip_prefix('/')?;
        Some((path.to_owned(), rest.rsplit(' ').next()? != "0"))
    });
    let blocks: Vec<(String, bool)> = blocks.collect();
    let all = blocks.iter().map(|(path, _)| path.clone()).collect();
    [all, blocks.into_iter().filter(|(_, is_covered)| *is_covered).map(|(path, _)| path).collect()]
}

fn is_test(path: &str) -> bool {
    path.ends_with("_test.go")
}

/// The files that hold what is called from tests by edges with a proof, directly or through others.
fn reached_by_calls(index: &CodebaseIndex) -> BTreeSet<String> {
    let graph = Graph::new(index);
    let file_of = |node: GraphNode| match node {
        GraphNode::File(file) => file,
        GraphNode::Element(element) => index.elements[element.0 as usize].file,
    };
    let path_of = |node: GraphNode| index.files[file_of(node).0 as usize].path.as_str();
    let elements = (0..).map(tapps_coderef::model::ElementId).take(index.elements.len()).map(GraphNode::Element);
    let mut open: Vec<GraphNode> = elements.filter(|node| is_test(path_of(*node))).collect();
    let mut seen: BTreeSet<GraphNode> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        let calls = graph
            .outgoing(node)
            .filter(|step| step.edge.kind == EdgeKind::Call && step.edge.status == EdgeStatus::Resolved);
        open.extend(calls.map(|step| step.node).filter(|callee| seen.insert(*callee)));
    }
    seen.into_iter().map(path_of).filter(|path| !is_test(path)).map(str::to_owned).collect()
}

#[test]
fn files_that_tests_cover_are_reached() {
    let (Some(go), Some(_)) = (systems::require(System::Go), systems::require(System::DebianMirror)) else { return };
    let mut sums = [0_usize; 5];
    println!(
        "| package | files | covered | by imports: found, right | by calls: found, right |\n| --- | --- | --- | --- | --- |"
    );
    for (package, module) in PACKAGES {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = folder.path().join("module");
        copy_tree(&corpus::dir(package), &root);
        let head = format!("module {module}\n\ngo 1.19\n");
        if !root.join("go.mod").exists() {
            fs::write(root.join("go.mod"), head).unwrap();
        }
        let boundary = Arc::new(Boundary::open(&root).unwrap());
        let by_imports = ProjectIndex::new(Arc::clone(&boundary)).snapshot(&[]).unwrap();
        let options = ScanOptions { languages: vec![Language::Go], fresh: true, ..ScanOptions::default() };
        let index = scan(&boundary, &options, &Call::quiet(Duration::from_secs(60))).unwrap();
        let by_calls = reached_by_calls(&index);
        let [all, covered] = run_tests(&go, &root, module);
        assert!(!covered.is_empty(), "{package}: its tests did not run");
        let of_imports: Vec<&String> = all.iter().filter(|path| by_imports.reach().of_file(path).is_some()).collect();
        let of_calls: Vec<&String> = all.iter().filter(|path| by_calls.contains(*path)).collect();
        let right = |found: &[&String]| found.iter().filter(|path| covered.contains(**path)).count();
        let counts = [covered.len(), of_imports.len(), right(&of_imports), of_calls.len(), right(&of_calls)];
        println!(
            "| {package} | {} | {} | {}, {} | {}, {} |",
            all.len(),
            counts[0],
            counts[1],
            counts[2],
            counts[3],
            counts[4]
        );
        for path in covered.iter().filter(|path| by_imports.reach().of_file(path).is_none()) {
            println!("{package}/{path} is covered, and no import leads there");
        }
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    println!("{sums:?}");
    let [covered, of_imports, right, _, right_by_calls] = sums;
    assert!(covered > 30, "{covered}");
    assert_eq!(right, covered);
    assert!(right * 10 >= of_imports * 9 && right_by_calls * 10 >= covered * 9, "{sums:?}");
}
