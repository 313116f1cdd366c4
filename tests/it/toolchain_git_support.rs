//! Real repositories, made and asked by plain git.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use tapps_base::Result;
use tapps_toolchain::git::{ChangeStatus, Changes, DefaultBase, Git, GitFileChange, Repository};

use crate::toolchain_support::{call, script, settings};

/// What a change is compared with when nobody says; none without commits.
pub(crate) async fn default_base(repository: &Repository) -> Result<Option<DefaultBase>> {
    match repository.head_commit(&call()).await? {
        Some(head) => repository.default_base(&head, &call()).await,
        None => Ok(None),
    }
}

/// Git as a user runs it in `root`, with the repository's configuration and no other.
pub(crate) fn plain_git(root: &Path) -> Command {
    let mut command = Command::new("git");
    let fixed = ["user.name=Test", "user.email=test@example.invalid", "init.defaultBranch=main"];
    command.args(fixed.iter().flat_map(|value| ["-c", value])).args(["-c", "protocol.file.allow=always"]);
    command.current_dir(root).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.env("LC_ALL", "C");
    command
}

fn run(root: &Path, args: &[&str]) -> Output {
    plain_git(root).args(args).output().unwrap()
}

pub(crate) fn git(root: &Path, args: &[&str]) {
    let output = run(root, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What git prints, without white space at its ends.
pub(crate) fn said(root: &Path, args: &[&str]) -> String {
    let output = run(root, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

pub(crate) fn commit_all(root: &Path, message: &str) {
    git(root, &["add", "-A"]);
    git(root, &["commit", "--quiet", "-m", message]);
}

pub(crate) fn write(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let file = root.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// A time long before any test, so many seconds after another one.
pub(crate) fn old_time(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + seconds)
}

pub(crate) fn set_time(file: &Path, time: SystemTime) {
    File::options().append(true).open(file).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
}

/// Changes the stamps of a file, so that git has to look into it.
pub(crate) fn touch(root: &Path, name: &str) {
    set_time(&root.join(name), old_time(7));
}

/// Lines enough for git to see that a file is another one's successor.
pub(crate) fn lines(from: u32) -> String {
    (from..from + 40).map(|number| format!("value_{number} = {number}\n")).collect()
}

/// A repository with three committed files on `main` and a tag.
pub(crate) fn repository(root: &Path) {
    git(root, &["init", "--quiet"]);
    fill(root);
}

/// Makes a repository whose references are in a table; false when git is too old for it.
pub(crate) fn init_with_reftable(root: &Path) -> bool {
    run(root, &["init", "--quiet", "--ref-format=reftable"]).status.success()
}

pub(crate) fn fill(root: &Path) {
    for name in ["a.py", "b.py", "pkg/c.py"] {
        write(root, name, name);
    }
    write(root, ".gitignore", "*.log\n");
    commit_all(root, "one");
    git(root, &["tag", "release-1"]);
}

pub(crate) fn here() -> Git {
    Git::find(&settings()).unwrap()
}

/// A program that leaves a mark when it is run.
pub(crate) struct Trap {
    pub program: String,
    mark: PathBuf,
}

impl Trap {
    pub(crate) fn set(folder: &Path) -> Self {
        let mark = folder.join("sprung.txt");
        let text = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", mark.display());
        let program = script(folder, "trap.sh", &text).to_str().unwrap().to_owned();
        Self { program, mark }
    }

    /// What ran since the last time this was asked.
    pub(crate) fn sprung(&self) -> String {
        let ran = fs::read_to_string(&self.mark).unwrap_or_default();
        fs::remove_file(&self.mark).ok();
        ran
    }
}

/// A change in short: what happened, where, from where and how similar.
pub(crate) type Short = (char, String, Option<String>, Option<u8>);

pub(crate) fn short(changes: &Changes) -> Vec<Short> {
    changes.files.iter().map(short_change).collect()
}

fn short_change(change: &GitFileChange) -> Short {
    let letter = match change.status {
        ChangeStatus::Added => 'A',
        ChangeStatus::Modified => 'M',
        ChangeStatus::Deleted => 'D',
        ChangeStatus::Renamed => 'R',
        ChangeStatus::Copied => 'C',
        ChangeStatus::TypeChanged => 'T',
    };
    (letter, change.path.clone(), change.old_path.clone(), change.similarity)
}

/// What plain git says differs between `base` and the working tree, once everything untracked is added to a copy of the
/// index.
pub(crate) fn plain_changes(root: &Path, base: &str) -> Vec<Short> {
    let git_dir = PathBuf::from(said(root, &["rev-parse", "--absolute-git-dir"]));
    let copy = git_dir.join("index-of-the-test");
    let original = git_dir.join("index");
    if original.exists() {
        let time = fs::metadata(&original).unwrap().modified().unwrap();
        fs::copy(&original, &copy).unwrap();
        set_time(&copy, time);
    }
    let top = PathBuf::from(said(root, &["rev-parse", "--show-toplevel"]));
    let add = plain_git(&top).args(["add", "-A"]).env("GIT_INDEX_FILE", &copy).output().unwrap();
    assert!(add.status.success(), "{}", String::from_utf8_lossy(&add.stderr));
    let args = ["diff", "--cached", "--name-status", "-z", "-C50%", "-l1000", "--ignore-submodules=all", base, "--"];
    let diff = plain_git(&top).args(args).env("GIT_INDEX_FILE", &copy).output().unwrap();
    assert!(diff.status.success(), "{}", String::from_utf8_lossy(&diff.stderr));
    fs::remove_file(&copy).ok();
    let text = String::from_utf8(diff.stdout).unwrap();
    let mut parts = text.split_terminator('\0');
    let mut found = Vec::new();
    while let Some(status) = parts.next() {
        let (letter, score) = status.split_at(1);
        let old = matches!(letter, "R" | "C").then(|| parts.next().unwrap().to_owned());
        let path = parts.next().unwrap().to_owned();
        found.push((letter.chars().next().unwrap(), path, old, score.parse().ok()));
    }
    found.sort_by(|a, b| a.1.cmp(&b.1));
    found
}

/// The changed and untracked files below `root` that plain git names.
pub(crate) fn plain_changed_files(root: &Path, base: &str) -> Vec<String> {
    let diff = ["diff", "--name-only", "-z", "--relative", "--diff-filter=d", "--ignore-submodules=all", base, "--"];
    let mut names = said(root, &diff);
    names.push('\0');
    names.push_str(&said(root, &["ls-files", "-z", "--others", "--exclude-standard"]));
    let mut names: Vec<String> =
        names.split('\0').filter(|name| !name.is_empty() && !name.ends_with('/')).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}
