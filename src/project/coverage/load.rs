//! Finding and reading the reports of a project.

use std::collections::{BTreeMap, HashSet};

use regex::Regex;

use super::judge::{self, Lookup};
use super::mapping::{self, ProjectPathIndex};
use super::record::{CoverageFormat, CoverageOrigin, Record, RecordedLines};
use super::{cobertura, config, gcov, go_profile, jacoco, json, lcov, llvm_cov, sqlite};
use crate::files::ProjectFiles;
use crate::roots;
use tapps_base::digest;
use tapps_base::source::Source;
use tapps_base::{Error, ErrorCode, Result};

/// The largest report that is read, in bytes.
const MAX: u64 = 256 << 20;

/// Names a report has unless told otherwise, most detailed first.
const NAMES: [&str; 9] = [
    "coverage.json",
    "coverage.xml",
    "cobertura-coverage.xml",
    "lcov.info",
    "coverage-final.json",
    "llvm-cov.json",
    "coverage.out",
    "cover.out",
    ".coverage",
];

/// Where Maven and Gradle have JaCoCo put its report.
const BUILT: [&str; 3] =
    ["jacoco.xml", "target/site/jacoco/jacoco.xml", "build/reports/jacoco/test/jacocoTestReport.xml"];

/// A report that was there and could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverageReportProblem {
    /// Project-relative path of the report.
    pub path: String,
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// The coverage data of a project.
#[derive(Debug, Default)]
pub struct ProjectCoverage {
    reports: Vec<MappedCoverageReport>,
    problems: Vec<CoverageReportProblem>,
    exclusion: Option<Regex>,
}

#[derive(Debug)]
struct MappedCoverageReport {
    origin: CoverageOrigin,
    configured: bool,
    files: BTreeMap<String, RecordedLines>,
}

/// The bytes of the reports of a project with their digests.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    found: Vec<(String, bool, Vec<u8>, String)>,
    problems: Vec<CoverageReportProblem>,
    settings: String,
}

impl Reports {
    /// Reads the `configured` reports and those at the usual places.
    pub(crate) fn load_reports(files: &ProjectFiles, configured: &[String]) -> Self {
        let mut reports = Self::default();
        for path in configured {
            match files.read(path, MAX) {
                Ok(bytes) => reports.add(path, true, bytes),
                Err(error) => reports.problem(path, error.message().to_owned()),
            }
        }
        let named = ["", "coverage"].iter().flat_map(|place| NAMES.iter().map(|name| roots::join(place, name)));
        let usual = named.chain(BUILT.iter().map(|path| (*path).to_owned()));
        for path in usual.filter(|path| !configured.contains(path)) {
            match files.read(&path, MAX) {
                Ok(bytes) => reports.add(&path, false, bytes),
                Err(error) if error.code() == ErrorCode::FileNotFound => {}
                Err(error) => reports.problem(&path, error.message().to_owned()),
            }
        }
        // The exclusion settings are part of how a report is read.
        for path in [".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml"] {
            let bytes = files.read(path, 1 << 20).unwrap_or_default();
            reports.settings.push_str(&digest::sha256(&bytes));
        }
        reports
    }

    fn add(&mut self, path: &str, configured: bool, bytes: Vec<u8>) {
        let digest = digest::sha256(&bytes);
        self.found.push((path.to_owned(), configured, bytes, digest));
    }

    fn problem(&mut self, path: &str, reason: String) {
        self.problems.push(CoverageReportProblem { path: path.to_owned(), reason });
    }

    /// Changes when anything that was read does.
    pub(crate) fn key(&self) -> String {
        let reports =
            self.found.iter().map(|(path, configured, _, digest)| format!("{path}\0{configured}\0{digest}\n"));
        let problems = self.problems.iter().map(|problem| format!("{}\0{}\n", problem.path, problem.reason));
        let text: String = reports.chain(problems).chain([self.settings.clone()]).collect();
        digest::sha256(text.as_bytes())
    }
}

