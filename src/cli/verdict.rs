//! The exit code of what was scored or judged.

use tapps_base::exit;
use tapps_quality::change::report::ChangeReport;
use tapps_quality::result::{FileScore, GateReport};

/// A score is a measurement, so low numbers are no failure; what blocks every gate is, and so is a missing measurement.
pub(super) fn of_scores(files: &[FileScore]) -> u8 {
    if files.iter().any(|file| !file.blocking.is_empty()) { exit::FINDINGS } else { code_of_gaps(files) }
}

/// What was measured decides; where nothing that was measured speaks against a file, what could not be measured does.
pub(super) fn of_gate(report: &GateReport) -> u8 {
    if report.passed {
        return exit::CLEAN;
    }
    if report.files.iter().any(|file| !file.passed && !file.undecided) {
        return exit::FINDINGS;
    }
    match code_of_gaps(report.files.iter().filter(|file| file.undecided).map(|file| &file.result)) {
        // A file without any measurement has no gap that names a tool.
        exit::CLEAN => exit::NOT_MEASURED,
        code => code,
    }
}

/// What the change did decides; where nothing of it blocks, what could not be measured does.
pub(super) fn of_change(report: &ChangeReport) -> u8 {
    match (report.passed, report.undecided) {
        (true, _) => exit::CLEAN,
        (false, false) => exit::FINDINGS,
        (false, true) if report.files.iter().any(|file| !file.missing_tools.is_empty()) => exit::TOOLCHAIN,
        (false, true) => exit::NOT_MEASURED,
    }
}

/// The exit code of results that nothing blocks: whether everything was measured, and if not, whether for want of tools.
fn code_of_gaps<'f>(files: impl IntoIterator<Item = &'f FileScore>) -> u8 {
    let mut code = exit::CLEAN;
    for file in files.into_iter().filter(|file| file.degraded) {
        if !file.missing_tools.is_empty() {
            return exit::TOOLCHAIN;
        }
        code = exit::NOT_MEASURED;
    }
    code
}
