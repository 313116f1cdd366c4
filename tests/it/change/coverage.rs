//! The coverage of changed lines, against diff-cover on the same data.

use std::process::Command;

use serde_json::Value;
use tapps_quality::change::report::{ChangeVerdict, PatchCoverageState};

use super::support::{Changed, file};
use crate::corpus;
use crate::systems;

const LOGIC: &str = "\"\"\"Logic.\"\"\"\n\n\ndef sign(value: int) -> str:\n    \"\"\"Says it.\"\"\"\n    if value > 0:\n        return \"plus\"\n    return \"minus\"\n";
const TESTS: &str = "from logic import sign\n\n\ndef test_sign() -> None:\n    assert sign(1) == \"plus\"\n";

/// Runs the tests under coverage.py and writes its XML report.
fn measure(changed: &Changed) {
    let script = "import coverage, sys\nsys.path.insert(0, '.')\nc = coverage.Coverage(include=['logic.py'])\nc.start()\nimport test_logic\ntest_logic.test_sign()\nc.stop()\nc.xml_report(outfile='coverage.xml')\n";
    let output = Command::new("python3")
        .args(["-B", "-c", script])
        .env("PYTHONPATH", corpus::dir("coverage"))
        .current_dir(changed.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn lines_that_no_test_ran_block_where_they_are_too_many() {
    let changed =
        Changed::of(&[("logic.py", LOGIC), ("test_logic.py", TESTS), (".gitignore", "coverage.xml\n.coverage\n")]);
    changed.write(
        "logic.py",
        &LOGIC.replace("    return \"minus\"", "    if value < -9:\n        value = -9\n    return \"minus\""),
    );
    assert_eq!(changed.verdict().patch_coverage.state, PatchCoverageState::NotMeasured);
    measure(&changed);
    let report = changed.verdict();
    assert_eq!(report.patch_coverage.state, PatchCoverageState::Measured);
    assert_eq!((report.patch_coverage.covered, report.patch_coverage.executable), (0, 2));
    assert_eq!(file(&report, "logic.py").coverage.as_ref().unwrap().missing, [8, 9]);
    assert_eq!(report.verdict, ChangeVerdict::Blocked);
    assert_eq!(report.reasons, ["coverage: 0.0 % of the changed lines ran, 75 % is the minimum"]);

    // A comment is nothing that could run.
    changed.write("logic.py", &LOGIC.replace("    return \"minus\"", "    # Everything else.\n    return \"minus\""));
    measure(&changed);
    let report = changed.verdict();
    assert_eq!((report.patch_coverage.state, report.patch_coverage.percent), (PatchCoverageState::NotApplicable, None));
    assert!(report.passed, "{:?}", report.reasons);

    // Data of other text is no data.
    changed.write("logic.py", &format!("X = 1\n{LOGIC}"));
    let report = changed.verdict();
    assert_eq!(report.patch_coverage.state, PatchCoverageState::NotMeasured);
    assert_eq!(report.patch_coverage.refused.len(), 1);
}

/// What uses a package, so that a part of it is run.
const EXERCISES: [(&str, &str, &str); 5] = [
    ("idna", "idna", "import idna; idna.encode('bücher.example'); idna.decode('xn--bcher-kva.example')"),
    ("iniconfig", "iniconfig", "import iniconfig; list(iniconfig.IniConfig('x', data='[a]\\nb=1\\n[c]\\nd=2')['a'])"),
    ("pluggy", "pluggy", "import pluggy; m = pluggy.PluginManager('x'); m.register(object()); m.list_name_plugin()"),
    (
        "packaging",
        "packaging",
        "from packaging.requirements import Requirement as R; str(R('a[b]>=1,<2; python_version > \"3\"'))",
    ),
    (
        "click",
        "click",
        "import click; from click.testing import CliRunner as C; C().invoke(click.Command('x', params=[click.Option(['--a'])]), ['--help'])",
    ),
];

/// diff-cover as it is published, on the coverage data and the repository that it is asked about.
fn diff_cover(changed: &Changed) -> Value {
    let paths: Vec<String> =
        [("diff-cover", ""), ("chardet", ""), ("jinja2", ""), ("pygments", ""), ("pluggy", ""), ("markupsafe", "src")]
            .iter()
            .map(|(name, inside)| corpus::dir(name).join(inside).to_string_lossy().into_owned())
            .collect();
    let out = changed.root().join(".git/diff-cover.json");
    let output = Command::new("python3")
        .args(["-B", "-W", "ignore", "-m", "diff_cover.diff_cover_tool", "coverage.xml", "--compare-branch", "main"])
        .args(["--include-untracked", "--format"])
        .arg(format!("json:{}", out.display()))
        .env("PYTHONPATH", paths.join(":"))
        .env("HOME", changed.root().join(".git"))
        .current_dir(changed.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap()
}

#[test]
fn changed_lines_are_covered_as_diff_cover_counts_them() {
    let mut compared = 0;
    for (package, source, exercise) in EXERCISES {
        let changed = Changed::of_package(package);
        std::fs::write(changed.root().join(".git/info/exclude"), "coverage.xml\n.coverage\n").unwrap();
        let edits = [("delete", "3"), ("rename", "4"), ("reformat", "5"), ("reorder", "6")];
        for (kind, seed) in systems::sample(edits, 2) {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/change/edit.py");
            let edit = Command::new("python3")
                .args(["-B", "-W", "ignore", script, kind, seed, source])
                .current_dir(changed.root())
                .output()
                .unwrap();
            assert!(edit.status.success(), "{}", String::from_utf8_lossy(&edit.stderr));
            let run = format!(
                "import coverage, sys\nsys.path.insert(0, '.')\nc = coverage.Coverage(source=['{source}'])\nc.start()\ntry:\n    {exercise}\nexcept Exception as e:\n    print(e)\nc.stop()\nc.xml_report(outfile='coverage.xml')\n"
            );
            let ran = Command::new("python3")
                .args(["-B", "-W", "ignore", "-c", &run])
                .env("PYTHONPATH", corpus::dir("coverage"))
                .current_dir(changed.root())
                .output()
                .unwrap();
            assert!(ran.status.success(), "{package}: {}", String::from_utf8_lossy(&ran.stderr));
            let (theirs, ours) = (diff_cover(&changed), changed.verdict());
            assert!(ours.patch_coverage.refused.is_empty(), "{package} {kind}: {:?}", ours.patch_coverage.refused);
            for (path, said) in theirs["src_stats"].as_object().unwrap() {
                let of_file = ours.files.iter().find(|file| file.file == *path).and_then(|file| file.coverage.as_ref());
                let missing: Vec<u64> = of_file
                    .map(|lines| lines.missing.iter().map(|line| u64::from(*line)).collect())
                    .unwrap_or_default();
                let expected: Vec<u64> =
                    said["violation_lines"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
                assert_eq!(missing, expected, "{package} {kind} {path}");
                compared += 1;
            }
            let total = |key: &str| theirs[key].as_u64().unwrap();
            let lines = u64::try_from(ours.patch_coverage.executable).unwrap();
            let covered = u64::try_from(ours.patch_coverage.covered).unwrap();
            assert_eq!(
                (lines, lines - covered),
                (total("total_num_lines"), total("total_num_violations")),
                "{package} {kind}"
            );
            changed.reset();
        }
    }
    println!("{compared} files compared with diff-cover");
    assert!(compared >= if systems::whole() { 20 } else { 10 }, "{compared}");
}