impl ProjectCoverage {
    /// Parses reports and matches them with the project's `paths`; what cannot be used is kept as a problem.
    pub(crate) fn from_reports(reports: Reports, files: &ProjectFiles, paths: &HashSet<&str>) -> Self {
        let mut coverage = Self { problems: reports.problems, ..Self::default() };
        match config::load_exclusion_regex(files) {
            Ok(exclusion) => coverage.exclusion = exclusion,
            Err(error) => {
                coverage
                    .problems
                    .push(CoverageReportProblem { path: "coverage settings".to_owned(), reason: error.to_string() });
            }
        }
        let root = files.root().to_string_lossy().replace('\\', "/");
        let source_roots = roots::source_roots(paths);
        let places = ProjectPathIndex { root: root.trim_end_matches('/'), paths, source_roots: &source_roots };
        for (path, configured, bytes, sha256) in reports.found {
            match parse_coverage_report(&bytes) {
                Ok((format, records)) => {
                    let origin = CoverageOrigin { path, sha256, format };
                    coverage.reports.push(MappedCoverageReport::new(origin, configured, records, &places));
                }
                Err(reason) => coverage.problems.push(CoverageReportProblem { path, reason }),
            }
        }
        coverage
    }

    /// What the reports say about a file as it is now. Call it on any stack.
    ///
    /// Configured reports add up. Of those found by name the first that fits the file is taken, because they are
    /// usually the same run in several formats.
    ///
    /// # Errors
    /// `internal` when the system gives no threads.
    pub fn of_file(&self, source: &Source) -> Result<Lookup> {
        let mut sum: Option<judge::FileCoverage> = None;
        let mut stale = None;
        for report in &self.reports {
            let Some(recorded) = report.files.get(source.path()) else { continue };
            if sum.is_some() && !report.configured {
                break;
            }
            match judge::match_recorded_lines(recorded, source, self.exclusion.as_ref(), &report.origin)? {
                Lookup::Measured(measured) => match &mut sum {
                    Some(sum) => sum.merge(measured),
                    None => sum = Some(measured),
                },
                Lookup::Stale { origin, reason } => stale = stale.or(Some((origin, reason))),
                Lookup::Absent => {}
            }
        }
        Ok(match (sum, stale) {
            (Some(sum), _) => Lookup::Measured(sum),
            (None, Some((origin, reason))) => Lookup::Stale { origin, reason },
            (None, None) => Lookup::Absent,
        })
    }

    /// The reports that were read, in the order in which they are asked.
    pub fn origins(&self) -> impl Iterator<Item = &CoverageOrigin> {
        self.reports.iter().map(|report| &report.origin)
    }

    /// Reports that were there and could not be used.
    #[must_use]
    pub fn problems(&self) -> &[CoverageReportProblem] {
        &self.problems
    }
}

impl MappedCoverageReport {
    fn new(origin: CoverageOrigin, configured: bool, records: Vec<Record>, places: &ProjectPathIndex<'_>) -> Self {
        let matched = mapping::files(&records, &origin.path, places);
        let files = records.into_iter().zip(matched).filter_map(|(record, file)| Some((file?, record.lines))).collect();
        Self { origin, configured, files }
    }
}

/// Reads a report of any format, told apart by content.
fn parse_coverage_report(bytes: &[u8]) -> Result<(CoverageFormat, Vec<Record>), String> {
    if let Some(unpacked) = gcov::unpack_gzip(bytes, MAX) {
        return Ok((CoverageFormat::GcovJson, gcov::parse_gcov_json(&unpacked?)?));
    }
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match start.trim_ascii_start().first() {
        None => Err("it is empty".to_owned()),
        _ if bytes.starts_with(b"SQLite format 3\0") => {
            Ok((CoverageFormat::CoverageData, sqlite::parse_coverage_sqlite(bytes)?))
        }
        Some(b'<') if jacoco::is_jacoco(start) => Ok((CoverageFormat::Jacoco, jacoco::parse_jacoco(start)?)),
        Some(b'<') => Ok((CoverageFormat::Cobertura, cobertura::parse_cobertura(start)?)),
        // Only coverage.py's report has its files below a key of that name; istanbul's keys are paths.
        Some(b'{') if llvm_cov::is_llvm_cov_json(start) => {
            Ok((CoverageFormat::LlvmCovJson, llvm_cov::parse_llvm_cov_json(start)?))
        }
        Some(b'{') if gcov::is_gcov_json(start) => Ok((CoverageFormat::GcovJson, gcov::parse_gcov_json(start)?)),
        Some(b'{') => match json::parse_coverage_json(start) {
            Ok(records) => Ok((CoverageFormat::CoverageJson, records)),
            Err(reason) => match json::read_istanbul(start) {
                Ok(records) => Ok((CoverageFormat::Istanbul, records)),
                Err(istanbul) => {
                    let is_istanbul = start.windows(14).any(|window| window == b"\"statementMap\"");
                    Err(if is_istanbul { istanbul } else { reason })
                }
            },
        },
        _ if go_profile::is_go_profile(start) => Ok((CoverageFormat::GoProfile, go_profile::parse_go_profile(start)?)),
        _ => Ok((CoverageFormat::Lcov, lcov::parse_lcov(start)?)),
    }
}

