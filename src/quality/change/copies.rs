//! Of two places that are the same since the change, the one that was there before is not the copy.

use super::side::{FilePair, FileSide};
use tapps_base::finding::Finding;

/// The rule that speaks of both places.
pub(super) const DUPLICATE: &str = "tapps:duplicate-block";

/// True for a repeat that the change has not written: its text stood in the same file, or it only moved between files of the
/// change and does not stand more often than before.
pub(super) fn stood_before(file: usize, finding: &Finding, pairs: &[FilePair]) -> bool {
    if finding.rule != DUPLICATE {
        return false;
    }
    let Some(pair) = pairs.get(file) else { return false };
    let Some(text) = pair.head.as_ref().and_then(|head| lines_of(head, finding)) else { return false };
    if pair.base.as_ref().is_some_and(|base| count_text(base, &text) > 0) {
        // Written once more in the same file, the later place is the copy.
        let in_head = pair.head.as_ref().map_or(0, |head| count_text(head, &text));
        let in_base = pair.base.as_ref().map_or(0, |base| count_text(base, &text));
        return in_head <= in_base || pair.base.as_ref().is_some_and(|base| has_line_of(base, pair, finding));
    }
    let count = |side: fn(&FilePair) -> Option<&FileSide>| -> usize {
        pairs.iter().filter_map(side).map(|side| count_text(side, &text)).sum()
    };
    let before = count(|pair| pair.base.as_ref());
    before > 0 && count(|pair| pair.head.as_ref()) <= before
}

/// Whether the first line of a finding is one that the base has at the same distance from the same text: the place was not
/// added.
fn has_line_of(base: &FileSide, pair: &FilePair, finding: &Finding) -> bool {
    let Some(head) = &pair.head else { return false };
    let before = |side: &FileSide, line: usize| -> Vec<String> {
        side.lines
            .iter()
            .take(line)
            .rev()
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .take(3)
            .collect()
    };
    let Some(text) = lines_of(head, finding) else { return false };
    let around = before(head, (finding.line as usize).saturating_sub(1));
    places_of(base, &text).any(|at| before(base, at) == around)
}

/// The lines of a finding, without their indentation.
fn lines_of<'s>(side: &'s FileSide, finding: &Finding) -> Option<Vec<&'s str>> {
    let (from, to) = ((finding.line as usize).checked_sub(1)?, finding.end_line as usize);
    Some(side.lines.get(from..to)?.iter().map(|line| line.trim()).collect())
}

fn places_of<'s>(side: &'s FileSide, text: &'s [&str]) -> impl Iterator<Item = usize> + 's {
    let windows = side.lines.windows(text.len().max(1)).enumerate();
    windows.filter(|(_, window)| window.iter().map(|line| line.trim()).eq(text.iter().copied())).map(|(at, _)| at)
}

fn count_text(side: &FileSide, text: &[&str]) -> usize {
    places_of(side, text).count()
}
