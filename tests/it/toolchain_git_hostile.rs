//! Nothing that a repository or its user names is run, and nothing of it changes a result.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use tapps_toolchain::git::DiffTarget;

use crate::toolchain_git_support::{
    Trap, commit_all, default_base, git, here, plain_git, repository, said, touch, write,
};
use crate::toolchain_support::{call, folder, script, set_mode};

/// The keys that are obeyed, in lower case; each has its own test of what it does.
const OBEYED: [&str; 21] = [
    "branch.trap.merge",
    "branch.trap.remote",
    "core.autocrlf",
    "core.bare",
    "core.checkstat",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.precomposeunicode",
    "core.repositoryformatversion",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.symlinks",
    "core.trustctime",
    "extensions.compatobjectformat",
    "extensions.objectformat",
    "extensions.refstorage",
    "extensions.relativeworktrees",
    "extensions.worktreeconfig",
    "init.defaultbranch",
    "remote.trap.fetch",
];

/// Keys that git obeys and its own list leaves out, or lists only as a family.
const MORE_KEYS: [&str; 16] = [
    "filter.trap.process",
    "filter.trap.required",
    "trailer.trap.command",
    "trailer.trap.cmd",
    "trailer.trap.key",
    "credential.trap.helper",
    "credential.https://example.invalid.helper",
    "extensions.partialclone",
    "difftool.trap.cmd",
    "core.gitproxy",
    "gpg.ssh.program",
    "gpg.x509.program",
    "gpg.openpgp.program",
    "tar.trap.command",
    "remote.origin.uploadpack",
    "sendemail.trap.tocmd",
];

/// The commands that the product calls.
const COMMANDS: [&str; 13] = [
    "cat-file",
    "check-attr",
    "config",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "for-each-ref",
    "ls-files",
    "ls-tree",
    "merge-base",
    "rev-parse",
    "update-index",
];

const HOOKS: [&str; 29] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
    "query-watchman",
];

/// A clone with its own commits, staged, changed, untracked and touched files.
fn scene(folder: &Path) -> PathBuf {
    let origin = folder.join("origin");
    fs::create_dir(&origin).unwrap();
    repository(&origin);
    git(folder, &["clone", "--quiet", "origin", "clone"]);
    let root = folder.join("clone");
    write(&root, "b.py", "second");
    write(&root, "touched.py", "touched");
    write(&root, "renamed.py", "one\ntwo\nthree\n");
    commit_all(&root, "two");
    write(&root, "a.py", "changed");
    write(&root, "staged.py", "staged");
    git(&root, &["add", "staged.py"]);
    write(&root, "new.py", "new");
    fs::rename(root.join("renamed.py"), root.join("moved.py")).unwrap();
    touch(&root, "touched.py");
    root
}

/// All that the product asks git for, as text.
async fn everything(root: &Path) -> String {
    let call = call();
    let git = here();
    let repository = git.open(root, &call).await.unwrap();
    let head = repository.resolve("HEAD", &call).await.unwrap();
    let tag = repository.resolve("release-1", &call).await.unwrap();
    let files = repository.tree_files(&head, &call).await.unwrap();
    let ids: Vec<_> = files.iter().map(|file| file.id.clone()).collect();
    let mut said = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{files:?}\n{:?}\n",
        git.changed_files(root, "release-1", &call).await.unwrap(),
        git.head_commit(root, &call).await.unwrap(),
        repository.merge_bases(&head, &tag, &call).await.unwrap(),
        default_base(&repository).await.unwrap(),
        repository.read_blobs(&ids, 1 << 20, &call).await.unwrap(),
    );
    for compared in [DiffTarget::WorkingTree, DiffTarget::Index, DiffTarget::Commit(head.clone())] {
        said += &format!("{:?}\n", repository.changes(&tag, &compared, &call).await.unwrap());
    }
    said + repository.resolve("release-2", &call).await.unwrap_err().body().hint.as_deref().unwrap()
}

