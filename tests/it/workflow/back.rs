//! Going back to a step that is complete.

use serde_json::{Value, json};
use tapps_base::Result;
use tapps_workflow::{GoBack, HumanDecision, Wishes, Workflows};

use super::support::*;

fn go_back(workflows: &Workflows, token: &str, step: &str) -> Result<String> {
    let request = GoBack {
        step_token: token.to_owned(),
        step_name: step.to_owned(),
        rationale: Some("the base was wrong".to_owned()),
    };
    workflows.go_back(&request, &caller("s"))
}

fn status(workflows: &Workflows, execution: &str) -> Value {
    serde_json::to_value(workflows.status(execution).unwrap().unwrap()).unwrap()
}

fn states(workflows: &Workflows, execution: &str) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let steps = status(workflows, execution)["steps"].as_array().unwrap().clone();
    steps.iter().map(|step| (word(&step["step_name"]), word(&step["state"]))).collect()
}

fn named(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, state)| ((*name).to_owned(), (*state).to_owned())).collect()
}

#[test]
fn what_depends_on_the_step_is_done_again_and_what_was_done_stays_in_the_history() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let id = begun["execution_id"].as_str().unwrap().to_owned();
    let after_a = parse(&hand_in(&workflows, &token(&begun), &output_with("began", &["adr"])).unwrap());
    assert_eq!(step(&after_a), "b");
    let c = parse(&claim(&workflows, &token(&after_a), Wishes::default()).unwrap());
    assert_eq!(step(&c), "c");
    hand_in(&workflows, &token(&after_a), &output_with("left", &["diagram"])).unwrap();

    // From `c`, which does not depend on `b`: it stays open, `b` is done again.
    let back = go_back(&workflows, &token(&c), "b").unwrap();
    assert_eq!(go_back(&workflows, &token(&c), "b").unwrap(), back, "asked again, told again");
    let back = parse(&back);
    assert_eq!((step(&back), &back["status"]), ("b", &json!("ok")));
    let expected = [("a", "completed"), ("c", "running"), ("b", "running"), ("d", "pending")];
    assert_eq!(states(&workflows, &id), named(&expected));
    assert_eq!(
        events(&workflows, &id)[5..],
        ["step_completed", "went_back", "step_undone", "step_opened"].map(str::to_owned)
    );
    // The old token of `b` is void; its output and artifacts are still there, and do not count.
    let (code, message, _) = told(&hand_in(&workflows, &token(&after_a), &output("left")).unwrap_err());
    assert_eq!((code.as_str(), message.as_str()), ("token_expired", "the token of `b` was replaced by a newer one"));
    let kept = serde_json::to_value(workflows.artifacts(&id).unwrap().unwrap()).unwrap();
    let titles: Vec<(&str, bool)> = kept["artifacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["title"].as_str().unwrap(), one["undone"] == true))
        .collect();
    assert_eq!(titles, [("Output of b that was undone", true), ("left diagram", true), ("began adr", false)]);
    assert!(kept["artifacts"][0]["content"].as_str().unwrap().contains("\"summary\":\"left\""), "{kept}");

    // Done again and wrong again: the same request means a new one.
    hand_in(&workflows, &token(&back), &output("left again")).unwrap();
    let later = parse(&go_back(&workflows, &token(&c), "b").unwrap());
    assert_ne!(token(&later), token(&back));
    assert_eq!(states(&workflows, &id), named(&expected));
    let back = later;

    // Behind both branches: everything is to be done again, and the tokens of all that was open are void.
    let first = parse(&go_back(&workflows, &token(&back), "a").unwrap());
    let expected = [("a", "running"), ("c", "pending"), ("b", "pending"), ("d", "pending")];
    assert_eq!(states(&workflows, &id), named(&expected));
    let (code, message, hint) = told(&hand_in(&workflows, &token(&c), &output("right")).unwrap_err());
    assert_eq!(code, "token_expired");
    assert_eq!(message, "the token of `c` is void: the workflow went back to an earlier step");
    assert!(hint.contains(&format!("current_step://{id}")), "{hint}");

    // To the end: only what counts becomes final.
    let mut open = first;
    for summary in ["begun", "left", "right"] {
        open = parse(&hand_in(&workflows, &token(&open), &output_with(summary, &["adr"])).unwrap());
    }
    let closed = parse(&hand_in(&workflows, &token(&open), &output("met")).unwrap());
    assert_eq!(closed["status"], "task_closed");
    assert_eq!(closed["synthesis"]["model_output"]["artifacts_created"], 3, "{closed}");
    let last = serde_json::to_value(workflows.artifacts(&format!("final/{id}")).unwrap().unwrap()).unwrap();
    assert_eq!(last["total"], 4, "three records and the synthesis: {last}");
    let (code, ..) = told(&go_back(&workflows, &token(&open), "a").unwrap_err());
    assert_eq!(code, "token_invalid", "an execution that is over stays as it is");
}

