//! Other tools that read the same files: the TypeScript checker, and an indexer that stands on it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::corpus;
use crate::cost;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Processor seconds of the checker for resolving the calls of a package's sources.
pub(crate) fn checker(package: &str) -> f64 {
    let mut command = Command::new("node");
    command.arg(Path::new(HERE).join("tests/accuracy/calls.cjs"));
    command.arg(corpus::dir("typescript").join("lib/typescript.js"));
    command.arg(corpus::dir(package)).arg("src");
    cost::of_child(&mut command)
}

/// Processor seconds of scip-typescript for indexing a project.
pub(crate) fn scip_typescript(root: &Path) -> f64 {
    let config = r#"{ "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
        "strict": true, "skipLibCheck": true, "noEmit": true, "types": [] }, "include": ["**/*.ts", "**/*.tsx"] }"#;
    std::fs::write(root.join("tsconfig.json"), config).unwrap();
    let output = root.join("index.scip");
    let mut command = Command::new("node");
    command.arg(installed().join("node_modules/@sourcegraph/scip-typescript/dist/src/main.js"));
    command.args(["index", "--no-progress-bar", "--output"]).arg(&output).current_dir(root);
    let cpu = cost::of_child(&mut command);
    assert!(output.metadata().is_ok_and(|index| index.len() > 0), "scip-typescript wrote no index");
    cpu
}

/// A folder with scip-typescript as the lock beside the accuracy tests has it, made once.
fn installed() -> PathBuf {
    let target = corpus::root().join("scip-typescript");
    let guard = std::fs::File::create(corpus::root().join(".scip-typescript.lock")).unwrap();
    guard.lock().unwrap();
    if !target.is_dir() {
        let work = tempfile::tempdir_in(corpus::root()).unwrap();
        for file in ["package.json", "package-lock.json"] {
            std::fs::copy(Path::new(HERE).join("tests/accuracy/scip").join(file), work.path().join(file)).unwrap();
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]).current_dir(work.path());
        cost::of_child(&mut npm);
        std::fs::rename(work.keep(), &target).unwrap();
    }
    target
}
