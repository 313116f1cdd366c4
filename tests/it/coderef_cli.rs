//! The `coderef` program: what people and scripts see of it.

use serde_json::{Value, json};

use crate::coderef_query::{Project, run_in, stderr};

#[test]
fn people_read_lines() {
    let project = Project::new();
    let impact = project.text(&["impact", "isFine", "--color", "never"]);
    assert!(
        impact.starts_with("MEDIUM risk, score 26: 5 places in 3 files (2 direct, 3 transitive, 0 further)\n"),
        "{impact}"
    );
    assert!(impact.ends_with("reached by 1 test file:\n  test/main.test.ts\n"), "{impact}");
    let scan = project.text(&["scan", "src/lib/util.ts", "--color", "never"]);
    assert_eq!(
        scan,
        "src/lib/util.ts\n     1 + function    export function isFine(x: unknown): boolean\n     \
         5 + function    export const unused = ()\n2 elements in 1 file: function 2\n"
    );
    let complexity = project.text(&["complexity", "isFine", "--color", "never"]);
    assert!(
        complexity.contains("           3          2        1           1      4  function    isFine"),
        "{complexity}"
    );
    assert!(project.text(&["context"]).contains("\n- `@Fn/src/lib/util.ts#isFine:1`, used by 3\n"));
    assert!(project.text(&["query", "isFine", "-t", "calls-me", "--color", "always"]).contains("\u{1b}[1m"));
}

