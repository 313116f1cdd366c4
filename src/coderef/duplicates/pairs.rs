//! Two places side by side: how far they go together, and whether that is more than chance.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use super::seeds::StatementId;
use super::statement::{FileStatements, Statement, hash_name};

/// Statements that may be passed over on one side where the other goes on.
const MOST_PASSED: usize = 4;
/// Tokens that two places must have in common.
const FEWEST_TOKENS: usize = 40;
const FEWEST_STATEMENTS: usize = 3;
const FEWEST_TOKENS_AROUND_GAPS: usize = 50;
/// Share of the tokens of both places that must be the same where there are gaps.
const LEAST_COMMON: f64 = 0.7;
/// Share of the names and literals that must be replaced by one and the same.
const LEAST_CONSISTENT: f64 = 0.85;
/// Share of the names and literals that are the same, or are replaced as before.
const LEAST_EXPLAINED: f64 = 0.5;

/// What led to no pair is gone through again from its other seeds, which may not be held back by a place that ends in them; not
/// where that would take long.
const LONGEST_WALKED_AGAIN: usize = 64;

/// Two places that have statements in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacePair {
    pub(super) first: (u32, Range<usize>),
    pub(super) second: (u32, Range<usize>),
    /// Positions of statements that correspond.
    pub(super) matched: Vec<(usize, usize)>,
    pub(super) tokens: usize,
    pub(super) is_exact: bool,
    pub(super) has_gaps: bool,
}

/// Goes from each seed as far as both places go together; what has led to a pair is not gone through again. The seeds are sorted.
pub(super) fn pairs_of_seeds(seeds: &[(StatementId, StatementId)], files: &[&FileStatements]) -> Vec<PlacePair> {
    use rayon::prelude::*;
    let mut by_files: BTreeMap<(u32, u32), Vec<(usize, usize)>> = BTreeMap::new();
    for ((a, from), (b, to)) in seeds {
        by_files.entry((*a, *b)).or_default().push((*from as usize, *to as usize));
    }
    let found = by_files.into_par_iter().flat_map_iter(|((a, b), starts)| {
        let mut pairs = Vec::new();
        let mut covered: HashSet<(usize, usize)> = HashSet::new();
        let (Some(first), Some(second)) = (files.get(a as usize), files.get(b as usize)) else { return pairs };
        for start in starts {
            if covered.contains(&start) {
                continue;
            }
            let matched = go_together(&first.statements, &second.statements, start, a == b);
            if matched.len() > LONGEST_WALKED_AGAIN {
                covered.extend(matched.iter().copied());
            }
            let before = pairs.len();
            judge_parts((a, first), (b, second), matched, &mut pairs);
            covered.extend(pairs.iter().skip(before).flat_map(|pair| pair.matched.iter().copied()));
        }
        pairs
    });
    found.collect()
}

