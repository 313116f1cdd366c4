//! What another lock would change: a second lock is made, installed beside the first, and both score the same files.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::toolchain_support::{folder, program, settings, stderr, stdout, toolchain};

/// Two things that bandit learned to see after 1.8.0.
const FILE: &str = "\"\"\"A model from a hub.\"\"\"\n\nfrom transformers import AutoModel\n\n\ndef load(name: str) -> AutoModel:\n    \"\"\"Load it.\"\"\"\n    return AutoModel.from_pretrained(name)\n\n\nDEFAULTS = {\"password\": \"correct horse\"}\n";

fn run(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    assert!(output.status.code() < Some(2), "{}", stderr(&output));
    (output.status.code(), stdout(&output))
}

/// A lock for this machine alone that has bandit 1.8.0.
fn older(folder: &Path) -> PathBuf {
    let tools = toolchain();
    let path = folder.join("older.lock.json");
    let mut command = program(&settings());
    command.args(["toolchain", "lock", "--with", "bandit==1.8.0", "--quiet", "--output"]).arg(&path);
    command.args(["--system", tools.system().as_str(), "--python-tag", tools.kind().as_str()]);
    let (code, said) = run(&mut command);
    assert!(code == Some(0) && said.starts_with("written: "), "{said}");
    path
}

#[test]
fn rules_and_scores_are_compared_before_a_lock_is_adopted() {
    let folder = folder();
    let lock = older(folder.path());
    let project = folder.path().join("project");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join("model.py"), FILE).unwrap();
    std::fs::write(project.join("tapps-mcp.toml"), "[security]\nengine = \"bandit\"\n").unwrap();
    std::fs::write(project.join("same.py"), "\"\"\"Nothing.\"\"\"\n").unwrap();

    let diff = |first: &str, second: &str| {
        let mut command = program(&settings());
        command.current_dir(&project).args(["toolchain", "diff", first, second, ".", "--json", "--quiet"]);
        let (code, said) = run(&mut command);
        (code, serde_json::from_str::<Value>(&said).unwrap())
    };
    let lock = lock.to_str().unwrap();
    let (code, answer) = diff("embedded", lock);
    assert_eq!(code, Some(1));
    let change = json!([{"change": "version", "name": "bandit", "from": "1.9.4", "to": "1.8.0"}]);
    assert_eq!(answer["changes"], change);
    assert_ne!(answer["toolchains"]["before"]["fingerprint"], answer["toolchains"]["after"]["fingerprint"]);
    assert_eq!(answer["toolchains"]["after"]["verified"], true);

    let scores = &answer["scores"];
    assert_eq!(scores["unchanged"], 1);
    assert_eq!(scores["files"].as_array().unwrap().len(), 1);
    let file = &scores["files"][0];
    assert_eq!(file["file"], "model.py");
    assert_eq!(file["categories"], json!({"security": {"before": 9.0, "after": 10.0}}));
    assert_eq!(file["added"], json!([]));
    let removed: Vec<(&Value, &Value)> =
        file["removed"].as_array().unwrap().iter().map(|finding| (&finding["line"], &finding["rule"])).collect();
    assert_eq!(removed, [(&json!(8), &json!("bandit:B615")), (&json!(11), &json!("bandit:B105"))]);
    let gained = file["overall"]["after"].as_f64().unwrap() - file["overall"]["before"].as_f64().unwrap();
    assert!((gained - 2.7).abs() < 1e-6, "one point of ten in a category of 0.27: {gained}");
    let rules: Vec<(&str, u64, u64)> = scores["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| {
            let number = |key: &str| rule[key].as_u64().unwrap();
            (rule["rule"].as_str().unwrap(), number("before"), number("after"))
        })
        .collect();
    assert_eq!(rules, [("bandit:B105", 1, 0), ("bandit:B615", 1, 0)]);

    // The other way round everything is turned round, and a lock against itself changes nothing.
    let (_, back) = diff(lock, "embedded");
    assert_eq!(back["scores"]["files"][0]["added"], file["removed"]);
    assert_eq!(back["scores"]["files"][0]["categories"], json!({"security": {"before": 10.0, "after": 9.0}}));
    let (code, none) = diff("-", "embedded");
    assert_eq!((code, &none["scores"]["files"], &none["scores"]["unchanged"]), (Some(0), &json!([]), &json!(2)));
}

#[test]
fn what_cannot_be_locked_is_named() {
    for (pin, said) in [("bandti==1.8.0", "did you mean bandit?"), ("bandit", "name==1.2.3")] {
        let output = program(&settings()).args(["toolchain", "lock", "--with", pin, "--output", "-"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.contains(pin) || text.contains(said), "{text}");
    }
}
