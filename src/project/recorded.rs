//! Coverage reports in the form that code intelligence takes them.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::coverage::{Lookup, ProjectCoverage, Reports};
use super::files::ProjectFiles;
use tapps_base::Result;
use tapps_base::source::Source;
use tapps_coderef::coverage::{RecordedCoverage, RecordedFile};
use tapps_coderef::model::CodebaseIndex;
use tapps_sandbox::Boundary;

/// Largest source file whose recorded lines are held against its text, in bytes.
const LARGEST: u64 = 16 << 20;

/// What the reports of a project say about the files of an index, and the problems with reports that could not be used.
/// `configured` are project-relative paths of reports besides those at the usual places.
///
/// # Errors
/// `internal` when the system gives no threads.
pub fn recorded_coverage(
    boundary: &Arc<Boundary>,
    configured: &[String],
    index: &CodebaseIndex,
) -> Result<(RecordedCoverage, Vec<String>)> {
    let files = ProjectFiles::new(Arc::clone(boundary));
    let paths: HashSet<&str> = index.files.iter().map(|file| file.path.as_str()).collect();
    let coverage = ProjectCoverage::from_reports(Reports::load_reports(&files, configured), &files, &paths);
    let mut recorded = RecordedCoverage::default();
    let problems = coverage.problems().iter().map(|problem| problem.to_error().message().to_owned()).collect();
    if coverage.origins().next().is_none() {
        return Ok((recorded, problems));
    }
    for file in index.files.iter().filter(|file| !file.test) {
        let Ok(bytes) = files.read(&file.path, LARGEST) else { continue };
        match coverage.of_file(&Source::new(&file.path, bytes))? {
            Lookup::Absent => {}
            Lookup::Stale { reason, .. } => {
                recorded.stale.insert(file.path.clone(), reason);
            }
            Lookup::Measured(measured) => {
                let reports: BTreeSet<String> = measured.origins.into_iter().map(|origin| origin.path).collect();
                let lines = RecordedFile {
                    executed: measured.executed,
                    missing: measured.missing,
                    reports: reports.into_iter().collect(),
                };
                recorded.files.insert(file.path.clone(), lines);
            }
        }
    }
    Ok((recorded, problems))
}