/// The statements that correspond, from a seed in both directions.
fn go_together(
    first: &[Statement],
    second: &[Statement],
    start: (usize, usize),
    is_same_file: bool,
) -> Vec<(usize, usize)> {
    let depths = |at: (usize, usize)| Some((first.get(at.0)?.depth, second.get(at.1)?.depth));
    let Some((base_a, base_b)) = depths(start) else { return Vec::new() };
    let shift = i32::from(base_b) - i32::from(base_a);
    let fits = |a: usize, b: usize| {
        let (Some(x), Some(y)) = (first.get(a), second.get(b)) else { return false };
        let is_level = i32::from(y.depth) - i32::from(x.depth) == shift;
        // In one file the first place ends before the second begins.
        let is_apart = !is_same_file || a < start.1 && b >= start.1;
        x.shape == y.shape && is_level && is_apart && !is_listed(x) && !is_listed(y)
    };
    // Members of one class are alike one by one; runs of them, shifted against each other, say nothing more.
    let is_bounded = |(a, b): (usize, usize)| {
        let defines = |file: &[Statement], at: usize| file.get(at).is_some_and(|statement| statement.is_definition);
        is_same_file && (defines(first, a) || defines(second, b))
    };
    let is_equal =
        |a: usize, b: usize| first.get(a).zip(second.get(b)).is_some_and(|(x, y)| x.exact == y.exact && x.tokens > 4);
    let mut matched = vec![start];
    for step in [1_isize, -1] {
        let (mut a, mut b) = start;
        let mut passed = 0;
        while let Some(next) = moved(a, step, 1).zip(moved(b, step, 1)) {
            if is_bounded(if step > 0 { next } else { (a, b) }) {
                break;
            }
            if fits(next.0, next.1) {
                (a, b) = next;
                matched.push(next);
                continue;
            }
            let skips = (1..=MOST_PASSED * 2).flat_map(|all| (0..=all).map(move |left| (left, all - left)));
            let skips = skips.filter(|(left, right)| *left <= MOST_PASSED && *right <= MOST_PASSED);
            let found = skips.into_iter().find_map(|(left, right)| {
                let to = moved(next.0, step, left).zip(moved(next.1, step, right))?;
                let beyond = moved(to.0, step, 1).zip(moved(to.1, step, 1));
                let passes = |from: usize, to: usize, file: &[Statement]| {
                    let (low, high) = (from.min(to), from.max(to));
                    file.get(low..=high).is_some_and(|passed| passed.iter().any(|one| one.is_definition))
                };
                if is_same_file && (passes(next.0, to.0, first) || passes(next.1, to.1, second)) {
                    return None;
                }
                let goes_on = beyond.is_some_and(|beyond| fits(beyond.0, beyond.1)) || is_equal(to.0, to.1);
                (fits(to.0, to.1) && goes_on).then_some((to, left + right))
            });
            let Some((to, skipped)) = found else { break };
            passed += skipped;
            if passed > 2 + matched.len() / 2 {
                break;
            }
            (a, b) = to;
            matched.push(to);
        }
    }
    matched.sort_unstable();
    matched
}

/// An import of a list at the top of a file; one inside of a function is code.
const fn is_listed(statement: &Statement) -> bool {
    statement.is_import && statement.depth == 0
}

fn moved(at: usize, step: isize, times: usize) -> Option<usize> {
    at.checked_add_signed(step * isize::try_from(times).ok()?)
}

/// What two places have in common; where that is too little for all that lies between, what their parts have on both sides of the
/// largest gap, and without gaps those parts that are the same word for word. Gaps have few sizes and of equal ones that in the
/// middle is taken, so that parts soon are small.
fn judge_parts(
    first: (u32, &FileStatements),
    second: (u32, &FileStatements),
    mut matched: Vec<(usize, usize)>,
    pairs: &mut Vec<PlacePair>,
) {
    if let Some(pair) = judge(first, second, &matched) {
        pairs.push(pair);
        return;
    }
    let passed = |pair: &[(usize, usize)]| match pair {
        [(a, b), (next_a, next_b)] => next_a - a + next_b - b - 2,
        _ => 0,
    };
    let from_middle = |at: usize| at.abs_diff(matched.len() / 2);
    let largest =
        matched.windows(2).enumerate().max_by_key(|(at, pair)| (passed(pair), Reverse((from_middle(*at), *at))));
    if let Some((at, _)) = largest.filter(|(_, pair)| passed(pair) > 0) {
        let rest = matched.split_off(at + 1);
        judge_parts(first, second, matched, pairs);
        judge_parts(first, second, rest, pairs);
        return;
    }
    let exact = |file: &FileStatements, at: usize| file.statements.get(at).map(|statement| statement.exact);
    let is_exact = |(a, b): &(usize, usize)| exact(first.1, *a) == exact(second.1, *b);
    let parts = matched.chunk_by(|one, next| is_exact(one) == is_exact(next));
    let parts = parts.filter(|part| part.len() < matched.len() && part.first().is_some_and(is_exact));
    pairs.extend(parts.filter_map(|part| judge(first, second, part)));
}

