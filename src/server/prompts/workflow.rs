//! The prompt that tells a model when to call which tool, for one type of task.

use rmcp::ErrorData;
use rmcp::model::PromptMessage;
use serde_json::json;

use super::{Argument, Prompt, text_message};
use tapps_session::TaskType;

/// The words of [`TaskType`].
const TASKS: &[&str] = &["feature", "bugfix", "refactor", "config", "general", "security", "review", "release"];

/// What holds for every task.
const FRAME: &str = "\
You are working in a project that is guarded by TappsMCP. Its tools measure; they do not guess. The same bytes, the same \
configuration and the same locked tools always give the same verdict, so a verdict is a fact about the code and not an \
opinion about you. Work with it as follows.

At the start
- Call tapps_server_info once. Keep its session_id and pass it to every other tool of this server.
- Read `degraded` in its answer. If tools are missing, say so in your own report: what was not measured is not clean.

While you write
- Before you use a library, be sure that what you call exists in the version this project locks. Read its documentation \
or its source; do not rely on memory.
- After each edit call tapps_quick_check with every file that you touched. It costs milliseconds.
- `blocked` means that the gate cannot pass as things are: a syntax error, an undefined name, a secret. Mend that before \
you write anything else.
- `clean_so_far` says only that nothing blocks. It is not a pass, and you must not report it as one. `not_measured` \
says that a tool was missing or failed: report the reason, and do not take the file for clean.
- When findings are mechanical, tapps_score_file with quick: true and fix: true removes those that are safe to remove. \
Read the file again afterwards.

When a file is finished
- Call tapps_quality_gate on it. passed: true is required for every file that you created or changed.
- When it fails, work on `failures` from the top: they are ordered by weight. `recommendation` says what to do first. \
Then call the gate again.
- tapps_score_file shows where points are lost. `suggestions` lists the changes that give most back; prefer them to \
cosmetic ones.
- Do not silence a rule to pass. If a finding is wrong, say why in your report and leave it visible.
- Do not weaken, delete or skip a test to reach a number.

Before you say that you are done
- Call tapps_validate_changed without paths: it judges the whole change, also what you forgot.
- Call tapps_checklist with the task type. Do what it lists under missing; consider what it recommends.
- Report the verdicts as they are: file, score, preset, and anything that was not measured.

Which tool answers which question
- Did my edit break something? tapps_quick_check
- Is this file good enough to hand over? tapps_quality_gate
- Where are points lost, and what gives most back? tapps_score_file
- Is there a weakness or a secret in this file? tapps_security_scan
- Is everything that I changed good enough? tapps_validate_changed
- What have I forgotten to do? tapps_checklist
- What does a rule mean? the resource tapps://rules/{rule}
- What are the limits of a preset? the resource tapps://config/quality-presets

Reading replies
- Replies are short. truncated: true comes with next_cursor, or with more, which names the argument to pass; detail: \"full\" gives every field.
- An error names the thing that is wrong and what to do next. Follow its hint; do not repeat the same call unchanged.
- A file that changed after its gate has to pass the gate again. The server knows by its hash.
";

/// What is particular to one type of task.
const fn task_specific_advice(task: TaskType) -> &'static str {
    match task {
        TaskType::Feature => {
            "This task: a feature\n\
             - Write the tests with the code; the gate reads real coverage data when there is any.\n\
             - Score the files you will change before you start, so that you can show they did not get worse.\n\
             - Call tapps_security_scan on every file that handles input, credentials, files, processes or the network."
        }
        TaskType::Bugfix => {
            "This task: a bug fix\n\
             - First write a test that fails because of the bug; then mend it.\n\
             - Keep the change small. Do not tidy code that has nothing to do with the bug.\n\
             - Judge the file with the bug and the file with the test."
        }
        TaskType::Refactor => {
            "This task: a refactoring\n\
             - Score each file before and after. The overall score must not fall, and behaviour must not change.\n\
             - Take complexity findings first: split the blocks that they name.\n\
             - Run the existing tests after every step, not only at the end."
        }
        TaskType::Config => {
            "This task: configuration\n\
             - Secrets are looked for in text of every kind: call tapps_security_scan on each file that you change.\n\
             - Never write a credential into a file; refer to the environment or to a secret store.\n\
             - Judge code files that read the configuration as well."
        }
        TaskType::Security => {
            "This task: security\n\
             - Call tapps_security_scan on every file concerned before and after the change.\n\
             - Mend causes, not messages: a finding that only moved is still there.\n\
             - Use the strict preset for what you changed."
        }
        TaskType::Review => {
            "This task: a review\n\
             - Call tapps_validate_changed against the base of the branch and begin with the files that failed.\n\
             - Quote findings with file, line and rule; say which ones block.\n\
             - Do not change files unless you were asked to."
        }
        TaskType::Release => {
            "This task: a release\n\
             - Call tapps_validate_changed against the last release with the strict preset.\n\
             - Everything has to be measured and verified: report any file that was degraded or not verified.\n\
             - Stop when anything fails; a release is no place for exceptions."
        }
        TaskType::General => {
            "This task: general work\n\
             - If it turns out to be a feature, a bug fix or a refactoring, ask for this prompt again with that type.\n\
             - Judge every file that you change, whatever the reason for the change."
        }
    }
}

/// The prompt.
#[must_use]
pub(crate) fn prompt() -> Prompt {
    let task_type = Argument {
        name: "task_type",
        description: "feature, bugfix, refactor, config, general, security, review or release; default general",
        required: false,
        values: TASKS,
    };
    Prompt::from_messages(
        "tapps_workflow",
        "Work with the quality gate",
        "When to call which tool, for one type of task.",
        vec![task_type],
        |call| messages(call.arguments.get("task_type").map(String::as_str)),
    )
}

fn messages(task: Option<&str>) -> Result<Vec<PromptMessage>, ErrorData> {
    let task: TaskType = match task {
        Some(word) => word.parse().map_err(|error: tapps_base::Error| {
            ErrorData::invalid_params(error.message().to_owned(), Some(json!({"hint": error.body().hint})))
        })?,
        None => TaskType::General,
    };
    Ok(vec![text_message(format!("{FRAME}\n{}\n", task_specific_advice(task)))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(task: Option<&str>) -> String {
        let messages = messages(task).unwrap();
        messages[0].content.as_text().unwrap().text.clone()
    }

    #[test]
    fn every_type_of_task_has_its_own_part_and_about_fifty_lines() {
        assert_eq!(TASKS, TaskType::ALL.map(TaskType::as_str));
        let mut seen = std::collections::BTreeSet::new();
        for task in TASKS {
            let text = text(Some(task));
            assert!((40..=60).contains(&text.lines().count()), "{task}: {}", text.lines().count());
            assert!(seen.insert(text), "{task}");
        }
        assert_eq!(text(None), text(Some("general")));
    }

    #[test]
    fn an_unknown_type_is_refused_with_the_nearest() {
        let error = messages(Some("bugfx")).unwrap_err();
        assert_eq!(error.code.0, -32602);
        assert_eq!(error.data.unwrap()["hint"], "did you mean bugfix?");
    }
}
