//! Our metrics against the real radon, over whole packages: not one number may differ.
#![expect(clippy::print_stdout, reason = "what was compared and what was left out is worth seeing")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tapps_base::digest;
use tapps_rules::python::lines::SourceLines;
use tapps_rules::python::metrics::complexity::{ComplexityNode, NodeKind};
use tapps_rules::python::metrics::{RadonMetrics, measure_radon_metrics};

use crate::corpus;
use crate::systems;

/// Reads file names from standard input and writes one line of JSON for each: what radon says about the file.
const DRIVER: &str = r#"
import json, sys
sys.path[:0] = sys.argv[1:]
import ast
from radon import metrics, raw
from radon.visitors import ComplexityVisitor, Function
sys.setrecursionlimit(20000)

def block(found):
    if isinstance(found, Function):
        return ["function", found.name, found.lineno, found.col_offset, found.endline, found.complexity,
                found.is_method, found.classname, [block(inner) for inner in found.closures]]
    return ["class", found.name, found.lineno, found.col_offset, found.endline, found.complexity,
            found.real_complexity, [block(inner) for inner in found.methods],
            [block(inner) for inner in found.inner_classes]]

def answer(path):
    with open(path, encoding="utf-8-sig") as handle:
        code = handle.read()
    tree = ast.parse(code)
    has_fstring = any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree))
    visitor = ComplexityVisitor.from_ast(tree)
    counts = raw.analyze(code)
    metrics.analyze = lambda _: counts
    halstead = metrics.h_visit_ast(tree).total
    return {"fstring": has_fstring, "total": visitor.total_complexity,
            "functions": [block(found) for found in visitor.functions],
            "classes": [block(found) for found in visitor.classes],
            "raw": list(counts), "halstead": list(halstead), "mi": metrics.mi_visit(code, True)}

for line in sys.stdin:
    try:
        print(json.dumps(answer(line.rstrip("\n"))))
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        print(json.dumps({"error": repr(error)}))
"#;

/// The interpreter to run radon under, and whether its tokenizer is the one that is imitated.
fn interpreter() -> (&'static str, String) {
    for name in ["python3.11", "python3"] {
        let version = ["-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"];
        if let Ok(output) = Command::new(name).args(version).output()
            && output.status.success()
        {
            return (name, String::from_utf8(output.stdout).unwrap().trim().to_owned());
        }
    }
    panic!("python3 is needed to run radon");
}

/// radon's answers for `files` of `dir`, in order; kept beside the corpus, because radon takes its time.
fn radon(dir: &Path, package: &str, files: &[String]) -> Vec<Value> {
    let (python, version) = interpreter();
    let libraries: Vec<PathBuf> = ["radon", "mando", "colorama", "six"].map(corpus::dir).into();
    let input: String = files.iter().map(|file| format!("{}\n", dir.join(file).display())).collect();
    let folder = dir.file_name().unwrap().to_string_lossy().into_owned();
    let key = digest::sha256(format!("{DRIVER}\0{version}\0{folder}\0{}", files.join("\n")).as_bytes());
    let kept = corpus::root().join(format!("radon-{package}-{}.jsonl", &key[..16]));
    if !kept.is_file() {
        let mut child = Command::new(python)
            .args(["-I", "-S", "-c", DRIVER])
            .args(&libraries)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        assert!(output.status.success(), "the radon driver failed");
        tapps_base::atomic::write(&kept, &output.stdout).unwrap();
    }
    let answers: Vec<Value> =
        fs::read_to_string(&kept).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), files.len());
    answers
}

fn block(lines: &SourceLines, node: &ComplexityNode, class: Option<&str>) -> Value {
    let place = (lines.line(node.start), lines.byte_column(node.start), lines.line(node.last_start));
    match node.kind {
        NodeKind::Function => {
            let closures: Vec<Value> = node.functions.iter().map(|inner| block(lines, inner, None)).collect();
            json!(["function", node.name, place.0, place.1, place.2, node.complexity, class.is_some(), class, closures])
        }
        NodeKind::Class => {
            let methods: Vec<Value> =
                node.functions.iter().map(|inner| block(lines, inner, Some(&node.name))).collect();
            let classes: Vec<Value> = node.classes.iter().map(|inner| block(lines, inner, None)).collect();
            let shown = node.shown_complexity();
            json!(["class", node.name, place.0, place.1, place.2, shown, node.complexity, methods, classes])
        }
    }
}