/// What two places have in common, when it is worth a word.
fn judge(
    (a, first): (u32, &FileStatements),
    (b, second): (u32, &FileStatements),
    matched: &[(usize, usize)],
) -> Option<PlacePair> {
    let (from, to) = (*matched.first()?, *matched.last()?);
    let (range_a, range_b) = (from.0..to.0 + 1, from.1..to.1 + 1);
    let statement = |file: &FileStatements, at: usize| file.statements.get(at).copied();
    let both: Vec<(Statement, Statement)> =
        matched.iter().filter_map(|(x, y)| statement(first, *x).zip(statement(second, *y))).collect();
    let tokens: usize = both.iter().filter(|(x, _)| !x.is_import).map(|(x, _)| usize::from(x.tokens)).sum();
    if tokens < FEWEST_TOKENS || both.len() < FEWEST_STATEMENTS {
        return None;
    }
    let has_gaps = matched.len() < range_a.len() || matched.len() < range_b.len();
    let is_exact = both.iter().all(|(x, y)| x.exact == y.exact);
    let shapes: BTreeSet<u32> = both.iter().map(|(x, _)| x.shape).collect();
    let is_enough = if has_gaps {
        let all = first.tokens_in(range_a.clone()) + second.tokens_in(range_b.clone());
        let common = 2.0 * tokens as f64 / all.max(1) as f64;
        tokens >= FEWEST_TOKENS_AROUND_GAPS && both.len() >= 6 && shapes.len() >= 4 && common >= LEAST_COMMON
    } else if is_exact {
        shapes.len() >= 2
    } else {
        both.len() >= 5 && shapes.len() >= 4
    };
    if !is_enough || !(is_exact || is_renamed_throughout(first, second, matched)) {
        return None;
    }
    Some(PlacePair { first: (a, range_a), second: (b, range_b), matched: matched.to_vec(), tokens, is_exact, has_gaps })
}

