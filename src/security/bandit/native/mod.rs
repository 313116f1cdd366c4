//! bandit's tests over the tree of our own parser: the same findings as the locked bandit's, without Python.
//!
//! bandit's ways are kept where they are odd as well, since a finding is worth something only where it is the same
//! everywhere: imports are never scoped, asynchronous functions have no defaults, a test that fails reports nothing.
//! `tests/it/bandit_oracle.rs` holds every finding against the locked bandit's.

mod blacklist;
mod call;
mod checks;
mod imports;
mod literal;
mod nosec;
mod place;
mod text;
mod verdict;
mod visitor;

use ruff_python_ast::PythonVersion;
use tapps_base::source::Source;
use tapps_syntax::python::parse::parse_python;

use super::BanditFileReport;
use super::report::{ReportedIssue, make_file_report};

/// What has to change with every change of what is found here; it enters the keys of kept answers.
pub const VERSION: &str = "bandit-1.9.4-native-1";

/// What bandit's tests say about a file.
///
/// # Errors
/// Why it cannot be judged: it is no text, does not parse, or nests too deeply.
pub fn scan_python(source: &Source) -> Result<BanditFileReport, String> {
    find_python_issues(source).map(|issues| make_file_report(&issues, source))
}

/// The same before it becomes findings, for those who compare it with what bandit itself says.
///
/// # Errors
/// As [`scan_python`].
pub fn find_python_issues(source: &Source) -> Result<Vec<ReportedIssue>, String> {
    let text = source.text().ok_or("the file is not UTF-8")?.trim_start_matches('\u{feff}');
    let found = parse_python(text, PythonVersion::latest(), |parsed| {
        parsed.has_valid_syntax().then(|| visitor::find_issues(text, parsed))
    });
    match found {
        Ok(found) => found.ok_or_else(|| "syntax error while parsing the file".to_owned()),
        Err(why) => Err(why.reason()),
    }
}
