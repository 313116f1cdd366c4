//! On honest repositories of every kind the changes are those of plain git.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tapps_toolchain::git::DiffTarget;

use crate::toolchain_git_support::{
    commit_all, default_base, fill, git, here, init_with_reftable, lines, old_time, plain_changed_files, plain_changes,
    repository, said, set_time, short, touch, write,
};
use crate::toolchain_support::{call, folder, set_mode};

/// Makes a repository in an empty folder and returns the project's root in it.
type Scene = fn(&Path) -> PathBuf;

const SCENES: [(&str, Scene); 23] = [
    ("edits of all kinds", edits),
    ("copies", copies),
    ("nothing changed", |root| {
        repository(root);
        touch(root, "a.py");
        root.to_owned()
    }),
    ("a linked working tree", linked_worktree),
    ("a working tree of a bare repository", worktree_of_bare),
    ("a shallow clone", shallow_clone),
    ("a detached head", |root| {
        edits(root);
        git(root, &["checkout", "--quiet", "--detach"]);
        root.to_owned()
    }),
    ("packed references", |root| {
        edits(root);
        git(root, &["pack-refs", "--all"]);
        root.to_owned()
    }),
    ("reftable", |root| {
        // An older git knows only the other way to keep references.
        if !init_with_reftable(root) {
            git(root, &["init", "--quiet"]);
        }
        fill(root);
        change_files(root);
        root.to_owned()
    }),
    ("sha256", |root| {
        git(root, &["init", "--quiet", "--object-format=sha256"]);
        fill(root);
        change_files(root);
        root.to_owned()
    }),
    ("a sparse checkout", sparse_checkout),
    ("a split index", split_index),
    ("an index with the marks of helpers", |root| {
        edits(root);
        git(root, &["update-index", "--untracked-cache"]);
        git(root, &["update-index", "--index-version", "4"]);
        write(root, "later.py", "later");
        root.to_owned()
    }),
    ("line ends by configuration", line_ends_by_configuration),
    ("conversions by attributes", conversions),
    ("modes that do not count", |root| {
        repository(root);
        git(root, &["config", "core.fileMode", "false"]);
        set_mode(&root.join("a.py"), 0o755);
        write(root, "tool.py", "new");
        set_mode(&root.join("tool.py"), 0o755);
        root.to_owned()
    }),
    ("an unmerged index", unmerged),
    ("a submodule", submodule),
    ("inside a submodule", |root| submodule(root).join("library")),
    ("a repository inside the working tree", |root| {
        repository(root);
        fs::create_dir(root.join("inner")).unwrap();
        repository(&root.join("inner"));
        write(root, "beside.py", "new");
        root.to_owned()
    }),
    ("a root below the top", |root| {
        edits(root);
        root.join("pkg")
    }),
    ("a change within the same second", same_second),
    ("exclusions of the repository's own", |root| {
        repository(root);
        write(root, ".git/info/exclude", "secret*\n");
        write(root, "secret.py", "1");
        write(root, "seen.py", "1");
        root.to_owned()
    }),
];

fn edits(root: &Path) -> PathBuf {
    repository(root);
    change_files(root);
    root.to_owned()
}

/// Every kind of change, staged, unstaged and untracked.
fn change_files(root: &Path) {
    write(root, "old/name.py", lines(0));
    write(root, "old/staged.py", lines(1000));
    write(root, "becomes-link.py", "x");
    write(root, "becomes-folder", "x");
    write(root, "pkg/stays.py", "x");
    commit_all(root, "two");
    write(root, "a.py", "changed");
    fs::remove_file(root.join("b.py")).unwrap();
    touch(root, "pkg/stays.py");
    set_mode(&root.join("pkg/c.py"), 0o755);
    fs::rename(root.join("old/name.py"), root.join("moved.py")).unwrap();
    write(root, "moved.py", lines(0) + "more = 1\n");
    git(root, &["mv", "old/staged.py", "pkg/staged.py"]);
    fs::remove_file(root.join("becomes-link.py")).unwrap();
    symlink("a.py", root.join("becomes-link.py")).unwrap();
    fs::remove_file(root.join("becomes-folder")).unwrap();
    write(root, "becomes-folder/inside.py", "y");
    write(root, "staged and changed.py", "1");
    git(root, &["add", "staged and changed.py"]);
    write(root, "staged and changed.py", "2");
    write(root, "naïve \"name\".py", "new");
    write(root, "empty.py", "");
    write(root, "build.log", "ignored");
    symlink("/etc/hostname", root.join("link.py")).unwrap();
}

