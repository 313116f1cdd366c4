//! The guard of foreign text on labelled attacks, on sentences that only look like attacks, and on real documentation.
//!
//! Every second attack is held out: the guard was written with the others in sight.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rayon::prelude::*;
use tapps_injection::{InjectionReport, InjectionVerdict, Reason, inspect_text, screen_for_injection};

use crate::corpus;
use crate::systems::{self, System};
use training::{comments, is_learnt_from};

#[path = "../../src/injection/orders/training/corpus.rs"]
mod training;

const ATTACKS: &[(&str, &str)] = &[
    ("authority", include_str!("../attacks/authority.txt")),
    ("chat", include_str!("../attacks/chat.txt")),
    ("directive", include_str!("../attacks/directive.txt")),
    ("encoded", include_str!("../attacks/encoded.txt")),
    ("exfiltration", include_str!("../attacks/exfiltration.txt")),
    ("extraction", include_str!("../attacks/extraction.txt")),
    ("hidden", include_str!("../attacks/hidden.txt")),
    ("languages", include_str!("../attacks/languages.txt")),
    ("mixed", include_str!("../attacks/mixed.txt")),
    ("override", include_str!("../attacks/override.txt")),
    ("roleplay", include_str!("../attacks/roleplay.txt")),
];
const BENIGN: &str = include_str!("../attacks/benign.txt");

/// Packages whose documentation is looked at: those of the web, of databases and tools, and, where false alarms lurk, of
/// language models. Manuals are Debian's, in the form they are built from.
const DOCUMENTED: &[&str] = &[
    "anthropic",
    "attrs",
    "bandit",
    "click",
    "coverage",
    "django-source",
    "fastapi",
    "flask",
    "httpx",
    "jinja2",
    "langchain-core",
    "manual-cmake",
    "manual-knot",
    "manual-peewee",
    "manual-psycopg2",
    "manual-sphinx",
    "manual-supervisor",
    "networkx",
    "npm-ai",
    "npm-anthropic-ai-sdk",
    "npm-axios",
    "npm-eslint",
    "npm-fastify",
    "npm-modelcontextprotocol-sdk",
    "npm-openai",
    "npm-undici",
    "npm-zod",
    "openai",
    "packaging",
    "pydantic",
    "pytest",
    "requests",
    "rich",
    "starlette",
    "structlog",
    "typer",
    "urllib3",
    "werkzeug",
];

/// Longest chunk of documentation, in bytes; a paragraph is never split.
const CHUNK: usize = 1_500;

/// Fills in what cannot stand in a text file: `{{code:text}}`, innermost first.
fn expand(line: &str) -> String {
    let mut text = line.replace('↵', "\n");
    while let Some(end) = text.find("}}") {
        let Some(start) = text[..end].rfind("{{") else { break };
        let inner = &text[start + 2..end];
        let (code, argument) = inner.split_once(':').unwrap_or((inner, ""));
        let Some(encoded) = encode(code, argument) else { break };
        text.replace_range(start..end + 2, &encoded);
    }
    text
}

