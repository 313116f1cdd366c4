//! The second table: what scans and questions cost, beside the bars and other tools.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tapps_coderef::codebase::Codebase;
use tapps_coderef::export::{ExportFormat, ExportRequest, export_graph};
use tapps_coderef::graph::Graph;
use tapps_coderef::query::{QueryRequest, QueryType, query_graph};
use tapps_sandbox::Boundary;

use crate::cost::{self, take, timed};
use crate::{anchors, corpus};

/// How often `src` of the largest package is laid side by side for a project of some 170,000 lines.
const COPIES: usize = 3;
/// How much less than scip-typescript a scan has to cost.
const TIMES_SCIP: f64 = 50.0;
/// Processor seconds of a scan of the large project.
const LARGE_CPU: f64 = 0.6;
const LARGE_MIB: f64 = 150.0;
/// Wall seconds of a question when nothing has changed.
const WARM: f64 = 0.05;

/// Prints the table.
pub(crate) fn table() {
    println!("\n| tree | files | lines | what | figure | bar |\n| --- | --- | --- | --- | --- | --- |");
    for package in ["query-core", "rxjs", "zod"] {
        beside(package, if package == "zod" { 5 } else { 10 });
    }
    large();
}

/// A project that is measured.
struct Measured {
    name: &'static str,
    boundary: Arc<Boundary>,
    files: usize,
    lines: u32,
    _folder: tempfile::TempDir,
}

impl Measured {
    fn new(name: &'static str, package: &str, copies: usize) -> Self {
        let folder = copy(&corpus::dir(package).join("src"), copies);
        let boundary = Arc::new(Boundary::open(folder.path()).unwrap());
        let index = take(&boundary, true);
        let lines = index.files.iter().map(|file| file.lines).sum();
        Self { name, boundary, files: index.files.len(), lines, _folder: folder }
    }

    fn row(&self, what: &str, figure: &str, bar: &str) {
        println!("| {} | {} | {} | {what} | {figure} | {bar} |", self.name, self.files, self.lines);
    }

    /// A figure that must not be more than its bar.
    fn within(&self, what: &str, value: f64, bar: f64, shown: impl Fn(f64) -> String) {
        let verdict = if value <= bar { "" } else { ", OVER" };
        self.row(what, &shown(value), &format!("{}{verdict}", shown(bar)));
    }
}

fn cpu(seconds: f64) -> String {
    format!("{seconds:.3} CPU s")
}

fn wall(seconds: f64) -> String {
    format!("{:.1} ms", seconds * 1e3)
}

fn mib(size: f64) -> String {
    format!("{size:.0} MiB")
}

/// A package beside the other tools.
fn beside(package: &'static str, runs: usize) {
    let tree = Measured::new(package, package, 1);
    let (scan, _) = timed(runs, || drop(take(&tree.boundary, true)));
    tree.row("scan, nothing kept", &cpu(scan), "");
    let (whole, _) = timed(runs, || assert!(graph_of(&tree.boundary) > 0));
    tree.row("index and graph, written as JSON", &cpu(whole), "");
    let checker = anchors::checker(package);
    tree.row(
        "the TypeScript checker resolving the calls",
        &format!("{}, {:.0} scans", cpu(checker), checker / scan),
        "",
    );
    let indexed = Measured::new(package, package, 1);
    let scip = anchors::scip_typescript(indexed.boundary.root());
    let ratio = scip / scan;
    let bar = format!("{TIMES_SCIP:.0} scans{}", if ratio >= TIMES_SCIP { "" } else { ", SHORT" });
    tree.row("scip-typescript 0.4.0 indexing it", &format!("{}, {ratio:.0} scans", cpu(scip)), &bar);
}

fn graph_of(boundary: &Boundary) -> usize {
    let index = take(boundary, true);
    let request = ExportRequest { format: ExportFormat::Json, max_nodes: None };
    let graph = export_graph(&Graph::new(&index), &request).unwrap().bytes.len();
    graph + serde_json::to_vec(&index).unwrap().len()
}

/// The large project: scans by themselves, then with what an earlier one has kept, then questions.
fn large() {
    let tree = Measured::new("large", "zod", COPIES);
    let root = tree.boundary.root();
    let alone = cost::of_project(root);
    tree.within("scan, nothing kept, in a process of its own", alone.cpu, LARGE_CPU, cpu);
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    tree.within("peak memory of that process", alone.mib as f64, LARGE_MIB, mib);
    let index = take(&tree.boundary, false);
    assert_eq!(take(&tree.boundary, false), index);
    tree.row("scan, nothing changed", &cpu(timed(5, || drop(take(&tree.boundary, false))).0), "");
    let request = QueryRequest {
        query_type: QueryType::CallsMe,
        target: "copy0/v4/core/util.ts#finalizeIssue".to_owned(),
        source: None,
        max_depth: None,
        limit: None,
    };
    let codebase = Codebase::new(Arc::clone(&tree.boundary));
    let ask = || {
        assert!(codebase.query_current_graph(&cost::call(), |graph| query_graph(graph, &request)).unwrap().total > 0)
    };
    tree.within("question through the library, nothing changed", cost::median(15, ask), WARM, wall);
    let mut command = Command::new(env!("CARGO_BIN_EXE_coderef"));
    command.args(["query", &request.target, "--type", "calls-me", "--json", "--root"]).arg(root);
    let run = || assert!(command.output().unwrap().status.success());
    tree.within("`coderef query` in a new process, nothing changed", cost::median(15, run), WARM, wall);
    let changed = root.join("copy0/changed.ts");
    let mut count = 0;
    let one = timed(5, || {
        count += 1;
        std::fs::write(&changed, format!("export const changed = {count};\n")).unwrap();
        drop(take(&tree.boundary, false));
    });
    tree.row("scan, one file changed", &cpu(one.0), "");
}

/// The scripts of a folder, several times side by side.
fn copy(from: &Path, copies: usize) -> tempfile::TempDir {
    let into = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> =
        ["ts", "tsx"].iter().flat_map(|ending| corpus::files(from, ending)).map(PathBuf::from).collect();
    for number in 0..copies {
        for file in &files {
            let target = into.path().join(format!("copy{number}")).join(file);
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::copy(from.join(file), target).unwrap();
        }
    }
    into
}
