//! Which project file a path in a report means.
//!
//! Reports are often made on another machine, from an installed copy, or below a source root. A path is taken apart
//! into what the project does not have (stripped), what it has in addition (a source root, added), and the common rest.
//! A report is made in one place, so the way of reading that explains most of its paths is the right one; where
//! that leaves a choice, the path is matched with nothing.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::record::Record;
use crate::roots;

/// The project as far as paths are concerned.
#[derive(Debug)]
pub(super) struct ProjectPathIndex<'a> {
    /// Absolute path of the root with forward slashes.
    pub(super) root: &'a str,
    pub(super) paths: &'a HashSet<&'a str>,
    pub(super) source_roots: &'a BTreeSet<String>,
}

/// One way of reading one path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PathCandidate {
    stripped: String,
    added: String,
    /// Components that report and project have in common.
    common: usize,
    file: String,
}

type Way = (String, String);

/// The best supported of the paths that claim one file.
#[derive(Debug, Default)]
struct Claim {
    support: usize,
    /// How many have that support.
    times: usize,
}

impl Claim {
    fn add(&mut self, support: usize) {
        match support.cmp(&self.support) {
            Ordering::Greater => *self = Self { support, times: 1 },
            Ordering::Equal => self.times += 1,
            Ordering::Less => {}
        }
    }
}

/// More components than the path of any file has.
const COMPONENTS_MAX: usize = 256;

/// The project file of each record, in the records' order; `report` is the report's own path.
pub(super) fn files(records: &[Record], report: &str, places: &ProjectPathIndex<'_>) -> Vec<Option<String>> {
    let mut added: BTreeSet<&str> = places.source_roots.iter().map(String::as_str).collect();
    added.insert("");
    let mut around = roots::folder(report);
    while !around.is_empty() {
        added.insert(around);
        around = roots::folder(around);
    }
    let readings: Vec<Vec<PathCandidate>> = records.iter().map(|record| readings(record, &added, places)).collect();
    let mut votes: HashMap<Way, usize> = HashMap::new();
    for reading in &readings {
        let ways: BTreeSet<Way> = reading.iter().map(candidate_way).collect();
        ways.into_iter().for_each(|way| *votes.entry(way).or_default() += 1);
    }
    let most = votes.values().copied().max().unwrap_or(0);
    let alone = votes.values().filter(|&&count| count == most).count() == 1;
    let chosen: Vec<Option<(usize, &PathCandidate)>> =
        readings.iter().map(|readings| best(readings, &votes, most, alone)).collect();
    // Two paths of one report cannot be the same file.
    let mut claims: BTreeMap<&str, Claim> = BTreeMap::new();
    for (support, reading) in chosen.iter().flatten() {
        claims.entry(&reading.file).or_default().add(*support);
    }
    let wins =
        |support: usize, file: &str| claims.get(file).is_some_and(|claim| claim.support == support && claim.times == 1);
    chosen
        .iter()
        .map(|choice| {
            choice.filter(|(count, reading)| wins(*count, &reading.file)).map(|(_, reading)| reading.file.clone())
        })
        .collect()
}

fn candidate_way(reading: &PathCandidate) -> Way {
    (reading.stripped.clone(), reading.added.clone())
}

/// The reading with most support, then with the longest common part, with its support; `None` when that leaves two.
fn best<'r>(
    readings: &'r [PathCandidate],
    votes: &HashMap<Way, usize>,
    most: usize,
    alone: bool,
) -> Option<(usize, &'r PathCandidate)> {
    let support = |reading: &PathCandidate| votes.get(&candidate_way(reading)).copied().unwrap_or(0);
    let top = readings.iter().map(|reading| (support(reading), reading.common)).max()?;
    let mut best = readings.iter().filter(|reading| (support(reading), reading.common) == top);
    let first = best.next()?;
    if best.any(|other| other.file != first.file) {
        return None;
    }
    // A bare file name says little unless it is read like the rest of the report.
    let trusted = first.common >= 2 || (top.0 == most && alone);
    trusted.then_some((top.0, first))
}

fn readings(record: &Record, added: &BTreeSet<&str>, places: &ProjectPathIndex<'_>) -> Vec<PathCandidate> {
    let mut readings = Vec::new();
    for spelling in &record.spellings {
        let spelling = spelling.replace('\\', "/");
        if let Some(rest) = spelling.strip_prefix(places.root).and_then(|rest| rest.strip_prefix('/')) {
            let rest = components(rest).join("/");
            if places.paths.contains(rest.as_str()) {
                // Certain, so it counts as if all of the path were in common.
                readings.push(PathCandidate {
                    stripped: String::new(),
                    added: String::new(),
                    common: usize::MAX,
                    file: rest,
                });
            }
            continue;
        }
        let parts = components(&spelling);
        if parts.len() > COMPONENTS_MAX {
            continue;
        }
        let absolute = spelling.starts_with('/') || spelling.as_bytes().get(1) == Some(&b':');
        for from in 0..parts.len() {
            let (before, rest) = parts.split_at(from);
            let stripped = format!("{}{}", if absolute { "/" } else { "" }, before.join("/"));
            let rest_path = rest.join("/");
            for add in added {
                let file = roots::join(add, &rest_path);
                if places.paths.contains(file.as_str()) {
                    let added = (*add).to_owned();
                    readings.push(PathCandidate { stripped: stripped.clone(), added, common: rest.len(), file });
                }
            }
        }
    }
    readings.sort();
    readings.dedup();
    readings
}

