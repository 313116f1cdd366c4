//! Several processes at one execution: every one of them has a store of its own on the same database.

use std::collections::BTreeSet;
use std::sync::Barrier;

use serde_json::json;
use tapps_workflow::Workflows;

use super::support::*;

/// Runs `work` in two threads that begin together.
fn together<T: Send>(one: impl FnOnce() -> T + Send, two: impl FnOnce() -> T + Send) -> [T; 2] {
    let barrier = Barrier::new(2);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            barrier.wait();
            one()
        });
        barrier.wait();
        let second = two();
        [first.join().unwrap(), second]
    })
}

#[test]
fn of_two_with_one_token_exactly_one_completes_the_step() {
    const ROUNDS: usize = 60;
    let project = Project::new();
    project.write("chain", &chain(ROUNDS + 1));
    let processes = [project.open(&unlimited()), project.open(&unlimited())];
    let begun = create(&processes[0], "chain");
    let id = begun["execution_id"].as_str().unwrap();
    let mut last = token(&begun);
    let mut won = [0, 0];
    for round in 0..ROUNDS {
        let outputs = [output("one"), output(if round % 2 == 0 { "one" } else { "two" })];
        let replies =
            together(|| hand_in(&processes[0], &last, &outputs[0]), || hand_in(&processes[1], &last, &outputs[1]));
        let kept: BTreeSet<&String> = replies.iter().filter_map(|reply| reply.as_ref().ok()).collect();
        assert_eq!(kept.len(), 1, "one reply: {replies:?}");
        let lost: Vec<&str> = replies.iter().filter_map(|reply| Some(reply.as_ref().err()?.code().as_str())).collect();
        assert_eq!(lost, if round % 2 == 0 { vec![] } else { vec!["conflict"] });
        won[0] += usize::from(replies[0].is_ok());
        won[1] += usize::from(replies[1].is_ok());
        last = token(&parse(kept.first().unwrap()));
        assert_eq!(completed(&processes[0], id).len(), round + 1);
    }
    let kinds = events(&processes[1], id);
    assert_eq!(kinds.iter().filter(|kind| *kind == "step_completed").count(), ROUNDS);
    assert_eq!(won[0] + won[1], ROUNDS + ROUNDS / 2);
}

#[test]
fn of_two_claims_for_one_step_exactly_one_opens_it() {
    let project = Project::new();
    project.write(
        "fan",
        "---\nname: fan\ntitle: Fan\ndescription: D.\nsteps:\n  - {name: a, agent: tester, description: D.}\n  \
         - {name: b, agent: tester, description: D.}\n  - {name: c, agent: tester, description: D.}\n---\n",
    );
    let processes = [project.open(&unlimited()), project.open(&unlimited())];
    for _ in 0..20 {
        let first = create(&processes[0], "fan");
        let id = first["execution_id"].as_str().unwrap();
        let second = parse(&claim(&processes[0], &token(&first), Default::default()).unwrap());
        assert_eq!((step(&first), step(&second)), ("a", "b"));
        // Two agents with tokens of their own want the last step.
        let tokens = [token(&first), token(&second)];
        let attempt = |process: &Workflows, token: &str| claim(process, token, wish("c"));
        let claims = together(|| attempt(&processes[0], &tokens[0]), || attempt(&processes[1], &tokens[1]));
        let opened: Vec<&String> = claims.iter().filter_map(|claim| claim.as_ref().ok()).collect();
        assert_eq!(opened.len(), 1, "{claims:?}");
        let third = token(&parse(opened[0]));
        // All three are completed at once, and the workflow is closed once.
        let done = together(
            || [hand_in(&processes[0], &tokens[0], &output("x")), hand_in(&processes[0], &third, &output("x"))],
            || [hand_in(&processes[1], &tokens[1], &output("x")), hand_in(&processes[1], &third, &output("x"))],
        );
        let statuses: Vec<serde_json::Value> =
            done.iter().flatten().map(|reply| parse(reply.as_ref().unwrap())["status"].clone()).collect();
        assert!(
            statuses.iter().all(|status| *status == json!("waiting") || *status == json!("task_closed")),
            "{statuses:?}"
        );
        let kinds = events(&processes[0], id);
        assert_eq!(kinds.iter().filter(|kind| *kind == "step_completed").count(), 3);
        assert_eq!(kinds.iter().filter(|kind| *kind == "completed").count(), 1);
        let figures = processes[1].artifacts(&format!("final/{id}")).unwrap().unwrap();
        assert_eq!(figures.total, 1, "one synthesis");
    }
}

#[test]
fn a_decision_and_a_decision_are_one_decision() {
    let project = Project::new();
    let processes = [project.open(&unlimited()), project.open(&unlimited())];
    for _ in 0..20 {
        let begun = create(&processes[0], "gated");
        let id = begun["execution_id"].as_str().unwrap();
        hand_in(&processes[0], &token(&begun), &output("plan")).unwrap();
        let approve = tapps_workflow::HumanDecision::Approve;
        let decided = together(
            || processes[0].apply_decision(id, None, &approve, "one"),
            || processes[1].apply_decision(id, None, &approve, "two"),
        );
        assert_eq!(decided.iter().filter(|reply| reply.is_ok()).count(), 1, "{decided:?}");
        assert_eq!(events(&processes[0], id).iter().filter(|kind| *kind == "approved").count(), 1);
    }
}

#[test]
fn two_servers_agree_on_one_token() {
    let project = Project::new();
    let mut servers = [project.serve(), project.serve()];
    let begun = servers[0].call("workflow_next_step", json!({"template_name": "diamond"}));
    let arguments =
        json!({"step_token": begun["structuredContent"]["new_step_token"], "model_output_so_far": output("x")});
    let params = json!({"name": "workflow_next_step", "arguments": arguments});
    let ids = [servers[0].begin("tools/call", params.clone()), servers[1].begin("tools/call", params)];
    let answers = [servers[0].answer(ids[0]).0, servers[1].answer(ids[1]).0];
    assert_eq!(answers[0]["result"]["structuredContent"]["status"], "ok");
    assert_eq!(answers[0]["result"], answers[1]["result"], "byte for byte, text and structure");
}
