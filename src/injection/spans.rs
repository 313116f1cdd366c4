//! Spans of a text, asked for what they touch: a text may have as many of them as it likes, and be asked as often.

use std::ops::Range;

/// Spans in the order of their starts.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    starts: Vec<usize>,
    /// How far the spans up to each reach.
    reaches: Vec<usize>,
}

impl Spans {
    /// Whether one of them holds all of `span`.
    pub(crate) fn contains_span(&self, span: &Range<usize>) -> bool {
        self.farthest_end(self.starts.partition_point(|start| *start <= span.start)) >= Some(span.end)
    }

    /// Whether one of them has a part of `span`.
    pub(crate) fn overlaps_span(&self, span: &Range<usize>) -> bool {
        self.farthest_end(self.starts.partition_point(|start| *start < span.end)) > Some(span.start)
    }

    /// How far the first `count` spans reach.
    fn farthest_end(&self, count: usize) -> Option<usize> {
        self.reaches.get(count.checked_sub(1)?).copied()
    }
}

impl FromIterator<Range<usize>> for Spans {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(spans: I) -> Self {
        let mut spans: Vec<Range<usize>> = spans.into_iter().collect();
        spans.sort_by_key(|span| span.start);
        let furthest = |reach: &mut usize, span: &Range<usize>| {
            *reach = span.end.max(*reach);
            Some(*reach)
        };
        Self {
            starts: spans.iter().map(|span| span.start).collect(),
            reaches: spans.iter().scan(0, furthest).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_found_as_by_looking_at_each() {
        let all = [3..9, 20..22, 4..5, 30..40, 21..31];
        let spans: Spans = all.clone().into_iter().collect();
        for start in 0..45 {
            for end in start + 1..46 {
                let hold = all.iter().any(|one| one.start <= start && end <= one.end);
                let touch = all.iter().any(|one| one.start < end && start < one.end);
                assert_eq!(
                    (spans.contains_span(&(start..end)), spans.overlaps_span(&(start..end))),
                    (hold, touch),
                    "{start}..{end}"
                );
            }
        }
        assert!(!Spans::default().contains_span(&(0..1)) && !Spans::default().overlaps_span(&(0..1)));
    }
}
