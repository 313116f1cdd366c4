//! The verdict on a change beside the verdict on the same files as wholes, of the same build in the same run.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::project::Project;
use crate::server::program;
use crate::table::timed;

/// Takes of each figure; the middle one counts.
const TAKES: usize = 3;

pub(crate) fn run() {
    let mut table = "| package | changed files | whole, nothing kept | change, nothing kept | ratio | whole, again edited | change, base kept | ratio |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for (package, count) in [("rich", 1), ("rich", 20), ("django", 500)] {
        let project = Project::of(package);
        let root = project.root();
        git(root, &["init", "--quiet"]);
        git(root, &["add", "--all"]);
        git(root, &["commit", "--quiet", "--message", "base"]);
        let files: Vec<&String> =
            project.files.iter().filter(|file| !file.ends_with("__init__.py")).take(count).collect();
        let edit = |take: usize| files.iter().for_each(|file| project.edit(file, take));
        edit(0);
        let cold = |whole: bool| {
            let mut takes: Vec<Duration> = (0..TAKES)
                .map(|_| {
                    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
                    timed(|| gate(root, cache.path(), whole))
                })
                .collect();
            takes.sort();
            takes[TAKES / 2]
        };
        let (whole, change) = (cold(true), cold(false));
        let warm = |whole: bool| {
            let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            gate(root, cache.path(), whole);
            let mut takes: Vec<Duration> = (1..=TAKES)
                .map(|take| {
                    edit(take);
                    timed(|| gate(root, cache.path(), whole))
                })
                .collect();
            takes.sort();
            edit(0);
            takes[TAKES / 2]
        };
        let (whole_again, change_again) = (warm(true), warm(false));
        let ratio = |change: Duration, whole: Duration| change.as_secs_f64() / whole.as_secs_f64();
        writeln!(
            table,
            "| {package} | {} | {:.2} s | {:.2} s | {:.2} | {:.2} s | {:.2} s | {:.2} |",
            files.len(),
            whole.as_secs_f64(),
            change.as_secs_f64(),
            ratio(change, whole),
            whole_again.as_secs_f64(),
            change_again.as_secs_f64(),
            ratio(change_again, whole_again)
        )
        .unwrap();
    }
    std::io::stdout().write_all(table.as_bytes()).unwrap();
}

fn gate(root: &Path, cache: &Path, whole: bool) {
    let mut command = program(root, cache);
    command.args(["gate", "--changed", "--quiet"]).args(whole.then_some("--whole"));
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
}

fn git(root: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "-c", "init.defaultBranch=main"]);
    assert!(command.args(arguments).current_dir(root).status().unwrap().success(), "git {arguments:?}");
}
