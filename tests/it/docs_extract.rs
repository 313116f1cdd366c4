//! Static extraction, measured against what the interpreter and the TypeScript compiler say of the same packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};

use serde::Deserialize;
use tapps_docs::extract::{npm, python};
use tapps_docs::symbol::{Symbol, SymbolKind};
use tapps_docs::tree::Installed;
use tapps_sandbox::{Boundary, WalkOptions};

use super::corpus;
use super::docs_project::{FIXTURES, environment, node_project};
use super::systems::{self, System};

/// The least share of extracted names that exist, and of existing names that are extracted, at the top of each package.
const PRECISION: f64 = 0.99;
const RECALL: f64 = 0.97;

/// What a module offers when it is imported.
#[derive(Debug, Deserialize)]
struct Offered {
    names: BTreeSet<String>,
    bound: BTreeSet<String>,
}

/// Names found by both, found only by extraction, and found only at run time.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    right: usize,
    extra: usize,
    lacking: usize,
}

impl Tally {
    fn of(extracted: &BTreeSet<&str>, offered: &BTreeSet<String>, bound: &BTreeSet<String>) -> Self {
        let right = offered.iter().filter(|name| extracted.contains(name.as_str())).count();
        let extra = extracted.iter().filter(|name| !bound.contains(**name)).count();
        Self { right, extra, lacking: offered.len() - right }
    }

    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.extra += other.extra;
        self.lacking += other.lacking;
    }

    fn precision(self) -> f64 {
        share(self.right, self.right + self.extra)
    }

    fn recall(self) -> f64 {
        share(self.right, self.right + self.lacking)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The names directly below each module.
fn by_module(symbols: &[Symbol]) -> BTreeMap<&str, BTreeSet<&str>> {
    let modules = symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Module);
    let mut found: BTreeMap<&str, BTreeSet<&str>> = modules.map(|symbol| (&*symbol.path, BTreeSet::new())).collect();
    for symbol in symbols.iter().filter(|symbol| symbol.kind != SymbolKind::Module) {
        for (module, name) in symbol.paths().filter_map(|path| path.rsplit_once('.')) {
            if let Some(names) = found.get_mut(module) {
                names.insert(name);
            }
        }
    }
    found
}

