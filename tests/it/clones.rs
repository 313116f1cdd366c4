//! Code that stands in `src` twice: runs of tokens that are equal but for names and literals (clones of type 1 and 2).
//!
//! Imports, attributes, comments, unit tests and declarations of rules (all have the same fields) are left out. `tests/clones.toml` names what may stand twice, with reasons.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::sources::{SOURCES, Source};

/// Shortest run that counts, in tokens.
const MIN_TOKENS: usize = 70;
/// Fewest kinds of tokens in a run that counts: a table of equal rows has fewer and is data.
const MIN_KINDS: usize = 11;
/// Highest share of the lines of `src` that stand in a clone which no exception names.
const MAX_SHARE: f64 = 0.019;

struct Token {
    /// Names and literals are alike, keywords and punctuation are not.
    kind: u64,
    line: usize,
}

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "else", "enum", "fn", "for", "if", "impl", "in", "let",
    "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "trait", "type",
    "use", "where", "while",
];

/// The tokens of a file without its imports, attributes and declarations of rules.
fn tokens_of(source: &Source) -> Vec<Token> {
    static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?use [^;]*;|const RULE: Rule = Rule \{[^;]*\};|#!?\[(?:[^\[\]]|\[[^\]]*\])*\]").unwrap()
    });
    static TOKEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|[^\s\w]").unwrap());
    let code = source.production_code();
    let kept = LEFT_OUT.replace_all(code, |found: &regex::Captures<'_>| {
        found[0].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>()
    });
    let mut line = 1;
    let mut end = 0;
    TOKEN
        .find_iter(&kept)
        .map(|found| {
            line += kept[end..found.start()].matches('\n').count();
            end = found.start();
            let text = found.as_str();
            let first = text.as_bytes()[0];
            let kind = match KEYWORDS.iter().position(|keyword| *keyword == text) {
                Some(keyword) => 1_000 + keyword as u64,
                None if first.is_ascii_alphabetic() || first == b'_' => 1,
                None if first.is_ascii_digit() => 2,
                None => 10 + u64::from(first),
            };
            Token { kind, line }
        })
        .collect()
}

/// A window of `MIN_TOKENS` tokens as one number.
fn windows(tokens: &[Token]) -> impl Iterator<Item = (usize, u64)> + '_ {
    const BASE: u64 = 1_000_003;
    let drop = (1..MIN_TOKENS).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = 0_u64;
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        if index >= MIN_TOKENS {
            hash = hash.wrapping_sub(tokens[index - MIN_TOKENS].kind.wrapping_mul(drop));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(token.kind);
        (index + 1 >= MIN_TOKENS).then(|| (index + 1 - MIN_TOKENS, hash))
    })
}

/// Whether a run is more than rows of data.
fn is_logic(tokens: &[Token]) -> bool {
    tokens.iter().map(|token| token.kind).collect::<BTreeSet<u64>>().len() >= MIN_KINDS
}

/// The lines of each file that stand in a clone, and for each such file one other that it shares a run with.
fn cloned_lines<'a>(files: &[(&'a str, Vec<Token>)]) -> BTreeMap<&'a str, (BTreeSet<usize>, BTreeSet<&'a str>)> {
    let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (file, (_, tokens)) in files.iter().enumerate() {
        for (start, hash) in windows(tokens) {
            places.entry(hash).or_default().push((file, start));
        }
    }
    let mut cloned: BTreeMap<&str, (BTreeSet<usize>, BTreeSet<&str>)> = BTreeMap::new();
    for group in places.values().filter(|group| group.len() > 1) {
        // A run that overlaps itself is a table of equal rows.
        let (first_file, first) = group[0];
        if group.iter().all(|(file, start)| *file == first_file && start.abs_diff(first) < 4 * MIN_TOKENS) {
            continue;
        }
        if !is_logic(&files[first_file].1[first..first + MIN_TOKENS]) {
            continue;
        }
        for (file, start) in group {
            let (path, tokens) = &files[*file];
            let entry = cloned.entry(path).or_default();
            entry.0.extend(tokens[*start..*start + MIN_TOKENS].iter().map(|token| token.line));
            entry.1.extend(group.iter().map(|(other, _)| files[*other].0).filter(|other| other != path).take(1));
        }
    }
    cloned
}

#[test]
fn little_stands_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let exceptions: toml::Table = fs::read_to_string(root.join("tests/clones.toml")).unwrap().parse().unwrap();
    let files: Vec<(&str, Vec<Token>)> = SOURCES
        .iter()
        .filter(|source| source.path.starts_with("src/"))
        .map(|source| (source.path.as_str(), tokens_of(source)))
        .collect();
    let lines: usize =
        SOURCES.iter().filter(|source| source.path.starts_with("src/")).map(|s| s.text.lines().count()).sum();
    let cloned = cloned_lines(&files);
    for (path, reason) in &exceptions {
        assert!(cloned.contains_key(path.as_str()), "tests/clones.toml names `{path}`, which stands nowhere twice");
        assert!(
            reason.as_str().is_some_and(|reason| reason.split_whitespace().count() > 3),
            "why may `{path}` stand twice?"
        );
    }
    let mut rows: Vec<_> = cloned.iter().filter(|(path, _)| !exceptions.contains_key(**path)).collect();
    rows.sort_by_key(|(_, (lines, _))| std::cmp::Reverse(lines.len()));
    let concerned: usize = rows.iter().map(|(_, (lines, _))| lines.len()).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of lines are small")]
    let share = concerned as f64 / lines as f64;
    println!("{concerned} of {lines} lines stand in a clone ({:.2} %)", share * 100.0);
    for (path, (lines, others)) in &rows {
        println!("{:5} {path}:{} ~ {others:?}", lines.len(), lines.first().unwrap());
    }
    assert!(share <= MAX_SHARE, "{concerned} of {lines} lines stand in a clone");
}

#[test]
fn a_clone_is_found_under_other_names() {
    let body = |name: &str| {
        let line = format!("let {name} = first({name}, 1) + second({name}, 2); if {name} > 3 {{ return {name}; }}\n");
        format!("use some::thing;\nfn f() {{\n{}}}\n", line.repeat(4))
    };
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into(), code: text.into() };
    let files = [("a", source("a", &body("x"))), ("b", source("b", &body("y"))), ("c", source("c", "fn g() {}\n"))];
    let files: Vec<(&str, Vec<Token>)> = files.iter().map(|(path, source)| (*path, tokens_of(source))).collect();
    let cloned = cloned_lines(&files);
    assert_eq!(cloned.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(cloned["a"].0.first(), Some(&2));
    assert!(cloned["b"].1.contains("a"));
}
