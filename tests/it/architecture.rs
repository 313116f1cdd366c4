//! The plan of the house, held against the source text: floors, who may name what, sizes.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// The floor of each room. Imports only ever point down; rooms on one floor do not know each other.
const FLOORS: &[(&str, u8)] = &[
    ("base", 0),
    ("toolchain", 1),
    ("guard", 1),
    ("coderef", 2),
    ("security", 2),
    ("experts", 2),
    ("tdd", 2),
    ("tags", 2),
    ("project", 3),
    ("quality", 4),
    ("docs", 4),
    ("session", 4),
    ("report", 5),
    ("setup", 5),
    ("workflow", 5),
    ("cli", 6),
    ("server", 6),
];

/// The imports that point sideways all the same: the command that starts the server has to name it.
const EXCEPTIONS: &[(&str, &str)] = &[("src/cli/serve.rs", "server")];

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

/// A source file with comments and literals blanked out, so that only code is left.
struct Source {
    /// Relative to the package, with forward slashes.
    path: String,
    text: String,
    code: String,
}

impl Source {
    /// The room a file belongs to; none for the programs and the root of the library.
    fn room(&self) -> Option<&str> {
        let below = self.path.strip_prefix("src/")?;
        below.split_once('/').map(|(room, _)| room).filter(|room| *room != "bin")
    }

    /// `path:line: text` for a place in the code.
    fn show(&self, offset: usize) -> String {
        let line = self.code[..offset].matches('\n').count();
        format!("{}:{}: {}", self.path, line + 1, self.text.lines().nth(line).unwrap_or_default().trim())
    }
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        collect(&root.join(folder), &mut found);
    }
    found.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        Source { code: blank(&text), path, text }
    };
    found.into_iter().map(read).collect()
});

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("fixtures") && !path.ends_with("node_modules") {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

fn library() -> impl Iterator<Item = &'static Source> {
    SOURCES.iter().filter(|source| source.path.starts_with("src/"))
}

fn hold(offences: &[String], rule: &str) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
}

/// Replaces comments, texts and characters by spaces; every byte keeps its place and every line its number.
fn blank(text: &str) -> String {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        let line_comment = r"//[^\n]*";
        let text = r#"b?"(?:[^"\\]|\\.)*""#;
        let character = r"b?'(?:[^'\\\n]|\\(?:[^u\n]|u\{[^}]*\}))'";
        let raw = (0..4).map(|n| format!(r#"b?r{h}"(?s:.*?)"{h}"#, h = "#".repeat(n))).collect::<Vec<_>>().join("|");
        Regex::new(&format!(r"(?s){line_comment}|/\*.*?\*/|\b(?:{raw})|{text}|{character}")).unwrap()
    });
    let mut code = String::with_capacity(text.len());
    let mut end = 0;
    for token in TOKEN.find_iter(text) {
        code.push_str(&text[end..token.start()]);
        code.extend(token.as_str().bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        end = token.end();
    }
    code + &text[end..]
}

/// The rooms that a piece of code names, each with its place: `crate::room` and every branch of `crate::{…}`.
fn rooms_named(code: &str) -> Vec<(usize, String)> {
    static NAMED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcrate\s*::\s*(?:(\w+)|(\{))").unwrap());
    let mut named = Vec::new();
    for found in NAMED.captures_iter(code) {
        if let Some(room) = found.get(1) {
            named.push((room.start(), room.as_str().to_owned()));
        } else if let Some(open) = found.get(2) {
            branches(code, open.end(), &mut named);
        }
    }
    named
}

/// The first name of every branch of a `{…}` group that begins at `start`.
fn branches(code: &str, start: usize, named: &mut Vec<(usize, String)>) {
    let (mut depth, mut fresh, mut at) = (1_usize, true, start);
    while depth > 0 && at < code.len() {
        let rest = &code[at..];
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !word.is_empty() {
            at += word.len();
            if depth == 1 && fresh {
                named.push((at - word.len(), word));
                fresh = false;
            }
            continue;
        }
        let next = rest.chars().next().unwrap();
        match next {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            _ => {}
        }
        at += next.len_utf8();
    }
}

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// The imports of a file that do not point down.
fn misdirected(source: &Source) -> Vec<String> {
    let Some(room) = source.room() else { return Vec::new() };
    let Some(own) = floor(room) else { return vec![format!("{}: the room `{room}` is on no floor", source.path)] };
    rooms_named(&source.code)
        .into_iter()
        .filter(|(_, named)| {
            let excepted = EXCEPTIONS.contains(&(source.path.as_str(), named.as_str()));
            let below = floor(named).is_some_and(|other| other < own);
            named != room && !below && !excepted
        })
        .map(|(offset, _)| source.show(offset))
        .collect()
}

#[test]
fn imports_only_point_down() {
    hold(&library().flat_map(misdirected).collect::<Vec<_>>(), "a room imports only from lower floors");
}

#[test]
fn an_import_that_points_up_or_sideways_is_found() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into(), code: blank(text) };
    for (path, text, found) in [
        (
            "src/quality/a.rs",
            "use crate::base::Error;\nuse crate::session::CallLog;",
            "src/quality/a.rs:2: use crate::session::CallLog;",
        ),
        ("src/base/a.rs", "use crate::{base, guard::x};", "src/base/a.rs:1: use crate::{base, guard::x};"),
        ("src/guard/a.rs", "fn f() { crate::cli::out() }", "src/guard/a.rs:1: fn f() { crate::cli::out() }"),
        ("src/cli/score.rs", "use crate::server::x;", "src/cli/score.rs:1: use crate::server::x;"),
        ("src/attic/a.rs", "", "src/attic/a.rs: the room `attic` is on no floor"),
    ] {
        assert_eq!(misdirected(&source(path, text)), [found]);
    }
    for (path, text) in [
        ("src/cli/serve.rs", "use crate::server::x;"),
        ("src/server/a.rs", "use crate::{base::Error, quality, server::b};"),
        ("src/main.rs", "use crate::anything;"),
    ] {
        assert_eq!(misdirected(&source(path, text)), Vec::<String>::new(), "{path}");
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
fn the_reader_of_imports_sees_what_the_compiler_sees() {
    let code = blank(concat!(
        "use crate::base::{Error, Result};\n",
        "use crate::{\n    guard::{Boundary, x::y},\n    session,\n};\n",
        "// use crate::comment;\n/* crate::block */ let a = \"crate::text\"; let b = r#\"crate::\"raw\"#;\n",
        "fn f<'a>(c: char) -> &'a str { if c == '\"' { crate::server::x() } else { \"\\\"crate::escaped\" } }\n",
    ));
    let named: Vec<String> = rooms_named(&code).into_iter().map(|(_, room)| room).collect();
    assert_eq!(named, ["base", "guard", "session", "server"]);
    assert_eq!(code.matches('\n').count(), 8);
    assert!(SOURCES.len() > 100, "the sources were found");
    let own = SOURCES.iter().find(|source| source.path == "src/guard/read.rs").unwrap();
    assert_eq!(own.room(), Some("guard"));
    assert!(rooms_named(&own.code).iter().any(|(_, room)| room == "base"));
}
