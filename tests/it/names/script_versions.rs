//! TypeScript for one major version of a library of npm beside another: what that one has no more is said, and nothing else is.
//!
//! What each version has is what was there when it ran: `tests/fixtures/versions/npm`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;
use tapps_quality::result::AnalysisMode;

use crate::corpus;
use crate::scoring::support::Project;
use crate::systems::{self, System};
use crate::toolchain_support::copy_tree;

/// Lines of TypeScript, each with one use of a library.
#[derive(Deserialize)]
struct OtherVersion {
    code_for: String,
    /// The version that is there and the declarations that it needs, in `tests/corpus.lock.json`.
    installed: Vec<String>,
    /// What a file of uses begins with.
    preamble: String,
    removed: Vec<String>,
    kept: Vec<String>,
}

/// How much of what is gone is found at least, of a hundred. Nothing that express 5 has at run time and in its declarations is missing
/// in express 4, beside which only names of both are looked at.
const LEAST_FOUND: [(&str, f64); 4] =
    [("zod 3.24.4", 100.0), ("zod 4.1.12", 100.0), ("express 4.21.2", 100.0), ("express 5.1.0", 0.0)];

/// What the compiler says of a name that is not there, or of which there is only a type.
const GONE: [&str; 7] =
    ["tsc:TS1362", "tsc:TS2305", "tsc:TS2339", "tsc:TS2551", "tsc:TS2614", "tsc:TS2693", "tsc:TS2724"];

const PACKAGE: &[u8] = b"{ \"name\": \"uses\", \"version\": \"1.0.0\", \"private\": true, \"type\": \"module\" }\n";

const STRICT: &[u8] = br#"{
  "compilerOptions": {
    "strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "lib": ["es2022", "dom"],
    "types": []
  },
  "include": ["src"]
}
"#;

/// Uses in one file.
const USES: usize = 100;

/// Lays locked packages of npm beside a project, each by the name that it has at the registry.
fn install(root: &Path, packages: &[String]) {
    for package in packages {
        let unpacked = corpus::dir(package);
        let manifest: Value = serde_json::from_slice(&std::fs::read(unpacked.join("package.json")).unwrap()).unwrap();
        let place = root.join("node_modules").join(manifest["name"].as_str().unwrap());
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        copy_tree(&unpacked, &place);
    }
}

/// Writes all uses in files of many, and gives those of which a finding says that a name is not there.
fn said_to_be_gone(other: &OtherVersion) -> BTreeSet<&str> {
    let project = Project::of(&[("package.json", PACKAGE), ("tsconfig.json", STRICT)]);
    install(project.root(), &other.installed);
    let mut files = BTreeMap::new();
    for (kind, uses) in [("removed", &other.removed), ("kept", &other.kept)] {
        files.extend(uses.chunks(USES).enumerate().map(|(at, uses)| (format!("src/{kind}_{at}.ts"), uses)));
    }
    for (file, uses) in &files {
        project.write(file, format!("{}\n{}\n", other.preamble, uses.join("\n")).as_bytes());
    }
    let paths: Vec<&str> = files.keys().map(String::as_str).collect();
    let scored = project.scores(&paths, AnalysisMode::Full).unwrap();
    let mut said = BTreeSet::new();
    for score in &scored.files {
        // Of a file whose types are unknown nothing would be said.
        assert!(score.types.as_ref().is_some_and(|types| types.complete), "{}: {:?}", score.file, score.types);
        let gone = score.findings.iter().filter(|finding| GONE.contains(&finding.rule.as_str()));
        said.extend(gone.map(|finding| files[&score.file][finding.line as usize - 2].as_str()));
    }
    said
}

#[test]
fn what_another_major_version_of_a_script_library_has_no_more_is_found() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let mut text = String::new();
    let packed = include_bytes!("../../fixtures/versions/npm/names.json.gz").as_slice();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let versions: Vec<OtherVersion> = serde_json::from_str(&text).unwrap();
    assert_eq!(versions.len(), LEAST_FOUND.len());
    println!(
        "| code for | beside | names that are gone | found | share | names of both | said to be gone |\n| --- | --- | --- | --- | --- | --- | --- |"
    );
    for other in &versions {
        let said = said_to_be_gone(other);
        let found = other.removed.iter().filter(|line| said.contains(line.as_str())).count();
        let wrong: Vec<&String> = other.kept.iter().filter(|line| said.contains(line.as_str())).collect();
        let share = found as f64 / other.removed.len().max(1) as f64;
        println!(
            "| {} | {} | {} | {found} | {share:.3} | {} | {} |",
            other.code_for,
            other.installed[0],
            other.removed.len(),
            other.kept.len(),
            wrong.len()
        );
        assert!(wrong.is_empty(), "{}: {wrong:?}", other.code_for);
        let (_, least) = LEAST_FOUND.into_iter().find(|(code_for, _)| *code_for == other.code_for).unwrap();
        assert!(share * 100.0 >= least, "{}: {share:.3}", other.code_for);
    }
}
