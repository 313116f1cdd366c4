//! Tests that were made weaker. Only what no honest change needs is told: a test that goes with the code it tested, that
//! moved, was renamed, or was written anew around the same names is none.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use tapps_project::reach::is_test_code;
use tapps_project::test_functions::{StatementKind, TestFunction, TestRole, read_test_functions};

use super::super::report::{Evasion, EvasionKind};
use super::super::side::{FilePair, FileSide};
use super::weaker_test::weaknesses;

/// A test by the position of its file in the change.
struct Placed {
    file: usize,
    test: TestFunction,
}

/// A text of fewer bytes between quotation marks says nothing.
const SHORTEST_QUOTE: usize = 6;
/// This share of the names of a deleted test in a new one makes it the same test, written anew.
const REWRITTEN: f64 = 0.6;

/// What was made weaker, by the position of the file.
pub(super) fn find_diluted_tests(pairs: &[FilePair]) -> Vec<Vec<Evasion>> {
    let mut found: Vec<Vec<Evasion>> = pairs.iter().map(|_| Vec::new()).collect();
    let (base, base_preparations) =
        tests_of(pairs, |pair| Some((pair.base.as_ref()?, pair.old_path.as_deref().unwrap_or(&pair.path))));
    let (head, head_preparations) = tests_of(pairs, |pair| {
        let before = pair.gone_origin(pairs).unwrap_or(&pair.path);
        // A name by which no runner finds the file.
        let lost = is_collected(before) && !is_collected(&pair.path);
        Some((pair.head.as_ref().filter(|_| !lost)?, pair.path.as_str()))
    });
    let gone = Gone::of_pairs(pairs);
    let (paired, deleted, added) = pair_tests(&base, &head);
    // Where more is stated than before, a test less is a matter of taste.
    let count = |tests: &[Placed]| tests.iter().map(|one| one.test.statements_made()).sum::<usize>();
    let less_is_stated = count(&head) < count(&base);
    let weigh = |one: Evasion| if less_is_stated { one } else { one.told() };
    for (before, now) in paired {
        let (before, now) = (&base[before].test, &head[now]);
        let weak = weaknesses(before, &now.test, &gone).into_iter();
        found[now.file].extend(weak.map(|one| if one.kind == EvasionKind::FewerAssertions { weigh(one) } else { one }));
    }
    for now in &head_preparations {
        found[now.file].extend(stopping_preparation(now, &base_preparations));
    }
    for &at in &added {
        found[head[at].file].extend(empty_test(&head[at].test));
    }
    let news: Vec<&TestFunction> = added.iter().map(|at| &head[*at].test).collect();
    for at in deleted {
        let Placed { file, test } = &base[at];
        let module = pairs[*file].path.rsplit('/').next().unwrap_or_default();
        let goes = goes_with_its_code(test, &gone) || module.split(['.', '_']).any(|word| gone.has(word));
        let lost = || {
            !goes && !quotes_gone_text(test, pairs) && !is_rewritten(test, &news) && !is_stated_elsewhere(test, &head)
        };
        if test.assertions() > 0 && lost() {
            let message = format!("the test {} is gone, and what it tested is still there", test.name);
            found[*file].push(weigh(Evasion::new(EvasionKind::DeletedTest, 0, message)));
        }
    }
    found
}

/// What keeps tests from running or from counting that did not do so before: a fixture that stays, and what has a say in
/// every test, also when it is new.
fn stopping_preparation(now: &Placed, base: &[Placed]) -> Option<Evasion> {
    let line = now.test.skipped?;
    let before = base.iter().find(|one| one.file == now.file && one.test.name == now.test.name);
    let stops = match before {
        Some(before) => before.test.skipped.is_none(),
        None => now.test.role == TestRole::Everywhere,
    };
    let message = format!("{} keeps tests from running, or their failures from counting", now.test.name);
    stops.then(|| Evasion::new(EvasionKind::SkippedTest, line, message))
}

/// The tests of a side, and what prepares them.
fn tests_of<'p>(
    pairs: &'p [FilePair],
    side: impl Fn(&'p FilePair) -> Option<(&'p FileSide, &'p str)>,
) -> (Vec<Placed>, Vec<Placed>) {
    let mut placed = Vec::new();
    for (file, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.because.is_none() && !is_left_alone(pair)) {
        if let Some((side, path)) = side(pair).filter(|(_, path)| is_test_code(path)) {
            let tests = read_test_functions(path, &side.lines.join("\n"));
            placed.extend(tests.into_iter().map(|test| Placed { file, test }));
        }
    }
    placed.into_iter().partition(|one| one.test.role == TestRole::Test)
}

