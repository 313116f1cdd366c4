//! Repositories of every kind: the trees that are compared are the right ones, or it is said what helps.

use std::fs;

use tapps_base::ErrorCode;
use tapps_quality::change::report::{ChangeVerdict, FileStatus, FindingState};
use tapps_quality::change::{ChangeBase, ChangeHead, ChangeRequest};

use super::support::{Changed, file, told};
use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git, said};
use crate::toolchain_support::folder;

const GOOD: &str = "\"\"\"Adds.\"\"\"\n\n\ndef add(left: int, right: int) -> int:\n    \"\"\"Adds two numbers.\"\"\"\n    return left + right\n";
const BAD: &str = "\n\ndef more(value):\n    return eval(value)\n";

fn since(base: ChangeBase) -> ChangeRequest {
    ChangeRequest { base, ..ChangeRequest::default() }
}

#[test]
fn the_default_base_is_where_the_branch_began() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.git(&["checkout", "--quiet", "-b", "work"]);
    changed.write("a.py", &format!("{GOOD}{BAD}"));
    commit_all(changed.root(), "bad");
    changed.git(&["checkout", "--quiet", "main"]);
    changed.write("later.py", GOOD);
    commit_all(changed.root(), "later");
    changed.git(&["checkout", "--quiet", "work"]);
    let report = changed.verdict();
    assert_eq!(told(&report, FindingState::New), ["a.py:10 bandit:B307"], "committing hides nothing");
    assert_eq!(report.base.origin, "merge base with refs/heads/main");
    assert_eq!(report.base.commit.as_deref(), Some(changed.said(&["merge-base", "main", "work"]).as_str()));
    assert_eq!(report.head.tree, changed.said(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!(report.files.len(), 1, "what came to main since is not this change's");
    let exact = changed.judge(&since(ChangeBase::Exactly("main".to_owned()))).unwrap();
    assert_eq!(file(&exact, "later.py").status, FileStatus::Deleted);
}

#[test]
fn the_index_and_commits_are_judged_without_the_working_tree() {
    let changed = Changed::of(&[("a.py", GOOD), ("b.py", GOOD)]);
    changed.write("a.py", &format!("{GOOD}{BAD}"));
    changed.git(&["add", "a.py"]);
    changed.write("a.py", GOOD);
    changed.write("b.py", "broken(:\n");
    let staged = changed.judge(&ChangeRequest { head: ChangeHead::Index, ..ChangeRequest::default() }).unwrap();
    assert_eq!(told(&staged, FindingState::New), ["a.py:10 bandit:B307"]);
    assert_eq!(staged.head.tree, changed.said(&["write-tree"]));
    changed.git(&["commit", "--quiet", "-m", "bad"]);
    let head = ChangeHead::Commit("HEAD".to_owned());
    let committed = changed.judge(&ChangeRequest { head: head.clone(), ..ChangeRequest::default() }).unwrap();
    assert_eq!(told(&committed, FindingState::New), ["a.py:10 bandit:B307"]);
    assert_eq!(committed.base.origin, "parent commit");
    let first = ChangeHead::Commit("HEAD~1".to_owned());
    let first = changed.judge(&ChangeRequest { head: first, ..ChangeRequest::default() }).unwrap();
    assert_eq!(first.base.origin, "no commit before it");
    assert!(first.files.iter().all(|file| file.status == FileStatus::Added) && first.files.len() == 2);
}

#[test]
fn without_commits_everything_is_added() {
    let project = Project::of(&[("a.py", GOOD.as_bytes())]);
    git(project.root(), &["init", "--quiet"]);
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert_eq!((report.verdict, file(&report, "a.py").status), (ChangeVerdict::Neutral, FileStatus::Added));
    assert_eq!(report.base.origin, "no commit before it");
    let nowhere = tempfile::tempdir().unwrap();
    let error = Project::at(nowhere.path()).judge(&ChangeRequest::default()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
}

#[test]
fn a_merge_is_judged_against_its_first_parent() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.git(&["checkout", "--quiet", "-b", "work"]);
    changed.write("b.py", &format!("{GOOD}{BAD}"));
    commit_all(changed.root(), "bad");
    changed.git(&["checkout", "--quiet", "main"]);
    changed.write("c.py", GOOD);
    commit_all(changed.root(), "good");
    changed.git(&["merge", "--quiet", "--no-ff", "-m", "merge", "work"]);
    let head = ChangeHead::Commit("HEAD".to_owned());
    let report = changed.judge(&ChangeRequest { head, ..ChangeRequest::default() }).unwrap();
    assert_eq!(report.base.origin, "first parent of the merge");
    assert_eq!(report.files.iter().map(|file| file.file.as_str()).collect::<Vec<_>>(), ["b.py"]);
}

#[test]
fn of_several_merge_bases_the_first_is_taken_and_named() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.git(&["checkout", "--quiet", "-b", "work"]);
    changed.write("b.py", GOOD);
    commit_all(changed.root(), "b");
    changed.git(&["checkout", "--quiet", "main"]);
    changed.write("c.py", GOOD);
    commit_all(changed.root(), "c");
    changed.git(&["branch", "old-main"]);
    changed.git(&["merge", "--quiet", "-m", "one way", "work"]);
    changed.git(&["checkout", "--quiet", "work"]);
    changed.git(&["merge", "--quiet", "-m", "other way", "old-main"]);
    let report = changed.judge(&since(ChangeBase::MergeBase("main".to_owned()))).unwrap();
    assert_eq!(report.notes, ["2 merge bases with main; the first by name is taken"]);
    let mut bases: Vec<String> =
        changed.said(&["merge-base", "--all", "main", "work"]).lines().map(str::to_owned).collect();
    bases.sort();
    assert_eq!(report.base.commit.as_ref(), bases.first());
}

