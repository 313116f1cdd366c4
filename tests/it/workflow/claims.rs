//! Steps beside each other, wishes, and how an execution ends.

use serde_json::json;

use super::support::*;

#[test]
fn a_diamond_is_worked_on_by_two_and_closed_once() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let id = begun["execution_id"].as_str().unwrap();
    assert_eq!(step(&begun), "a");
    assert_eq!(begun.get("parallel_opportunities"), None);

    let left = parse(&hand_in(&workflows, &token(&begun), &output_with("begun", &["adr"])).unwrap());
    assert_eq!(step(&left), "b", "equal scores: the name that comes first");
    let expected = json!([{"step_name": "c", "agent": "tester", "description": "Right."}]);
    assert_eq!(left["parallel_opportunities"], expected);

    let claimed = claim(&workflows, &token(&left), Default::default()).unwrap();
    assert_eq!(claim(&workflows, &token(&left), Default::default()).unwrap(), claimed, "a claim repeated is one claim");
    let right = parse(&claimed);
    assert_eq!(step(&right), "c");
    assert_ne!(token(&right), token(&left));
    assert!(right["human_message"].as_str().unwrap().starts_with("# TESTER AGENT\n"));
    let nothing = parse(&claim(&workflows, &token(&right), Default::default()).unwrap());
    assert_eq!(nothing["status"], "waiting", "nothing else is ready");

    let waiting = parse(&hand_in(&workflows, &token(&left), &output("left")).unwrap());
    assert_eq!(waiting["status"], "waiting");
    assert_eq!(waiting["waiting_for"], json!([{"step_name": "c", "reason": "in_progress"}]));
    assert_eq!(waiting.get("new_step_token"), None);
    let last = parse(&hand_in(&workflows, &token(&right), &output_with("right", &["json", "yaml"])).unwrap());
    assert_eq!(step(&last), "d");
    let closed = parse(&hand_in(&workflows, &token(&last), &output("met")).unwrap());
    assert_eq!(closed["status"], "task_closed");
    let figures = &closed["synthesis"]["model_output"];
    assert_eq!(
        *figures,
        json!({"workflow": "diamond", "steps_completed": 4, "artifacts_created": 3, "confidence": 0.88})
    );
    let summary = closed["synthesis"]["outcome_summary"].as_str().unwrap();
    assert_eq!(summary, "Diamond completed in 4 steps.\n\n- a: begun\n- c: right\n- b: left\n- d: met");

    let artifacts = |pattern: &str| serde_json::to_value(workflows.artifacts(pattern).unwrap().unwrap()).unwrap();
    let all = artifacts(&format!("final/{id}"));
    assert_eq!(all["total"], 4);
    let whole = &all["artifacts"][0];
    assert_eq!(
        (&whole["title"], &whole["type"], &whole["agent_name"], &whole["step_name"]),
        (&"Workflow Synthesis".into(), &"design_doc".into(), &"supervisor".into(), &json!(null))
    );
    assert_eq!(whole["content"], summary);
    assert_eq!(whole["metadata"], *figures);
    assert_eq!(artifacts("type/json")["artifacts"][0]["content"], "Content");
    assert_eq!(artifacts("recent?limit=2")["artifacts"].as_array().unwrap().len(), 2);
    assert!(workflows.artifacts("no-such-execution").unwrap().is_none());
    assert!(workflows.artifacts("type/file").unwrap().is_none());
}

#[test]
fn a_wish_chooses_among_what_is_ready_and_opens_nothing_else() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let id = begun["execution_id"].as_str().unwrap();
    let (code, message, hint) = told(&advance(&workflows, &token(&begun), &output("x"), wish("d")).unwrap_err());
    assert_eq!((code.as_str(), message.as_str()), ("invalid_argument", "the step `d` cannot begin now"));
    assert_eq!(hint, "ready: c, b");
    assert!(completed(&workflows, id).is_empty(), "a refused wish completes nothing");
    let wishes = tapps_workflow::Wishes {
        referenced_paths: vec!["right/deep/a.rs".into()],
        intent_tags: vec!["left".into()],
        ..Default::default()
    };
    let tapps_workflow::ContinueOutcome::Reply(reply) =
        advance(&workflows, &token(&begun), &output("x"), wishes).unwrap()
    else {
        panic!("no person is asked")
    };
    assert_eq!(step(&parse(&reply)), "c", "a path counts for more than a tag");
    let error = claim(&workflows, &token(&parse(&reply)), wish("d")).unwrap_err();
    assert_eq!(told(&error).2, "ready: b");
}

#[test]
fn a_claim_needs_an_open_step_and_outlives_the_branch_it_came_from() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let left = parse(&hand_in(&workflows, &token(&begun), &output("x")).unwrap());
    let error = claim(&workflows, &token(&begun), Default::default()).unwrap_err();
    assert_eq!((told(&error).0.as_str(), told(&error).1.as_str()), ("conflict", "the step `a` is complete"));
    // Nobody claims the other branch: whoever is done gets it.
    let right = parse(&hand_in(&workflows, &token(&left), &output("x")).unwrap());
    assert_eq!(step(&right), "c");
    let last = parse(&hand_in(&workflows, &token(&right), &output("x")).unwrap());
    assert_eq!(step(&last), "d");
}
