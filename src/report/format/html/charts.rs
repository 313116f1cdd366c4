//! The geometry of the charts; how they look is the page's business.

use crate::history::TrendPoint;

/// Width and height of the trend in its own units.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 160.0;
/// Room for the numbers at the side, and for the strokes at the edges.
const SIDE: f64 = 44.0;
const EDGE: f64 = 10.0;

/// A line through the mean scores of earlier verdicts.
#[derive(Debug)]
pub(super) struct Trend {
    /// The `points` of a polyline.
    pub(super) line: String,
    pub(super) dots: Vec<Dot>,
    /// Heights at which a line is drawn across, with their numbers.
    pub(super) grid: Vec<(String, String)>,
    pub(super) first: String,
    pub(super) last: String,
}

/// One verdict.
#[derive(Debug)]
pub(super) struct Dot {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) passed: bool,
    pub(super) title: String,
}

/// The trend of two points or more.
pub(super) fn draw_trend(points: &[TrendPoint]) -> Option<Trend> {
    let known: Vec<(&TrendPoint, f64)> = points.iter().filter_map(|point| Some((point, point.mean?))).collect();
    let (first, last) = (known.first()?.0, known.last()?.0);
    if known.len() < 2 {
        return None;
    }
    let lowest = known.iter().fold(100.0_f64, |lowest, (_, mean)| lowest.min(*mean));
    // The scale begins at a ten, so that small changes are seen and large ones fit.
    let floor = ((lowest - 5.0) / 10.0).floor().clamp(0.0, 9.0) * 10.0;
    #[expect(clippy::cast_precision_loss, reason = "there are at most a few hundred points")]
    let step = (WIDTH - SIDE - EDGE) / (known.len() - 1) as f64;
    let height = |score: f64| HEIGHT - EDGE - (score - floor) / (100.0 - floor) * (HEIGHT - 2.0 * EDGE);
    #[expect(clippy::cast_precision_loss, reason = "there are at most a few hundred points")]
    let dot = |(number, (point, mean)): (usize, &(&TrendPoint, f64))| Dot {
        x: format!("{:.1}", SIDE + step * number as f64),
        y: format!("{:.1}", height(*mean)),
        passed: point.passed,
        title: format!("{}: {mean:.1}, {} of {} files failed", point.label, point.failed, point.files),
    };
    let dots: Vec<Dot> = known.iter().enumerate().map(dot).collect();
    let line = dots.iter().map(|dot| format!("{},{}", dot.x, dot.y)).collect::<Vec<_>>().join(" ");
    let across = |score: f64| (format!("{:.1}", height(score)), format!("{score:.0}"));
    let grid = [floor, f64::midpoint(floor, 100.0), 100.0].map(across).to_vec();
    Some(Trend { line, dots, grid, first: first.label.clone(), last: last.label.clone() })
}

/// How many files have a score in each tenth of the scale, the last with 100.
pub(super) fn count_by_tenth(scores: impl Iterator<Item = f64>) -> [usize; 10] {
    let mut tenths = [0; 10];
    for score in scores {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=9")]
        let index = (score / 10.0).clamp(0.0, 9.0) as usize;
        if let Some(count) = tenths.get_mut(index) {
            *count += 1;
        }
    }
    tenths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, mean: Option<f64>) -> TrendPoint {
        let fingerprint = String::new();
        TrendPoint { label: label.into(), passed: true, mean, files: 1, failed: 0, findings: 0, fingerprint }
    }

    #[test]
    fn better_is_higher_and_one_verdict_is_no_trend() {
        assert!(draw_trend(&[point("a", Some(70.0)), point("b", None)]).is_none());
        let drawn = draw_trend(&[point("a", Some(70.0)), point("b", Some(100.0))]).unwrap();
        let heights: Vec<f64> = drawn.dots.iter().map(|dot| dot.y.parse().unwrap()).collect();
        assert!(heights[1] < heights[0] && heights[1] == EDGE, "{heights:?}");
        assert_eq!(drawn.grid.iter().map(|(_, score)| score.as_str()).collect::<Vec<_>>(), ["60", "80", "100"]);
        assert_eq!((drawn.dots[0].x.as_str(), drawn.dots[1].x.as_str()), ("44.0", "630.0"));
    }

    #[test]
    fn scores_fall_into_tenths() {
        assert_eq!(count_by_tenth([0.0, 9.99, 10.0, 95.0, 100.0].into_iter()), [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    }
}