/// Whether the tests of a file are the same and in the same place.
const fn is_left_alone(pair: &FilePair) -> bool {
    pair.same_tree && pair.old_path.is_none()
}

/// Whether runners find a file by its name.
fn is_collected(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.strip_suffix(".py") {
        Some(stem) => stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests",
        None => [".test.", ".spec."].iter().any(|part| name.contains(part)),
    }
}

/// What the change took away of the code. All of that is read for it, and only when a test makes somebody ask.
pub(super) struct Gone<'p> {
    pairs: &'p [FilePair],
    found: OnceCell<GoneWords<'p>>,
}

struct GoneWords<'p> {
    /// Words that at most half as often stand in the changed code as before, words of lines that are gone and of none that
    /// has come, names that are defined no more, and the names of files that are gone.
    words: BTreeSet<&'p str>,
    /// Less is said to be deprecated than before: what was is gone by now.
    deprecated: bool,
}

impl<'p> Gone<'p> {
    const fn of_pairs(pairs: &'p [FilePair]) -> Self {
        Self { pairs, found: OnceCell::new() }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        let found = self.found.get_or_init(|| gone_from_code(self.pairs));
        found.words.contains(word) || found.deprecated && is_deprecation(word)
    }
}

fn is_deprecation(word: &str) -> bool {
    word.to_ascii_lowercase().contains("deprecat")
}

fn gone_from_code(pairs: &[FilePair]) -> GoneWords<'_> {
    let code = || pairs.iter().filter(|pair| pair.because.is_none() && !is_test_code(&pair.path));
    let is_code = |line: &&str| !line.starts_with('#') && !line.starts_with("//") && !line.starts_with('*');
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut balance: HashMap<&str, i64> = HashMap::new();
    for pair in code() {
        for (side, weight) in [(&pair.base, 1), (&pair.head, -1)] {
            let lines = side.iter().flat_map(|side| side.lines.iter()).map(|line| line.trim());
            for line in lines.filter(is_code) {
                *balance.entry(line).or_default() += weight;
                for word in words(line) {
                    let (before, now) = counts.entry(word).or_default();
                    *(if weight > 0 { before } else { now }) += 1;
                }
            }
        }
    }
    let of_lines = |is_meant: fn(i64) -> bool| {
        balance.iter().filter(move |(_, count)| is_meant(**count)).flat_map(|(line, _)| words(line))
    };
    let come: BTreeSet<&str> = of_lines(|count| count < 0).collect();
    let lost = of_lines(|count| count > 0).filter(|word| !come.contains(word));
    let fewer = counts.iter().filter(|(_, (before, now))| *before > 0 && now * 2 <= *before).map(|(word, _)| *word);
    let there: BTreeSet<&str> = code().flat_map(|pair| defined_names(pair.head.as_ref())).collect();
    let defined = code().flat_map(|pair| defined_names(pair.base.as_ref())).filter(|name| !there.contains(name));
    let modules = code()
        .filter(|pair| pair.head.is_none() || pair.old_path.is_some())
        .filter_map(|pair| pair.old_path.as_ref().unwrap_or(&pair.path).rsplit('/').next()?.split('.').next());
    let (before, now) = counts
        .iter()
        .filter(|(word, _)| is_deprecation(word))
        .fold((0, 0), |(before, now), (_, count)| (before + count.0, now + count.1));
    let words = fewer.chain(lost).chain(defined).chain(modules).filter(|word| tells(word)).collect();
    GoneWords { words, deprecated: now < before }
}

/// Whether a word says what a line is about: a name, and none that every program has.
fn tells(word: &str) -> bool {
    const EVERYWHERE: &[&str] = &[
        "False",
        "None",
        "True",
        "and",
        "any",
        "assert",
        "async",
        "await",
        "bool",
        "bytes",
        "class",
        "cls",
        "const",
        "def",
        "default",
        "dict",
        "elif",
        "else",
        "except",
        "export",
        "false",
        "finally",
        "float",
        "for",
        "from",
        "function",
        "get",
        "import",
        "int",
        "isinstance",
        "lambda",
        "len",
        "let",
        "list",
        "name",
        "new",
        "not",
        "null",
        "number",
        "object",
        "pass",
        "print",
        "raise",
        "return",
        "self",
        "set",
        "str",
        "string",
        "test",
        "this",
        "true",
        "try",
        "tuple",
        "type",
        "undefined",
        "value",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ];
    word.len() >= 3 && !word.starts_with(|sign: char| sign.is_ascii_digit()) && !EVERYWHERE.contains(&word)
}

fn defined_names(side: Option<&FileSide>) -> impl Iterator<Item = &str> {
    side.into_iter().flat_map(|side| side.definitions.iter().map(|one| one.name.as_str()))
}

