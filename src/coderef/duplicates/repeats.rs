//! Runs of statements that stand elsewhere word for word, in the same file or in another: what scores count.
//!
//! The answer about a file depends on its own statements and on those of the other files, not on the order in which they are
//! read nor on what else is asked. Of two places in one file the second is a repeat; of two files both have one, since
//! neither can be told to be the copy.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::statement::{FileStatements, Statement};

/// Statements that make a repeat.
pub const FEWEST_STATEMENTS: usize = 6;
/// Tokens that a repeat must have to be worth a word.
pub const FEWEST_TOKENS: usize = 40;
/// Places that one run is compared with; more of one beginning are copies of one text, or trivial.
const MOST_PLACES: usize = 64;

/// A file among which repeats are sought.
#[derive(Debug, Clone)]
pub struct ComparedFile {
    pub path: String,
    pub statements: Arc<FileStatements>,
}

/// Where each run of [`FEWEST_STATEMENTS`] statements stands.
#[derive(Debug, Default)]
pub struct RepeatIndex {
    /// Sorted by path.
    files: Vec<ComparedFile>,
    /// Key, file and position, sorted.
    windows: Vec<(u64, u32, u32)>,
}

/// A run of statements that stands elsewhere too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Positions of the statements.
    pub statements: Range<usize>,
    /// The other file; none for the same.
    pub other: Option<String>,
    /// The line at which it begins there.
    pub other_line: u32,
    /// Other places with the same first statements, this one aside.
    pub places: usize,
}

impl RepeatIndex {
    /// The index over some files, in any order.
    #[must_use]
    pub fn from_files(mut files: Vec<ComparedFile>) -> Self {
        files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let numbered: Vec<(u32, &ComparedFile)> = (0..).zip(&files).collect();
        let mut windows: Vec<(u64, u32, u32)> = numbered
            .par_iter()
            .flat_map_iter(|(number, file)| {
                let keys = window_keys(&file.statements.statements).zip(0..);
                keys.filter_map(|(key, at)| Some((key?, *number, at)))
            })
            .collect();
        windows.par_sort_unstable();
        Self { files, windows }
    }

    /// The repeats in a file with these statements, whatever the index has at its path.
    #[must_use]
    pub fn repeats_in(&self, path: &str, own: &FileStatements) -> Vec<Repeat> {
        let statements = own.statements.as_slice();
        let keys: Vec<Option<u64>> = window_keys(statements).collect();
        let mut seen: std::collections::HashMap<u64, usize> = std::collections::HashMap::new();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(key) = keys.get(at) {
            let longest = key.and_then(|key| {
                let earlier = *seen.entry(key).or_insert(at);
                let within = (earlier + FEWEST_STATEMENTS <= at).then_some(earlier);
                self.longest_repeat(path, statements, at, within, key)
            });
            let tokens = longest.as_ref().map_or(0, |longest| own.tokens_in(longest.statements.clone()));
            match longest.filter(|_| tokens >= FEWEST_TOKENS) {
                Some(longest) => {
                    // What comes later repeats the beginnings in it as well.
                    for inside in longest.statements.clone() {
                        if let Some(Some(key)) = keys.get(inside) {
                            seen.entry(*key).or_insert(inside);
                        }
                    }
                    at = longest.statements.end;
                    found.push(longest);
                }
                None => at += 1,
            }
        }
        found
    }

    fn longest_repeat(
        &self,
        path: &str,
        own: &[Statement],
        at: usize,
        earlier: Option<usize>,
        key: u64,
    ) -> Option<Repeat> {
        let others = self.places_outside(path, key).take(MOST_PLACES);
        let others: Vec<(&ComparedFile, usize)> = others.collect();
        let places = others.len() + usize::from(earlier.is_some());
        let here = earlier.map(|earlier| {
            let ends_before_it = own.get(earlier..at).unwrap_or_default();
            let length = common_length(ends_before_it, own.get(at..).unwrap_or_default());
            (length, None, own.get(earlier).map_or(0, |statement| statement.line))
        });
        let there = others.into_iter().map(|(file, from)| {
            let statements = &file.statements.statements;
            let line = statements.get(from).map_or(0, |statement| statement.line);
            let (there, here) = (statements.get(from..), own.get(at..));
            (common_length(there.unwrap_or_default(), here.unwrap_or_default()), Some(file), line)
        });
        // Of equals the first: the same file, then by path and line.
        let mut longest: Option<(usize, Option<&ComparedFile>, u32)> = None;
        for one in here.into_iter().chain(there) {
            if longest.as_ref().is_none_or(|longest| one.0 > longest.0) {
                longest = Some(one);
            }
        }
        let (length, file, other_line) = longest.filter(|longest| longest.0 >= FEWEST_STATEMENTS)?;
        let other = file.map(|file| file.path.clone());
        Some(Repeat { statements: at..at + length, other, other_line, places })
    }

