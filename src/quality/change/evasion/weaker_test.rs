//! How a test that stays was made weaker.

use std::collections::{BTreeMap, BTreeSet};

use tapps_project::test_functions::{StatementKind, TestFunction};

use super::super::report::{Evasion, EvasionKind};
use super::diluted::{Gone, goes_with_its_code, words};

/// Words by which values are compared roughly.
const ROUGHLY: &[&str] =
    &["approx", "isclose", "allclose", "assertAlmostEqual", "assert_allclose", "toBeCloseTo", "closeTo"];
/// A tolerance from which a comparison says little.
const ROUGH: f64 = 1e-3;
/// This share of the words of an exact assertion in a rough one makes them one.
const SAME_SUBJECT: f64 = 0.5;

/// How a test that stays was made weaker.
pub(super) fn weaknesses(before: &TestFunction, now: &TestFunction, gone: &Gone<'_>) -> Vec<Evasion> {
    let mut found = Vec::new();
    let name = &now.name;
    if let (None, Some(line)) = (before.skipped, now.skipped)
        && !goes_with_its_code(before, gone)
    {
        let message = format!("the test {name} was run, and is not any more or may fail");
        found.push(Evasion::new(EvasionKind::SkippedTest, line, message));
    }
    if let (None, Some(line)) = (before.swallowed, now.swallowed) {
        let message = format!("failed assertions of {name} are taken in and nothing is done");
        found.push(Evasion::new(EvasionKind::SwallowedFailure, line, message));
    }
    if let (None, Some(line)) = (before.ended, now.ended) {
        let message = format!("the test {name} ends before its first assertion");
        found.push(Evasion::new(EvasionKind::SkippedTest, line, message));
    }
    let fewer = now.assertions() < before.assertions();
    if now.hollow().count() > before.hollow().count() && fewer {
        let line = now.hollow().last().map_or(now.line, |one| one.line);
        let message = format!("an assertion of {name} cannot fail any more");
        found.push(Evasion::new(EvasionKind::HollowAssertion, line, message));
    } else if fewer && only_lost_assertions(before, now, gone) {
        let (was, is) = (before.assertions(), now.assertions());
        let message = format!("the test {name} had {was} assertions and has {is}, and nothing else of it changed");
        found.push(Evasion::new(EvasionKind::FewerAssertions, now.line, message));
    }
    found.extend(lost_cases(before, now, gone));
    found.extend(rough_instead_of_exact(before, now));
    if let Some(mocked) = now.mocked.difference(&before.mocked).next() {
        let message = format!("{name} states what a mock answers for `{mocked}`, and nothing of the code");
        found.push(Evasion::new(EvasionKind::HollowAssertion, now.line, message));
    }
    for (what, slack) in &now.slack {
        let tries = matches!(what.as_str(), "retries" | "retry");
        let was = before.slack.get(what).copied().or_else(|| tries.then_some(0.0));
        if let Some(was) = was.filter(|was| *slack > *was) {
            let message = format!("`{what}` of {name} was {} and is {}", was.abs(), slack.abs());
            let one = Evasion::new(EvasionKind::Loosened, now.line, message);
            // Slow machines are no trick.
            let patience = what.starts_with("timeout") || tries;
            found.push(if patience { one.told() } else { one });
        }
    }
    found
}

/// Whether a test states less than before and nothing new, and what it stated no more is still there.
fn only_lost_assertions(before: &TestFunction, now: &TestFunction, gone: &Gone<'_>) -> bool {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &before.statements {
        *left.entry(&one.text).or_default() += 1;
    }
    for one in &now.statements {
        match left.get_mut(one.text.as_str()).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => return false,
        }
    }
    let mut lost = before.statements.iter().filter(|one| left.get(one.text.as_str()).is_some_and(|count| *count > 0));
    // Where more than assertions went, a part of the test went with what it was about.
    lost.all(|one| one.kind == StatementKind::Assertion && !words(&one.text).any(|word| gone.has(word)))
}

/// Cases that a test is run with no more, where it has no new ones instead.
fn lost_cases(before: &TestFunction, now: &TestFunction, gone: &Gone<'_>) -> Option<Evasion> {
    let kept: BTreeSet<&String> = now.cases.iter().collect();
    let lost: Vec<&String> = before.cases.iter().filter(|case| !kept.contains(case)).collect();
    let known: BTreeSet<&String> = before.cases.iter().collect();
    let fewer = now.cases.iter().all(|case| known.contains(case)) && !now.cases.is_empty();
    let first = lost.first().filter(|_| fewer)?;
    if lost.iter().any(|case| words(case).any(|word| gone.has(word))) || now.assertions() > before.assertions() {
        return None;
    }
    let (was, is) = (before.cases.len(), now.cases.len());
    let message = format!("{} was run with {was} cases and is with {is}: `{first}` is gone", now.name);
    Some(Evasion::new(EvasionKind::FewerAssertions, now.line, message))
}

/// An exact assertion that became a rough one about the same thing.
fn rough_instead_of_exact(before: &TestFunction, now: &TestFunction) -> Option<Evasion> {
    let is_rough = |text: &str| ROUGHLY.iter().any(|word| text.contains(word));
    let assertions = |test: &TestFunction| -> Vec<(String, u32)> {
        let stated = test.statements.iter().filter(|one| one.kind == StatementKind::Assertion);
        stated.map(|one| (one.text.clone(), one.line)).collect()
    };
    let (was, is) = (assertions(before), assertions(now));
    let lost: Vec<&str> = was
        .iter()
        .map(|(text, _)| text.as_str())
        .filter(|text| !is_rough(text) && !is.iter().any(|one| one.0 == *text))
        .collect();
    let (_, line) = is.iter().find(|(text, _)| {
        let told: BTreeSet<&str> = words(text).collect();
        let same = |exact: &&str| {
            let all: BTreeSet<&str> = words(exact).filter(|word| !is_rough(word)).collect();
            let shared = all.intersection(&told).count();
            shared as f64 >= SAME_SUBJECT * all.len() as f64
        };
        is_rough(text) && !was.iter().any(|one| one.0 == *text) && lost.iter().any(same)
    })?;
    let widest =
        now.slack.iter().filter(|(what, _)| !what.starts_with("timeout")).map(|(what, slack)| match what.as_str() {
            // Digits behind the point.
            "toBeCloseTo" => 10f64.powf(*slack),
            _ => *slack,
        });
    let widest = widest.fold(0.0, f64::max);
    let one = Evasion::new(EvasionKind::Loosened, *line, format!("{} compared exactly and compares roughly", now.name));
    // Numbers that are computed differently need the smallest of tolerances.
    Some(if widest < ROUGH { one.told() } else { one })
}