/// The components of a path without `.` and with `..` resolved as text.
fn components(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::record::{Full, RecordedLines};
    use rstest::rstest;

    const PROJECT: &[&str] = &[
        "src/pkg/__init__.py",
        "src/pkg/a.py",
        "src/pkg/b.py",
        "a.py",
        "tools/run.py",
        "web/app.ts",
        "web/lib/app.ts",
    ];

    #[rstest]
    #[case::relative(&["src/pkg/a.py"], &[Some("src/pkg/a.py")])]
    #[case::here(&["/home/me/proj/a.py", "/home/me/proj/gone.py"], &[Some("a.py"), None])]
    #[case::other_machine(&["/ci/build/src/pkg/a.py"], &[Some("src/pkg/a.py")])]
    #[case::windows(&[r"C:\ci\src\pkg\a.py"], &[Some("src/pkg/a.py")])]
    #[case::installed(&["/venv/lib/python3.11/site-packages/pkg/a.py"], &[Some("src/pkg/a.py")])]
    #[case::below_source_root(&["pkg/a.py", "pkg/b.py"], &[Some("src/pkg/a.py"), Some("src/pkg/b.py")])]
    #[case::dots(&["./src/x/../pkg/a.py"], &[Some("src/pkg/a.py")])]
    #[case::foreign_name(&["/ci/p/src/pkg/a.py", "/ci/p/src/pkg/b.py", "/usr/lib/other/a.py"],
        &[Some("src/pkg/a.py"), Some("src/pkg/b.py"), None])]
    #[case::foreign_only(&["/usr/lib/x/a.py", "/usr/share/y/pkg.py"], &[Some("a.py"), None])]
    #[case::two_claims(&["/x/src/pkg/a.py", "/y/src/pkg/a.py"], &[None, None])]
    #[case::majority_claim(&["/x/src/pkg/a.py", "/x/src/pkg/b.py", "/y/src/pkg/a.py"],
        &[Some("src/pkg/a.py"), Some("src/pkg/b.py"), None])]
    #[case::from_the_report_folder(&["app.ts"], &[Some("web/app.ts")])]
    fn reads_paths(#[case] given: &[&str], #[case] expected: &[Option<&str>]) {
        let lines = RecordedLines::Full(Full::default());
        let record = |path: &&str| Record { spellings: vec![(*path).to_owned()], lines: lines.clone() };
        let records: Vec<Record> = given.iter().map(record).collect();
        let paths = PROJECT.iter().copied().collect();
        let roots = roots::source_roots(&paths);
        let places = ProjectPathIndex { root: "/home/me/proj", paths: &paths, source_roots: &roots };
        let found = files(&records, "web/coverage/lcov.info", &places);
        assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
    }

    /// Each ending of a path is looked up, and each claim of a file is held against the others: neither may cost its square.
    #[test]
    fn long_paths_and_many_claims_of_one_file_are_read() {
        let paths: HashSet<&str> = ["pkg/a.py"].into();
        let roots = BTreeSet::new();
        let record = |path: String| Record { spellings: vec![path], lines: RecordedLines::Full(Full::default()) };
        let map = |records: &[Record]| {
            files(records, "lcov.info", &ProjectPathIndex { root: "/p", paths: &paths, source_roots: &roots })
        };
        assert_eq!(map(&[record(format!("{}pkg/a.py", "a/".repeat(300_000)))]), [None]);
        assert_eq!(map(&[record(format!("{}pkg/a.py", "a/".repeat(200)))]), [Some("pkg/a.py".to_owned())]);
        let many: Vec<Record> = (0..100_000).map(|n| record(format!("/x{n}/pkg/a.py"))).collect();
        assert!(map(&many).iter().all(Option::is_none));
    }

    #[test]
    fn a_name_below_two_sources_that_both_have_it_is_matched_with_nothing() {
        let spellings = vec!["/ci/one/m.py".to_owned(), "/ci/two/m.py".to_owned()];
        let records = [Record { spellings, lines: RecordedLines::Full(Full::default()) }];
        let both: HashSet<&str> = ["one/m.py", "two/m.py"].into();
        let one: HashSet<&str> = ["one/m.py"].into();
        let roots = BTreeSet::new();
        let map =
            |paths| files(&records, "coverage.xml", &ProjectPathIndex { root: "/p", paths, source_roots: &roots });
        assert_eq!(map(&both), [None]);
        assert_eq!(map(&one), [Some("one/m.py".to_owned())]);
    }
}
