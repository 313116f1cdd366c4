//! The plan of the workspace: floors, held against the manifests; who may name what and sizes, held against the source text.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::sources::{SOURCES, Source, blank};

/// The floor of each crate. The compiler forbids circles; this forbids what it would allow, so that two crates on one
/// floor never know each other.
const FLOORS: &[&[&str]] = &[
    &["base"],
    &["config", "injection", "sandbox", "store", "syntax", "toolchain"],
    &["coderef", "experts", "patterns", "rules", "security", "tags", "tdd"],
    &["project", "session"],
    &["names"],
    &["docs", "quality", "workflow"],
    &["report"],
    &["server"],
];

fn floor(name: &str) -> usize {
    FLOORS.iter().position(|crates| crates.contains(&name)).unwrap_or_else(|| panic!("`{name}` is on no floor"))
}

/// The crates below `src`, each with its manifest.
static MEMBERS: LazyLock<Vec<(String, toml::Table)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap();
    let members = read(&root.join("Cargo.toml"))["workspace"]["members"].clone();
    let members = members.as_array().unwrap().iter().map(|member| member.as_str().unwrap().to_owned());
    members
        .map(|member| (member.strip_prefix("src/").unwrap().to_owned(), read(&root.join(member).join("Cargo.toml"))))
        .collect()
});

/// What only one room may name, besides the programs themselves where it says so.
struct Reserved {
    what: &'static str,
    pattern: &'static str,
    room: &'static str,
    programs: bool,
}

const RESERVED: &[Reserved] = &[
    Reserved { what: "the protocol library", pattern: r"\brmcp\b", room: "server", programs: false },
    Reserved { what: "the argument parser", pattern: r"\bclap\b", room: "cli", programs: true },
    Reserved { what: "the server", pattern: r"\btapps_server\b", room: "cli", programs: false },
    Reserved { what: "the command line", pattern: r"\bcrate::cli\b", room: "cli", programs: true },
    Reserved {
        what: "starting processes",
        pattern: r"\bprocess::Command\b|\btokio::process\b|\bprocess_wrap\b|\bstd::process::\{[^}]*\bCommand\b",
        room: "toolchain",
        programs: false,
    },
];

/// Most lines of a file of the program, and of a theme of tests with its data.
const MOST_LINES: usize = 500;
const MOST_TEST_LINES: usize = 600;

fn library() -> impl Iterator<Item = &'static Source> {
    SOURCES.iter().filter(|source| source.path.starts_with("src/"))
}

fn hold(offences: &[String], rule: &str) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
}

#[test]
fn plain_cargo_means_every_crate() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let listed = |key: &str| manifest["workspace"][key].as_array().unwrap().clone();
    assert_eq!(listed("default-members"), [vec![toml::Value::from(".")], listed("members")].concat());
}

#[test]
fn dependencies_only_point_down() {
    for (name, manifest) in &*MEMBERS {
        let own = floor(name);
        for kind in ["dependencies", "dev-dependencies"] {
            let Some(dependencies) = manifest.get(kind).and_then(toml::Value::as_table) else { continue };
            for other in dependencies.keys().filter_map(|dependency| dependency.strip_prefix("tapps-")) {
                assert!(floor(other) < own, "`{name}` must not depend on `{other}`, which is no lower floor");
            }
        }
    }
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for (name, manifest) in &*MEMBERS {
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        assert_eq!(lints, Some(true), "`[lints] workspace = true` is missing in src/{name}/Cargo.toml");
    }
}

#[test]
fn each_outer_thing_has_one_room() {
    for reserved in RESERVED {
        let pattern = Regex::new(reserved.pattern).unwrap();
        let allowed = |source: &&Source| match source.room() {
            Some(room) => room == reserved.room,
            None => reserved.programs,
        };
        let offences: Vec<String> = library()
            .filter(|source| !allowed(source))
            .flat_map(|source| pattern.find_iter(&source.code).map(|found| source.show(found.start())))
            .collect();
        hold(&offences, &format!("only `{}` deals with {}", reserved.room, reserved.what));
    }
}

#[test]
fn there_is_no_unsafe_code() {
    let pattern = Regex::new(r"\bunsafe\b").unwrap();
    let offences: Vec<String> = SOURCES
        .iter()
        .flat_map(|source| pattern.find_iter(&source.code).map(|found| source.show(found.start())))
        .collect();
    hold(&offences, "no unsafe code");
}

#[test]
fn files_stay_small() {
    // The entries of a table, one text to a line, are data.
    let entry = |line: &str| line.trim().strip_prefix('"').is_some_and(|rest| rest.ends_with("\","));
    let lines = |source: &Source| source.text.lines().filter(|line| !entry(line)).count();
    let most = |source: &Source| if source.path.starts_with("src/") { MOST_LINES } else { MOST_TEST_LINES };
    let offences: Vec<String> = SOURCES
        .iter()
        .filter(|source| lines(source) > most(source))
        .map(|source| format!("{}: {} lines, at most {}", source.path, lines(source), most(source)))
        .collect();
    hold(&offences, "files stay small");
}

#[test]
fn comments_and_texts_are_not_code() {
    let code = blank(concat!(
        "// clap\n/* clap */ let a = \"clap\"; let b = r#\"clap\"clap\"#;\n",
        "fn f<'a>(c: char) -> &'a str { if c == '\"' { rmcp::x() } else { \"\\\"clap\" } }\n",
    ));
    assert!(code.contains("rmcp") && !code.contains("clap"), "{code}");
    assert_eq!(code.matches('\n').count(), 3);
    assert!(SOURCES.len() > 100, "the sources were found");
}
