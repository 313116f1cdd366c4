//! Which files changed, as git sees it.

use std::fs;

use tapps_base::ErrorCode;
use tapps_toolchain::ToolchainSettings;
use tapps_toolchain::git::Git;

use crate::toolchain_git_support::{git, repository};
use crate::toolchain_support::{call, folder, script, settings};

#[tokio::test]
async fn changed_staged_and_untracked_files_are_told_and_deleted_ones_are_not() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    let here = Git::find(&settings()).unwrap();
    assert_eq!(here.changed_files(root, "main", &call()).await.unwrap(), Vec::<String>::new());
    fs::write(root.join("a.py"), "changed").unwrap();
    fs::remove_file(root.join("b.py")).unwrap();
    fs::write(root.join("naïve name.py"), "new").unwrap();
    fs::write(root.join("build.log"), "ignored").unwrap();
    fs::write(root.join("pkg/staged.py"), "staged").unwrap();
    git(root, &["add", "pkg/staged.py"]);
    let changed = here.changed_files(root, "release-1", &call()).await.unwrap();
    assert_eq!(changed, ["a.py", "naïve name.py", "pkg/staged.py"]);
    // Below a folder of the repository, names are relative to that folder.
    let below = here.changed_files(&root.join("pkg"), "HEAD", &call()).await.unwrap();
    assert_eq!(below, ["staged.py"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "--quiet", "-m", "two"]);
    assert_eq!(here.changed_files(root, "main", &call()).await.unwrap(), Vec::<String>::new());
    assert_eq!(here.changed_files(root, "main~1", &call()).await.unwrap(), changed);
    assert_eq!(here.head_commit(root, &call()).await.unwrap().unwrap().len(), 40);
}

#[tokio::test]
async fn a_reference_that_is_none_comes_with_the_nearest_ones() {
    let folder = folder();
    repository(folder.path());
    let here = Git::find(&settings()).unwrap();
    let error = here.changed_files(folder.path(), "release-2", &call()).await.unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::InvalidArgument, "git knows no commit `release-2`"));
    assert_eq!(error.body().hint.as_deref(), Some("did you mean release-1?"));
    let output = folder.path().join("written");
    for reference in [&format!("--output={}", output.display()), "-p", "", "a\nb"] {
        let error = here.changed_files(folder.path(), reference, &call()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidArgument, "{reference:?}");
        assert!(error.message().ends_with("is not a git reference"), "{error}");
    }
    assert!(!output.exists());
}

#[tokio::test]
async fn configuration_of_the_project_starts_no_program() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    let trap = script(root, "trap.sh", "#!/bin/sh\necho sprung >> \"$(dirname \"$0\")/sprung.log\"\n");
    let trap = trap.to_str().unwrap();
    fs::write(root.join(".gitattributes"), "*.py diff=trap\n").unwrap();
    for key in ["core.fsmonitor", "diff.external", "diff.trap.command", "diff.trap.textconv", "core.pager"] {
        git(root, &["config", key, trap]);
    }
    fs::write(root.join("a.py"), "changed").unwrap();
    let changed = Git::find(&settings()).unwrap().changed_files(root, "HEAD", &call()).await.unwrap();
    assert_eq!(changed, [".gitattributes", "a.py", "trap.sh"]);
    assert!(!root.join("sprung.log").exists());
}

#[tokio::test]
async fn no_repository_and_no_git_are_errors_that_say_so() {
    // Not below the build folder, which is inside a repository.
    let outside = tempfile::tempdir().unwrap();
    let error = Git::find(&settings()).unwrap().changed_files(outside.path(), "main", &call()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert_eq!(error.message(), "the project is not in the working tree of a git repository");
    let none = ToolchainSettings { search_path: "/nonexistent".into(), ..settings() };
    let error = Git::find(&none).unwrap_err();
    assert_eq!((error.code(), error.message()), (ErrorCode::ToolUnavailable, "git was not found on PATH"));
    let folder = folder();
    git(folder.path(), &["init", "--quiet"]);
    let here = Git::find(&settings()).unwrap();
    assert_eq!(here.head_commit(folder.path(), &call()).await.unwrap(), None);
    let error = here.changed_files(folder.path(), "main", &call()).await.unwrap_err();
    assert_eq!(error.body().hint.as_deref(), Some("the repository has no branches yet"));
}
