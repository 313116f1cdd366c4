//! References, merge bases, trees and blobs.

use std::fs;

use tapps_base::ErrorCode;
use tapps_toolchain::git::ObjectId;

use crate::toolchain_git_support::{commit_all, default_base, git, here, repository, said, write};
use crate::toolchain_support::{call, folder};

#[tokio::test]
async fn merge_bases_are_those_of_git_sorted_by_name() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    // Two branches that were merged into each other have two best common ancestors.
    git(root, &["checkout", "--quiet", "-b", "left"]);
    write(root, "left.py", "1");
    commit_all(root, "left");
    git(root, &["checkout", "--quiet", "-b", "right", "main"]);
    write(root, "right.py", "1");
    commit_all(root, "right");
    git(root, &["checkout", "--quiet", "-b", "left-merged", "left"]);
    git(root, &["merge", "--quiet", "--no-edit", "right"]);
    git(root, &["checkout", "--quiet", "-b", "right-merged", "right"]);
    git(root, &["merge", "--quiet", "--no-edit", "left"]);
    git(root, &["checkout", "--quiet", "--orphan", "alone"]);
    git(root, &["commit", "--quiet", "-m", "alone"]);
    let repository = here().open(root, &call()).await.unwrap();
    let commit = async |name| repository.resolve(name, &call()).await.unwrap();
    let mut expected = vec![commit("left").await, commit("right").await];
    expected.sort();
    let (a, b) = (commit("left-merged").await, commit("right-merged").await);
    assert_eq!(repository.merge_bases(&a, &b, &call()).await.unwrap(), expected);
    let (left, main) = (commit("left").await, commit("main").await);
    assert_eq!(repository.merge_bases(&left, &main, &call()).await.unwrap(), std::slice::from_ref(&main));
    let alone = commit("alone").await;
    assert_eq!(repository.merge_bases(&alone, &main, &call()).await.unwrap(), []);
    let error = default_base(&repository).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert_eq!(error.message(), "HEAD and `refs/heads/main` have no common commit in this clone");
}

#[tokio::test]
async fn the_default_base_is_where_the_branch_left_its_upstream_or_the_default_branch() {
    let folder = folder();
    let folder = folder.path();
    let origin = folder.join("origin");
    fs::create_dir(&origin).unwrap();
    repository(&origin);
    git(&origin, &["checkout", "--quiet", "-b", "develop"]);
    write(&origin, "develop.py", "1");
    commit_all(&origin, "develop");
    git(&origin, &["checkout", "--quiet", "main"]);
    git(folder, &["clone", "--quiet", "origin", "clone"]);
    let clone = folder.join("clone");
    let base = async || {
        let base = default_base(&here().open(&clone, &call()).await.unwrap()).await.unwrap().unwrap();
        (base.reference, base.commit.to_string())
    };
    let (main, develop) = (said(&clone, &["rev-parse", "origin/main"]), said(&clone, &["rev-parse", "origin/develop"]));
    git(&clone, &["checkout", "--quiet", "-b", "topic", "--track", "origin/develop"]);
    write(&clone, "topic.py", "1");
    commit_all(&clone, "topic");
    assert_eq!(base().await, ("refs/remotes/origin/develop".to_owned(), develop));
    git(&clone, &["branch", "--unset-upstream"]);
    assert_eq!(base().await, ("refs/remotes/origin/main".to_owned(), main.clone()));
    git(&clone, &["remote", "remove", "origin"]);
    assert_eq!(base().await, ("refs/heads/main".to_owned(), main));
    git(&clone, &["branch", "-m", "main", "trunk"]);
    let found = default_base(&here().open(&clone, &call()).await.unwrap()).await.unwrap();
    assert_eq!(found, None);
    git(&clone, &["config", "init.defaultBranch", "trunk"]);
    assert_eq!(base().await.0, "refs/heads/trunk");
}

#[tokio::test]
async fn a_shallow_clone_that_lacks_the_common_commit_says_what_helps() {
    let folder = folder();
    let folder = folder.path();
    let origin = folder.join("origin");
    fs::create_dir(&origin).unwrap();
    repository(&origin);
    git(&origin, &["checkout", "--quiet", "-b", "topic"]);
    write(&origin, "topic.py", "1");
    commit_all(&origin, "topic");
    git(&origin, &["checkout", "--quiet", "main"]);
    write(&origin, "main.py", "1");
    commit_all(&origin, "main");
    let url = format!("file://{}", origin.display());
    git(folder, &["clone", "--quiet", "--depth", "1", "--no-single-branch", "--branch", "topic", &url, "clone"]);
    let clone = folder.join("clone");
    git(&clone, &["branch", "--unset-upstream"]);
    let repository = here().open(&clone, &call()).await.unwrap();
    assert!(repository.is_shallow());
    let error = default_base(&repository).await.unwrap_err();
    assert_eq!(error.message(), "HEAD and `refs/remotes/origin/main` have no common commit in this clone");
    let hint = "the clone is shallow: run `git fetch --unshallow`, or name the base";
    assert_eq!(error.body().hint.as_deref(), Some(hint));
    git(&clone, &["fetch", "--quiet", "--unshallow"]);
    let repository = here().open(&clone, &call()).await.unwrap();
    assert!(!repository.is_shallow());
    let base = default_base(&repository).await.unwrap().unwrap();
    assert_eq!(base.commit.as_str(), said(&clone, &["rev-parse", "HEAD~1"]));
}

