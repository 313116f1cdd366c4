//! The maintainability index, by radon's formula.

use super::halstead::Halstead;
use super::raw::RawLineCounts;

/// 0–100, 100 best:
/// `100/171 · (171 − 5.2·ln V − 0.23·G − 16.2·ln L + 50·sin √(2.46·rad C))`, held within its bounds, where V is
/// Halstead's volume, G the module's total complexity, L its *logical* lines and C the percentage of comment lines
/// (multi-line strings included) among its source lines. Nothing to measure gives 100.
#[must_use]
pub fn maintainability_index(halstead: Halstead, complexity: u32, raw: &RawLineCounts) -> f64 {
    let volume = halstead.volume();
    if volume <= 0.0 || raw.lloc == 0 {
        return 100.0;
    }
    let comments = if raw.sloc == 0 { 0.0 } else { f64::from(raw.comments + raw.multi) / f64::from(raw.sloc) * 100.0 };
    let comment_scale = libm::sqrt(2.46 * radians(comments));
    let index = 171.0 - 5.2 * libm::log(volume) - 0.23 * f64::from(complexity) - 16.2 * libm::log(f64::from(raw.lloc))
        + 50.0 * libm::sin(comment_scale);
    (index * 100.0 / 171.0).clamp(0.0, 100.0)
}

/// Python's `math.radians`, operation for operation.
fn radians(degrees: f64) -> f64 {
    degrees * (std::f64::consts::PI / 180.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_a_worked_example() {
        let raw = RawLineCounts { lloc: 10, sloc: 10, comments: 2, ..RawLineCounts::default() };
        let counts = Halstead { h1: 3, h2: 5, n1: 7, n2: 11 };
        // ln 54 = 3.988984…, ln 10 = 2.302585…, √(2.46·20°) = 0.926665…, its sine 0.799595…
        let index = maintainability_index(counts, 4, &raw);
        assert!((index - 88.899).abs() < 0.01, "{index}");
        assert_eq!(maintainability_index(Halstead::default(), 4, &raw), 100.0);
        assert_eq!(maintainability_index(counts, 4, &RawLineCounts::default()), 100.0);
        assert_eq!(maintainability_index(counts, 5000, &raw), 0.0);
    }
}
