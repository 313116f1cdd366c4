//! The commands.

use serde_json::{Value, json};

use super::support::*;

fn run(project: &Project, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut all = vec!["workflow"];
    all.extend(arguments);
    let output = project.program(&all).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn run_json(project: &Project, arguments: &[&str]) -> Value {
    let (code, out, err) = run(project, &[arguments, &["--format", "json"]].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn workflows_are_listed_and_shown_and_what_cannot_be_used_is_told() {
    let project = Project::new();
    let (code, out, _) = run(&project, &["list"]);
    assert_eq!(code, Some(0));
    assert!(out.lines().any(|line| line == "diamond              Two branches that meet again."), "{out}");
    assert_eq!(out.lines().count(), 8);
    let (_, out, _) = run(&project, &["show", "gated"]);
    let expected = "gated: Gated\nA person decides.\n\n.tapps-mcp/workflows/gated.md\n\nplan (architect)\n  Plan it.\n  \
                    a person approves it\n\nact (implementer) after plan\n  Do it.\n";
    assert_eq!(out, expected);
    assert_eq!(run_json(&project, &["show", "bug-fix"])["steps"][4]["requires"], json!(["tapps_quality_gate"]));
    let (code, _, err) = run(&project, &["show", "diamnd"]);
    assert_eq!((code, err.as_str()), (Some(2), "error: there is no workflow `diamnd`\nhint: did you mean diamond?\n"));
    project.write(
        "broken",
        "---\nname: broken\ntitle: B\ndescription: D.\nsteps:\n  - {name: a, agent: nobdy, description: D.}\n---\n",
    );
    let (code, out, _) = run(&project, &["list"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("cannot be used: .tapps-mcp/workflows/broken.md:6:22: there is no agent `nobdy`"), "{out}");
    let (code, _, err) = run(&project, &["show", "broken"]);
    assert_eq!(code, Some(2));
    assert!(
        err.starts_with("error: the workflow `broken` cannot be used: .tapps-mcp/workflows/broken.md:6:22:"),
        "{err}"
    );
    assert!(!project.dir.path().join(".tapps-mcp/workflow.db").exists(), "looking makes nothing");
}

#[test]
fn a_person_follows_approves_sends_back_ends_and_exports() {
    let project = Project::new();
    assert_eq!(run(&project, &["status"]).1, "no workflow was begun in this project\n");
    let (code, _, err) = run(&project, &["approve", "current"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("an agent begins one with workflow_next_step"), "{err}");

    let workflows = project.open_now();
    let begun = create(&workflows, "gated");
    let id = begun["execution_id"].as_str().unwrap();
    hand_in(&workflows, &token(&begun), &output_with("A plan.", &["design_doc"])).unwrap();
    assert_eq!(run(&project, &["status"]).1, format!("{id} gated paused 0/2 steps · waits for approval: plan\n"));
    let (code, out, _) = run(&project, &["reject", id, "--reason", "too large"]);
    assert_eq!((code, out), (Some(0), format!("{id} gated running 0/2 steps · open: plan\n")));
    let read = serde_json::to_value(workflows.current_step(id).unwrap().unwrap()).unwrap();
    let fresh = read["open_steps"][0]["step_token"].as_str().unwrap();
    hand_in(&workflows, fresh, &output_with("A small plan.", &["design_doc"])).unwrap();
    let approved = run_json(&project, &["approve", "current", "--step", "plan"]);
    assert_eq!((&approved["state"], &approved["open_steps"]), (&json!("running"), &json!(["act"])));
    let (code, _, err) = run(&project, &["approve", id]);
    assert_eq!(code, Some(2));
    assert_eq!(err, format!("error: no step of execution {id} waits for approval\n"));
    let (_, out, _) = run(&project, &["status", id]);
    assert!(out.contains("plan (architect): completed\n  A small plan.\n"), "{out}");
    assert!(out.contains(" rejected plan: by the command line: too large\n"), "{out}");

    let export = run_json(&project, &["export", id]);
    assert_eq!(export["artifact_contents"][0]["content"], "Content");
    let (_, text, _) = run(&project, &["export", "current"]);
    assert!(text.starts_with(&format!("# gated {id}\n\nBegun 20")), "{text}");
    assert!(text.contains("\n## A small plan. design_doc (design_doc, plan)\n\nContent\n"), "{text}");

    let (code, out, _) = run(&project, &["reject", "current", "--end"]);
    assert_eq!((code, out), (Some(0), format!("{id} gated ended 1/2 steps · open: act\n")));
    let (code, out, _) = run(&project, &["export", "nothing", "--format", "json"]);
    assert_eq!(
        (code, serde_json::from_str::<Value>(&out).unwrap()["error_code"].clone()),
        (Some(2), json!("invalid_argument"))
    );
}