#[test]
fn programs_read_json_and_exit_codes() {
    let project = Project::new();
    let scan = project.json(&["scan", "--lang", "py", "--type", "class,function"]);
    assert_eq!(scan["by_type"], json!({"class": 1, "function": 2}));
    assert_eq!((&scan["elements_found"], &scan["files"]), (&json!(3), &json!(2)));
    let limited = project.json(&["scan", "--limit", "2", "--no-ast"]);
    assert_eq!((limited["elements"].as_array().unwrap().len(), &limited["truncated"]), (2, &json!(true)));
    assert_eq!(limited["elements"][0].get("signature"), None);
    for (arguments, code, message) in [
        (vec!["query", "isFien"], 2, "nothing in the project is called `isFien`"),
        (vec!["query", "main", "--depth", "11"], 2, "a depth of 11 edges cannot be asked for"),
        (vec!["query", "main", "-t", "all-paths"], 2, "a path query needs a `source`"),
        (vec!["scan", "--root", "nowhere"], 2, "cannot be opened"),
        (vec!["scan", "src/lub"], 2, "src/lub"),
        (vec!["drift"], 3, "index"),
    ] {
        let output = project.run(&[arguments.as_slice(), &["--json"]].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(error["message"].as_str().unwrap().contains(message), "{arguments:?}: {error}");
        assert!(error["hint"].is_string(), "{arguments:?}: {error}");
        assert!(stderr(&output).contains("error:"));
    }
    let unknown = project.run(&["impact", "main", "--operation", "destroy"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("expected one of `modify`, `delete`, `refactor`"));
}

#[test]
fn an_empty_folder_is_no_success() {
    let empty = tempfile::tempdir().unwrap();
    for command in ["scan", "context", "diagram", "coverage", "export"] {
        let output = run_in(empty.path(), &[command]);
        assert_eq!(output.status.code(), Some(3), "{command}: {}", stderr(&output));
        assert!(stderr(&output).contains("no source file"), "{command}");
    }
}

#[test]
fn the_project_is_the_root_or_a_folder_elsewhere() {
    let project = Project::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let root = project.root();
    let named = run_in(elsewhere.path(), &["scan", &root, "--json"]);
    let rooted = run_in(elsewhere.path(), &["--root", &root, "scan", "--json"]);
    assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
    assert_eq!(named.stdout, rooted.stdout);
    let excluded = project.json(&["scan", "--exclude", "tools", "--exclude", "*.test.ts"]);
    assert_eq!((&excluded["files"], &excluded["by_language"]["py"]), (&json!(4), &Value::Null));
    let outside = project.run(&["--root", &root, "scan", elsewhere.path().to_str().unwrap()]);
    assert_eq!(outside.status.code(), Some(2), "{}", stderr(&outside));
}

#[test]
fn real_coverage_comes_before_reach() {
    let project = Project::new();
    let reached = project.json(&["coverage", "-f", "detailed"]);
    assert_eq!(reached["source"], "static_reach");
    let names = |report: &Value| -> Vec<String> {
        let uncovered = report["uncovered"].as_array().unwrap();
        uncovered.iter().map(|place| place["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&reached).contains(&"unused".to_owned()) && !names(&reached).contains(&"isFine".to_owned()));
    let lcov = "SF:src/lib/util.ts\nDA:1,1\nDA:2,0\nDA:3,0\nDA:5,4\nend_of_record\n";
    project.write("coverage/lcov.info", lcov);
    let recorded = project.json(&["coverage", "-f", "detailed"]);
    assert_eq!((&recorded["source"], &recorded["reports"]), (&json!("mixed"), &json!(["coverage/lcov.info"])));
    assert!(names(&recorded).contains(&"isFine".to_owned()) && !names(&recorded).contains(&"unused".to_owned()));
    assert_eq!(recorded["lines"], json!({"covered": 2, "total": 4, "percentage": 50.0}));
}

#[test]
fn an_export_replaces_only_an_export() {
    let project = Project::new();
    project.write("package.json", "{\"name\": \"shop\"}\n");
    for (format, file) in [
        ("json", "graph.json"),
        ("jsonld", "graph.jsonld"),
        ("mermaid", "g.mmd"),
        ("dot", "g.dot"),
        ("scip", "index.scip"),
    ] {
        for _ in 0..2 {
            let report = project.json(&["export", "-f", format, "-o", file]);
            assert_eq!(report["output_path"], file);
            let bytes = std::fs::read(project.0.path().join(file)).unwrap();
            assert_eq!(report["bytes"], bytes.len());
        }
        let refused = project.run(&["export", "-f", format, "-o", "package.json"]);
        assert_eq!(refused.status.code(), Some(2), "{format}: {}", stderr(&refused));
    }
    assert_eq!(project.read("package.json"), "{\"name\": \"shop\"}\n");
    let outside = project.run(&["export", "-o", "../graph.json"]);
    assert_eq!(outside.status.code(), Some(2), "{}", stderr(&outside));
    let graph: Value = serde_json::from_str(&project.read("graph.json")).unwrap();
    assert_eq!(graph["statistics"]["elements"], graph["nodes"].as_array().unwrap().len() - 7);
}

#[test]
fn drift_is_told_by_bodies_and_not_by_times() {
    let project = Project::new();
    let saved = project.json(&["drift", "--save"]);
    assert_eq!(saved["index_path"], ".coderef/index.json");
    let util = project.read("src/lib/util.ts");
    project.write("src/lib/util.ts", &util);
    assert_eq!(project.run(&["drift"]).status.code(), Some(0));
    project.write("src/lib/util.ts", &format!("// one\n// two\n// three\n{util}"));
    let moved = project.json(&["drift"]);
    let statuses: Vec<&str> =
        moved["drifted"].as_array().unwrap().iter().map(|drift| drift["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["moved", "moved"]);
    assert_eq!(project.run(&["drift"]).status.code(), Some(1));
}

#[test]
fn tags_are_written_once_and_are_valid() {
    let project = Project::new();
    let before = project.read("src/lib/util.ts");
    let dry = project.text(&["tag", "src/lib/util.ts", "--dry-run", "--color", "never"]);
    assert!(dry.contains("+// @Fn/src/lib/util.ts#isFine:2\n"), "{dry}");
    assert_eq!(project.read("src/lib/util.ts"), before);
    let report = project.json(&["tag", "src/lib/util.ts"]);
    assert_eq!(report["inserted"], 2);
    assert!(project.read("src/lib/util.ts").starts_with("// @Fn/src/lib/util.ts#isFine:2\nexport function isFine"));
    assert_eq!(project.json(&["tag", "src/lib/util.ts"])["inserted"], 0);
    let valid = project.json(&["validate", "--pattern", "**/*.ts"]);
    assert_eq!((&valid["total"], &valid["invalid"]), (&json!(2), &json!(0)));
    project.write("NOTES.md", "See @Fn/src/lib/util.ts#isFien:2 for that.\n");
    let output = project.run(&["validate", "--color", "never"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("NOTES.md:1:5 @Fn/src/lib/util.ts#isFien:2"), "{text}");
    assert!(text.contains("perhaps @Fn/src/lib/util.ts#isFine:2"), "{text}");
}
