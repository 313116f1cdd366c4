//! The verdict on a change by command, in reports and over the protocol.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::mcp_tools::structured;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{folder, program, settings, stderr, stdout, toolchain};

const GOOD: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";
const OLD: &str = "import os\n\n\ndef run(command):\n    os.system(command)\n";
const BAD: &str = "\n\ndef more(value):\n    return eval(value)\n";

/// A repository with one file of old debt and one good one.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        toolchain();
        let folder = folder();
        fs::write(folder.path().join("old.py"), OLD).unwrap();
        fs::write(folder.path().join("good.py"), GOOD).unwrap();
        git(folder.path(), &["init", "--quiet"]);
        commit_all(folder.path(), "first");
        Self(folder)
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.0.path().join(path), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").env_remove("TAPPS_MCP_HTTP_TOKEN");
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn report(&self, format: &str) -> String {
        let output = self.run(&["report", "--changed", "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    }
}

#[test]
fn every_command_gives_the_same_verdict_and_its_exit_code() {
    let repository = Repository::new();
    for command in ["gate", "check", "score"] {
        let output = repository.run(&[command, "--changed"]);
        assert_eq!(output.status.code(), Some(0), "{command}: no change\n{}", stderr(&output));
    }
    repository.write("old.py", &format!("{OLD}\n\nLIMIT = 3\n"));
    for command in ["gate", "check", "score"] {
        let output = repository.run(&[command, "--changed"]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stdout(&output));
        assert!(
            stdout(&output).contains("neutral · preset standard · 0 new, 0 worsened, 0 mended"),
            "{}",
            stdout(&output)
        );
    }
    let whole = repository.run(&["gate", "--changed", "--whole"]);
    assert_eq!(whole.status.code(), Some(1), "{}", stdout(&whole));
    repository.write("old.py", &format!("{OLD}{BAD}"));
    for arguments in
        [&["gate", "--changed", "HEAD"][..], &["check", "--base", "main"], &["score", "--changed", "main", "old.py"]]
    {
        let output = repository.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stdout(&output));
        assert!(stdout(&output).contains("+ line 9: "), "{}", stdout(&output));
        assert!(!stdout(&output).contains("os.system"), "old findings are not told: {}", stdout(&output));
    }
    let failing = repository.run(&["report", "--changed", "--fail", "--format", "json"]);
    assert_eq!(failing.status.code(), Some(1));
    let staged = repository.run(&["gate", "--staged"]);
    assert_eq!(staged.status.code(), Some(0), "nothing is staged: {}", stdout(&staged));
}

#[test]
fn what_cannot_be_asked_says_what_can() {
    let repository = Repository::new();
    for (arguments, told) in [
        (&["gate", "--changed", "mian"][..], "git knows no commit `mian`"),
        (&["gate", "--changed", "--record"], "add `--whole`"),
        (&["gate", "--whole", "old.py"], "no change is named"),
        (&["gate", "--changed", "--base", "main"], "cannot be used with"),
        (&["gate"], "required"),
    ] {
        let output = repository.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(told), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn reports_tell_new_from_old() {
    let repository = Repository::new();
    repository.write("old.py", &format!("{OLD}{BAD}"));
    let sarif: Value = serde_json::from_str(&repository.report("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let states: Vec<(&str, &str)> = results
        .iter()
        .map(|result| (result["ruleId"].as_str().unwrap(), result["baselineState"].as_str().unwrap()))
        .collect();
    assert!(states.contains(&("bandit:B307", "new")) && states.contains(&("bandit:B605", "unchanged")), "{states:?}");
    let provenance = &sarif["runs"][0]["versionControlProvenance"][0];
    assert_eq!(provenance["revisionId"].as_str().unwrap().len(), 40);

    let github = repository.report("github");
    assert!(github.contains("file=old.py,line=9,") && !github.contains("line=5,"), "{github}");
    let gitlab: Value = serde_json::from_str(&repository.report("gitlab")).unwrap();
    let lines: Vec<u64> =
        gitlab.as_array().unwrap().iter().filter_map(|issue| issue["location"]["lines"]["begin"].as_u64()).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| *line >= 7), "{lines:?}");
    let junit = repository.report("junit");
    assert_eq!(junit.matches("<testcase ").count(), 1, "{junit}");

    let comment = repository.report("comment");
    assert!(comment.starts_with("<!-- tapps-mcp: verdict -->\n## Quality of the change: **blocked**\n"), "{comment}");
    assert_eq!(comment.matches("<!-- tapps-mcp").count(), 1);
    assert!(comment.contains("`bandit:B307` line 9") && !comment.contains("B605"), "{comment}");
    let whole = repository.run(&["report", "--format", "comment"]);
    assert!(stdout(&whole).starts_with("<!-- tapps-mcp: verdict -->\n## Quality: **failed**\n"), "{}", stdout(&whole));
    assert!(repository.report("html").contains("old.py"));
    assert!(repository.report("markdown").contains("Quality of the change"));
}

#[test]
fn the_tool_answers_briefly_and_in_full() {
    let repository = Repository::new();
    repository.write("old.py", &format!("{OLD}{BAD}"));
    let mut server = Process::start(repository.command(&["serve"]));
    server.handshake();
    let brief = server.call("tapps_validate_changed", json!({}));
    let reply = &structured(&brief);
    assert_eq!((reply["verdict"].as_str(), reply["passed"].as_bool()), (Some("blocked"), Some(false)), "{brief}");
    assert_eq!(reply["files"][0]["findings"][0]["rule"], "bandit:B307");
    // Four characters a token.
    let tokens = reply.to_string().len() / 4;
    println!("reply for one edited file: {tokens} tokens");
    assert!(tokens <= 600, "{tokens}: {reply}");
    let full = server.call("tapps_validate_changed", json!({"detail": "full", "base_ref": "main"}));
    assert_eq!(structured(&full)["base"]["origin"], "merge base with main");
    let whole = server.call("tapps_validate_changed", json!({"scope": "whole"}));
    assert_eq!(structured(&whole)["failed"], 1);
    let files = server.call("tapps_validate_changed", json!({"scope": "whole", "file_paths": ["good.py"]}));
    assert_eq!(structured(&files)["passed"], true);
    server.end();
}

#[test]
fn an_attested_change_is_verified_by_judging_it_again() {
    let repository = Repository::new();
    repository.write("old.py", &format!("{OLD}{BAD}"));
    let made = repository.run(&["gate", "--changed", "main", "--attest", "verdict.att"]);
    assert_eq!(made.status.code(), Some(1), "{}", stderr(&made));
    // The attestation itself would be a change.
    let kept = folder().path().with_extension("att");
    fs::rename(repository.0.path().join("verdict.att"), &kept).unwrap();
    let verify = || repository.run(&["attest", "verify", kept.to_str().unwrap(), "--format", "json"]);
    let output = verify();
    let said: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((said["outcome"].as_str(), said["passed"].as_bool()), (Some("identical"), Some(false)), "{said}");
    assert_eq!(output.status.code(), Some(0));
    let required = repository.run(&["attest", "verify", kept.to_str().unwrap(), "--require-passed"]);
    assert_eq!(required.status.code(), Some(1));
    // What the change did not touch, and what is added beside it, is no difference; what it touched is.
    repository.write("beside.py", GOOD);
    let said: Value = serde_json::from_str(&stdout(&verify())).unwrap();
    assert_eq!(said["outcome"], "identical", "{said}");
    repository.write("old.py", OLD);
    let said: Value = serde_json::from_str(&stdout(&verify())).unwrap();
    assert_eq!(
        (&said["outcome"], &said["first_difference"]["name"]),
        (&json!("differs"), &json!("input old.py")),
        "{said}"
    );
    fs::remove_file(kept).unwrap();
}

/// What the hook of an agent is told after an edit: exit code and text.
fn after_edit(repository: &Repository, path: &str) -> (Option<i32>, String) {
    use std::io::Write as _;
    let mut command = repository.command(&["check", "--client", "claude-code"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let request = json!({"tool_name": "Edit", "tool_input": {"file_path": repository.0.path().join(path)}});
    child.stdin.take().unwrap().write_all(request.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), stderr(&output))
}

#[test]
fn a_hook_tells_what_the_change_blocks_and_not_what_did_before() {
    let repository = Repository::new();
    let broken = "def f():\n    return undefined_thing\n";
    repository.write("broken.py", broken);
    commit_all(repository.0.path(), "broken");
    repository.write("broken.py", &format!("LIMIT = 3\n\n\n{broken}"));
    assert_eq!(after_edit(&repository, "broken.py"), (Some(0), String::new()));
    repository.write("broken.py", &format!("LIMIT = 3\n\n\n{broken}\n\ndef g():\n    return other_thing\n"));
    let (code, told) = after_edit(&repository, "broken.py");
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("other_thing") && !told.contains("undefined_thing"), "{told}");
    repository.write("fresh.py", broken);
    assert_eq!(after_edit(&repository, "fresh.py").0, Some(2));
}
