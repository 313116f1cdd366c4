//! A change of many files.

use tapps_quality::change::report::{ChangeVerdict, FindingState};

use super::support::{Changed, assert_adds_up, told};
use crate::{corpus, systems};

const COUNT: usize = 500;

#[test]
fn five_hundred_changed_files_are_judged_and_the_one_that_is_worse_is_found() {
    if !systems::tier() {
        return systems::left_out("judging 500 changed files of django takes minutes");
    }
    let changed = Changed::of_package("django");
    let modules = corpus::files(changed.root(), "py").into_iter().filter(|file| !file.ends_with("__init__.py"));
    let files: Vec<String> = modules.take(COUNT).collect();
    assert_eq!(files.len(), COUNT);
    for file in &files {
        changed.write(file, &format!("{}\n# Nothing else.\n", changed.read(file)));
    }
    let report = changed.verdict();
    assert_adds_up(&report);
    assert_eq!((report.verdict, report.files.len()), (ChangeVerdict::Neutral, COUNT));
    assert_eq!((report.counts.new, report.counts.worsened, report.counts.mended), (0, 0, 0));
    assert!(report.counts.existing > COUNT, "{:?}", report.counts);

    let worse = &files[COUNT / 2];
    let text = changed.read(worse);
    changed.write(worse, &format!("{text}\n\ndef run_text(text):\n    return eval(text)\n"));
    let report = changed.verdict();
    let line = text.lines().count() + 4;
    assert_eq!(told(&report, FindingState::New), [format!("{worse}:{line} bandit:B307")]);
    assert_eq!((report.verdict, report.files.len()), (ChangeVerdict::Blocked, COUNT));
}
