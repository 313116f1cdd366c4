//! Which types are read, and what is said of the others.

use tapps_config::{Config, LibraryTypes};
use tapps_quality::result::{AnalysisMode, FileScore, LibraryTypesStamp};

use crate::names::support::{SITE, install};
use crate::scoring::support::{Project, canonical};

/// The one error in it needs the types of httpx.
pub(super) const CLIENT: &str = "\"\"\"Asks.\"\"\"\n\nimport httpx\n\n\ndef fetch(url: str) -> str:\n    \
                                 \"\"\"What stands at an address.\"\"\"\n    answer = httpx.get(url, timeout=3.0)\n    \
                                 return answer.status_code\n";

pub(super) const FOUND: &str = "9 return-value Incompatible return value type (got \"int\", expected \"str\")";

/// A project with the client, this lock, and these wheels installed.
pub(super) fn project(lock: &str, wheels: &[&str]) -> Project {
    let project = Project::of(&[("client.py", CLIENT.as_bytes()), ("requirements.txt", lock.as_bytes())]);
    install(project.root(), wheels);
    project
}

/// Line, code and message of what mypy found.
pub(super) fn errors(score: &FileScore) -> Vec<String> {
    score.mypy_errors.iter().map(|error| format!("{} {} {}", error.line, error.code, error.message)).collect()
}

pub(super) fn stamp(score: &FileScore) -> LibraryTypesStamp {
    score.toolchain.types.clone().unwrap()
}

#[test]
fn an_error_against_a_library_is_found_with_its_types_and_not_without() {
    let with = project("httpx==0.28.1\n", &["httpx"]).full("client.py");
    assert_eq!(errors(&with), [FOUND]);
    let stamp = stamp(&with);
    assert_eq!((stamp.locked, stamp.as_installed, stamp.without), (0, 1, 0));
    assert!(stamp.digest.len() == 64 && stamp.left_out.is_empty());
    let without_lock = Project::of(&[("client.py", CLIENT.as_bytes())]);
    install(without_lock.root(), &["httpx"]);
    let without_environment =
        Project::of(&[("client.py", CLIENT.as_bytes()), ("requirements.txt", b"httpx==0.28.1\n")]);
    for project in [without_lock, without_environment] {
        let score = project.full("client.py");
        assert_eq!(errors(&score), Vec::<String>::new());
        assert_eq!(score.toolchain.types, None);
        // A project that has none is told of none.
        assert!(!canonical(&score.toolchain).contains("types"));
    }
    let quick = project("httpx==0.28.1\n", &["httpx"]).quick("client.py");
    assert_eq!(quick.toolchain.types, None, "nobody asked mypy");
}

#[test]
fn stubs_describe_the_library_that_they_are_for() {
    let text = "\"\"\"Asks.\"\"\"\n\nimport requests\n\nCODE: str = requests.get(\"x\", timeout=3).status_code\n";
    let lock = "requests==2.32.5\ntypes-requests==2.33.0.20261030\n";
    let of = |wheels: &[&str]| {
        let project = Project::of(&[("client.py", text.as_bytes()), ("requirements.txt", lock.as_bytes())]);
        install(project.root(), wheels);
        project.full("client.py")
    };
    let with = of(&["requests-wheel", "types-requests"]);
    assert_eq!(
        errors(&with),
        ["5 assignment Incompatible types in assignment (expression has type \"int\", variable has type \"str\")"]
    );
    assert_eq!((stamp(&with).as_installed, stamp(&with).without), (1, 0));
    let bare = of(&["requests-wheel"]);
    assert_eq!((errors(&bare), bare.toolchain.types), (Vec::new(), None));
}

#[test]
fn equal_digests_are_equal_results_wherever_the_packages_are() {
    let one = project("httpx==0.28.1\n", &["httpx"]);
    let two = project("httpx==0.28.1\n", &["httpx"]);
    std::fs::create_dir_all(two.path("venv/lib")).unwrap();
    std::fs::rename(two.path(".venv/lib/python3.12"), two.path("venv/lib/python3.13")).unwrap();
    std::fs::remove_dir_all(two.path(".venv")).unwrap();
    // What the lock does not name makes no difference.
    install(two.root(), &["attrs"]);
    let of = |project: &Project| {
        let mut score = project.full("client.py");
        score.names = None;
        score
    };
    let (one, two) = (of(&one), of(&two));
    assert_eq!(stamp(&one), stamp(&two));
    assert_eq!(canonical(&one), canonical(&two));
}

