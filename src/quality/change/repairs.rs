//! What to do first.

use super::report::{FileChange, FindingState, Repair};
use crate::blocking::is_blocking;

/// Most repairs that are named.
const MOST: usize = 3;

/// The repairs of new and worsened findings: what blocks first, then the dearest.
pub(super) fn first_repairs(files: &[FileChange]) -> Vec<Repair> {
    let mut all: Vec<(bool, Repair)> = Vec::new();
    for file in files {
        for state in [FindingState::New, FindingState::Worsened] {
            for one in file.findings_in(state) {
                let finding = &one.finding;
                let action = match (&finding.fix, &finding.help) {
                    (Some(fix), _) => fix.message.clone(),
                    (None, Some(help)) => help.clone(),
                    (None, None) => finding.message.clone(),
                };
                let repair = Repair {
                    file: file.file.clone(),
                    line: finding.line,
                    rule: finding.rule.clone(),
                    action,
                    points: finding.points - one.points_before,
                };
                all.push((is_blocking(finding), repair));
            }
        }
    }
    all.sort_by(|(a_blocks, a), (b_blocks, b)| {
        b_blocks
            .cmp(a_blocks)
            .then(b.points.total_cmp(&a.points))
            .then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
    });
    all.into_iter().take(MOST).map(|(_, repair)| repair).collect()
}