/// Copies of a changed file, of one that nobody touched, and several files out of one that is gone.
fn copies(root: &Path) -> PathBuf {
    repository(root);
    for (name, from) in [("changed.py", 0), ("untouched.py", 1000), ("gone.py", 2000)] {
        write(root, name, lines(from));
    }
    commit_all(root, "two");
    write(root, "changed.py", lines(0) + "more = 1\n");
    write(root, "copy.py", lines(0) + "other = 1\n");
    write(root, "staged copy.py", lines(0) + "other = 2\n");
    git(root, &["add", "staged copy.py"]);
    write(root, "unlike.py", lines(30));
    write(root, "copy of untouched.py", lines(1000));
    fs::remove_file(root.join("gone.py")).unwrap();
    write(root, "part one.py", lines(2000) + "one = 1\n");
    write(root, "part two.py", lines(2000) + "two = 2\n");
    root.to_owned()
}

fn linked_worktree(root: &Path) -> PathBuf {
    let main = root.join("main tree");
    fs::create_dir(&main).unwrap();
    edits(&main);
    let linked = root.join("linked");
    git(&main, &["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    write(&linked, "a.py", "changed in the linked one");
    write(&linked, "own.py", "new");
    linked
}

fn worktree_of_bare(root: &Path) -> PathBuf {
    let source = root.join("source");
    fs::create_dir(&source).unwrap();
    repository(&source);
    git(root, &["clone", "--quiet", "--bare", "source", ".bare"]);
    let linked = root.join("linked");
    git(&root.join(".bare"), &["worktree", "add", "--quiet", linked.to_str().unwrap(), "main"]);
    write(&linked, "a.py", "changed");
    linked
}

fn shallow_clone(root: &Path) -> PathBuf {
    let source = root.join("source");
    fs::create_dir(&source).unwrap();
    repository(&source);
    write(&source, "a.py", "second");
    commit_all(&source, "two");
    let url = format!("file://{}", source.display());
    git(root, &["clone", "--quiet", "--depth", "1", &url, "clone"]);
    let clone = root.join("clone");
    write(&clone, "b.py", "changed");
    write(&clone, "new.py", "new");
    clone
}

fn sparse_checkout(root: &Path) -> PathBuf {
    repository(root);
    for name in ["in/x.py", "out/y.py", "out/deep/z.py"] {
        write(root, name, name);
    }
    commit_all(root, "two");
    git(root, &["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    assert!(!root.join("out").exists());
    assert!(said(root, &["ls-files", "--sparse"]).lines().any(|line| line == "out/"));
    write(root, "in/x.py", "changed");
    write(root, "in/new.py", "new");
    root.to_owned()
}

fn split_index(root: &Path) -> PathBuf {
    repository(root);
    git(root, &["config", "core.splitIndex", "true"]);
    git(root, &["config", "splitIndex.maxPercentChange", "100"]);
    git(root, &["update-index", "--split-index"]);
    write(root, "staged.py", "staged");
    git(root, &["add", "staged.py"]);
    let shared = fs::read_dir(root.join(".git")).unwrap();
    assert!(shared.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("sharedindex.")));
    write(root, "a.py", "changed");
    touch(root, "b.py");
    write(root, "new.py", "new");
    root.to_owned()
}

fn line_ends_by_configuration(root: &Path) -> PathBuf {
    repository(root);
    write(root, "dos.py", "one = 1\ntwo = 2\n");
    write(root, "other.py", "one = 1\ntwo = 2\n");
    commit_all(root, "two");
    git(root, &["config", "core.autocrlf", "true"]);
    write(root, "dos.py", "one = 1\r\ntwo = 2\r\n");
    write(root, "other.py", "one = 1\r\ntwo = 3\r\n");
    assert_eq!(plain_changed_files(root, "HEAD"), ["other.py"]);
    root.to_owned()
}

fn conversions(root: &Path) -> PathBuf {
    repository(root);
    let rules = "crlf.py text eol=crlf\nident.py ident\nutf16.py text working-tree-encoding=UTF-16LE\n";
    write(root, ".gitattributes", rules);
    write(root, ".git/info/attributes", "own.py text eol=crlf\n");
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    write(root, "crlf.py", "a = 1\r\n");
    write(root, "own.py", "a = 1\r\n");
    write(root, "ident.py", "# $Id$\n");
    write(root, "utf16.py", utf16("a = 1\n"));
    write(root, "changed16.py", "x");
    write(root, "crlf-changed.py", "x");
    commit_all(root, "two");
    fs::remove_file(root.join("ident.py")).unwrap();
    git(root, &["checkout", "--quiet", "ident.py"]);
    assert!(fs::read_to_string(root.join("ident.py")).unwrap().contains("$Id: "));
    for name in ["crlf.py", "own.py", "ident.py", "utf16.py"] {
        touch(root, name);
    }
    assert_eq!(plain_changed_files(root, "HEAD"), Vec::<String>::new());
    write(root, "utf16.py", utf16("a = 2\n"));
    root.to_owned()
}

fn unmerged(root: &Path) -> PathBuf {
    repository(root);
    git(root, &["checkout", "--quiet", "-b", "side"]);
    write(root, "a.py", "side");
    fs::remove_file(root.join("b.py")).unwrap();
    commit_all(root, "side");
    git(root, &["checkout", "--quiet", "main"]);
    write(root, "a.py", "main");
    write(root, "b.py", "main");
    commit_all(root, "main");
    let merge = crate::toolchain_git_support::plain_git(root).args(["merge", "side"]).output().unwrap();
    assert!(!merge.status.success());
    write(root, "new.py", "new");
    root.to_owned()
}

fn submodule(root: &Path) -> PathBuf {
    let library = root.join("origin");
    fs::create_dir(&library).unwrap();
    repository(&library);
    let project = root.join("project");
    fs::create_dir(&project).unwrap();
    repository(&project);
    git(&project, &["submodule", "--quiet", "add", library.to_str().unwrap(), "library"]);
    commit_all(&project, "two");
    write(&project, "library/a.py", "changed inside");
    write(&project, "library/new.py", "new inside");
    write(&project, "a.py", "changed");
    project
}

/// Only the contents differ: the stamps and sizes are as the index has them, which is as old as the file.
fn same_second(root: &Path) -> PathBuf {
    repository(root);
    git(root, &["config", "core.trustctime", "false"]);
    set_time(&root.join("a.py"), old_time(3));
    git(root, &["add", "a.py"]);
    git(root, &["update-index", "--really-refresh"]);
    write(root, "a.py", "A.PY");
    set_time(&root.join("a.py"), old_time(3));
    set_time(&root.join(".git/index"), old_time(3));
    root.to_owned()
}

#[tokio::test]
async fn changes_are_those_of_plain_git_in_every_kind_of_repository() {
    for (name, scene) in SCENES {
        let folder = folder();
        let root = scene(folder.path());
        // Before plain git, which writes what it finds out into the index.
        let files = here().changed_files(&root, "HEAD", &call()).await.unwrap();
        let repository = here().open(&root, &call()).await.unwrap();
        let head = repository.resolve("HEAD", &call()).await.unwrap();
        let index = said(&root, &["rev-parse", "--git-path", "index"]);
        let before = fs::read(root.join(&index)).ok();
        let changes = repository.changes(&head, &DiffTarget::WorkingTree, &call()).await.unwrap();
        assert_eq!(fs::read(root.join(&index)).ok(), before, "{name}: the index was written");
        assert_eq!(short(&changes), plain_changes(&root, "HEAD"), "{name}");
        assert_eq!(files, plain_changed_files(&root, "HEAD"), "{name}");
        assert_eq!(files.is_empty(), name == "nothing changed", "{name}");
        assert!(changes.files.iter().all(|change| !change.filtered), "{name}");
    }
}

#[tokio::test]
async fn an_earlier_base_is_compared_as_plain_git_does() {
    let folder = folder();
    let root = edits(folder.path());
    let repository = here().open(&root, &call()).await.unwrap();
    let first = repository.resolve("release-1", &call()).await.unwrap();
    let head = repository.resolve("HEAD", &call()).await.unwrap();
    let changes = repository.changes(&first, &DiffTarget::WorkingTree, &call()).await.unwrap();
    assert_eq!(short(&changes), plain_changes(&root, "release-1"));
    let staged = repository.changes(&head, &DiffTarget::Index, &call()).await.unwrap();
    assert_eq!(
        short(&staged),
        [
            ('R', "pkg/staged.py".to_owned(), Some("old/staged.py".to_owned()), Some(100)),
            ('A', "staged and changed.py".to_owned(), None, None),
        ]
    );
    let committed = repository.changes(&first, &DiffTarget::Commit(head.clone()), &call()).await.unwrap();
    let names: Vec<_> = short(&committed).into_iter().map(|(letter, path, ..)| (letter, path)).collect();
    let added = ["becomes-folder", "becomes-link.py", "old/name.py", "old/staged.py", "pkg/stays.py"];
    assert_eq!(names, added.map(|name| ('A', name.to_owned())));
    assert!(repository.changes(&head, &DiffTarget::Commit(head.clone()), &call()).await.unwrap().files.is_empty());
}

#[tokio::test]
async fn conflicts_submodules_and_inner_repositories_are_named() {
    let merging = folder();
    let root = unmerged(merging.path());
    let repository = here().open(&root, &call()).await.unwrap();
    let head = repository.resolve("HEAD", &call()).await.unwrap();
    let changes = repository.changes(&head, &DiffTarget::WorkingTree, &call()).await.unwrap();
    assert_eq!(changes.unmerged, ["a.py", "b.py"]);
    let error = repository.changes(&head, &DiffTarget::Index, &call()).await.unwrap_err();
    assert_eq!(error.message(), "the index is unmerged: `a.py` is in conflict");

    let super_project = folder();
    let root = submodule(super_project.path());
    fs::create_dir(root.join("inner")).unwrap();
    self::repository(&root.join("inner"));
    let repository = here().open(&root, &call()).await.unwrap();
    let first = repository.resolve("release-1", &call()).await.unwrap();
    let changes = repository.changes(&first, &DiffTarget::WorkingTree, &call()).await.unwrap();
    assert_eq!(changes.left_alone, ["inner", "library"]);
    let head = repository.resolve("HEAD", &call()).await.unwrap();
    let committed = repository.changes(&first, &DiffTarget::Commit(head), &call()).await.unwrap();
    assert_eq!(committed.left_alone, ["library"]);
    assert_eq!(short(&committed), [('A', ".gitmodules".to_owned(), None, None)]);
}

#[tokio::test]
async fn a_repository_without_commits_is_compared_with_the_empty_tree() {
    for format in ["sha1", "sha256"] {
        let folder = folder();
        let root = folder.path();
        git(root, &["init", "--quiet", &format!("--object-format={format}")]);
        write(root, "staged.py", "1");
        git(root, &["add", "staged.py"]);
        write(root, "new.py", "1");
        let repository = here().open(root, &call()).await.unwrap();
        assert_eq!(repository.head_commit(&call()).await.unwrap(), None);
        assert_eq!(default_base(&repository).await.unwrap(), None);
        let empty = repository.empty_tree();
        assert_eq!(empty.as_str(), said(root, &["hash-object", "-t", "tree", "/dev/null"]));
        let changes = repository.changes(&empty, &DiffTarget::WorkingTree, &call()).await.unwrap();
        assert_eq!(short(&changes), ["new.py", "staged.py"].map(|name| ('A', name.to_owned(), None, None)));
    }
}

#[tokio::test]
async fn more_renames_than_are_followed_are_announced() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    for number in 0..1001 {
        write(root, &format!("old/{number}.py"), format!("{}unique = {number}\n", lines(number * 50)));
    }
    commit_all(root, "two");
    let repository = here().open(root, &call()).await.unwrap();
    let head = repository.resolve("HEAD", &call()).await.unwrap();
    fs::rename(root.join("old/0.py"), root.join("exact.py")).unwrap();
    assert!(!repository.changes(&head, &DiffTarget::WorkingTree, &call()).await.unwrap().renames_limited);
    for number in 1..1001 {
        let text = fs::read_to_string(root.join(format!("old/{number}.py"))).unwrap();
        fs::remove_file(root.join(format!("old/{number}.py"))).unwrap();
        write(root, &format!("new-{number}.py"), text + "more = 1\n");
    }
    // One more than a thousand on each side, besides the exact one.
    fs::remove_file(root.join("b.py")).unwrap();
    write(root, "wholly-new.py", "x");
    let changes = repository.changes(&head, &DiffTarget::WorkingTree, &call()).await.unwrap();
    assert!(changes.renames_limited);
    let renamed: Vec<_> = short(&changes).into_iter().filter(|change| change.0 == 'R').collect();
    assert_eq!(renamed, [('R', "exact.py".to_owned(), Some("old/0.py".to_owned()), Some(100))]);
}