#[test]
fn the_lock_decides_and_another_version_is_left_out_and_told() {
    let other = project("httpx==0.27.0\n", &["httpx"]).full("client.py");
    assert_eq!(errors(&other), Vec::<String>::new());
    assert_eq!(stamp(&other).left_out, ["httpx: 0.28.1 is installed, requirements.txt has 0.27.0"]);
    assert_eq!((stamp(&other).as_installed, stamp(&other).without), (0, 1));
}

#[test]
fn types_can_be_switched_off() {
    let off = Config { types: LibraryTypes::None, ..Config::default() };
    let project = project("httpx==0.28.1\n", &["httpx"]);
    let on = project.full("client.py");
    let score = project.with(off).full("client.py");
    assert_eq!((errors(&score), score.toolchain.types), (Vec::new(), None));
    assert_ne!(score.config_digest, on.config_digest);
    assert_eq!(score.toolchain.fingerprint, on.toolchain.fingerprint);
}

#[test]
fn answers_that_are_kept_are_those_of_the_same_types() {
    let store = tempfile::tempdir().unwrap();
    let project = project("httpx==0.28.1\n", &["httpx"]).caching(store.path());
    let first = project.full("client.py");
    assert_eq!(canonical(&project.full("client.py")), canonical(&first));
    let models = project.path(&format!("{SITE}/httpx/_models.py"));
    let text = std::fs::read_to_string(&models).unwrap();
    let edited = text.replace("self.status_code = status_code", "self.status_code: str = str(status_code)");
    assert_ne!(text, edited);
    std::fs::write(&models, edited).unwrap();
    let second = project.full("client.py");
    assert_ne!(stamp(&second).digest, stamp(&first).digest);
    assert_eq!(errors(&second), Vec::<String>::new());
    std::fs::write(&models, text).unwrap();
    assert_eq!(canonical(&project.full("client.py")), canonical(&first));
}

#[test]
fn nothing_of_the_environment_runs() {
    let marker = tempfile::tempdir().unwrap();
    let marks = marker.path().join("ran");
    let text = format!("open({:?}, 'w').close()\n\n\ndef f() -> int:\n    return 1\n", marks.to_str().unwrap());
    let project = Project::of(&[
        ("a.py", b"\"\"\"Uses.\"\"\"\n\nimport tool\n\nANSWER: str = tool.f()\n"),
        ("requirements.txt", b"tool==1.0\n"),
    ]);
    let write = |path: &str, text: &str| project.write(&format!("{SITE}/{path}"), text.as_bytes());
    for path in ["tool/__init__.py", "sitecustomize.py", "usercustomize.py", "mypy/__init__.py"] {
        write(path, &text);
    }
    write("evil.pth", &format!("import os; {}", text.lines().next().unwrap()));
    write("tool/py.typed", "");
    write("tool-1.0.dist-info/RECORD", "tool/__init__.py,,\ntool/py.typed,,\nsitecustomize.py,,\nmypy/__init__.py,,\n");
    let score = project.full("a.py");
    assert_eq!(score.mypy_errors.len(), 1, "{:?}", score.mypy_errors);
    assert!(!marks.exists());
}

#[test]
fn files_of_one_request_and_files_alone_hear_the_same() {
    let second = CLIENT.replace("answer.status_code", "answer.text.nothing");
    let project = project("httpx==0.28.1\n", &["httpx"]);
    project.write("second.py", second.as_bytes());
    let together = project.scores(&["client.py", "second.py"], AnalysisMode::Full).unwrap();
    for file in &together.files {
        assert_eq!(canonical(&project.full(&file.file)), canonical(file), "{}", file.file);
        assert_eq!(file.mypy_errors.len(), 1);
    }
}