/// A configuration that gives every key of git's own list the trap as its value.
fn every_key(trap: &Trap, root: &Path) -> String {
    let listed = said(root, &["help", "--config"]);
    let mut keys: Vec<String> = Vec::new();
    // One of gitweb's keys has a line below, which git itself refuses in a file.
    for key in listed.lines().filter(|line| line.contains('.') && !line.contains([' ', '_'])) {
        let mut key = key.to_owned();
        while let (Some(from), Some(to)) = (key.find('<'), key.find('>')) {
            key.replace_range(from..=to, "trap");
        }
        match key.strip_suffix('*') {
            Some("alias.") => {
                keys.extend(COMMANDS.iter().map(|command| format!("alias.{command}")));
            }
            Some(family) => keys.push(format!("{family}trap")),
            None if key == "pager.trap" => keys.extend(COMMANDS.iter().map(|command| format!("pager.{command}"))),
            None => keys.push(key),
        }
    }
    assert!(keys.len() > 500, "git lists its keys: {}", keys.len());
    for named in ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.trap.clean", "gpg.program"] {
        assert!(keys.iter().any(|key| key == named), "git lists {named}");
    }
    keys.extend(MORE_KEYS.map(str::to_owned));
    let mut text = String::new();
    for key in keys.iter().filter(|key| !OBEYED.contains(&key.to_lowercase().as_str())) {
        let (section, rest) = key.split_once('.').unwrap();
        let (subsection, name) = rest.rsplit_once('.').map_or((None, rest), |(sub, name)| (Some(sub), name));
        let header = subsection.map_or(format!("[{section}]"), |sub| format!("[{section} \"{sub}\"]"));
        let shell = if section == "alias" || name == "update" { "!" } else { "" };
        let value = match key.as_str() {
            "include.path" | "includeIf.trap.path" => "../included".to_owned(),
            "core.hooksPath" => "hooks".to_owned(),
            "core.attributesFile" => format!("{}/everything", root.display()),
            "core.excludesFile" => format!("{}/ignored", root.display()),
            _ => format!("{shell}{}", trap.program),
        };
        text += &format!("{header}\n\t{name} = \"{value}\"\n");
    }
    text + &format!("[includeIf \"gitdir:**\"]\n\tpath = {}/.git/included\n", root.display())
}

#[tokio::test]
async fn no_key_of_gits_configuration_runs_a_program_or_changes_a_result() {
    let folder = folder();
    let root = scene(folder.path());
    let trap = Trap::set(folder.path());
    write(&root, ".git/everything", "* filter=trap diff=trap merge=trap\n");
    write(&root, ".git/ignored", "*\n");
    for hook in HOOKS {
        fs::copy(&trap.program, root.join(".git/hooks").join(hook)).unwrap();
    }
    let before = everything(&root).await;
    assert!(before.contains("\"a.py\", \"b.py\", \"moved.py\", \"new.py\", \"staged.py\", \"touched.py\""), "{before}");
    let keys = every_key(&trap, &root);
    let own = fs::read_to_string(root.join(".git/config")).unwrap();
    let worktree = "[extensions]\n\tworktreeConfig = true\n";
    let cases = [
        ("config", format!("{own}{keys}"), String::new(), String::new()),
        ("config.worktree", format!("{own}{worktree}"), keys.clone(), String::new()),
        ("an included file", format!("{own}[include]\n\tpath = included\n"), String::new(), keys.clone()),
    ];
    for (name, config, of_worktree, included) in cases {
        write(&root, ".git/config", config);
        write(&root, ".git/config.worktree", of_worktree);
        write(&root, ".git/included", included);
        assert_eq!(everything(&root).await, before, "{name}");
        assert_eq!(trap.sprung(), "", "{name}");
    }
}

#[tokio::test]
async fn what_plain_git_runs_in_the_same_repository_is_not_run() {
    let cases: [(&str, [&str; 2], &[&str]); 8] = [
        ("a monitor", ["core.fsmonitor", "TRAP"], &["status"]),
        ("a clean filter", ["filter.trap.clean", "TRAP"], &["diff"]),
        ("a filter process", ["filter.trap.process", "TRAP"], &["diff"]),
        ("an external diff", ["diff.external", "TRAP"], &["diff"]),
        ("a diff driver", ["diff.trap.command", "TRAP"], &["diff"]),
        ("a text conversion", ["diff.trap.textconv", "TRAP"], &["diff"]),
        ("a hook", ["core.hooksPath", "HOOKS"], &["update-index", "--refresh"]),
        ("an alias", ["alias.trap", "!TRAP"], &["trap"]),
    ];
    for (name, [key, value], command) in cases {
        for attributes in [".gitattributes", ".git/info/attributes"] {
            let folder = folder();
            let root = scene(folder.path());
            let trap = Trap::set(folder.path());
            let hooks = folder.path().join("hooks");
            fs::create_dir(&hooks).unwrap();
            for hook in HOOKS {
                fs::copy(&trap.program, hooks.join(hook)).unwrap();
            }
            write(&root, attributes, "*.py filter=trap diff=trap\n");
            let value = value.replace("TRAP", &trap.program).replace("HOOKS", hooks.to_str().unwrap());
            git(&root, &["config", key, &value]);
            everything(&root).await;
            assert_eq!(trap.sprung(), "", "{name}");
            touch(&root, "b.py");
            plain_git(&root).args(command).output().unwrap();
            assert_ne!(trap.sprung(), "", "{name}: plain git runs nothing, so the case shows nothing");
        }
    }
}

