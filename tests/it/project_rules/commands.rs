//! `tapps-mcp rules test` and `tapps-mcp rules try`, as people and scripts see them.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::toolchain_support::folder;

const RULE: &str = "id: no-print\nlanguage: python\nmessage: print is left\nrule: {pattern: print($$$)}\n";

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn run(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"))
        .args(["--project-root".as_ref(), root.as_os_str()])
        .arg("rules")
        .args(arguments)
        .args(["--color", "never"])
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn examples_that_are_not_as_said_are_shown() {
    let folder = folder();
    let root = folder.path();
    let file = ".tapps-mcp/rules/house.yml";
    write(root, file, &format!("{RULE}valid: ['log(1)']\ninvalid: ['print(2)']\n"));
    let (code, out, _) = run(root, &["test"]);
    assert_eq!((code, out.as_str()), (Some(0), "passed: 2 examples of 1 rule, 0 not as said\n"));
    write(
        root,
        file,
        &format!("{RULE}valid: ['log(1)', \"if a:\\n    print(2)\\n\"]\n---\n{}", RULE.replace("no-print", "again")),
    );
    let (code, out, _) = run(root, &["test"]);
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(
        out,
        "valid example 2 of no-print .tapps-mcp/rules/house.yml: it finds `print(2)` at line 2\n    if a:\n        print(2)\n\
         untested: again has no `invalid` example\nuntested: no-print has no `invalid` example\n\
         failed: 2 examples of 2 rules, 1 not as said\n"
    );
    let (code, out, _) = run(root, &["test", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &report["passed"], &report["examples"]), (Some(1), &json!(false), &json!(2)));
    assert_eq!(report["failures"][0]["rule"], "no-print");
    assert_eq!(report["failures"][0]["kind"], "valid");
}

#[test]
fn rules_that_cannot_be_tested_are_an_error_of_configuration() {
    let folder = folder();
    let (code, _, errors) = run(folder.path(), &["test"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("the project has no rules in .tapps-mcp/rules"), "{errors}");
    write(folder.path(), ".tapps-mcp/rules/house.yml", &RULE.replace("pattern", "patern"));
    let (code, _, errors) = run(folder.path(), &["test"]);
    assert_eq!(code, Some(2));
    assert!(
        errors.contains("house.yml cannot be used: `rule` of its rule `no-print`: unknown field `patern`"),
        "{errors}"
    );
}

#[test]
fn a_pattern_shows_where_it_matches() {
    let folder = folder();
    let root = folder.path();
    write(root, "a.py", "if x:\n    print('ä', 1)\n");
    write(root, "b/c.js", "print(\n  1)\n");
    write(root, "b/d.txt", "print(1)\n");
    let (code, out, _) = run(root, &["try", "print($$$)"]);
    assert_eq!((code, out.as_str()), (Some(0), "a.py:2:5 print('ä', 1)\nb/c.js:1:1 print( …\n2 matches in 2 files\n"));
    let (code, out, _) = run(root, &["try", "print($$$)", "b", "--language", "js", "--format", "json"]);
    let shown: Value = serde_json::from_str(&out).unwrap();
    let expected =
        json!({"file": "b/c.js", "line": 1, "column": 1, "end_line": 2, "end_column": 5, "text": "print(\n  1)"});
    assert_eq!((code, &shown["files"], &shown["matches"]), (Some(0), &json!(1), &json!([expected])));
    assert_eq!(run(root, &["try", "print($$$)", "--language", "go"]).0, Some(3));
    let (code, _, errors) = run(root, &["try", "x", "--language", "pyton"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("pyton") && errors.contains("did you mean Python?"), "{errors}");
}
