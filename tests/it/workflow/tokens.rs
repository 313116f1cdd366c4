//! What a token is good for, and what it is not good for.

use std::time::Duration;

use tapps_config::Workflow as Settings;
use tapps_workflow::{Create, Wishes};

use super::support::*;

#[test]
fn the_same_token_and_output_get_the_same_bytes_again() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "bug-fix");
    let first = hand_in(&workflows, &token(&begun), &output("done")).unwrap();
    let second = token(&parse(&first));
    let later = hand_in(&workflows, &second, &output_with("found", &["design_doc"])).unwrap();
    project.clock.forward(Duration::from_hours(48));
    // Also after later steps, after the token's life, and by another process.
    for workflows in [&workflows, &project.open(&unlimited())] {
        assert_eq!(hand_in(workflows, &token(&begun), &output("done")).unwrap(), first);
        assert_eq!(hand_in(workflows, &second, &output_with("found", &["design_doc"])).unwrap(), later);
    }
    let (code, message, hint) = told(&hand_in(&workflows, &token(&begun), &output("something else")).unwrap_err());
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("conflict", "the step `reproduce` is complete with another output than this one")
    );
    assert!(hint.contains("exactly the same output"), "{hint}");
    let execution = begun["execution_id"].as_str().unwrap();
    let expected = ["created", "step_opened", "step_completed", "step_opened", "step_completed", "step_opened"];
    assert_eq!(events(&workflows, execution), expected);
}

#[test]
fn of_ten_thousand_changed_tokens_none_is_accepted() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "diamond");
    let good = token(&begun);
    let other = token(&create(&workflows, "diamond"));
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below
    };
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_', '.', '=', ' ']).collect();
    let (mut tried, mut accepted) = (0, 0);
    while tried < 10_000 {
        let mut letters: Vec<char> = good.chars().collect();
        let donor: Vec<char> = other.chars().collect();
        for _ in 0..=next(3) {
            let at = next(letters.len().max(1));
            if letters.is_empty() {
                break;
            }
            match next(5) {
                0 => letters[at] = alphabet[next(alphabet.len())],
                1 => {
                    letters.remove(at);
                }
                2 => letters.insert(at, alphabet[next(alphabet.len())]),
                3 => letters.truncate(at.max(1)),
                _ => letters.splice(at.., donor.iter().skip(at).copied()).for_each(drop),
            }
        }
        let changed: String = letters.into_iter().collect();
        if changed == good || changed == other {
            continue;
        }
        tried += 1;
        match hand_in(&workflows, &changed, &output("forged")) {
            Ok(_) => accepted += 1,
            Err(error) => assert_eq!(error.code().as_str(), "token_invalid", "{error}"),
        }
    }
    assert_eq!((tried, accepted), (10_000, 0));
    assert!(completed(&workflows, begun["execution_id"].as_str().unwrap()).is_empty());
    assert_eq!(parse(&hand_in(&workflows, &good, &output("honest")).unwrap())["status"], "ok");
}

#[test]
fn a_token_of_another_project_or_of_a_lost_store_is_refused() {
    let (one, two) = (Project::new(), Project::new());
    let (at_one, at_two) = (one.open(&unlimited()), two.open(&unlimited()));
    let foreign = token(&create(&at_one, "diamond"));
    let (code, message, _) = told(&hand_in(&at_two, &foreign, &output("x")).unwrap_err());
    assert_eq!((code.as_str(), message.as_str()), ("token_invalid", "the step token was not made by this server"));
    // The key is there, the execution is not.
    let state = |project: &Project, name: &str| project.dir.path().join(".tapps-mcp").join(name);
    drop(at_two);
    std::fs::copy(state(&one, "workflow.key"), state(&two, "workflow.key")).unwrap();
    let (code, message, _) = told(&hand_in(&two.open(&unlimited()), &foreign, &output("x")).unwrap_err());
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("token_invalid", "the step token belongs to an execution that is not kept here")
    );
}

