//! Rate limits and silence, also across restarts.

use std::time::Duration;

use tapps_config::Workflow as Settings;

use super::support::*;

#[test]
fn calls_are_counted_once_their_token_is_good_and_after_a_restart() {
    let project = Project::new();
    project.write("chain", &chain(8));
    let settings = Settings::default();
    assert_eq!((settings.task_rate, settings.task_burst, settings.agent_rate, settings.agent_burst), (0.5, 3, 2.0, 10));
    let workflows = project.open(&settings);
    let begun = create(&workflows, "chain");
    let id = begun["execution_id"].as_str().unwrap();
    let mut last = token(&begun);
    for forged in 0..50 {
        let error = hand_in(&workflows, &format!("{last}{forged}"), &output("x")).unwrap_err();
        assert_eq!(error.code().as_str(), "token_invalid");
    }
    let first = last.clone();
    for _ in 0..3 {
        last = token(&parse(&hand_in(&workflows, &last, &output("x")).unwrap()));
    }
    drop(workflows);
    let workflows = project.open(&settings);
    let error = hand_in(&workflows, &last, &output("x")).unwrap_err();
    assert_eq!(told(&error).0, "rate_limited");
    assert_eq!(error.body().retry_after_ms, Some(2_000));
    assert_eq!(completed(&workflows, id).len(), 3, "nothing was changed");
    for _ in 0..20 {
        hand_in(&workflows, &first, &output("x")).unwrap();
    }
    project.clock.forward(Duration::from_millis(1_999));
    assert_eq!(hand_in(&workflows, &last, &output("x")).unwrap_err().body().retry_after_ms, Some(1));
    project.clock.forward(Duration::from_millis(1));
    last = token(&parse(&hand_in(&workflows, &last, &output("x")).unwrap()));
    // A conflict is a call like any other.
    project.clock.forward(Duration::from_secs(2));
    assert_eq!(hand_in(&workflows, &first, &output("other")).unwrap_err().code().as_str(), "conflict");
    assert_eq!(hand_in(&workflows, &last, &output("x")).unwrap_err().code().as_str(), "rate_limited");
}

#[test]
fn beginnings_are_counted_by_session() {
    let project = Project::new();
    let workflows = project.open(&Settings { agent_rate: 1.0, agent_burst: 2, ..Settings::default() });
    let begin = |session: &str| {
        let request =
            tapps_workflow::Create { template_name: "diamond".into(), request_key: None, wishes: Default::default() };
        workflows.create(&request, &caller(session))
    };
    assert!(begin("one").is_ok() && begin("one").is_ok());
    assert_eq!(begin("one").unwrap_err().body().retry_after_ms, Some(1_000));
    assert!(begin("two").is_ok());
    assert_eq!(workflows.executions(9).unwrap().len(), 3);
}

#[test]
fn silence_is_noted_once_and_not_again_after_a_restart() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let id = begun["execution_id"].as_str().unwrap();
    project.clock.forward(Duration::from_secs(30 * 60 - 1));
    assert_eq!(workflows.note_stalls().unwrap(), 0);
    project.clock.forward(Duration::from_secs(61));
    let workflows = project.open(&unlimited());
    assert_eq!(workflows.note_stalls().unwrap(), 1);
    assert_eq!(workflows.note_stalls().unwrap(), 0);
    assert_eq!(project.open(&unlimited()).note_stalls().unwrap(), 0);
    let read = serde_json::to_value(workflows.current_step(id).unwrap().unwrap()).unwrap();
    assert_eq!(read["stalled_minutes"], 31);
    // It does no harm: the token is good, and silence can begin anew.
    let next = parse(&hand_in(&workflows, &token(&begun), &output("x")).unwrap());
    assert_eq!(workflows.note_stalls().unwrap(), 0);
    project.clock.forward(Duration::from_secs(45 * 60));
    assert_eq!(workflows.note_stalls().unwrap(), 1);
    let kinds = events(&workflows, id);
    assert_eq!(kinds.iter().filter(|kind| *kind == "stall_detected").count(), 2, "{kinds:?}");
    assert!(hand_in(&workflows, &token(&next), &output("x")).is_ok());
}
