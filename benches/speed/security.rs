//! bandit's tests, computed here and by the locked bandit, of the same files in one run on one core.

use std::fmt::Write as _;
use std::io::Write as _;

use tapps_base::source::Source;
use tapps_security::bandit::native::scan_python;

use crate::project::Project;
use crate::raw::Tools;
use crate::table::{median, timed};

/// Rounds over a package are long enough that few are steady.
const ROUNDS: usize = 5;

pub(crate) fn run(tools: &Tools) {
    let mut table =
        "| package | files | here | a file | bandit | a file | ratio |\n| --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for package in ["rich", "django"] {
        let project = Project::of(package);
        let read = |file: &String| Source::new(file, std::fs::read(project.path(file)).unwrap());
        let sources: Vec<Source> = project.files.iter().map(read).collect();
        let here = median(ROUNDS, |_| sources.iter().for_each(|source| drop(scan_python(source))));
        let raw = timed(|| tools.bandit(project.root(), &project.files));
        let each = |time: std::time::Duration| time.as_secs_f64() * 1e3 / sources.len() as f64;
        writeln!(
            table,
            "| {package} | {} | {:.0} ms | {:.2} ms | {:.2} s | {:.1} ms | 1 : {:.0} |",
            sources.len(),
            here.as_secs_f64() * 1e3,
            each(here),
            raw.as_secs_f64(),
            each(raw),
            raw.as_secs_f64() / here.as_secs_f64()
        )
        .unwrap();
    }
    std::io::stdout().write_all(table.as_bytes()).unwrap();
}