#[tokio::test]
async fn trees_and_blobs_are_read_as_they_are_stored() {
    for format in ["sha1", "sha256"] {
        let folder = folder();
        let root = folder.path();
        git(root, &["init", "--quiet", &format!("--object-format={format}")]);
        write(root, ".gitattributes", "dos.py text eol=crlf\n");
        write(root, "dos.py", "a = 1\r\n");
        write(root, "a\nb.py", "with a line break in its name");
        write(root, "big.bin", [0_u8, 10, 255].repeat(10_000));
        write(root, "pkg/empty.py", "");
        std::os::unix::fs::symlink("../dos.py", root.join("pkg/link")).unwrap();
        commit_all(root, "one");
        let repository = here().open(root, &call()).await.unwrap();
        let tree = repository.resolve_tree("HEAD", &call()).await.unwrap();
        assert_eq!(tree.as_str(), said(root, &["rev-parse", "HEAD^{tree}"]));
        let files = repository.tree_files(&tree, &call()).await.unwrap();
        let listed: Vec<_> = files.iter().map(|file| (file.mode, file.path.as_str())).collect();
        let plain = [".gitattributes", "a\nb.py", "big.bin", "dos.py", "pkg/empty.py"].map(|path| (0o100_644, path));
        assert_eq!(listed, [&plain[..], &[(0o120_000, "pkg/link")]].concat());
        let ids: Vec<_> = files.iter().map(|file| file.id.clone()).collect();
        let blobs = repository.read_blobs(&ids, 20_000, &call()).await.unwrap();
        let texts: Vec<_> = blobs.iter().map(|blob| blob.as_deref().map(String::from_utf8_lossy)).collect();
        let texts: Vec<_> = texts.iter().map(|text| text.as_deref()).collect();
        let (rules, broken) = ("dos.py text eol=crlf\n", "with a line break in its name");
        assert_eq!(texts, [Some(rules), Some(broken), None, Some("a = 1\n"), Some(""), Some("../dos.py")]);
        assert_eq!(
            repository.read_blobs(&ids[2..3], 30_000, &call()).await.unwrap()[0].as_ref().unwrap().len(),
            30_000
        );
        assert!(repository.read_blobs(&[], 1, &call()).await.unwrap().is_empty());
        let empty = repository.tree_files(&repository.empty_tree(), &call()).await.unwrap();
        assert!(empty.is_empty());
    }
}

#[tokio::test]
async fn references_of_every_form_are_resolved_from_any_working_tree() {
    let folder = folder();
    let folder = folder.path();
    let origin = folder.join("origin");
    fs::create_dir(&origin).unwrap();
    repository(&origin);
    git(folder, &["clone", "--quiet", "origin", "clone"]);
    let clone = folder.join("clone");
    write(&clone, "a.py", "second");
    commit_all(&clone, "two");
    git(&clone, &["reset", "--quiet", "--hard", "HEAD~1"]);
    git(&clone, &["reset", "--quiet", "--hard", "HEAD@{1}"]);
    let linked = folder.join("linked");
    git(&clone, &["worktree", "add", "--quiet", "-b", "other", linked.to_str().unwrap(), "HEAD~1"]);
    for root in [&clone, &linked] {
        let repository = here().open(root, &call()).await.unwrap();
        let head = said(root, &["rev-parse", "HEAD"]);
        for reference in ["HEAD", "main", "main~1", "release-1", "origin/main", "main@{1}", &head[..8], "HEAD@{0}"] {
            let resolved = repository.resolve(reference, &call()).await.unwrap();
            assert_eq!(resolved.as_str(), said(root, &["rev-parse", reference]), "{reference}");
        }
        assert_eq!(repository.head_commit(&call()).await.unwrap().unwrap().as_str(), head);
    }
    let repository = here().open(&clone, &call()).await.unwrap();
    for reference in ["main@{upstream}", "ORIG_HEAD"] {
        let resolved = repository.resolve(reference, &call()).await.unwrap();
        assert_eq!(resolved.as_str(), said(&clone, &["rev-parse", reference]), "{reference}");
    }
    let error = repository.resolve("HEAD:a.py", &call()).await.unwrap_err();
    assert_eq!(error.message(), "git knows no commit `HEAD:a.py`");
    let error = repository.resolve_tree("origin/mian", &call()).await.unwrap_err();
    assert_eq!(error.body().hint.as_deref(), Some("did you mean origin/main or origin?"));
}

#[tokio::test]
async fn a_name_stands_for_one_object_throughout_a_request() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    let repository = here().open(root, &call()).await.unwrap();
    let first = repository.resolve("main", &call()).await.unwrap();
    write(root, "a.py", "second");
    commit_all(root, "two");
    let head = said(root, &["rev-parse", "HEAD"]);
    assert_ne!(first.as_str(), head);
    assert_eq!(repository.resolve("main", &call()).await.unwrap(), first);
    assert_eq!(repository.yielding().resolve("main", &call()).await.unwrap(), first);
    let again = here().open(root, &call()).await.unwrap();
    assert_eq!(again.resolve("main", &call()).await.unwrap().as_str(), head);
}

#[tokio::test]
async fn the_size_of_an_object_is_asked_for_once_in_a_request() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    let store = |name, content| {
        write(root, name, content);
        ObjectId::parse(&said(root, &["hash-object", "-w", name])).unwrap()
    };
    let large = store("large.txt", "more than a byte");
    let both = [store("empty.txt", ""), large.clone()];
    let repository = here().open(root, &call()).await.unwrap();
    assert_eq!(repository.read_blobs(&both, 1, &call()).await.unwrap(), [Some(Vec::new()), None]);
    let (folder, file) = large.as_str().split_at(2);
    fs::remove_file(root.join(".git/objects").join(folder).join(file)).unwrap();
    assert_eq!(repository.yielding().read_blobs(&both, 1, &call()).await.unwrap(), [Some(Vec::new()), None]);
    let again = here().open(root, &call()).await.unwrap();
    assert_eq!(again.read_blobs(&both, 1, &call()).await.unwrap_err().code(), ErrorCode::ConfigError);
}
