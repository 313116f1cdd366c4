//! The recipe for pull requests from end to end: a bare repository beside it, branches that are pushed to it, the merge that a
//! host makes of them, and a runner that does the steps of the recipe in their order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::attest::attested_statement;
use crate::ci::{Released, command_in, git, recipes, yaml};
use crate::toolchain_support::{folder, script, stderr, stdout};

const GOOD: &str = "def total(prices: list[int]) -> int:\n    return sum(prices)\n";
const BAD: &str = "def total(prices: list[int]) -> int:\n    return sum(price)\n";

/// A bare repository to which pull requests are made.
struct Host {
    folder: tempfile::TempDir,
}

/// What a run of the recipe left.
struct Run {
    /// The names of the steps that failed.
    failed: Vec<String>,
    /// What stands on the page of the run.
    summary: String,
    /// The files that were kept.
    kept: Vec<PathBuf>,
    checkout: PathBuf,
    said: String,
    /// Folders of programs that a step has added.
    programs: Vec<PathBuf>,
}

/// Puts the folders that earlier steps wrote to a file before what a command finds anyway.
fn add_to_search_path(command: &mut Command, file: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let added: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
    let known = command.get_envs().find_map(|(name, value)| value.filter(|_| name == "PATH")).unwrap().to_owned();
    let all = added.iter().cloned().chain(std::env::split_paths(&known));
    command.env("PATH", std::env::join_paths(all).unwrap());
    added
}

impl Host {
    /// With a file that is broken all along and is no business of any pull request.
    fn new() -> Self {
        let host = Self { folder: folder() };
        git(host.folder.path(), &["init", "-q", "--bare", "-b", "main", "hub.git"]);
        let developer = host.clone_of("developer");
        fs::write(developer.join("old.py"), BAD).unwrap();
        fs::write(developer.join("README.md"), "# Shop\n").unwrap();
        git(&developer, &["add", "-A"]);
        git(&developer, &["commit", "-qm", "first"]);
        git(&developer, &["push", "-q", "origin", "HEAD:main"]);
        host
    }

    fn clone_of(&self, name: &str) -> PathBuf {
        git(self.folder.path(), &["clone", "-q", "hub.git", name]);
        self.folder.path().join(name)
    }

    /// A branch that adds a file, while `main` goes on; the host merges both into a commit of its own.
    fn open_pull_request(&self, number: u32, text: &str) {
        let developer = self.folder.path().join("developer");
        let branch = format!("change-{number}");
        git(&developer, &["checkout", "-q", "-B", &branch, "origin/main"]);
        fs::write(developer.join("prices.py"), text).unwrap();
        git(&developer, &["add", "-A"]);
        git(&developer, &["commit", "-qm", "prices"]);
        git(&developer, &["push", "-q", "origin", &branch]);
        git(&developer, &["checkout", "-q", "-B", "main", "origin/main"]);
        fs::write(developer.join(format!("later_{number}.py")), BAD).unwrap();
        git(&developer, &["add", "-A"]);
        git(&developer, &["commit", "-qm", "later"]);
        git(&developer, &["push", "-q", "origin", "main"]);
        git(&developer, &["merge", "-q", "--no-ff", "-m", "merge", &branch]);
        git(&developer, &["push", "-q", "origin", &format!("HEAD:refs/pull/{number}/merge")]);
    }

    /// What `actions/checkout` does with the whole history.
    fn check_out(&self, number: u32, to: &Path) {
        fs::create_dir(to).unwrap();
        git(to, &["init", "-q"]);
        git(to, &["remote", "add", "origin", self.folder.path().join("hub.git").to_str().unwrap()]);
        let merge = format!("+refs/pull/{number}/merge:refs/remotes/pull/{number}/merge");
        git(to, &["fetch", "-q", "--prune", "origin", "+refs/heads/*:refs/remotes/origin/*", &merge]);
        git(to, &["checkout", "-q", "--force", &format!("refs/remotes/pull/{number}/merge")]);
    }