#[test]
fn only_to_what_is_complete_and_with_a_token_that_is_open() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let first = token(&begun);
    let refused = |token: &str, step: &str| told(&go_back(&workflows, token, step).unwrap_err());
    let (code, message, hint) = refused(&first, "a");
    assert_eq!((code.as_str(), message.as_str()), ("invalid_argument", "the step `a` is not complete"));
    assert!(hint.contains("no step is complete yet"), "{hint}");
    let next = parse(&hand_in(&workflows, &first, &output("began")).unwrap());
    let (code, message, hint) = refused(&token(&next), "d");
    assert_eq!((code.as_str(), message.as_str()), ("invalid_argument", "the step `d` is not complete"));
    assert_eq!(hint, "complete are: a");
    assert_eq!(refused(&first, "a").0, "conflict", "the token of a complete step opens nothing");
    assert_eq!(refused("made.up", "a").0, "token_invalid");
    let id = begun["execution_id"].as_str().unwrap();
    assert_eq!(states(&workflows, id)[0].1, "completed", "nothing has changed");
}

#[test]
fn a_person_goes_back_and_the_agent_is_told_why() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "gated");
    let id = begun["execution_id"].as_str().unwrap();
    hand_in(&workflows, &token(&begun), &output("a plan")).unwrap();
    workflows.apply_decision(id, None, &HumanDecision::Approve, "a test").unwrap();
    let verdict = HumanDecision::GoBack { reason: Some("too large".into()) };
    let unnamed = workflows.apply_decision(id, None, &verdict, "a test").unwrap_err();
    assert_eq!(unnamed.body().hint.as_deref(), Some("name one of: plan"));
    let again = parse(&workflows.apply_decision(id, Some("plan"), &verdict, "a test").unwrap());
    assert_eq!(step(&again), "plan");
    let message = again["human_message"].as_str().unwrap();
    assert!(message.contains("**A person asked for this step to be done again**: too large"), "{message}");
    // What was approved once has to be approved again.
    let waiting = parse(&hand_in(&workflows, &token(&again), &output("a small plan")).unwrap());
    assert_eq!(waiting["waiting_for"], json!([{"step_name": "plan", "reason": "human_approval"}]));
    let told: Vec<Value> = status(&workflows, id)["events"].as_array().unwrap().clone();
    assert!(told.iter().any(|event| event["event"] == "went_back" && event["detail"] == "by a test: too large"));
}

#[test]
fn the_tool_and_the_command_go_back() {
    let project = Project::new();
    let mut server = project.serve();
    let mut next = |arguments: Value| server.call("workflow_next_step", arguments)["structuredContent"].clone();
    let begun = next(json!({"template_name": "diamond"}));
    let a = json!({"step_token": token(&begun), "model_output_so_far": output("began")});
    let open = next(a);
    let back = next(json!({"step_token": token(&open), "go_back_to": "a", "rationale": "wrong base"}));
    assert_eq!((step(&back), &back["status"]), ("a", &json!("ok")), "{back}");
    let mixed = next(json!({"step_token": token(&back), "go_back_to": "a", "model_output_so_far": output("x")}));
    assert_eq!(mixed["message"], "`go_back_to` goes with `step_token` alone");
    let again = next(json!({"step_token": token(&back), "model_output_so_far": output("began again")}));
    assert_eq!(step(&again), "b");

    let id = begun["execution_id"].as_str().unwrap();
    let run = project.program(&["workflow", "back", "current", "--to", "a", "--reason", "once more"]).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!((run.status.code(), &*said), (Some(0), &*format!("{id} diamond running 0/4 steps · open: a\n")));
    let run = project.program(&["workflow", "back", "current", "--to", "d"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("the step `d` is not complete"));
}
