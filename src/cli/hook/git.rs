//! Hooks of git: the verdict on what would be committed or pushed. Whatever keeps this program from its work stops nobody.

use std::io::{IsTerminal as _, Read as _};

use super::super::CliContext;
use super::super::engine::prompt_engine;
use super::super::out;
use super::hook_call;
use super::told::{describe_block, describe_gaps};
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_quality::change::{ChangeBase, ChangeHead, ChangeRequest};
use tapps_quality::engine::Engine;

/// Most bytes that git tells of what is pushed.
const MAX_REFS: u64 = 16 << 20;

/// Where the `pre-commit` framework tells what is pushed.
const FRAMEWORK: [&str; 2] = ["PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"];

/// Judges the index against the last commit.
///
/// # Errors
/// None so far: they are told.
pub(super) async fn judge_commit(context: &CliContext) -> Result<u8> {
    let engine = prompt_engine(context)?;
    let has_commit = ChangeBase::Exactly("HEAD".to_owned());
    let asked = |base| ChangeRequest { base, head: ChangeHead::Index, ..ChangeRequest::default() };
    let code = match judge_one(&engine, &asked(has_commit), context).await {
        Err(error) if error.code() == tapps_base::ErrorCode::InvalidArgument => {
            judge_one(&engine, &asked(ChangeBase::Default), context).await
        }
        judged => judged,
    };
    Ok(code.unwrap_or_else(|error| not_judged(&error)))
}

/// Judges each commit that is pushed against what the other side has of its branch.
///
/// # Errors
/// As [`judge_commit`].
pub(super) async fn judge_push(remote: Option<&str>, context: &CliContext) -> Result<u8> {
    let engine = prompt_engine(context)?;
    let mut worst = exit::CLEAN;
    for (local, known) in pushed_commits()? {
        let head = ChangeHead::Commit(local);
        let base = known.map_or_else(|| new_branch_base(remote), ChangeBase::Exactly);
        let asked = ChangeRequest { base, head: head.clone(), ..ChangeRequest::default() };
        let judged = match judge_one(&engine, &asked, context).await {
            // The other side has commits that were never fetched, or tells of no default branch.
            Err(error) if error.code() == tapps_base::ErrorCode::InvalidArgument => {
                let asked = ChangeRequest { base: ChangeBase::Default, head, ..ChangeRequest::default() };
                judge_one(&engine, &asked, context).await
            }
            judged => judged,
        };
        worst = worst.max(judged.unwrap_or_else(|error| not_judged(&error)));
    }
    Ok(worst)
}

fn new_branch_base(remote: Option<&str>) -> ChangeBase {
    ChangeBase::MergeBase(format!("refs/remotes/{}/HEAD", remote.unwrap_or("origin")))
}

async fn judge_one(engine: &Engine, asked: &ChangeRequest, context: &CliContext) -> Result<u8> {
    let report = engine.judge_change(asked, &hook_call(context)).await?;
    if report.undecided {
        out::to_stderr(&format!("tapps-mcp: {}", describe_gaps(&report)));
        return Ok(exit::CLEAN);
    }
    if report.passed {
        return Ok(exit::CLEAN);
    }
    out::to_stderr(&format!("tapps-mcp: this is blocked:\n{}", describe_block(&report)));
    Ok(exit::FINDINGS)
}

fn not_judged(error: &Error) -> u8 {
    let hint = error.body().hint.as_deref().map(|hint| format!(" ({})", log_text(hint))).unwrap_or_default();
    out::to_stderr(&format!("tapps-mcp: not judged: {}{hint}\n", log_text(error.message())));
    exit::CLEAN
}

/// The commits that are pushed, each with the one that the other side has; branches that are deleted are left out.
fn pushed_commits() -> Result<Vec<(String, Option<String>)>> {
    let [from, to] = FRAMEWORK.map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    if let Some(to) = to {
        return Ok(vec![(to, from.filter(|from| !is_null(from)))]);
    }
    let mut text = String::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin()
            .lock()
            .take(MAX_REFS)
            .read_to_string(&mut text)
            .map_err(|e| Error::io("cannot read what is pushed", &e))?;
    }
    Ok(parse_pushed(&text))
}

/// `LOCAL-REF LOCAL-COMMIT REMOTE-REF REMOTE-COMMIT`, a line for each reference.
fn parse_pushed(text: &str) -> Vec<(String, Option<String>)> {
    let commits = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[_, local, _, known] = words.as_slice() else { return None };
        (!is_null(local)).then(|| (local.to_owned(), Some(known.to_owned()).filter(|known| !is_null(known))))
    };
    text.lines().filter_map(commits).collect()
}

/// The name that git gives to no object.
fn is_null(name: &str) -> bool {
    name.bytes().all(|byte| byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_read() {
        let (null, a, b) = ("0".repeat(40), "a".repeat(40), "b".repeat(40));
        let text = format!(
            "refs/heads/x {a} refs/heads/x {b}\nrefs/heads/y {b} refs/heads/y {null}\n(delete) {null} refs/heads/z {a}\nrubbish\n"
        );
        assert_eq!(parse_pushed(&text), [(a, Some(b.clone())), (b, None)]);
    }
}