    /// The places of a window in other files, by path and position.
    fn places_outside(&self, path: &str, key: u64) -> impl Iterator<Item = (&ComparedFile, usize)> {
        let from = |key: u64, file: u32| self.windows.partition_point(|window| (window.0, window.1) < (key, file));
        let own = self.files.partition_point(|file| file.path.as_str() < path);
        let is_known = self.files.get(own).is_some_and(|file| file.path == path);
        let own = u32::try_from(own).unwrap_or(u32::MAX);
        let (before, after) = (from(key, 0)..from(key, own), from(key, own + u32::from(is_known)));
        let before = self.windows.get(before).unwrap_or_default();
        let after = self.windows.get(after..).unwrap_or_default().iter().take_while(move |window| window.0 == key);
        let windows = before.iter().chain(after);
        windows.filter_map(|(_, file, at)| Some((self.files.get(*file as usize)?, *at as usize)))
    }
}

/// The key of the window at each position; none when it leaves the suite that it begins in, or holds imports.
fn window_keys(statements: &[Statement]) -> impl Iterator<Item = Option<u64>> + '_ {
    statements.windows(FEWEST_STATEMENTS).map(|window| {
        let base = window.first()?.depth;
        let mut key = 0xcbf2_9ce4_8422_2325_u64;
        for statement in window {
            if statement.is_import {
                return None;
            }
            let depth = statement.depth.checked_sub(base)?;
            for part in [u64::from(depth), u64::from(statement.exact)] {
                key = (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            }
        }
        Some(key)
    })
}

