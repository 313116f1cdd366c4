//! What is no repository of the project is not read, and the error says why.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use tapps_base::ErrorCode;
use tapps_toolchain::git::DiffTarget;

use crate::toolchain_git_support::{
    Trap, commit_all, fill, git, here, init_with_reftable, plain_git, repository, said, touch, write,
};
use crate::toolchain_support::{call, copy_tree};

const NO_REPOSITORY: &str = "the project is not in the working tree of a git repository";

/// A folder outside the build folder, which is itself inside a repository.
fn outside() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The message of the refusal to open the repository of `root`.
async fn refusal(root: &Path) -> String {
    let error = here().open(root, &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError, "{error}");
    assert_eq!(error.body().tool.as_deref(), Some("git"));
    assert!(error.body().hint.is_some(), "{error}");
    let by_files = here().changed_files(root, "HEAD", &call()).await.unwrap_err();
    assert_eq!(by_files.message(), error.message());
    error.message().to_owned()
}

fn poisoned(root: &Path, trap: &Trap) {
    repository(root);
    write(root, ".gitattributes", "* filter=trap\n");
    commit_all(root, "attributes");
    git(root, &["config", "filter.trap.clean", &trap.program]);
    git(root, &["config", "core.fsmonitor", &trap.program]);
    touch(root, "a.py");
}

