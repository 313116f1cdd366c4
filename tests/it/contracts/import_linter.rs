//! The same contracts as import-linter judges, of every kind that its documentation has and this program knows, on real packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use tapps_config::{ContractKind, ContractSpec};

use super::support::{Asked, assert_same, broken, list, spec};
use crate::corpus;
use crate::systems::{self, System};

/// Packages, each with the folder that is imported.
const PACKAGES: [(&str, &str); 5] = [
    ("django", "django"),
    ("fastapi", "fastapi"),
    ("networkx", "networkx"),
    ("rich", "rich"),
    ("werkzeug", "werkzeug"),
];

/// What import-linter needs besides itself.
const NEEDED: [&str; 7] = ["import-linter", "grimp", "click", "rich", "markdown-it-py", "mdurl", "pygments"];

/// At most ten modules (four, unless lists are taken in full) and packages directly in a package, spread over the alphabet.
fn children(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "py") || path.join("__init__.py").is_file())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with("__") && !name.contains("test"))
        .collect();
    names.sort();
    let most = if systems::whole() { 10 } else { 4 };
    let step = (names.len() / most).max(1);
    names.into_iter().step_by(step).take(most).collect()
}

/// One contract in the two languages.
fn asked(spec: ContractSpec, kind: &str, options: &[(&str, &[&str])]) -> Asked {
    let mut other = format!("type = {kind}\n");
    for (key, values) in options {
        // A list stands on lines of its own, and a word beside its key.
        let lines = match values {
            ["True"] => "True".to_owned(),
            _ => values.iter().fold(String::new(), |lines, value| lines + "\n    " + value),
        };
        writeln!(other, "{key} = {lines}").unwrap();
    }
    Asked { spec, other }
}

fn contracts(top: &str, folder: &Path) -> BTreeMap<String, Asked> {
    let children = children(folder);
    let mut all: Vec<Asked> = Vec::new();
    let name = |child: &String| format!("{top}.{child}");
    for a in &children {
        for b in children.iter().filter(|b| *b != a) {
            let (from, to) = (name(a), name(b));
            let forbidden =
                ContractSpec { from: vec![from.clone()], to: vec![to.clone()], ..spec(ContractKind::Forbidden) };
            let options: [(&str, &[&str]); 3] = [
                ("source_modules", &[from.as_str()]),
                ("forbidden_modules", &[to.as_str()]),
                ("allow_indirect_imports", &["True"]),
            ];
            all.push(asked(forbidden.clone(), "forbidden", &options[..2]));
            let direct = ContractSpec { indirect: Some(false), ..forbidden };
            all.push(asked(direct, "forbidden", &options));
        }
    }
    for at in 0..children.len() {
        let [a, b, c] = [0, 1, 2].map(|next| children[(at + next) % children.len()].as_str());
        for lines in [[a, b, c], [c, b, a]] {
            let layers = ContractSpec { layers: list(&lines), containers: list(&[top]), ..spec(ContractKind::Layers) };
            all.push(asked(layers, "layers", &[("layers", &lines), ("containers", &[top])]));
        }
        for between in ["|", ":"] {
            let beside = format!("{b} {between} {c}");
            let lines = [a, &beside, "(nowhere)"];
            let layers = ContractSpec { layers: list(&lines), containers: list(&[top]), ..spec(ContractKind::Layers) };
            all.push(asked(layers, "layers", &[("layers", &lines), ("containers", &[top])]));
        }
        let whole = [a, b, c].map(|child| format!("{top}.{child}"));
        let [a, b, c] = [0, 1, 2].map(|position| whole[position].as_str());
        let independent = ContractSpec { modules: list(&[a, b, c]), ..spec(ContractKind::Independence) };
        all.push(asked(independent, "independence", &[("modules", &[a, b, c])]));
        let protected = ContractSpec { modules: list(&[a]), importers: list(&[b, c]), ..spec(ContractKind::Protected) };
        all.push(asked(protected, "protected", &[("protected_modules", &[a]), ("allowed_importers", &[b, c])]));
    }
    let everything = format!("{top}.*");
    let acyclic = ContractSpec { modules: list(&[&everything]), siblings: Some(true), ..spec(ContractKind::Acyclic) };
    all.push(asked(acyclic, "acyclic_siblings", &[("ancestors", &[everything.as_str()])]));
    let acyclic = ContractSpec { modules: list(&[top]), siblings: Some(true), ..spec(ContractKind::Acyclic) };
    all.push(asked(acyclic, "acyclic_siblings", &[("ancestors", &[top])]));
    all.into_iter().enumerate().map(|(number, asked)| (format!("c{number:04}"), asked)).collect()
}

/// The names of the contracts that import-linter says are broken.
fn ask_import_linter(top: &str, root: &Path, asked: &BTreeMap<String, Asked>, type_imports: bool) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!(
        "[importlinter]\nroot_package = {top}\nexclude_type_checking_imports = {}\n",
        if type_imports { "False" } else { "True" }
    );
    for (name, one) in asked {
        write!(text, "\n[importlinter:contract:{name}]\nname = {name}\n{}", one.other).unwrap();
    }
    let file = folder.path().join("contracts.ini");
    std::fs::write(&file, text).unwrap();
    let libraries = std::env::join_paths(NEEDED.map(corpus::dir)).unwrap();
    let output = Command::new("python3")
        .args(["-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache", "--config"])
        .arg(&file)
        .current_dir(root)
        .env("PYTHONPATH", libraries)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "200")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = |word: &str| -> BTreeSet<String> {
        let lines = said.lines().filter_map(|line| line.trim().strip_suffix(word));
        lines.map(|name| name.trim().to_owned()).filter(|name| asked.contains_key(name)).collect()
    };
    let (kept, broken) = (word("KEPT"), word("BROKEN"));
    assert_eq!(kept.len() + broken.len(), asked.len(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    broken
}

#[test]
fn verdicts_are_those_of_import_linter() {
    if systems::require(System::CompiledWheels).is_none() {
        return;
    }
    for (package, top) in PACKAGES {
        let root = corpus::dir(package);
        let asked = contracts(top, &root.join(top));
        for type_imports in [true, false] {
            let theirs = ask_import_linter(top, &root, &asked, type_imports);
            assert_same(package, &asked, &broken(&root, &asked, type_imports), &theirs);
        }
    }
}