fn encode(code: &str, text: &str) -> Option<String> {
    let each = |f: &dyn Fn(char) -> String| Some(text.chars().map(f).collect::<String>());
    let shifted = |base: u32| move |c: char| char::from_u32(base + c as u32).unwrap().to_string();
    let hex = || text.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>();
    match code {
        "b64" => Some(STANDARD.encode(text)),
        "b32" => Some(base_32(text)),
        "hex" => Some(hex().concat()),
        "hexspaced" => Some(hex().join(" ")),
        "xhex" => Some(hex().into_iter().map(|pair| format!("\\x{pair}")).collect()),
        "url" => Some(hex().into_iter().map(|pair| format!("%{pair}")).collect()),
        "entities" => each(&|c| format!("&#{};", c as u32)),
        "unicode" => each(&|c| format!("\\u{:04x}", c as u32)),
        "binary" => Some(text.bytes().map(|byte| format!("{byte:08b}")).collect::<Vec<_>>().join(" ")),
        "decimal" => Some(text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(" ")),
        "rot13" => each(&|c| rotated(c).to_string()),
        "reverse" => Some(text.chars().rev().collect()),
        "leet" => each(&|c| "aeiost".find(c).map_or(c.to_string(), |at| "431057"[at..=at].to_owned())),
        "spaced" => each(&|c| format!("{c} ")),
        "dashed" => Some(
            text.split(' ')
                .map(|word| word.split("").filter(|c| !c.is_empty()).collect::<Vec<_>>().join("-"))
                .collect::<Vec<_>>()
                .join(" "),
        ),
        "under" => Some(text.replace(' ', "_")),
        "homo" => {
            each(&|c| "aeopcyxi".find(c).map_or(c.to_string(), |at| "аеорсухі".chars().nth(at).unwrap().to_string()))
        }
        "full" => each(&|c| if c == ' ' { " ".into() } else { shifted(0xfee0)(c) }),
        "bold" => each(&|c| if c.is_ascii_lowercase() { shifted(0x1d41a - 0x61)(c) } else { c.to_string() }),
        "morse" => Some(
            text.chars()
                .map(|c| if c == ' ' { "/" } else { MORSE[c as usize - 'a' as usize] })
                .collect::<Vec<_>>()
                .join(" "),
        ),
        "tags" => each(&shifted(0xe0000)),
        "zwbits" => each(&|c| format!("{:07b}", c as u32).replace('0', "\u{200b}").replace('1', "\u{200c}")),
        "zwsplit" => each(&|c| format!("{c}\u{200b}")),
        "shy" => each(&|c| format!("{c}\u{ad}")),
        "selectors" => each(&|c| char::from_u32(0xe0100 + c as u32 - 16).unwrap().to_string()),
        "rlo" => Some("\u{202e}".into()),
        "pdf" => Some("\u{202c}".into()),
        "lri" => Some("\u{2066}".into()),
        "pdi" => Some("\u{2069}".into()),
        _ => None,
    }
}

const MORSE: [&str; 26] = [
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---", ".--.",
    "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
];

fn rotated(c: char) -> char {
    let turn = |base: u8| char::from((c as u8 - base + 13) % 26 + base);
    match c {
        'a'..='z' => turn(b'a'),
        'A'..='Z' => turn(b'A'),
        other => other,
    }
}

fn base_32(text: &str) -> String {
    let bits: String = text.bytes().map(|byte| format!("{byte:08b}")).collect();
    let alphabet: Vec<char> = ('A'..='Z').chain('2'..='7').collect();
    let groups = bits.as_bytes().chunks(5).map(|group| format!("{:0<5}", std::str::from_utf8(group).unwrap()));
    groups.map(|group| alphabet[usize::from_str_radix(&group, 2).unwrap()]).collect()
}

fn lines(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.is_empty())
}

#[derive(Default)]
struct Count {
    caught: usize,
    withheld: usize,
    all: usize,
}

#[test]
fn recall_on_labelled_attacks() {
    let mut counts: BTreeMap<(&str, bool), Count> = BTreeMap::new();
    let mut missed = String::new();
    for (kind, table) in ATTACKS {
        for (number, line) in lines(table).enumerate() {
            let held_out = number % 2 == 1;
            let verdict = inspect_text(&expand(line)).verdict;
            let count = counts.entry((kind, held_out)).or_default();
            count.all += 1;
            count.caught += usize::from(verdict != InjectionVerdict::Pass);
            count.withheld += usize::from(verdict == InjectionVerdict::Withhold);
            if verdict == InjectionVerdict::Pass && !held_out {
                writeln!(missed, "missed {kind} {}: {line}", number + 1).unwrap();
            }
        }
    }
    println!("{:14} {:>8} {:>8} {:>9} {:>9}", "attacks", "in sight", "recall", "held out", "recall");
    let rate = |count: &Count| count.caught as f64 / count.all as f64;
    for (kind, _) in ATTACKS {
        let (seen, held) = (&counts[&(*kind, false)], &counts[&(*kind, true)]);
        println!("{kind:14} {:8} {:8.3} {:9} {:9.3}", seen.all, rate(seen), held.all, rate(held));
    }
    let total = |held_out: bool| {
        let of = counts.iter().filter(|((_, held), _)| *held == held_out).map(|(_, count)| count);
        of.fold(Count::default(), |sum, count| Count {
            caught: sum.caught + count.caught,
            withheld: sum.withheld + count.withheld,
            all: sum.all + count.all,
        })
    };
    let (seen, held) = (total(false), total(true));
    println!("{:14} {:8} {:8.3} {:9} {:9.3}", "all", seen.all, rate(&seen), held.all, rate(&held));
    println!("withheld {} and {}, the others annotated", seen.withheld, held.withheld);
    println!("{missed}");
    assert!(seen.all + held.all >= 300, "{}", seen.all + held.all);
    assert!(rate(&seen) >= 0.85, "{missed}");
    assert!(rate(&held) >= 0.85, "recall on attacks held out: {:.3}", rate(&held));
}