impl CoverageReportProblem {
    /// The problem as the error it stands for.
    #[must_use]
    pub fn to_error(&self) -> Error {
        Error::new(ErrorCode::CorruptedData, format!("cannot use coverage data in {}: {}", self.path, self.reason))
            .hint("run the tests with coverage again, or remove the file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const BOMB: &str = r#"<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;">]>
        <coverage><sources><source>&b;</source></sources><packages><package><classes>
        <class filename="&b;.py"><lines><line number="1" hits="1"/></lines></class></classes></package></packages></coverage>"#;

    #[rstest]
    #[case::nothing("", "it is empty")]
    #[case::not_xml("<coverage><class filename='a'></coverage>", "at byte")]
    #[case::cut_off("<coverage><packages>", "ends before")]
    #[case::other_xml("<html></html>", "no `coverage` element")]
    #[case::bad_line(
        "<coverage><class filename='a'><line number='x' hits='1'/></class></coverage>",
        "`x` is not a line"
    )]
    #[case::many_sources(
        &format!("<coverage>{}{}</coverage>", "<source>/s</source>".repeat(900),
            (0..2_000).map(|n| format!("<class filename='f{n}'/>")).collect::<String>()),
        "2000 files below 900 sources"
    )]
    #[case::bad_json("{\"files\": {\"a.py\": {\"executed_lines\": 3}}}", "invalid type")]
    #[case::deep_json(&format!("{{\"meta\":{}", "[".repeat(100_000)), "EOF while parsing")]
    #[case::bad_istanbul("{\"/a.js\": {\"statementMap\": {\"0\": {}}, \"s\": {}}}", "missing field `start`")]
    #[case::bad_llvm_cov("{\"type\": \"llvm.coverage.json.export\", \"data\": 1}", "invalid type")]
    #[case::bad_gcov("{\"gcc_version\": \"12\", \"data_file\": \"a.gcno\", \"files\": 1}", "invalid type")]
    #[case::bad_lcov("SF:a.js\nDA:x,1\nend_of_record\n", "line 2")]
    #[case::cut_off_lcov("SF:a.js\nDA:1,1\n", "in the middle")]
    #[case::no_lcov("hello\n", "no `SF:`")]
    #[case::cut_off_sqlite("SQLite format 3\0garbage", "")]
    fn malformed_reports_say_what_is_wrong(#[case] text: &str, #[case] reason: &str) {
        let error = parse_coverage_report(text.as_bytes()).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }

    #[test]
    fn declared_entities_are_not_expanded() {
        let (format, records) = parse_coverage_report(BOMB.as_bytes()).unwrap();
        assert_eq!(format, CoverageFormat::Cobertura);
        assert_eq!(records[0].spellings, ["&b;/&b;.py"]);
    }

    #[test]
    fn repeated_parts_add_up() {
        let text = "TN:x\nSF:a.js\nFN:1,f\nDA:1,0\nDA:2,1\nend_of_record\nSF:a.js\nDA:1,4\nDA:3,-2\nend_of_record\n";
        let (_, records) = parse_coverage_report(text.as_bytes()).unwrap();
        let RecordedLines::Full(full) = &records[0].lines else { panic!("lcov knows executable lines") };
        assert_eq!(full.ran, [(1, true), (2, true), (3, false)].into());
        assert_eq!(records.len(), 1);
    }

    #[test]
    fn a_large_report_is_read() {
        let mut text = String::from("<coverage><sources><source>/ci</source></sources><packages><package><classes>\n");
        for file in 0..200 {
            text.push_str(&format!("<class filename=\"pkg/m{file}.py\"><lines>\n"));
            (1..=1000).for_each(|n| text.push_str(&format!("<line number=\"{n}\" hits=\"{}\"/>\n", n % 2)));
            text.push_str("</lines></class>\n");
        }
        text.push_str("</classes></package></packages></coverage>");
        let (_, records) = parse_coverage_report(text.as_bytes()).unwrap();
        assert_eq!(records.len(), 200);
        let RecordedLines::Full(full) = &records[199].lines else { panic!("Cobertura knows executable lines") };
        assert_eq!(full.ran.values().filter(|ran| **ran).count(), 500);
    }
}