/// Which tests are the same: by name in their file, by what they state, by name in another file. Positions of pairs, of
/// what is only in the base, and of what is only in the head.
fn pair_tests(base: &[Placed], head: &[Placed]) -> (Vec<(usize, usize)>, Vec<usize>, Vec<usize>) {
    let mut pairs = Vec::new();
    let (mut open_base, mut open_head): (BTreeSet<usize>, BTreeSet<usize>) =
        ((0..base.len()).collect(), (0..head.len()).collect());
    let texts = |one: &Placed| -> Vec<String> { one.test.statements.iter().map(|one| one.text.clone()).collect() };
    let last = |one: &Placed| one.test.name.rsplit(['.', '›']).next().unwrap_or_default().trim().to_owned();
    type Key = (Option<usize>, String, Vec<String>);
    type ByKey<'k> = &'k dyn Fn(&Placed) -> Option<Key>;
    let keys: [ByKey<'_>; 5] = [
        &|one| Some((Some(one.file), one.test.name.clone(), Vec::new())),
        &|one| Some((None, last(one), texts(one))),
        &|one| (!one.test.statements.is_empty()).then(|| (None, String::new(), texts(one))),
        &|one| Some((Some(one.file), last(one), Vec::new())),
        &|one| Some((None, last(one), Vec::new())),
    ];
    for key in keys {
        let mut waiting: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for at in open_base.iter().rev() {
            if let Some(key) = key(&base[*at]) {
                waiting.entry(key).or_default().push(*at);
            }
        }
        for at in open_head.clone() {
            if let Some(before) = key(&head[at]).and_then(|key| waiting.get_mut(&key)?.pop()) {
                pairs.push((before, at));
                open_base.remove(&before);
                open_head.remove(&at);
            }
        }
    }
    (pairs, open_base.into_iter().collect(), open_head.into_iter().collect())
}

/// A new test that looks like one and states nothing.
fn empty_test(test: &TestFunction) -> Option<Evasion> {
    if let Some(line) = test.swallowed {
        let message = format!("failed assertions of {} are taken in and nothing is done", test.name);
        return Some(Evasion::new(EvasionKind::SwallowedFailure, line, message));
    }
    let hollow = test.hollow().next().filter(|_| test.assertions() == 0)?;
    Some(Evasion::new(EvasionKind::HollowAssertion, hollow.line, format!("the test {} cannot fail", test.name)))
}

pub(super) fn goes_with_its_code(test: &TestFunction, gone: &Gone<'_>) -> bool {
    let mentions = |word: &str| gone.has(word);
    test.names.iter().any(|name| mentions(name))
        || test.statements.iter().any(|one| words(&one.text).any(mentions))
        || words(&test.marks).any(mentions)
        || test.name.split(['.', '_', ' ', '›']).any(mentions)
}

/// Whether a test quotes what the code said and says no more, such as a message.
fn quotes_gone_text(test: &TestFunction, pairs: &[FilePair]) -> bool {
    let code = || pairs.iter().filter(|pair| pair.because.is_none() && !is_test_code(&pair.path));
    let says = |side: &Option<FileSide>, quoted: &str| {
        side.as_ref().is_some_and(|side| side.lines.iter().any(|line| line.contains(quoted)))
    };
    let is_gone = |quoted: &str| {
        quoted.len() >= SHORTEST_QUOTE
            && code().any(|pair| says(&pair.base, quoted))
            && !code().any(|pair| says(&pair.head, quoted))
    };
    let texts = test.statements.iter().map(|one| one.text.as_str()).chain([test.marks.as_str()]);
    texts.flat_map(|text| text.split(['"', '\'']).skip(1).step_by(2)).any(is_gone)
}

/// Whether all that a test stated is stated by others.
fn is_stated_elsewhere(test: &TestFunction, head: &[Placed]) -> bool {
    let others: BTreeSet<&str> =
        head.iter().flat_map(|one| &one.test.statements).map(|statement| statement.text.as_str()).collect();
    let mut stated = test.statements.iter().filter(|one| one.kind == StatementKind::Assertion);
    stated.all(|one| others.contains(one.text.as_str()))
}

/// Whether a new test is about the same things.
fn is_rewritten(test: &TestFunction, news: &[&TestFunction]) -> bool {
    let alike = |new: &&TestFunction| {
        let shared = test.names.intersection(&new.names).count();
        new.assertions() > 0 && shared as f64 >= REWRITTEN * test.names.len() as f64
    };
    news.iter().any(alike)
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| sign != '_' && !sign.is_alphanumeric()).filter(|word| !word.is_empty())
}