#[tokio::test]
async fn a_missing_object_is_not_fetched() {
    let folder = folder();
    let root = scene(folder.path());
    let trap = Trap::set(folder.path());
    let blob = said(&root, &["rev-parse", "release-1:b.py"]);
    git(&root, &["config", "core.repositoryFormatVersion", "1"]);
    git(&root, &["config", "extensions.partialClone", "origin"]);
    git(&root, &["config", "remote.origin.promisor", "true"]);
    git(&root, &["config", "remote.origin.url", &format!("ext::{}", trap.program)]);
    git(&root, &["config", "protocol.ext.allow", "always"]);
    git(&root, &["config", "remote.origin.uploadpack", &trap.program]);
    let object = root.join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    let packs = root.join(".git/objects/pack");
    if !object.exists() {
        let kept = folder.path().join("kept");
        fs::rename(&packs, &kept).unwrap();
        fs::create_dir(&packs).unwrap();
        for pack in fs::read_dir(&kept).unwrap().flatten().filter(|entry| entry.path().extension().unwrap() == "pack") {
            let input = fs::File::open(pack.path()).unwrap();
            assert!(plain_git(&root).arg("unpack-objects").stdin(input).output().unwrap().status.success());
        }
    }
    set_mode(object.parent().unwrap(), 0o755);
    fs::remove_file(&object).unwrap();
    touch(&root, "b.py");
    plain_git(&root).args(["cat-file", "-p", &blob]).output().unwrap();
    assert_ne!(trap.sprung(), "", "plain git fetches");
    let repository = here().open(&root, &call()).await.unwrap();
    let tag = repository.resolve("release-1", &call()).await.unwrap();
    let error = repository.changes(&tag, &DiffTarget::WorkingTree, &call()).await.unwrap_err();
    let message = format!("this clone lacks object {blob} and 0 more that the comparison needs");
    assert_eq!(error.message(), message);
    let ids = [repository.tree_files(&tag, &call()).await.unwrap()[2].id.clone()];
    let error = repository.read_blobs(&ids, 100, &call()).await.unwrap_err();
    assert_eq!((error.message(), ids[0].as_str()), (message.as_str(), blob.as_str()));
    assert_eq!(trap.sprung(), "");
}

