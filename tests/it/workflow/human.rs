//! A person's word, and contracts that are looked after.

use serde_json::json;
use tapps_base::digest;
use tapps_session::{CheckedFile, LoggedCallOutcome, NewCall};
use tapps_workflow::{Caller, Continue, HumanDecision, Wishes, Workflows};

use super::support::*;

fn waits(workflows: &Workflows, template: &str) -> (String, String) {
    let begun = create(workflows, template);
    (begun["execution_id"].as_str().unwrap().to_owned(), token(&begun))
}

fn state(workflows: &Workflows, execution: &str) -> String {
    let status = serde_json::to_value(workflows.status(execution).unwrap().unwrap()).unwrap();
    status["state"].as_str().unwrap().to_owned()
}

#[test]
fn a_step_waits_until_a_person_approves_it() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let (id, first) = waits(&workflows, "gated");
    let plan = output_with("a plan", &["design_doc"]);
    let waiting = hand_in(&workflows, &first, &plan).unwrap();
    assert_eq!(hand_in(&workflows, &first, &plan).unwrap(), waiting, "asked again, told again");
    assert_eq!(parse(&waiting)["waiting_for"], json!([{"step_name": "plan", "reason": "human_approval"}]));
    assert_eq!(state(&workflows, &id), "paused");
    let error = hand_in(&workflows, &first, &output("another plan")).unwrap_err();
    assert_eq!(told(&error).1, "the step `plan` waits for a person's approval with another output than this one");
    assert_eq!(workflows.artifacts(&id).unwrap().unwrap().total, 0, "nothing is kept as done yet");

    // Another process, as the command line is one.
    let next = project.open(&unlimited()).apply_decision(&id, None, &HumanDecision::Approve, "a test").unwrap();
    assert_eq!(step(&parse(&next)), "act");
    assert_eq!(hand_in(&workflows, &first, &plan).unwrap(), next, "the agent gets the reply that approval made");
    assert_eq!(workflows.artifacts(&id).unwrap().unwrap().total, 1);
    assert_eq!(
        events(&workflows, &id),
        ["created", "step_opened", "approval_requested", "approved", "step_completed", "step_opened"]
    );
    let error = workflows.apply_decision(&id, None, &HumanDecision::Approve, "a test").unwrap_err();
    assert_eq!(error.message(), format!("no step of execution {id} waits for approval"));
}

#[test]
fn a_step_that_is_sent_back_is_done_again_with_a_new_token() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let (id, first) = waits(&workflows, "gated");
    hand_in(&workflows, &first, &output("a plan")).unwrap();
    let verdict = HumanDecision::Reject { reason: Some("too large".into()) };
    let again = parse(&workflows.apply_decision(&id, Some("plan"), &verdict, "a test").unwrap());
    assert_eq!(step(&again), "plan");
    let message = again["human_message"].as_str().unwrap();
    assert!(message.contains("**A person asked for this step to be done again**: too large"), "{message}");
    let (code, message, _) = told(&hand_in(&workflows, &first, &output("a plan")).unwrap_err());
    assert_eq!(code, "token_expired");
    assert_eq!(
        message,
        "the token of `plan` was replaced by a newer one because a person asked for it to be done again: too large"
    );
    assert_eq!(parse(&hand_in(&workflows, &token(&again), &output("a small plan")).unwrap())["status"], "waiting");
    workflows.apply_decision(&id, None, &HumanDecision::Approve, "a test").unwrap();
    assert_eq!(completed(&workflows, &id), ["plan".to_owned()].into());
}

#[test]
fn a_person_can_end_an_execution_whatever_it_is_doing() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let (id, first) = waits(&workflows, "diamond");
    workflows.apply_decision(&id, None, &HumanDecision::End { reason: None }, "a test").unwrap();
    assert_eq!(state(&workflows, &id), "ended");
    let (code, message, _) = told(&hand_in(&workflows, &first, &output("x")).unwrap_err());
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("token_invalid", "the step token belongs to an execution that a person has ended")
    );
    assert_eq!(
        workflows.apply_decision(&id, None, &HumanDecision::Approve, "a test").unwrap_err().message(),
        format!("execution {id} is over")
    );
    assert_eq!(serde_json::to_value(workflows.current_step(&id).unwrap().unwrap()).unwrap()["open_steps"], json!([]));
    assert!(
        serde_json::to_value(workflows.project_context("current").unwrap().unwrap()).unwrap()["active_task"].is_null()
    );
}

/// A step that needs a passed gate and a plan of tests.
const CHECKED: &str = "---
name: checked
title: Checked
description: Looked after.
steps:
  - {name: work, agent: implementer, description: Work.}
  - {name: verify, agent: tester, description: Verify., depends_on: [work], requires: [tapps_quality_gate, tapps_security_scan], artifacts: [test_plan]}
---
";