#[test]
fn linked_worktrees_and_a_detached_head_work() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    let beside = folder();
    let tree = beside.path().join("tree");
    changed.git(&["worktree", "add", "--quiet", "--detach", tree.to_str().unwrap()]);
    fs::write(tree.join("a.py"), format!("{GOOD}{BAD}")).unwrap();
    let report = Project::at(&tree).judge(&ChangeRequest::default()).unwrap();
    assert_eq!(told(&report, FindingState::New), ["a.py:10 bandit:B307"]);
    assert!(changed.verdict().files.is_empty(), "the other working tree is untouched");
}

#[test]
fn a_shallow_clone_says_what_helps() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    for number in 0..3 {
        changed.write("a.py", &format!("{GOOD}\nN = {number}\n"));
        commit_all(changed.root(), "more");
    }
    changed.git(&["checkout", "--quiet", "-b", "work", "HEAD~2"]);
    changed.write("b.py", "X = 1\n");
    commit_all(changed.root(), "work");
    let beside = folder();
    let clone = beside.path().join("clone");
    let from = format!("file://{}", changed.root().display());
    git(beside.path(), &["clone", "--quiet", "--depth", "1", "--no-single-branch", "--branch", "work", &from, "clone"]);
    let project = Project::at(&clone);
    let error = project.judge(&since(ChangeBase::MergeBase("origin/main".to_owned()))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.body().hint.as_deref().unwrap().contains("git fetch --unshallow"), "{error:?}");
    // What is there can be compared all the same.
    let report = project.judge(&since(ChangeBase::Exactly("origin/main".to_owned()))).unwrap();
    assert_eq!(file(&report, "b.py").status, FileStatus::Added);
}

#[test]
fn a_partial_clone_says_what_helps() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.write("a.py", &format!("{GOOD}\nN = 1\n"));
    commit_all(changed.root(), "more");
    changed.git(&["config", "uploadpack.allowFilter", "true"]);
    let beside = folder();
    let from = format!("file://{}", changed.root().display());
    git(beside.path(), &["clone", "--quiet", "--filter=blob:none", &from, "clone"]);
    let clone = beside.path().join("clone");
    let project = Project::at(&clone);
    let error = project.judge(&since(ChangeBase::Exactly("HEAD~1".to_owned()))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError, "{error:?}");
    assert!(error.body().hint.as_deref().unwrap().contains("git diff"), "{error:?}");
    // A new file makes git look for what it was copied from.
    fs::write(clone.join("copy.py"), format!("{GOOD}\nN = 2\n")).unwrap();
    let error = project.judge(&since(ChangeBase::Exactly("HEAD~1".to_owned()))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError, "{error:?}");
    said(&clone, &["diff", "HEAD~1"]);
    let report = project.judge(&since(ChangeBase::Exactly("HEAD~1".to_owned()))).unwrap();
    assert_eq!(file(&report, "a.py").status, FileStatus::Modified);
    assert_eq!(file(&report, "copy.py").old_file.as_deref(), Some("a.py"));
}

#[test]
fn an_unmerged_index_is_refused_and_an_unmerged_working_tree_is_named() {
    let changed = Changed::of(&[("a.py", "X = 1\n")]);
    changed.git(&["checkout", "--quiet", "-b", "work"]);
    changed.write("a.py", "X = 2\n");
    commit_all(changed.root(), "two");
    changed.git(&["checkout", "--quiet", "main"]);
    changed.write("a.py", "X = 3\n");
    commit_all(changed.root(), "three");
    let merged = crate::toolchain_git_support::plain_git(changed.root()).args(["merge", "work"]).output().unwrap();
    assert!(!merged.status.success());
    let error = changed.judge(&ChangeRequest { head: ChangeHead::Index, ..ChangeRequest::default() }).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.message().contains("unmerged"), "{error:?}");
    let report = changed.verdict();
    assert_eq!(report.verdict, ChangeVerdict::Blocked, "conflict markers are no code");
    assert_eq!(report.notes, ["in conflict, and judged as they are: a.py"]);
}