fn ours(lines: &SourceLines, metrics: &RadonMetrics) -> Value {
    let list = |nodes: &[ComplexityNode]| nodes.iter().map(|node| block(lines, node, None)).collect::<Vec<_>>();
    let raw = metrics.raw;
    json!({
        "total": metrics.complexity.total,
        "functions": list(&metrics.complexity.functions),
        "classes": list(&metrics.complexity.classes),
        "raw": [raw.loc, raw.lloc, raw.sloc, raw.comments, raw.multi, raw.blank, raw.single_comments],
    })
}

/// The twelve Halstead figures and the maintainability index, compared within 1e-9 (relative above 1).
fn same_figures(metrics: &RadonMetrics, radon: &Value) -> bool {
    let h = metrics.halstead;
    let ours = [
        f64::from(h.h1),
        f64::from(h.h2),
        f64::from(h.n1),
        f64::from(h.n2),
        f64::from(h.vocabulary()),
        f64::from(h.length()),
        h.calculated_length(),
        h.volume(),
        h.difficulty(),
        h.effort(),
        h.time(),
        h.bugs(),
        metrics.maintainability_index,
    ];
    let theirs = radon["halstead"].as_array().unwrap().iter().chain([&radon["mi"]]);
    ours.iter().zip(theirs).all(|(a, b)| {
        let b = b.as_f64().unwrap();
        (a - b).abs() <= 1e-9 * b.abs().max(1.0)
    })
}

fn count_blocks(value: &Value) -> usize {
    let is_block = value.get(0).is_some_and(|kind| kind == "function" || kind == "class");
    usize::from(is_block) + value.as_array().map_or(0, |items| items.iter().map(count_blocks).sum())
}

/// How many files and blocks were compared, and the names of files that differ.
fn compare(package: &str, step: usize) -> (usize, usize, Vec<String>) {
    let dir = corpus::dir(package);
    let files = systems::sample(corpus::files(&dir, "py"), step);
    let imitated = interpreter().1 == "3.11";
    let (mut compared, mut blocks, mut skipped, mut different) = (0, 0, 0, Vec::new());
    for (file, radon) in files.iter().zip(radon(&dir, package, &files)) {
        // radon answers differently from Python 3.12 on, where an f-string is no longer one token.
        let incomparable = !imitated && radon["fstring"] == true;
        if radon.get("error").is_some() || incomparable {
            println!("{package}: {file} skipped: {}", radon.get("error").map_or("f-strings", |e| e.as_str().unwrap()));
            skipped += 1;
            continue;
        }
        let text = fs::read_to_string(dir.join(file)).unwrap();
        let text = text.trim_start_matches('\u{feff}');
        let lines = SourceLines::new(text);
        let metrics = measure_radon_metrics(text).unwrap();
        let answer = ours(&lines, &metrics);
        compared += 1;
        blocks += count_blocks(&radon["functions"]) + count_blocks(&radon["classes"]);
        let same = ["total", "functions", "classes", "raw"].iter().all(|key| answer[key] == radon[key]);
        if !same || !same_figures(&metrics, &radon) {
            different.push(file.clone());
        }
    }
    println!("{package}: {compared} files and {blocks} blocks compared, {skipped} skipped, {} differ", different.len());
    (compared, blocks, different)
}

#[test]
fn django_measures_as_radon_measures_it() {
    let (compared, blocks, different) = compare("django", 4);
    assert_eq!(different, Vec::<String>::new());
    let least = if systems::whole() { (300, 3_000) } else { (75, 750) };
    assert!(compared > least.0 && blocks > least.1, "{compared} files, {blocks} blocks");
}

#[test]
fn rich_measures_as_radon_measures_it() {
    let (compared, blocks, different) = compare("rich", 4);
    assert_eq!(different, Vec::<String>::new());
    let least = if systems::whole() { (40, 500) } else { (10, 125) };
    assert!(compared > least.0 && blocks > least.1, "{compared} files, {blocks} blocks");
}

#[test]
fn small_packages_measure_as_radon_measures_them() {
    for (package, least) in
        [("attrs", 10), ("click", 10), ("flask", 10), ("requests", 10), ("starlette", 20), ("werkzeug", 30)]
    {
        let (compared, _, different) = compare(package, 1);
        assert_eq!(different, Vec::<String>::new(), "{package}");
        assert!(compared >= least, "{package}: {compared} files");
    }
}