#[test]
fn verify_closes_only_when_the_log_shows_a_passed_gate_for_the_files_as_they_are() {
    let project = Project::new();
    project.write("checked", CHECKED);
    let workflows = project.open(&unlimited());
    let log = project.calls();
    let session = log.begin().unwrap();
    let call = |tool: &str, text: &str, passed: bool| {
        let files = [CheckedFile { file: "a.py".into(), sha256: digest::sha256(text.as_bytes()), passed }];
        let outcome = if passed { LoggedCallOutcome::Passed } else { LoggedCallOutcome::Failed };
        log.record(&NewCall { files: &files, ..NewCall::new(&session, tool, outcome) }).unwrap();
    };
    let offers = |_: &str| true;
    let verify = |token: &str, output: &serde_json::Value, offers: &(dyn Fn(&str) -> bool + Sync)| {
        let request = Continue { step_token: token.into(), output: model_output(output), wishes: Wishes::default() };
        let outcome = workflows.advance(&request, &Caller { session: Some(&session), offers }).unwrap();
        let tapps_workflow::ContinueOutcome::Reply(reply) = outcome else { panic!("no person is asked") };
        parse(&reply)
    };
    let file = project.dir.path().join("a.py");
    std::fs::write(&file, "one").unwrap();
    // Before the workflow began: counts for nothing.
    call("tapps_security_scan", "one", true);
    project.clock.forward(std::time::Duration::from_secs(1));

    let begun = create(&workflows, "checked");
    call("tapps_score_file", "one", true);
    project.clock.forward(std::time::Duration::from_secs(1));
    let work = verify(&token(&begun), &output("worked"), &offers);
    assert_eq!(work["next_step_contract"]["required_tools"], json!(["tapps_quality_gate", "tapps_security_scan"]));
    let last = token(&work);
    let missing = |output: &serde_json::Value| {
        let reply = verify(&last, output, &offers);
        assert_eq!(reply["status"], "unmet");
        let parts = reply["missing"].as_array().unwrap();
        parts.iter().map(|part| part["requirement"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(missing(&output("v")), ["artifact:test_plan", "tapps_quality_gate", "tapps_security_scan"]);
    let whole = output_with("verified", &["test_plan"]);
    assert_eq!(missing(&whole), ["tapps_quality_gate", "tapps_security_scan"]);
    call("tapps_security_scan", "one", true);
    call("tapps_quality_gate", "one", false);
    assert_eq!(missing(&whole), ["tapps_quality_gate"], "a gate that failed is no gate");
    call("tapps_quality_gate", "one", true);
    std::fs::write(&file, "two").unwrap();
    let reply = verify(&last, &whole, &offers);
    assert_eq!(reply["missing"][0]["reason"], "a.py: changed after the last gate; run the gate again");
    assert_eq!(reply["missing"][0]["files"], json!(["a.py"]));
    call("tapps_quality_gate", "two", true);
    assert_eq!(verify(&last, &whole, &offers)["status"], "task_closed");
    std::fs::write(&file, "three").unwrap();
    assert_eq!(verify(&last, &whole, &offers)["status"], "task_closed", "what is closed stays closed");
}

#[test]
fn a_tool_that_is_not_offered_is_not_asked_for_and_no_session_is_told() {
    let project = Project::new();
    project.write("checked", &CHECKED.replace("depends_on: [work], ", "").replace(", artifacts: [test_plan]", ""));
    let workflows = project.open(&unlimited());
    let request = tapps_workflow::Create { template_name: "checked".into(), request_key: None, wishes: wish("verify") };
    let begun = parse(&workflows.create(&request, &Caller { session: None, offers: &|_| true }).unwrap());
    let request = Continue { step_token: token(&begun), output: model_output(&output("x")), wishes: Wishes::default() };
    let hand_in = |offers: &(dyn Fn(&str) -> bool + Sync)| match workflows
        .advance(&request, &Caller { session: None, offers })
        .unwrap()
    {
        tapps_workflow::ContinueOutcome::Reply(reply) => parse(&reply),
        other @ tapps_workflow::ContinueOutcome::NeedsApproval(_) => panic!("{other:?}"),
    };
    let reply = hand_in(&|_| true);
    assert!(reply["missing"][0]["reason"].as_str().unwrap().starts_with("the call belongs to no session"), "{reply}");
    assert_eq!(hand_in(&|_| false)["status"], "ok");
}

#[test]
fn documentation_is_asked_for_of_every_library_that_the_files_use() {
    let project = Project::new();
    let text = "---
name: read
title: Read
description: Looked up.
steps:
  - {name: work, agent: implementer, description: Work., requires: [tapps_lookup_docs]}
---
";
    project.write("read", text);
    let workflows = project.open(&unlimited()).with_libraries(|file, bytes| {
        assert_eq!(file, "a.py");
        let text = std::str::from_utf8(bytes).unwrap();
        text.lines().filter_map(|line| Some(line.strip_prefix("import ")?.to_owned())).collect()
    });
    std::fs::write(project.dir.path().join("a.py"), "import fastapi\nimport requests\n").unwrap();
    let begun = create(&workflows, "read");
    let log = project.calls();
    let session = log.begin().unwrap();
    let record = |tool: &str, libraries: &[&str]| {
        let files = [CheckedFile { file: "a.py".into(), sha256: "00".into(), passed: true }];
        let subjects: Vec<String> = libraries.iter().map(|library| (*library).to_owned()).collect();
        let call = NewCall::new(&session, tool, LoggedCallOutcome::Passed);
        let files = if libraries.is_empty() { &files[..] } else { &[] };
        log.record(&NewCall { files, subjects: &subjects, ..call }).unwrap();
    };
    let hand_in = || {
        let request =
            Continue { step_token: token(&begun), output: model_output(&output("x")), wishes: Wishes::default() };
        let outcome = workflows.advance(&request, &Caller { session: Some(&session), offers: &|_| true }).unwrap();
        let tapps_workflow::ContinueOutcome::Reply(reply) = outcome else { panic!("no person is asked") };
        parse(&reply)
    };
    record("tapps_quick_check", &[]);
    record("tapps_lookup_docs", &["fastapi"]);
    let reply = hand_in();
    assert_eq!(reply["status"], "unmet", "{reply}");
    let reason = reply["missing"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("`requests` is used in a.py but was never looked up"), "{reason}");
    assert_eq!(reply["missing"].as_array().unwrap().len(), 1);
    record("tapps_lookup_docs", &["requests"]);
    assert_eq!(hand_in()["status"], "task_closed");
}