/// Whether names and literals are the same, or exchanged for one and the same throughout: shapes alone are alike by chance.
fn is_renamed_throughout(first: &FileStatements, second: &FileStatements, matched: &[(usize, usize)]) -> bool {
    // The object at hand is the same everywhere, and says nothing.
    let own = [hash_name("self"), hash_name("cls")];
    let names = matched.iter().flat_map(|(x, y)| first.names_of(*x).iter().zip(second.names_of(*y)));
    let names = names.filter(|(x, y)| x != y || !own.contains(x));
    let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (x, y) in names {
        *counts.entry((*x, *y)).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    let (mut forth, mut back): (BTreeMap<u32, usize>, BTreeMap<u32, usize>) = (BTreeMap::new(), BTreeMap::new());
    let mut explained = 0;
    for ((x, y), count) in &counts {
        let most = forth.entry(*x).or_default();
        *most = (*most).max(*count);
        let most = back.entry(*y).or_default();
        *most = (*most).max(*count);
        explained += if x == y { *count } else { count - 1 };
    }
    let consistent = forth.values().sum::<usize>().min(back.values().sum());
    let share = |part: usize| part as f64 / all.max(1) as f64;
    share(consistent) >= LEAST_CONSISTENT && share(explained) >= LEAST_EXPLAINED
}

#[cfg(test)]
mod tests {
    use super::super::seeds::seed_pairs;
    use super::*;
    use crate::family::read_file_statements;
    use crate::model::Language;

    type Shown = ((u32, u32), (u32, u32), bool, bool);

    /// The lines of the pairs in two files: of each place, exact or not, with gaps or not.
    fn shown(a: &str, b: &str) -> Vec<Shown> {
        let files = [a, b].map(|text| read_file_statements("a.py", Language::Python, text));
        let seeds = seed_pairs(&files.each_ref().map(|file| (0, file.statements.as_slice())));
        let lines = |(file, range): &(u32, Range<usize>)| {
            let statements = &files[*file as usize].statements[range.clone()];
            (statements[0].line, statements[statements.len() - 1].end_line)
        };
        let pairs = pairs_of_seeds(&seeds, &files.each_ref());
        pairs.iter().map(|pair| (lines(&pair.first), lines(&pair.second), pair.is_exact, pair.has_gaps)).collect()
    }

    const CODE: &str = "\
def read(path, limit):
    rows = []
    with open(path) as stream:
        for line in stream:
            if line.startswith('#'):
                continue
            rows.append(line.strip().split(','))
            if len(rows) > limit:
                raise ValueError(path)
    rows.sort(key=first)
    return rows
";

    #[test]
    fn exact_renamed_and_gapped_copies_are_told_apart() {
        assert_eq!(shown(CODE, &format!("x = 1\n\n{CODE}")), [((1, 11), (3, 13), true, false)]);
        let renamed = CODE.replace("rows", "entries").replace("line", "text").replace("'#'", "'//'");
        assert_eq!(shown(CODE, &renamed), [((1, 11), (1, 11), false, false)]);
        let gapped = renamed.replace("    entries.sort", "    log(path)\n    count = 0\n    entries.sort");
        assert_eq!(shown(CODE, &gapped), [((1, 11), (1, 13), false, true)]);
        let removed = CODE.replace("            if line.startswith('#'):\n                continue\n", "");
        assert_eq!(shown(CODE, &removed), [((1, 11), (1, 9), true, true)]);
    }

    #[test]
    fn what_is_no_copy_as_a_whole_may_hold_some() {
        const REST: &str = "\
def write(target, rows):
    while rows:
        row = rows.pop()
        try:
            target.write(join(row))
        except OSError as error:
            report(target.name, error)
            return False
        target.flush()
    return True
";
        let numbers: Vec<String> = (0..60).map(|number| number.to_string()).collect();
        let (list, set) =
            (format!("first = [{}]\n", numbers.join(", ")), format!("last.add({})\n", numbers.join(" + ")));
        let found = shown(&format!("{CODE}{list}{list}{REST}"), &format!("{CODE}{set}{set}{REST}"));
        assert_eq!(found, [((1, 11), (1, 11), true, false), ((14, 23), (14, 23), true, false)]);
    }

    #[test]
    fn a_place_that_ends_where_another_begins_hides_no_copy() {
        let check = |name: &str, kind: &str, first: &str| {
            let rest =
                "        expect(schema.parse({'a': 1, 'b': 2}), 'ab')\n        expect(schema.parse({'a': 1}), 'a')\n";
            format!("    with case('{name}'):\n        schema = record({kind})\n{first}{rest}")
        };
        let first = "        expect(schema.look({'a': 1}).size, 1 + 1)\n";
        let text = [check("x", "any", ""), check("y", "one(2)", first), check("z", "two[3]", first)].concat();
        let own = [read_file_statements("a.py", Language::Python, &format!("def test():\n{text}"))];
        let seeds = seed_pairs(&[(0, own[0].statements.as_slice())]);
        let found = pairs_of_seeds(&seeds, &[&own[0]]);
        let lines = |at: usize| own[0].statements[at].line;
        let places: Vec<_> = found.iter().map(|pair| (lines(pair.first.1.start), lines(pair.second.1.start))).collect();
        assert!(places.contains(&(8, 13)), "{places:?}");
    }

    #[test]
    fn one_shape_with_other_names_everywhere_is_chance() {
        let mut number = 0;
        let mut other = String::new();
        for word in CODE.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let keeps = ["def", "with", "open", "as", "for", "in", "if", "continue", "raise", "return", ""];
            number += 1;
            let name = if keeps.contains(&name) && name != "open" { name.to_owned() } else { format!("n{number}") };
            other.push_str(&name);
            other.push_str(&word[word.trim_end_matches(|c: char| !c.is_alphanumeric()).len()..]);
        }
        assert_eq!(shown(CODE, &other), []);
    }

    #[test]
    fn tables_and_imports_are_no_copies() {
        let table: String = (0..30).map(|number| format!("add('name{number}', {number}, first, second)\n")).collect();
        assert_eq!(shown(&table, &table), []);
        let imports: String =
            (0..30).map(|number| format!("from package.m{number} import one, two, three\n")).collect();
        assert_eq!(shown(&imports, &imports), []);
    }
}