fn inspected(root: &str, modules: &[&str]) -> BTreeMap<String, Offered> {
    use std::io::Write as _;
    let mut child = Command::new(environment().join("bin/python"))
        .args(["-I", &format!("{FIXTURES}/inspect_package.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let asked = format!("{root}\n{}", modules.join("\n"));
    child.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{root} cannot be inspected");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Prints a row of the table in `docs/lookup.md`: names that exist, precision and recall for each tally.
fn row(library: &str, symbols: usize, tallies: &[Tally]) {
    let part =
        |tally: &Tally| format!("{} | {:.3} | {:.3} |", tally.right + tally.lacking, tally.precision(), tally.recall());
    let parts: Vec<String> = tallies.iter().map(part).collect();
    println!("| {library} | {symbols} | {}", parts.join(" "));
}

/// The files of a locked wheel as a tree.
pub(super) fn wheel_symbols(locked: &str) -> Vec<Symbol> {
    let boundary = Boundary::open(&corpus::dir(locked)).unwrap();
    let options = WalkOptions { include_ignored: true, ..WalkOptions::default() };
    let files = boundary.walk(&boundary.root_as_project_path(), &options).unwrap();
    let files = files.iter().map(|path| path.as_str().to_owned()).filter(|path| python::is_wanted(path)).collect();
    python::python_symbols(&Installed::new(&boundary, "", files)).unwrap()
}

/// Compares a package at its top and over all its public modules.
fn measure(root: &str, locked: &str) -> (Tally, Tally) {
    let symbols = wheel_symbols(locked);
    let extracted = by_module(&symbols);
    let modules: Vec<&str> = extracted.keys().copied().filter(|name| name.split('.').next() == Some(root)).collect();
    let offered = inspected(root, &modules);
    let (mut top, mut all) = (Tally::default(), Tally::default());
    for (module, offered) in &offered {
        let tally = Tally::of(&extracted[module.as_str()], &offered.names, &offered.bound);
        if tally.extra + tally.lacking > 0 {
            println!("{module}: {tally:?}");
        }
        if module == root {
            top = tally;
        }
        all.add(tally);
    }
    row(&format!("{root} {}", corpus::package(locked).version), symbols.len(), &[top, all]);
    assert!(offered.contains_key(root), "{root} was not imported");
    (top, all)
}

#[test]
fn python_packages_are_read_as_the_interpreter_sees_them() {
    if systems::require(System::CompiledWheels).is_none() {
        return;
    }
    // Of django hardly anything is at the top; what sqlalchemy lacks are classes that it makes with `type()` when imported.
    let packages = [
        ("requests", "requests-wheel", 20, 0.99),
        ("fastapi", "fastapi", 12, 0.99),
        ("pydantic", "pydantic", 140, 0.99),
        ("sqlalchemy", "sqlalchemy", 240, 0.96),
        ("numpy", "numpy", 450, 0.99),
        ("django", "django", 3, 0.99),
    ];
    for (root, locked, least, recall_of_all) in systems::sample(packages, 2) {
        let (top, all) = measure(root, locked);
        assert!(top.right >= least, "{root}: only {} names at the top", top.right);
        assert!(top.precision() >= PRECISION && top.recall() >= RECALL, "{root}: {top:?}");
        assert!(all.precision() >= PRECISION && all.recall() >= recall_of_all, "{root}: {all:?}");
    }
}

#[test]
fn npm_packages_are_read_as_the_compiler_sees_them() {
    let Some(node) = systems::require(System::Node) else { return };
    let project = node_project();
    let asked = ["zod", "zod/mini", "zod/v3", "express", "react"];
    let output = Command::new(node).arg("inspect_types.cjs").args(asked).current_dir(&project).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let truth: BTreeMap<String, BTreeSet<String>> = serde_json::from_slice(&output.stdout).unwrap();
    let boundary = Boundary::open(&project).unwrap();
    for (library, modules, least) in [
        ("zod", &["zod", "zod/mini", "zod/v3"][..], 230),
        ("@types/express", &["express"], 25),
        ("@types/react", &["react"], 240),
    ] {
        let manifest = fs::read(project.join(format!("node_modules/{library}/package.json"))).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        let index =
            npm::index_installed_package(&boundary, library, &format!("node_modules/{library}"), "0", "").unwrap();
        for module in modules {
            let mut offered = truth[*module].clone();
            let mut extracted = index.names_of(module);
            offered.remove("default");
            extracted.remove("default");
            let tally = Tally::of(&extracted, &offered, &offered);
            let name = format!("{module} {} (of {library})", manifest["version"].as_str().unwrap());
            row(&name, index.symbols.len(), &[tally]);
            assert!(tally.right >= least, "{module}: {tally:?}");
            assert!(tally.precision() >= PRECISION && tally.recall() >= RECALL, "{module}: {tally:?}");
        }
    }
}

#[test]
fn signatures_say_how_things_are_called() {
    let symbols = wheel_symbols("fastapi");
    let of = |path: &str| symbols.iter().find(|symbol| symbol.paths().any(|known| known == path)).unwrap();
    let app = of("fastapi.FastAPI");
    assert_eq!(app.kind, SymbolKind::Class);
    assert!(
        app.signature.starts_with("FastAPI(*, debug: bool = False, routes: Optional[List[BaseRoute]] = None"),
        "{}",
        app.signature
    );
    assert_eq!(app.doc, "`FastAPI` app class, the main entrypoint to use FastAPI.");
    let upload = of("fastapi.UploadFile");
    assert_eq!(upload.aliases, ["fastapi.datastructures.UploadFile"]);
    assert_eq!(of("fastapi.UploadFile.read").signature, "async read(size: int = -1) -> bytes");
    let symbols = wheel_symbols("pydantic");
    let of = |path: &str| symbols.iter().find(|symbol| symbol.path == path).unwrap();
    assert!(of("pydantic.Field").overloads.len() > 2);
    let why = of("pydantic.BaseModel.dict").deprecated.as_deref();
    assert_eq!(why, Some("The `dict` method is deprecated; use `model_dump` instead."));
}