#[test]
fn an_unused_token_that_is_too_old_is_issued_anew() {
    let project = Project::new();
    let workflows = project.open(&Settings { token_minutes: 10, ..unlimited() });
    let begun = create(&workflows, "diamond");
    let old = token(&begun);
    let current = |task: &str| serde_json::to_value(workflows.current_step(task).unwrap().unwrap()).unwrap();
    project.clock.forward(Duration::from_secs(599));
    assert_eq!(current("current")["open_steps"][0]["step_token"], old.as_str(), "still good, still the same");
    project.clock.forward(Duration::from_secs(1));
    let id = begun["execution_id"].as_str().unwrap();
    let (code, message, hint) = told(&hand_in(&workflows, &old, &output("x")).unwrap_err());
    assert_eq!((code.as_str(), message.as_str()), ("token_expired", "the token of `a` is too old"));
    assert_eq!(hint, format!("read current_step://{id}: it has the token that is good now"));
    let read = current(id);
    let fresh = read["open_steps"][0]["step_token"].as_str().unwrap().to_owned();
    assert_ne!(fresh, old);
    assert_eq!(current(id)["open_steps"][0]["step_token"], fresh.as_str(), "issued once");
    assert_eq!(read["open_steps"][0]["token_expires_at"], "2026-11-20T22:50:00Z");
    let (code, message, _) = told(&hand_in(&workflows, &old, &output("x")).unwrap_err());
    assert_eq!((code.as_str(), message.as_str()), ("token_expired", "the token of `a` was replaced by a newer one"));
    assert_eq!(step(&parse(&hand_in(&workflows, &fresh, &output("x")).unwrap())), "b");
    assert_eq!(events(&workflows, id), ["created", "step_opened", "token_reissued", "step_completed", "step_opened"]);
}

#[test]
fn tokens_sealed_with_a_key_that_is_gone_are_issued_anew() {
    let project = Project::new();
    let begun = create(&project.open(&unlimited()), "diamond");
    std::fs::remove_file(project.dir.path().join(".tapps-mcp/workflow.key")).unwrap();
    let workflows = project.open(&unlimited());
    let error = hand_in(&workflows, &token(&begun), &output("x")).unwrap_err();
    assert_eq!(error.code().as_str(), "token_invalid");
    let read = serde_json::to_value(workflows.current_step("current").unwrap().unwrap()).unwrap();
    let fresh = read["open_steps"][0]["step_token"].as_str().unwrap();
    assert_eq!(step(&parse(&hand_in(&workflows, fresh, &output("x")).unwrap())), "b");
}

#[test]
fn a_request_key_begins_one_execution() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let request = |template: &str, key: &str, wishes: Wishes| {
        let request = Create { template_name: template.into(), request_key: Some(key.into()), wishes };
        workflows.create(&request, &caller("s"))
    };
    let first = request("diamond", "k", Wishes::default()).unwrap();
    assert_eq!(request("diamond", "k", Wishes::default()).unwrap(), first);
    let (code, message, _) = told(&request("gated", "k", Wishes::default()).unwrap_err());
    let id = parse(&first)["execution_id"].as_str().unwrap().to_owned();
    let expected = format!("the request key is taken by another request, which began execution {id}");
    assert_eq!((code.as_str(), message), ("conflict", expected));
    assert_eq!(request("diamond", "k", wish("a")).unwrap_err().code().as_str(), "conflict");
    assert_ne!(request("diamond", "other", Wishes::default()).unwrap(), first);
    assert_eq!(workflows.executions(9).unwrap().len(), 2);
    for bad in ["", "a\nb", &"x".repeat(129)] {
        assert_eq!(
            request("diamond", bad, Wishes::default()).unwrap_err().code().as_str(),
            "invalid_argument",
            "{bad:?}"
        );
    }
}

#[test]
fn an_execution_goes_on_as_it_was_begun_when_its_files_change() {
    let project = Project::new();
    let workflows = project.open(&unlimited());
    let begun = create(&workflows, "gated");
    project.write("gated", "---\nname: gated\ntitle: X\ndescription: X.\nsteps: []\n---\n");
    let (code, message, _) = told(
        &workflows
            .create(
                &Create { template_name: "gated".into(), request_key: None, wishes: Wishes::default() },
                &caller("s"),
            )
            .unwrap_err(),
    );
    assert_eq!(code, "config_error");
    assert!(message.ends_with(".tapps-mcp/workflows/gated.md:5:8: there are no steps"), "{message}");
    std::fs::remove_file(project.dir.path().join(".tapps-mcp/workflows/gated.md")).unwrap();
    let workflows = project.open(&unlimited());
    let waiting = parse(&hand_in(&workflows, &token(&begun), &output("a plan")).unwrap());
    assert_eq!((&waiting["status"], &waiting["waiting_for"][0]["step_name"]), (&"waiting".into(), &"plan".into()));
}
