//! Code that stands in `src` twice: runs of tokens that are equal but for names and literals (clones of type 1 and 2).
//!
//! Left out are imports, attributes, comments, unit tests, and declarations that do nothing: rules (all have the same
//! fields), the fields of structs (blind to names, all lists of fields are alike), and tables, which are constants that
//! hold an array without a closure. The body of a function always counts, and so does an array in it that is no constant.
//! `tests/clones.toml` names what may stand twice, with reasons.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::sources::{SOURCES, Source, blank};

/// Shortest run that counts, in tokens.
const MIN_TOKENS: usize = 70;
/// Fewest kinds of tokens in a run that counts: a table of equal rows has fewer and is data.
const MIN_KINDS: usize = 11;
/// Highest share of the lines of `src` that stand in a clone which no exception names.
const MAX_SHARE: f64 = 0.005;

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

/// What does not count: imports, rules, tables, the fields of structs, attributes.
static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
    let visibility = r"(?:pub(?:\([^)]*\))? )?";
    let import = format!(r"^\s*{visibility}use [^;]*;");
    let rule = format!(r"{visibility}const RULE: Rule = Rule \{{[^;]*\}};|{visibility}const RUN: [^;]*;");
    let table = format!(r"{visibility}(?:const|static) \w+: (?:[^=;\[\]]|\[[^\]]*\])*=\s*&?\[[^;|]*\];");
    let fields = r"struct \w+(?:<[^>{;]*>)?(?: where [^{;]*)? \{[^{}]*\}";
    let attribute = r"#!?\[(?:[^\[\]]|\[[^\]]*\])*\]";
    Regex::new(&format!("(?m){import}|{rule}|{table}|{fields}|{attribute}")).unwrap()
});

/// The tokens of a file that count.
fn tokens_of(source: &Source) -> Vec<Token> {
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

/// What stands in a clone of two files with these texts.
fn cloned_in(texts: [&str; 2]) -> BTreeMap<&'static str, BTreeSet<usize>> {
    let source = |text: &str| Source { path: String::new(), text: text.into(), code: blank(text) };
    let files = [("a", tokens_of(&source(texts[0]))), ("b", tokens_of(&source(texts[1])))];
    cloned_lines(&files).into_iter().map(|(path, (lines, _))| (path, lines)).collect()
}

#[test]
fn a_body_is_found_under_other_names() {
    let body = |name: &str| {
        let line = format!("let {name} = first({name}, 1) + second({name}, 2); if {name} > 3 {{ return {name}; }}\n");
        format!("use some::thing;\nfn f() {{\n{}}}\n", line.repeat(4))
    };
    let cloned = cloned_in([&body("x"), &body("y")]);
    assert_eq!(cloned.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(cloned["a"].first(), Some(&2));
    assert!(cloned_in([&body("x"), "fn g() {}\n"]).is_empty());
}

#[test]
fn declarations_that_do_nothing_are_no_clones() {
    let words = |name: &str| format!("pub const {name}: [&str; 90] = [\n{}];\n", "    \"word\",\n".repeat(90));
    let fields =
        |name: &str| format!("pub struct {name}<'a> {{\n{}}}\n", "    pub one: Option<&'a [u8]>,\n".repeat(20));
    let rule = |name: &str| {
        let fields = "    field: Kind::Word { if_so: &[1, 2], for_it: !0 },\n".repeat(20);
        format!("pub(super) const RULE: Rule = Rule {{\n{fields}}};\nconst RUN: Runner = {name};\n")
    };
    for declared in [words, fields, rule] as [fn(&str) -> String; 3] {
        let around = |name: &str| format!("fn {name}() {{ if 1 + 2 > 3 {{}} }}\n{}", declared(name));
        assert_eq!(cloned_in([&around("first"), &around("second")]), BTreeMap::new(), "{}", declared("x"));
    }
    // A constant that computes is no table.
    let computed = |name: &str| {
        format!("const {name}: [fn(u8) -> u8; 4] = [{}];\n", "|x| { if x > 1 { x * 2 } else { f(&x) + 1 } },".repeat(8))
    };
    assert_eq!(cloned_in([&computed("A"), &computed("B")]).len(), 2);
}
