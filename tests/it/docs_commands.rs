//! Every command that the documentation shows is run, as it stands there; where it shows an answer, that is the answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use regex::Regex;

use crate::corpus;
use crate::toolchain_support::{PROGRAM, copy_tree, folder, inherit, program, settings, stderr, stdout, toolchain};

/// The programs that are run. What another would do to this machine is not known, so that a page that shows one says here why
/// it is left out.
const RUN: [&str; 2] = ["tapps-mcp", "coderef"];

/// What cannot be run here, and why.
const LEFT_OUT: [(&str, &str); 13] = [
    ("cargo run --locked --release", "builds the whole program once more"),
    ("cargo test", "is what is running"),
    ("cargo install", "asks the index of packages and builds"),
    ("cargo llvm-cov", "builds everything once more, and tests it"),
    ("rustup component", "asks for a part of the compiler"),
    ("docs bundle build", "fetches packages; the tests of bundles build some from files"),
    ("gate merge share-", "needs the reports of eight machines; the tests of sharding merge some"),
    ("packaging/release", "packs whole programs, which the tests of releases do"),
    ("sha256sum --check", "needs a release; the tests of releases check the digests of theirs"),
    ("minisign -V", "needs a release; the tests of releases verify the signatures of theirs"),
    ("tool add", "asks a package client; the tests of a project's own tools install theirs"),
    ("uvx ", "needs a release; the tests of releases install theirs and run them"),
    ("nix ", "needs Nix; the tests of the flake run it"),
];

/// A command with the answer that is shown below it.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    page: String,
    line: String,
    /// None where only the command is shown.
    answer: Option<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page below `docs`.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        corpus::files(&root().join("docs"), "md").iter().map(|page| Path::new("docs").join(page)).collect();
    pages.insert(0, "README.md".into());
    pages
}

/// The commands of `console` blocks (behind a `$`) and of `sh` blocks (every line).
fn commands(page: &str, text: &str) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut block = None;
    for line in text.lines() {
        match (block, line.strip_prefix("```")) {
            (None, Some(kind)) => block = Some(kind.split_whitespace().next().unwrap_or_default()),
            (Some(_), Some(_)) => block = None,
            (Some("console"), None) => match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push(Shown { page: page.into(), line: command.into(), answer: None }),
                (None, Some(last)) => {
                    let answer = last.answer.get_or_insert_default();
                    answer.push_str(line);
                    answer.push('\n');
                }
                (None, None) => panic!("{page}: an answer without a command: {line}"),
            },
            (Some("sh"), None) if !line.trim().is_empty() && !line.trim_start().starts_with('#') => {
                found.push(Shown { page: page.into(), line: line.into(), answer: None });
            }
            _ => {}
        }
    }
    found
}

/// The sources that the README talks about, with a home of their own.
struct Sample {
    folder: tempfile::TempDir,
}

impl Sample {
    fn new() -> Self {
        toolchain();
        let folder = folder();
        copy_tree(&corpus::dir("requests"), &folder.path().join("project"));
        copy_tree(&root().join("tests/fixtures/shop"), &folder.path().join("shop"));
        fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder }
    }

    /// Pages below `tools` are about the small project.
    fn run(&self, page: &str, line: &str) -> Output {
        let project = if page.starts_with("docs/tools/") { "shop" } else { "project" };
        let mut command = Command::new("sh");
        inherit(&mut command, &program(&settings()));
        let programs = Path::new(PROGRAM).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path))).unwrap();
        for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "TAPPS_MCP_PROJECT_ROOT"] {
            command.env_remove(name);
        }
        command.env("HOME", self.folder.path().join("home")).env("PATH", path).env("TAPPS_MCP_OFFLINE", "1");
        command.current_dir(self.folder.path().join(project)).args(["-c", line]).output().unwrap()
    }
}

/// Without trailing spaces, an empty line at the end, and the time it took.
fn tidy(text: &str) -> String {
    let took = Regex::new(r" · [0-9]+ ms$").unwrap();
    // The digest is that of the tools and of the Python they run on, which is this machine's.
    let digest = Regex::new(r"^toolchain [0-9a-f]{12} ").unwrap();
    let plain = |line: &str| digest.replace(&took.replace(line.trim_end(), ""), "toolchain ").into_owned();
    text.lines().map(plain).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

#[test]
fn every_command_of_the_documentation_runs() {
    let sample = Sample::new();
    let mut left_out: Vec<&str> = LEFT_OUT.iter().map(|(command, _)| *command).collect();
    let mut faults = Vec::new();
    let mut count = 0;
    for page in pages() {
        let name = page.to_str().unwrap();
        for shown in commands(name, &fs::read_to_string(root().join(&page)).unwrap()) {
            if let Some((command, _)) = LEFT_OUT.iter().find(|(command, _)| shown.line.contains(command)) {
                left_out.retain(|one| one != command);
                continue;
            }
            let program = shown.line.split_whitespace().next().unwrap_or_default();
            if !RUN.contains(&program) {
                faults.push(format!("{name}: `{}` is of {program}, which is not run here", shown.line));
                continue;
            }
            count += 1;
            let output = sample.run(name, &shown.line);
            let code = output.status.code();
            // Findings are an answer; wrong usage, missing tools and faults of the program are not.
            if !matches!(code, Some(0 | 1)) {
                faults.push(format!("{name}: `{}` ends with {code:?}: {}", shown.line, stderr(&output)));
            } else if let Some(answer) = &shown.answer
                && tidy(answer) != tidy(&stdout(&output))
            {
                faults.push(format!("{name}: `{}` answers\n{}", shown.line, stdout(&output)));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= 10, "{count} commands were found");
    assert!(left_out.iter().all(|command| *command == "nix "), "no page shows {left_out:?} any more");
}

#[test]
fn commands_are_found_where_they_stand() {
    let text = "```console\n$ a b\nout\n\nmore\n$ c\n```\n```sh\n# no\nd \\\n\n```\n```json\n$ e\n```\n$ f\n";
    let shown = |line: &str, answer: Option<&str>| Shown {
        page: "p".into(),
        line: line.into(),
        answer: answer.map(str::to_owned),
    };
    assert_eq!(commands("p", text), [shown("a b", Some("out\n\nmore\n")), shown("c", None), shown("d \\", None)]);
}

/// Links between pages lead somewhere.
#[test]
fn links_of_the_documentation_lead_to_files() {
    let link = Regex::new(r"\]\(([^)#:]+)(?:#[^)]*)?\)").unwrap();
    let fences = Regex::new(r"(?ms)^```.*?^```").unwrap();
    let mut pages = pages();
    pages.extend(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(Into::into));
    let mut dead = Vec::new();
    for page in pages {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        // Code holds brackets of its own.
        let text = fences.replace_all(&text, "");
        for found in link.captures_iter(&text) {
            let target = root().join(&page).parent().unwrap().join(&found[1]);
            if !target.exists() {
                dead.push(format!("{}: {}", page.display(), &found[1]));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:?}");
}