#[tokio::test]
async fn a_monitors_socket_is_not_spoken_to() {
    let folder = folder();
    let root = scene(folder.path());
    let before = everything(&root).await;
    git(&root, &["config", "core.fsmonitor", "true"]);
    let socket = UnixListener::bind(root.join(".git/fsmonitor--daemon.ipc")).unwrap();
    socket.set_nonblocking(true).unwrap();
    assert_eq!(everything(&root).await, before);
    assert_eq!(socket.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

/// A monitor marks the entries of the index that it vouches for; git takes those files for unchanged.
#[tokio::test]
async fn what_a_monitor_has_vouched_for_is_looked_at_all_the_same() {
    let folder = folder();
    let root = folder.path().join("project");
    fs::create_dir(&root).unwrap();
    repository(&root);
    let liar = script(folder.path(), "liar.sh", "#!/bin/sh\nprintf 'token\\0'\n");
    git(&root, &["config", "core.fsmonitor", liar.to_str().unwrap()]);
    git(&root, &["update-index", "--fsmonitor"]);
    git(&root, &["status"]);
    write(&root, "a.py", "changed behind its back");
    assert_eq!(said(&root, &["diff", "--name-only"]), "", "plain git believes the monitor");
    assert_eq!(here().changed_files(&root, "HEAD", &call()).await.unwrap(), ["a.py"]);
}

/// Git refuses to add files that could be taken for its own folder on other systems; they are files all the same.
#[tokio::test]
async fn names_that_mean_something_elsewhere_are_names() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    let names = [".git\u{200c}/x.py", "git~1/x.py", "back\\slash.py", "-rf.py", ":(top)x.py", "tab\tand\nline.py"];
    for name in names {
        write(root, name, "x");
    }
    let mut expected = names.map(str::to_owned);
    expected.sort();
    assert_eq!(here().changed_files(root, "HEAD", &call()).await.unwrap(), expected);
}

/// The test starts itself once more, in surroundings that would make git run something.
#[tokio::test]
async fn the_users_configuration_and_environment_have_no_say() {
    const ROOT: &str = "TAPPS_TEST_SURROUNDED_ROOT";
    if let Some(root) = std::env::var_os(ROOT) {
        println!("{}", everything(Path::new(&root)).await);
        return;
    }
    let folder = folder();
    let root = scene(folder.path());
    let trap = Trap::set(folder.path());
    let home = folder.path().join("home");
    let text = format!(
        "[core]\n\tfsmonitor = {0}\n\tattributesFile = {1}/attributes\n[filter \"trap\"]\n\tclean = {0}\n",
        trap.program,
        home.display()
    );
    write(&home, "attributes", "* filter=trap\n");
    write(&home, ".gitconfig", &text);
    write(&home, "git/config", &text);
    let surrounded = |command: &mut Command| {
        command.env("HOME", &home).env("XDG_CONFIG_HOME", &home).env_remove("GIT_CONFIG_GLOBAL");
        command.env("GIT_EXTERNAL_DIFF", &trap.program).env("GIT_CONFIG_COUNT", "1");
        command.env("GIT_CONFIG_KEY_0", "core.fsmonitor").env("GIT_CONFIG_VALUE_0", &trap.program);
        command.env("GIT_DIR", root.join(".git")).env("GIT_SSH_COMMAND", &trap.program).current_dir(&root);
        command.output().unwrap()
    };
    let before = everything(&root).await;
    surrounded(plain_git(&root).args(["diff", "release-1"]));
    assert_ne!(trap.sprung(), "", "plain git has the trap in its surroundings");
    let test = std::thread::current().name().unwrap().to_owned();
    let mut again = Command::new(std::env::current_exe().unwrap());
    let output = surrounded(again.args([&test, "--exact", "--nocapture"]).env(ROOT, &root));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && told.contains(&before), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(trap.sprung(), "");
}

#[tokio::test]
async fn configuration_inside_a_submodule_is_not_followed() {
    let folder = folder();
    let root = scene(folder.path());
    let trap = Trap::set(folder.path());
    let origin = folder.path().join("origin");
    git(&root, &["submodule", "--quiet", "add", origin.to_str().unwrap(), "library"]);
    commit_all(&root, "three");
    git(&root.join("library"), &["config", "core.fsmonitor", &trap.program]);
    git(&root.join("library"), &["config", "filter.trap.clean", &trap.program]);
    git(&root, &["config", "submodule.library.update", &format!("!{}", trap.program)]);
    write(&root, "library/.gitattributes", "* filter=trap\n");
    write(&root, "library/a.py", "changed");
    everything(&root).await;
    assert_eq!(trap.sprung(), "");
    plain_git(&root).arg("status").output().unwrap();
    assert_ne!(trap.sprung(), "", "plain git looks into submodules");
}

#[tokio::test]
async fn a_file_under_a_filter_is_compared_as_it_is_and_marked() {
    let folder = folder();
    let root = folder.path();
    repository(root);
    // What the programs named lfs and crypt would store; neither is installed.
    let (content, stored) = ("the large file\n", "A");
    let pointer = |text: &str| {
        let digest = tapps_base::digest::sha256(text.as_bytes());
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {}\n", text.len())
    };
    for name in ["same.bin", "touched.bin", "changed.bin", "raw.bin"] {
        write(root, name, pointer(content));
    }
    write(root, "same.key", stored);
    write(root, "touched.key", stored);
    commit_all(root, "two");
    write(root, ".gitattributes", "*.bin filter=lfs -text\n*.key filter=crypt\nplain.py -filter\n");
    commit_all(root, "three");
    for name in ["same.bin", "touched.bin"] {
        write(root, name, content);
    }
    write(root, "changed.bin", "THE LARGE FILE\n");
    touch(root, "raw.bin");
    touch(root, "same.key");
    write(root, "touched.key", "B");
    write(root, "plain.py", "new");
    touch(root, "touched.bin");
    let repository = here().open(root, &call()).await.unwrap();
    let head = repository.resolve("HEAD", &call()).await.unwrap();
    let changes = repository.changes(&head, &DiffTarget::WorkingTree, &call()).await.unwrap();
    let found: Vec<_> = changes.files.iter().map(|change| (change.path.as_str(), change.filtered)).collect();
    assert_eq!(found, [("changed.bin", true), ("plain.py", false), ("touched.key", true)]);
}