#[tokio::test]
async fn a_file_that_points_elsewhere_is_not_followed() {
    let folder = outside();
    let folder = folder.path();
    let trap = Trap::set(folder);
    let other = folder.join("other");
    let project = folder.join("project");
    fs::create_dir_all(&other).unwrap();
    fs::create_dir_all(&project).unwrap();
    poisoned(&other, &trap);
    let git_dir = other.join(".git").canonicalize().unwrap();
    write(&project, "a.py", "x");
    write(&project, ".git", format!("gitdir: {}\n", git_dir.display()));
    plain_git(&project).args(["status"]).output().unwrap();
    assert_ne!(trap.sprung(), "", "plain git follows");
    assert!(refusal(&project).await.ends_with("which does not name it back"));
    // A folder of the project that claims to be a working tree of the other repository.
    write(&project, "fake/gitdir", format!("{}\n", project.join(".git").display()));
    write(&project, "fake/commondir", format!("{}\n", git_dir.display()));
    write(&project, "fake/HEAD", "ref: refs/heads/main\n");
    write(&project, ".git", "gitdir: fake\n");
    assert!(refusal(&project).await.ends_with("of a repository that does not list it"));
    // The same for a folder named .git.
    fs::remove_file(project.join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    write(&project, ".git/commondir", git_dir.to_str().unwrap());
    assert!(refusal(&project).await.ends_with("of a repository that does not list it"));
    fs::remove_dir_all(project.join(".git")).unwrap();
    symlink(&git_dir, project.join(".git")).unwrap();
    assert!(refusal(&project).await.ends_with("which does not name it back"));
    fs::remove_file(project.join(".git")).unwrap();
    write(&project, ".git", "gitdir: nowhere\n");
    assert!(refusal(&project).await.ends_with("names a git repository that is not there"));
    write(&project, ".git", "anything\n");
    assert!(refusal(&project).await.ends_with("is a file that names no git repository"));
    assert_eq!(trap.sprung(), "");
}

#[tokio::test]
async fn a_repository_inside_the_project_or_an_allowed_root_is_read_and_runs_nothing() {
    let folder = outside();
    let folder = folder.path();
    let trap = Trap::set(folder);
    let project = folder.join("project");
    fs::create_dir_all(&project).unwrap();
    poisoned(&project, &trap);
    fs::rename(project.join(".git"), project.join("kept")).unwrap();
    write(&project, ".git", "gitdir: kept\n");
    write(&project, ".gitignore", "kept\n");
    write(&project, "a.py", "changed");
    trap.sprung();
    let changed = here().changed_files(&project, "HEAD", &call()).await.unwrap();
    assert_eq!(changed, [".gitignore", "a.py"]);
    fs::rename(project.join("kept"), folder.join("kept")).unwrap();
    write(&project, ".git", "gitdir: ../kept\n");
    assert!(refusal(&project).await.ends_with("which does not name it back"));
    let allowing = here().with_allowed_roots(&[folder.join("kept")]);
    assert_eq!(allowing.changed_files(&project, "HEAD", &call()).await.unwrap(), changed);
    assert_eq!(trap.sprung(), "");
}

#[tokio::test]
async fn a_bare_repository_kept_as_ordinary_files_is_none() {
    let folder = outside();
    let folder = folder.path();
    let trap = Trap::set(folder);
    let source = folder.join("source");
    fs::create_dir(&source).unwrap();
    poisoned(&source, &trap);
    let bare = folder.join("project/data");
    fs::create_dir_all(folder.join("project")).unwrap();
    copy_tree(&source.join(".git"), &bare);
    git(&bare, &["--git-dir=.", "config", "core.bare", "false"]);
    git(&bare, &["--git-dir=.", "config", "core.worktree", bare.to_str().unwrap()]);
    write(&bare, "a.py", "changed");
    trap.sprung();
    plain_git(&bare).args(["status"]).output().unwrap();
    assert_ne!(trap.sprung(), "", "plain git takes the folder for a repository");
    assert_eq!(refusal(&bare).await, NO_REPOSITORY);
    assert_eq!(refusal(&bare.join("refs")).await, NO_REPOSITORY);
    // In a repository above, its files are files.
    repository(&folder.join("project"));
    write(&bare, "a.py", "changed again");
    assert_eq!(here().changed_files(&bare, "HEAD", &call()).await.unwrap(), ["a.py"]);
    assert_eq!(trap.sprung(), "");
}

#[tokio::test]
async fn without_a_working_tree_there_is_nothing_to_compare() {
    let folder = outside();
    let root = folder.path();
    repository(root);
    assert_eq!(refusal(&root.join(".git")).await, NO_REPOSITORY);
    assert_eq!(refusal(&root.join(".git/refs")).await, NO_REPOSITORY);
    git(root, &["config", "core.bare", "true"]);
    assert_eq!(refusal(root).await, NO_REPOSITORY);
    // Git passes a folder by that has not the parts of a repository.
    fs::remove_dir_all(root.join(".git")).unwrap();
    fs::create_dir(root.join(".git")).unwrap();
    assert_eq!(refusal(root).await, NO_REPOSITORY);
}

#[tokio::test]
async fn objects_and_files_of_another_place_are_not_read() {
    let folder = outside();
    let folder = folder.path();
    let (source, project) = (folder.join("source"), folder.join("project"));
    fs::create_dir(&source).unwrap();
    repository(&source);
    git(folder, &["clone", "--quiet", "--shared", "source", "project"]);
    let borrowed = source.join(".git/objects").canonicalize().unwrap();
    let message = format!("the git repository borrows objects from `{}`, outside of it", borrowed.display());
    assert_eq!(refusal(&project).await, message);
    let allowing = here().with_allowed_roots(std::slice::from_ref(&source));
    write(&project, "a.py", "changed");
    assert_eq!(allowing.changed_files(&project, "HEAD", &call()).await.unwrap(), ["a.py"]);
    // As git advises in the hint.
    git(&project, &["repack", "-a", "-d", "--quiet"]);
    fs::remove_file(project.join(".git/objects/info/alternates")).unwrap();
    assert_eq!(here().changed_files(&project, "HEAD", &call()).await.unwrap(), ["a.py"]);
    for part in ["objects", "refs", "config", "info/exclude", "index", "HEAD", "packed-refs"] {
        let (own, foreign) = (project.join(".git").join(part), source.join(".git").join(part));
        git(&source, &["pack-refs", "--all"]);
        git(&project, &["pack-refs", "--all"]);
        let kept = folder.join("kept");
        fs::rename(&own, &kept).unwrap();
        symlink(&foreign, &own).unwrap();
        let error = here().changed_files(&project, "HEAD", &call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError, "{part}: {error}");
        assert!(error.message().contains("outside of it") || error.message().ends_with("leads out of it"), "{error}");
        fs::remove_file(&own).unwrap();
        fs::rename(&kept, &own).unwrap();
    }
    // An alternate of the repository's own.
    copy_tree(&source.join(".git/objects"), &project.join(".git/more"));
    write(&project, ".git/objects/info/alternates", "../more\n");
    assert_eq!(here().changed_files(&project, "HEAD", &call()).await.unwrap(), ["a.py"]);
    // One that goes round for ever.
    write(&project, ".git/more/info/alternates", "../more\n");
    assert!(refusal(&project).await.starts_with("the git repository borrows objects"));
}

#[tokio::test]
async fn parts_that_are_not_what_they_should_be_are_errors() {
    let folder = outside();
    let root = folder.path();
    repository(root);
    let own = fs::read_to_string(root.join(".git/config")).unwrap();
    for (config, end) in [
        ("[core\n", "cannot be read"),
        ("[core]\n\trepositoryFormatVersion = 2\n", "is not known here"),
        ("[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tfuture = yes\n", "is not known here"),
        ("[core]\n\tautocrlf = maybe\n", "is not known here"),
    ] {
        write(root, ".git/config", config);
        let message = refusal(root).await;
        assert!(message.ends_with(end), "{config:?}: {message}");
    }
    write(root, ".git/config", "x".repeat((1 << 20) + 1));
    assert!(refusal(root).await.ends_with("is larger than 1048576 bytes"));
    write(root, ".git/config", own);
    write(root, ".git/HEAD", "ref: ../../etc/passwd\n");
    assert_eq!(refusal(root).await, "HEAD of the git repository names neither a branch nor a commit");
    write(root, ".git/HEAD", "ref: refs/heads/main\n");
    fs::remove_file(root.join(".git/index")).unwrap();
    fs::create_dir(root.join(".git/index")).unwrap();
    let error = here().changed_files(root, "HEAD", &call()).await.unwrap_err();
    assert!(error.message().ends_with("is no index"), "{error}");
    fs::remove_dir(root.join(".git/index")).unwrap();
    // Without an index all files are compared.
    write(root, "a.py", "changed");
    assert_eq!(here().changed_files(root, "HEAD", &call()).await.unwrap(), ["a.py"]);
    write(root, ".git/index", "DIRC no index");
    let error = here().changed_files(root, "HEAD", &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::DegradedResult, "{error}");
}

#[tokio::test]
async fn a_linked_working_tree_of_reftable_is_refused() {
    let folder = outside();
    let main = folder.path().join("main");
    fs::create_dir(&main).unwrap();
    if !init_with_reftable(&main) {
        return;
    }
    fill(&main);
    let linked = folder.path().join("linked");
    git(&main, &["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    assert_eq!(refusal(&linked).await, "linked working trees of a repository with reftable cannot be read yet");
}

#[tokio::test]
async fn a_repository_that_somebody_else_put_above_the_project_is_refused() {
    let folder = outside();
    let root = folder.path();
    repository(root);
    // Only the administrator can give a folder away.
    if fs::metadata(root).unwrap().uid() != 0 {
        return;
    }
    std::os::unix::fs::chown(root.join(".git"), Some(12_345), None).unwrap();
    assert!(refusal(root).await.ends_with("belongs to another user than its folder"));
    std::os::unix::fs::chown(root, Some(12_345), None).unwrap();
    assert_eq!(here().changed_files(root, "HEAD", &call()).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn an_index_with_names_that_lead_out_is_refused() {
    let folder = outside();
    let root = folder.path().join("project");
    fs::create_dir(&root).unwrap();
    repository(&root);
    // Git refuses to make such an entry; a name of the same length is replaced in the file.
    write(&root, "xx/outside.py", "x");
    git(&root, &["add", "."]);
    let index = fs::read(root.join(".git/index")).unwrap();
    let at = index.windows(13).position(|window| window == b"xx/outside.py").unwrap();
    let mut changed = index[..index.len() - 20].to_vec();
    changed[at..at + 2].copy_from_slice(b"..");
    changed.extend_from_slice(&[0; 20]);
    write(&root, ".git/index", changed);
    git(&root, &["config", "index.skipHash", "true"]);
    let repository = here().open(&root, &call()).await.unwrap();
    let head = repository.resolve("HEAD", &call()).await.unwrap();
    for compared in [DiffTarget::Index, DiffTarget::WorkingTree] {
        let error = repository.changes(&head, &compared, &call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::CorruptedData, "{error}");
        assert_eq!(error.message(), "the git repository has a file named `../outside.py`");
    }
    assert_eq!(said(&root, &["rev-parse", "HEAD"]), head.as_str());
}
