//! Limits on single metrics that a change passes: only where it makes more of what was too much, or brings it.

use tapps_config::{Gate, Metric, MetricLimits, MetricPlace};

use super::report::{FileChange, FindingState};
use super::side::{Definition, FilePair};
use crate::limits::{count_in_file, describe_count, describe_function, first_of, function_metric, of_place};
use crate::result::FileScore;
use tapps_base::finding::Severity;

/// Which limits a file passes since the change. Code that only moved brings its numbers along.
pub(super) fn risen_above_limits(
    change: &FileChange,
    pair: &FilePair,
    pairs: &[FilePair],
    head: &FileScore,
    gate: &Gate,
) -> Vec<String> {
    let mut said = counts_above(change, pair, head, &gate.limits);
    let Some(side) = pair.head.as_ref() else { return said };
    for (metric, limit) in of_place(&gate.limits, MetricPlace::Function) {
        let above = side.definitions.iter().filter_map(|one| {
            let value = value_of(metric, one)?;
            let before = value_before(metric, one, pair, pairs);
            let risen = f64::from(value) > limit && before.is_none_or(|before| value > before);
            risen.then(|| describe_function(metric, (&one.path, one.line), value, limit))
        });
        said.extend(first_of(metric, above.collect()));
    }
    said
}

fn counts_above(change: &FileChange, pair: &FilePair, head: &FileScore, limits: &MetricLimits) -> Vec<String> {
    let has_new = change.findings_in(FindingState::New).next().is_some();
    let above = |(metric, limit): (Metric, f64)| {
        let count = count_in_file(metric, head);
        let before = pair.base.as_ref().map_or(0, |base| count_in_file(metric, &base.score));
        let brings = metric == Metric::Suppressions || has_new;
        (brings && f64::from(count) > limit && count > before).then(|| describe_count(metric, count, limit))
    };
    of_place(limits, MetricPlace::File).filter_map(above).collect()
}

fn value_of(metric: Metric, one: &Definition) -> Option<u32> {
    Some(function_metric(metric, one.metrics.as_ref()?))
}

/// What a function had in the base: in its own file, else the most that one of its name had in any file of the change.
fn value_before(metric: Metric, one: &Definition, pair: &FilePair, pairs: &[FilePair]) -> Option<u32> {
    let named = |side: &FilePair| -> Option<u32> {
        let definitions = &side.base.as_ref()?.definitions;
        definitions.iter().filter(|other| other.path == one.path).filter_map(|other| value_of(metric, other)).max()
    };
    named(pair).or_else(|| pairs.iter().filter_map(named).max())
}

/// New findings of a file, information aside.
pub(super) fn count_new_findings(file: &FileChange) -> usize {
    file.findings_in(FindingState::New).filter(|one| one.finding.severity > Severity::Info).count()
}