/// How many statements two rests have in common, without leaving the suites that they begin in.
fn common_length(first: &[Statement], second: &[Statement]) -> usize {
    let (Some(a), Some(b)) = (first.first(), second.first()) else { return 0 };
    let rests = first.iter().zip(second);
    rests
        .take_while(|(x, y)| {
            let depth = x.depth.checked_sub(a.depth);
            x.exact == y.exact && !x.is_import && depth.is_some() && depth == y.depth.checked_sub(b.depth)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::read_file_statements;
    use crate::model::Language;

    const BLOCK: &str = "    total = compute(first, second)
    if total > limit:
        report(total, limit)
        total = limit
    values.append(total * factor)
    log.info('done %s', total)
    return values, total
";

    fn statements(path: &str, text: &str) -> Arc<FileStatements> {
        let language = Language::of_path(path).unwrap();
        Arc::new(read_file_statements(path, language, text).without_names())
    }

    /// The lines of the repeats in the first file, with where else they stand.
    fn shown(files: &[(&str, &str)]) -> Vec<(u32, u32, String)> {
        let compared =
            |(path, text): &(&str, &str)| ComparedFile { path: (*path).to_owned(), statements: statements(path, text) };
        let index = RepeatIndex::from_files(files.iter().map(compared).collect());
        let reversed = RepeatIndex::from_files(files.iter().rev().map(compared).collect());
        let (path, text) = files[0];
        let own = statements(path, text);
        let found = index.repeats_in(path, &own);
        assert_eq!(found, reversed.repeats_in(path, &own), "the order of files makes no difference");
        let line = |at: usize| own.statements[at];
        found
            .iter()
            .map(|one| {
                let last = line(one.statements.end - 1);
                let other = format!("{}:{}", one.other.as_deref().unwrap_or("here"), one.other_line);
                (line(one.statements.start).line, last.end_line, other)
            })
            .collect()
    }

    fn function(name: &str, body: &str) -> String {
        format!("def {name}():\n{body}\n\n")
    }

    #[test]
    fn a_copy_in_the_same_file_is_found_once() {
        let text = function("f", BLOCK) + "def g(x):\n    x()\n" + BLOCK;
        assert_eq!(shown(&[("a.py", &text)]), [(13, 19, "here:2".to_owned())]);
    }

    #[test]
    fn layout_and_comments_make_no_difference_and_names_do() {
        let deeper: String = BLOCK.lines().map(|line| format!("    {line}  # again\n\n")).collect();
        let text = function("f", BLOCK) + "class C:\n    def g(x):\n" + &deeper;
        assert_eq!(shown(&[("a.py", &text)]).len(), 1);
        let renamed = function("f", BLOCK) + &function("g", &BLOCK.replace("total", "sum"));
        assert!(shown(&[("a.py", &renamed)]).is_empty());
    }

    #[test]
    fn short_or_trivial_runs_are_no_repeats() {
        let short: String = BLOCK.lines().take(5).map(|line| format!("{line}\n")).collect();
        assert!(shown(&[("a.py", &(function("f", &short) + &function("g", &short)))]).is_empty());
        let trivial = "    pass\n".repeat(8);
        assert!(shown(&[("a.py", &(function("f", &trivial) + &function("g", &trivial)))]).is_empty());
        let imports: String = (0..20).map(|number| format!("from package.module import name{number}\n")).collect();
        assert!(shown(&[("a.py", &imports), ("b.py", &imports)]).is_empty());
    }

    #[test]
    fn of_two_files_both_have_a_repeat() {
        let (a, b) = (function("f", BLOCK), "x = 1\n".to_owned() + &function("g", BLOCK));
        assert_eq!(shown(&[("a.py", &a), ("b.py", &b)]), [(2, 8, "b.py:3".to_owned())]);
        assert_eq!(shown(&[("b.py", &b), ("a.py", &a)]), [(3, 9, "a.py:2".to_owned())]);
    }

    #[test]
    fn the_longest_of_several_is_named() {
        let short: String = BLOCK.lines().take(6).map(|line| format!("{line}\n")).collect();
        let files =
            [("m.py", &*function("f", BLOCK)), ("a.py", &*function("g", &short)), ("z.py", &*function("other", BLOCK))];
        assert_eq!(shown(&files), [(2, 8, "z.py:2".to_owned())]);
    }

    #[test]
    fn an_edited_file_is_judged_by_its_own_text() {
        let a = function("f", BLOCK);
        let index =
            RepeatIndex::from_files(vec![ComparedFile { path: "a.py".to_owned(), statements: statements("a.py", &a) }]);
        assert_eq!(index.repeats_in("a.py", &statements("a.py", &a)), []);
        assert_eq!(index.repeats_in("b.py", &statements("b.py", &a)).len(), 1);
    }

    #[test]
    fn scripts_and_go_are_compared_alike() {
        let script = "export function f(a) {\n  const x = load(a.first, a.second)\n  if (x > 1) {\n    report(x, a)\n  }\n  for (const y of x.all) {\n    y.go(x, 'now', 1 + 2)\n  }\n  store(x, a.third)\n  return x\n}\n";
        let other = script.replace("export function f", "function g").replace(";", "");
        assert_eq!(shown(&[("a.ts", script), ("b.js", &other)]), [(2, 10, "b.js:2".to_owned())]);
        let go = |name: &str| {
            format!(
                "package a\n\nfunc {name}(a int) int {{\n\tx := load(a, 1, \"one\")\n\tif x > 1 {{\n\t\treport(x, a)\n\t}}\n\tfor i := 0; i < x; i++ {{\n\t\tgo run(x, i)\n\t}}\n\tstore(x, a)\n\treturn x\n}}\n"
            )
        };
        assert_eq!(shown(&[("a.go", &go("f")), ("b.go", &go("g"))]), [(4, 12, "b.go:4".to_owned())]);
    }

    #[test]
    fn many_equal_lines_are_linear() {
        let text = "f(a, b, c, d, e, f, g)\n".repeat(30_000);
        assert!(shown(&[("a.py", &text), ("b.py", &text)]).len() < 30_000);
    }
}