    /// Does the steps of the recipe as a runner does that nothing is kept on, with an index that offers the released wheel.
    fn run(&self, number: u32) -> Run {
        let workflow = yaml(&recipes().join("github-actions.yml"));
        assert!(workflow["on"].as_object().unwrap().contains_key("pull_request"));
        let checkout = self.folder.path().join(format!("runner-{number}"));
        let summary = self.folder.path().join(format!("summary-{number}.md"));
        let (released, temporary) = (Released::new(), self.folder.path().join(format!("temporary-{number}")));
        let path = temporary.join("path");
        fs::create_dir(&temporary).unwrap();
        let mut run = Run {
            failed: Vec::new(),
            summary: String::new(),
            kept: Vec::new(),
            checkout: checkout.clone(),
            said: String::new(),
            programs: Vec::new(),
        };
        for step in workflow["jobs"]["gate"]["steps"].as_array().unwrap() {
            let text = |key: &str| step[key].as_str();
            let condition = text("if").unwrap_or("success()");
            match condition {
                "success()" if run.failed.is_empty() => {}
                "always()" => {}
                "success()" => continue,
                other => panic!("a condition that this runner does not know: {other}"),
            }
            if let Some(script) = text("run") {
                let mut shell = command_in(&checkout, "bash");
                shell.args(["-e", "-c", script]).env("GITHUB_BASE_REF", "main").env("GITHUB_STEP_SUMMARY", &summary);
                shell.env("RUNNER_TEMP", &temporary).env("GITHUB_PATH", &path);
                released.offer(&mut shell);
                run.programs = add_to_search_path(&mut shell, &path);
                let output = shell.output().unwrap();
                run.said += &format!("{}{}", stdout(&output), stderr(&output));
                if !output.status.success() {
                    run.failed.push(text("name").unwrap().to_owned());
                }
                continue;
            }
            match text("uses").unwrap().split('@').next().unwrap() {
                "actions/checkout" => {
                    assert_eq!(step["with"]["fetch-depth"], "0", "the base must be there to compare with");
                    self.check_out(number, &checkout);
                }
                "actions/upload-artifact" => run.kept.push(checkout.join(step["with"]["path"].as_str().unwrap())),
                "actions/setup-python" | "actions/cache" => {}
                other => panic!("an action that this runner does not know: {other}"),
            }
        }
        run.summary = fs::read_to_string(summary).unwrap();
        run
    }
}

#[test]
fn a_pull_request_is_judged_from_its_push_to_its_verified_verdict() {
    let host = Host::new();
    for (number, text, passes) in [(1, GOOD, true), (2, BAD, false)] {
        host.open_pull_request(number, text);
        let run = host.run(number);
        let [programs] = &run.programs[..] else { panic!("{:?}", run.programs) };
        assert!(programs.join("tapps-mcp").is_file(), "the wheel was installed and is what ran: {}", run.said);
        assert_eq!(run.failed, if passes { vec![] } else { vec!["Gate".to_owned()] }, "{}", run.said);
        let word = if passes { "neutral" } else { "blocked" };
        let heading = format!("<!-- tapps-mcp: verdict -->\n## Quality of the change: **{word}**\n");
        assert!(run.summary.starts_with(&heading), "{}", run.summary);
        assert_eq!(run.summary.contains("ruff:F821"), !passes, "{}", run.summary);
        // Neither what stood there before nor what came to the main branch since is the pull request's.
        assert!(!run.summary.contains("old.py") && !run.summary.contains("later_"), "{}", run.summary);
        let statement = attested_statement(&run.kept[0]);
        let verdict = &statement["predicate"]["verdict"];
        assert_eq!(verdict["passed"], Value::Bool(passes), "{verdict}");
        assert_eq!(verdict["files"].as_array().unwrap().len(), 1, "{verdict}");
        let main = git(&run.checkout, &["rev-parse", "origin/main^{tree}"]);
        assert!(statement.to_string().contains(main.trim()), "the base is the branch as it is by now");

        // Whoever doubts it checks the same commit out and has it judged again.
        let doubter = host.folder.path().join(format!("doubter-{number}"));
        host.check_out(number, &doubter);
        let mut verify = command_in(&doubter, "sh");
        let verified = verify.arg(recipes().join("verify.sh")).env("ATTESTATION", &run.kept[0]).output().unwrap();
        let said = format!("{}{}", stdout(&verified), stderr(&verified));
        assert_eq!(verified.status.code(), Some(i32::from(!passes)), "{said}");
        assert!(said.contains("identical"), "{said}");
    }
}

/// The step of the recipe that gets the program, where no digest is given.
#[test]
fn without_a_digest_the_program_is_compiled_once() {
    let workflow = yaml(&recipes().join("github-actions.yml"));
    let steps = workflow["jobs"]["gate"]["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["name"] == "Program").unwrap()["run"].as_str().unwrap();
    let folder = folder();
    script(folder.path(), "cargo", "#!/bin/sh\necho \"$*\"\n");
    let run = || {
        let mut shell = Command::new("bash");
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        shell.args(["-e", "-c", step]).env("PATH", path).env("TAPPS_MCP_SHA256", "");
        shell.env("TAPPS_MCP_REPOSITORY", "https://example.com/tapps-mcp").env("TAPPS_MCP_REVISION", "abc");
        shell.output().unwrap()
    };
    assert_eq!(stdout(&run()), "install --locked --git https://example.com/tapps-mcp --rev abc tapps-mcp\n");
    // What is kept between runs is not compiled again.
    let kept = script(folder.path(), "tapps-mcp", "#!/bin/sh\n");
    assert_eq!(stdout(&run()), format!("{}\n", kept.display()));
}
