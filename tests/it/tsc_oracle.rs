//! What is taken from TypeScript's compiler, and from the linter that knows its types, against the locked programs run by hand.

use std::collections::BTreeSet;
use std::path::Path;

use regex::Regex;
use serde_json::Value;
use tapps_quality::analyzer::tsc::typed_lints;
use tapps_quality::result::AnalysisMode;
use tapps_quality::rules::tsgolint;
use tapps_toolchain::{Invocation, Program};

use crate::corpus;
use crate::scoring::support::{Project, block_on};
use crate::systems::{self, System};
use crate::toolchain_support::{call, folder, toolchain};

/// File, rule and line.
type Place = (String, String, u32);

/// A configuration that respected packages do not satisfy.
const SEVERE: &str = r#"{
  "compilerOptions": {
    "strict": true, "noUnusedLocals": true, "noUnusedParameters": true, "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true, "noPropertyAccessFromIndexSignature": true, "noImplicitReturns": true,
    "noImplicitOverride": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
    "lib": ["es2022", "dom", "dom.iterable", "dom.asynciterable"], "types": [], "skipLibCheck": true
  },
  "include": ["**/*.ts"]
}
"#;

/// What the program says when it is run by hand in the folder, with the project's own configuration.
fn said_by_hand(root: &Path) -> BTreeSet<Place> {
    let invocation =
        Invocation::new(Program::Tsc).args(["-p", "tsconfig.json", "--noEmit", "--pretty", "false"]).cwd(root);
    let finished = block_on(toolchain().run(invocation, &call())).unwrap();
    let said = String::from_utf8_lossy(&finished.stdout).into_owned();
    let line = Regex::new(r"^(.+?)\((\d+),\d+\): error (TS\d+): ").unwrap();
    said.lines()
        .filter_map(|text| line.captures(text))
        .map(|found| (found[1].to_owned(), format!("tsc:{}", &found[3]), found[2].parse().unwrap()))
        .collect()
}

/// What the linter says by types when it is run by hand in the folder.
fn lints_by_hand(root: &Path, files: &[String]) -> BTreeSet<Place> {
    let work = folder();
    let configuration = work.path().join("oxlint.json");
    std::fs::write(&configuration, typed_lints::configuration_text()).unwrap();
    let mut arguments = typed_lints::typed_check_arguments(&configuration.to_string_lossy());
    arguments.push("--".to_owned());
    arguments.extend(files.iter().cloned());
    let invocation = Invocation::new(Program::Tsgolint).args(arguments).cwd(root);
    let finished = block_on(toolchain().run(invocation, &call())).unwrap();
    let said: Value = serde_json::from_slice(&finished.stdout).unwrap();
    assert_eq!(said["number_of_files"], files.len());
    let place = |one: &Value| {
        let code = one["code"].as_str()?.strip_prefix("typescript(")?.strip_suffix(')')?;
        let line = u32::try_from(one["labels"][0]["span"]["line"].as_u64()?).ok()?;
        Some((one["filename"].as_str()?.to_owned(), format!("oxlint:typescript/{code}"), line))
    };
    said["diagnostics"].as_array().unwrap().iter().map(|one| place(one).unwrap()).collect()
}

/// Published sources: package and the folder of its scripts.
const SUBJECTS: [(&str, &str); 5] = [
    ("query-core", "src"),
    ("npm-zod", "src"),
    ("rxjs", "src"),
    ("npm-openai", "src"),
    ("npm-anthropic-ai-sdk", "src"),
];

#[test]
fn findings_are_those_of_the_program_run_by_hand() {
    if systems::require(System::Node).is_none() {
        return;
    }
    let (mut compared, mut left_alone) = (0, 0);
    for (package, below) in SUBJECTS {
        let work = folder();
        let root = work.path().join("project");
        crate::toolchain_support::copy_tree(&corpus::dir(package).join(below), &root);
        // Their own configurations are for other folders than the published ones.
        for own in corpus::files(&root, "json").iter().filter(|path| path.contains("tsconfig")) {
            std::fs::remove_file(root.join(own)).unwrap();
        }
        std::fs::write(root.join("tsconfig.json"), SEVERE).unwrap();
        let files = corpus::files(&root, "ts");
        let (mut by_hand, lints) = (said_by_hand(&root), lints_by_hand(&root, &files));
        by_hand.extend(lints.iter().cloned());
        let paths: Vec<&str> = files.iter().map(String::as_str).collect();
        let scored = Project::at(&root).scores(&paths, AnalysisMode::Full).unwrap();
        let stamp = |file: &str| scored.files.iter().find(|one| one.file == file).and_then(|one| one.types.clone());
        let known: BTreeSet<&str> =
            paths.iter().copied().filter(|path| stamp(path).is_some_and(|stamp| stamp.complete)).collect();
        let unknown: BTreeSet<&str> = paths.iter().copied().filter(|path| !known.contains(path)).collect();
        // What is merged with a rule of this program is said by that one.
        let ours: BTreeSet<Place> = scored
            .files
            .iter()
            .flat_map(|file| &file.findings)
            .filter(|one| one.rule.starts_with("tsc:") || tsgolint::RULES.iter().any(|rule| rule.name() == one.rule))
            .map(|one| (one.file.clone(), one.rule.clone(), one.line))
            .collect();
        let doubled = |place: &Place| {
            let at = scored
                .files
                .iter()
                .flat_map(|file| &file.findings)
                .filter(|one| one.file == place.0 && one.line == place.2);
            let pairs = tapps_quality::rule_set::SAME_THING;
            at.into_iter().any(|one| pairs.iter().any(|(kept, dropped)| one.rule == *kept && place.1 == *dropped))
        };
        let by_hand_known: BTreeSet<Place> =
            by_hand.iter().filter(|place| known.contains(place.0.as_str()) && !doubled(place)).cloned().collect();
        eprintln!(
            "{package}: {} files, {} of unknown types, {} findings, {} by hand in all, {} of them lints",
            files.len(),
            unknown.len(),
            ours.len(),
            by_hand.len(),
            lints.len()
        );
        // Of promises that nobody waits for those are told that stand where somebody could.
        let (lost, told): (BTreeSet<Place>, BTreeSet<Place>) = by_hand_known
            .into_iter()
            .partition(|place| place.1.ends_with("no-floating-promises") && !ours.contains(place));
        assert_eq!(ours, told, "{package}");
        left_alone += lost.len();
        // A file is unknown for a reason that the program gives by hand as well.
        let is_missing = |place: &Place| {
            [
                "TS2307", "TS7016", "TS2580", "TS2591", "TS2304", "TS2503", "TS2582", "TS2688", "TS2867", "TS2875",
                "TS2792",
            ]
            .iter()
            .any(|code| place.1.ends_with(code))
        };
        assert!(unknown.is_empty() || by_hand.iter().any(is_missing), "{package}: {unknown:?}");
        compared += ours.len();
    }
    eprintln!("{compared} compared, {left_alone} promises left alone");
    assert!(compared >= 149 && left_alone <= 20, "{compared}, {left_alone}");
}
