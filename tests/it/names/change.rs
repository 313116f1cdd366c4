//! A library in another version is a change of everything that calls it.

use super::support::install;
use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git};
use tapps_quality::change::ChangeRequest;
use tapps_quality::change::report::FileStatus;

const CLIENT: &str = "\"\"\"Asks.\"\"\"\n\nimport httpx\n\n\ndef client() -> object:\n    \"\"\"A client.\"\"\"\n    \
                      return httpx.Client(proxies=None)\n";

#[test]
fn a_raised_version_blocks_for_what_files_that_nobody_touched_call() {
    let files: [(&str, &[u8]); 4] = [
        ("client.py", CLIENT.as_bytes()),
        ("other.py", b"\"\"\"Holds nothing.\"\"\"\n"),
        ("requirements.txt", b"httpx==0.27.0\n"),
        (".gitignore", b".venv/\n"),
    ];
    let project = Project::of(&files);
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    // What is installed is what the head locks: 0.28 takes no `proxies` any more.
    install(project.root(), &["httpx"]);
    project.write("requirements.txt", b"httpx==0.28.1\n");
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert!(!report.passed, "{:?}", report.reasons);
    let client = report.files.iter().find(|file| file.file == "client.py").unwrap();
    assert_eq!((client.status, client.because.as_deref()), (FileStatus::Untouched, Some("requirements.txt")));
    assert_eq!(
        client.blocked,
        [
            "tapps:unknown-argument at line 8: `httpx.Client` of httpx 0.28.1 takes no argument `proxies`; did you mean `proxy`?"
        ]
    );
    assert!(report.files.iter().all(|file| file.file != "other.py"));
}

#[test]
fn what_was_missing_before_is_no_fault_of_the_change() {
    let files: [(&str, &[u8]); 3] =
        [("client.py", CLIENT.as_bytes()), ("requirements.txt", b"httpx==0.28.1\n"), (".gitignore", b".venv/\n")];
    let project = Project::of(&files);
    git(project.root(), &["init", "--quiet"]);
    commit_all(project.root(), "first");
    install(project.root(), &["httpx"]);
    project.write("client.py", format!("{CLIENT}\n\nLIMIT = 5\n").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert!(report.passed, "{:?}", report.reasons);
    project.write("client.py", CLIENT.replace("httpx.Client(proxies=None)", "httpx.Cliet()").as_bytes());
    let report = project.judge(&ChangeRequest::default()).unwrap();
    assert!(report.reasons.iter().any(|reason| reason.contains("has no `Cliet`")), "{:?}", report.reasons);
}