#[test]
fn sentences_that_only_look_like_attacks_pass() {
    let mut flagged = String::new();
    for line in lines(BENIGN) {
        let text = expand(line);
        let report = inspect_text(&text);
        if report.verdict != InjectionVerdict::Pass {
            writeln!(flagged, "{:?} {line}: {:?}", report.verdict, report.reasons).unwrap();
        }
        assert!(
            screen_for_injection(&text).text.is_none_or(|out| report.verdict != InjectionVerdict::Pass || out == text)
        );
    }
    println!("{flagged}");
    assert!(lines(BENIGN).count() >= 100);
    assert!(flagged.lines().count() <= 2, "{flagged}");
}

/// The chunks of a text: paragraphs, as many together as fit.
fn chunks(text: &str) -> Vec<String> {
    let mut chunks = vec![String::new()];
    for paragraph in text.split_inclusive("\n\n") {
        let heading = paragraph.starts_with('#');
        let last = chunks.last_mut().unwrap();
        if !last.is_empty() && (heading || last.len() + paragraph.len() > CHUNK) {
            chunks.push(paragraph.to_owned());
        } else {
            last.push_str(paragraph);
        }
    }
    chunks.retain(|chunk| !chunk.trim().is_empty());
    chunks
}

/// The documentation in a package: markdown and reStructuredText anywhere, text files in folders of documentation, and the
/// readme that is the body of the metadata.
fn documents(name: &str) -> Vec<(String, String)> {
    let dir = corpus::dir(name);
    let mut paths: Vec<String> = ["md", "mdx", "rst"].iter().flat_map(|ending| corpus::files(&dir, ending)).collect();
    let manual = name.starts_with("manual-");
    paths.extend(corpus::files(&dir, "txt").into_iter().filter(|path| manual || path.starts_with("doc")));
    let metadata = ignore::WalkBuilder::new(&dir).max_depth(Some(2)).standard_filters(false).build().flatten();
    paths.extend(
        metadata
            .filter(|entry| entry.file_name() == "METADATA")
            .map(|entry| entry.path().strip_prefix(&dir).unwrap().to_string_lossy().into_owned()),
    );
    let read = |path: String| {
        let text = String::from_utf8_lossy(&fs::read(Path::new(&dir).join(&path)).unwrap()).into_owned();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn real_documentation_passes() {
    // Each with its chunks and the flagged.
    let mut sums = [("all", 0, 0), ("not learnt from", 0, 0)];
    let (mut bytes, mut shown) = (0, String::new());
    println!("{:32} {:>7} {:>8} {:>9}", "package", "chunks", "flagged", "share");
    let npm = systems::require(System::Node).is_some();
    let mirror = systems::require(System::DebianMirror).is_some();
    let is_at_hand = |name: &str| (npm || !name.starts_with("npm-")) && (mirror || !name.starts_with("manual-"));
    for name in DOCUMENTED.iter().filter(|name| is_at_hand(name)) {
        let all_chunks: Vec<(String, String)> = documents(name)
            .into_iter()
            .flat_map(|(path, text)| chunks(&text).into_iter().map(move |chunk| (path.clone(), chunk)))
            .collect();
        let reports: Vec<InjectionReport> = all_chunks.par_iter().map(|(_, chunk)| inspect_text(chunk)).collect();
        let (own, mut alarms) = (u32::try_from(reports.len()).unwrap(), 0);
        for ((path, chunk), report) in all_chunks.iter().zip(reports) {
            bytes += chunk.len();
            if report.verdict != InjectionVerdict::Pass {
                alarms += 1;
                for reason in &report.reasons {
                    let near = chunk.get(reason.span.clone()).unwrap_or_default();
                    let near: String = near.chars().take(160).collect();
                    writeln!(shown, "{name} {path} {:?} {}: {near:?}", report.verdict, reason.message).unwrap();
                }
            }
        }
        println!("{name:32} {own:7} {alarms:8} {:8.2}%", 100.0 * f64::from(alarms) / f64::from(own.max(1)));
        let part_of = if is_learnt_from(name) { 1 } else { 2 };
        for (_, all, flagged) in &mut sums[..part_of] {
            (*all, *flagged) = (*all + own, *flagged + alarms);
        }
    }
    for (name, all, flagged) in sums {
        let share = f64::from(flagged) / f64::from(all);
        println!("{name:32} {all:7} {flagged:8} {:8.2}%", 100.0 * share);
        assert!(all >= 3_000, "{all} chunks");
        assert!(share <= 0.005, "{name}: {flagged} of {all} chunks\n{shown}");
    }
    println!("{bytes} bytes\n{shown}");
}

/// Packages whose comments are looked at; none of them is learnt from.
const COMMENTED: &[&str] =
    &["bandit", "flask", "jinja2", "langchain-core", "networkx", "openai", "rich", "starlette", "structlog", "urllib3"];

#[test]
fn real_comments_pass() {
    let read = |name: &&str| -> Vec<String> {
        assert!(!is_learnt_from(name), "{name}");
        let dir = corpus::dir(name);
        let programs = corpus::files(&dir, "py").into_iter().map(|path| fs::read(Path::new(&dir).join(path)).unwrap());
        programs.flat_map(|bytes| comments(&String::from_utf8_lossy(&bytes))).collect()
    };
    let comments: Vec<String> = COMMENTED.iter().flat_map(read).step_by(3).collect();
    let reasons = |one: &String| {
        let report = inspect_text(one);
        let place =
            |reason: &Reason| (reason.message.clone(), one.get(reason.span.clone()).unwrap_or_default().to_owned());
        (report.verdict != InjectionVerdict::Pass).then(|| report.reasons.iter().map(place).collect::<Vec<_>>())
    };
    let flagged: Vec<Vec<(String, String)>> = comments.par_iter().filter_map(reasons).collect();
    println!("{} of {} comments are flagged: {flagged:#?}", flagged.len(), comments.len());
    assert!(comments.len() >= 3_000, "{}", comments.len());
    assert!(flagged.len() * 250 <= comments.len(), "{flagged:#?}");
}

#[test]
fn a_long_text_costs_no_more_than_its_length() {
    // Every place looks like a beginning; a quadratic guard would not come back.
    for piece in [
        "ignore all ",
        "<!-- ",
        "![](https://a/",
        "<img ",
        "aGVsbG8g",
        "%41",
        "[x]: ",
        "\u{200b}a",
        "< ",
        "```\n",
        "\"",
        "')",
        "a: do ",
        "&lt;",
        "Human: a\n",
        "9-7-",
        "1 12 / ",
        "India Golf ",
        "101 ",
        "chr(73)+",
        "=49",
        "\u{280a}",
        "whoo wkh ",
        "estroyday ",
        "tell.the.user.",
        "i g n o r e ",
        "\u{1dd}",
    ] {
        let text = piece.repeat(60_000 / piece.len());
        let _ = inspect_text(&text);
    }
}