#[test]
fn submodules_are_left_alone_and_named() {
    let other = Changed::of(&[("inner.py", GOOD)]);
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.git(&["submodule", "--quiet", "add", other.root().to_str().unwrap(), "vendored"]);
    let report = changed.verdict();
    assert_eq!(report.left_alone, ["vendored"]);
    assert!(report.passed && !report.files.iter().any(|file| file.file.starts_with("vendored")), "{:?}", report.files);
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let changed = Changed::of(&[("a.py", GOOD), (".gitattributes", "*.py text eol=crlf\n")]);
    fs::remove_file(changed.project.path("a.py")).unwrap();
    changed.git(&["checkout", "--quiet", "a.py"]);
    assert!(changed.read("a.py").contains("\r\n"));
    assert!(changed.verdict().files.is_empty());
    changed.write("a.py", &format!("{}\r\n\r\nLIMIT = 3\r\n", changed.read("a.py")));
    let report = changed.verdict();
    assert_eq!((report.counts.new, report.verdict), (0, ChangeVerdict::Neutral));
}

#[test]
fn a_large_file_behind_a_pointer_is_compared_by_digest() {
    let changed = Changed::of(&[("a.py", GOOD), (".gitattributes", "*.bin filter=lfs\n")]);
    let content = "the content\n";
    let digest = tapps_base::digest::sha256(content.as_bytes());
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {}\n", content.len());
    changed.write("data.bin", &pointer);
    commit_all(changed.root(), "pointer");
    changed.write("data.bin", content);
    assert!(changed.verdict().files.is_empty(), "it is what the pointer says");
    changed.write("data.bin", "other content\n");
    assert!(file(&changed.verdict(), "data.bin").filtered);
}

#[test]
fn a_sparse_checkout_judges_what_is_there() {
    let changed = Changed::of(&[("shop/a.py", GOOD), ("far/b.py", GOOD), ("README.md", "# It\n")]);
    changed.git(&["sparse-checkout", "set", "--no-cone", "/shop/", "/README.md"]);
    assert!(!changed.project.path("far/b.py").exists());
    assert!(changed.verdict().files.is_empty());
    changed.write("shop/a.py", &format!("{GOOD}{BAD}"));
    assert_eq!(told(&changed.verdict(), FindingState::New), ["shop/a.py:10 bandit:B307"]);
}

#[test]
fn a_root_below_the_top_sees_its_own_files() {
    let top = folder();
    let root = top.path().join("services/shop");
    fs::create_dir_all(&root).unwrap();
    fs::write(root.join("a.py"), GOOD).unwrap();
    fs::write(top.path().join("other.py"), GOOD).unwrap();
    git(top.path(), &["init", "--quiet"]);
    commit_all(top.path(), "first");
    fs::write(root.join("a.py"), format!("{GOOD}{BAD}")).unwrap();
    fs::write(top.path().join("other.py"), BAD).unwrap();
    let report = Project::at(&root).judge(&ChangeRequest::default()).unwrap();
    assert_eq!(told(&report, FindingState::New), ["a.py:10 bandit:B307"]);
    assert_eq!(report.files.len(), 1);
}

#[test]
fn nothing_of_the_repository_is_written() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    changed.write("a.py", &format!("{GOOD}{BAD}"));
    changed.write("new.py", GOOD);
    let state = |root: &std::path::Path| {
        (
            said(root, &["count-objects", "-v"]),
            said(root, &["status", "--porcelain"]),
            fs::read(root.join(".git/index")).unwrap(),
        )
    };
    let before = state(changed.root());
    for head in [ChangeHead::WorkingTree, ChangeHead::Index, ChangeHead::Commit("HEAD".to_owned())] {
        changed.judge(&ChangeRequest { head, ..ChangeRequest::default() }).unwrap();
    }
    assert!(before == state(changed.root()));
}

#[test]
fn references_that_are_none_are_answered_with_the_nearest() {
    let changed = Changed::of(&[("a.py", GOOD)]);
    for base in [ChangeBase::MergeBase("mian".to_owned()), ChangeBase::Exactly("mian".to_owned())] {
        let error = changed.judge(&since(base)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgument);
        assert!(error.body().hint.as_deref().unwrap().contains("main"), "{error:?}");
    }
}
