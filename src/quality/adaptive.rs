//! Weights that follow what callers said of findings: never far, never on few words, never where a result must be the
//! same everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::weights::CategoryWeights;
use tapps_base::finding::Category;
use tapps_base::{Result, digest};

/// Outcomes that a category needs before its weight moves.
pub const NEEDED: u32 = 10;

/// How far a weight may move from the configured one, in percent of it.
pub const BOUND_PERCENT: u32 = 20;

/// Outcomes that spoke for and against the findings of a category.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FeedbackTally {
    pub right: u32,
    pub wrong: u32,
}

/// The outcomes by category.
pub type Tallies = BTreeMap<Category, FeedbackTally>;

/// Where an engine learns the outcomes from, at the time of each request.
#[derive(Clone)]
pub struct Experience(Arc<dyn Fn() -> Result<Tallies> + Send + Sync>);

impl std::fmt::Debug for Experience {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Experience")
    }
}

impl Experience {
    /// Outcomes as `read` gives them.
    pub fn new(read: impl Fn() -> Result<Tallies> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// The outcomes of now.
    ///
    /// # Errors
    /// What their source says.
    pub fn tallies(&self) -> Result<Tallies> {
        (self.0)()
    }
}

/// The weights after these outcomes. Each lies within the bound around the configured one, and together they come to the
/// same; a category with too few outcomes only makes room for the others.
#[must_use]
pub fn adapt_weights(configured: &CategoryWeights, tallies: &Tallies) -> CategoryWeights {
    let wish = |category| {
        let tally = tallies.get(&category).copied().unwrap_or_default();
        let (right, wrong) = (f64::from(tally.right), f64::from(tally.wrong));
        let told = right + wrong;
        if told < f64::from(NEEDED) {
            return 1.0;
        }
        1.0 + f64::from(BOUND_PERCENT) / 100.0 * (right - wrong) / told
    };
    let wishes: BTreeMap<Category, f64> =
        Category::ALL.into_iter().map(|category| (category, wish(category))).collect();
    if wishes.values().all(|wish| (wish - 1.0).abs() < f64::EPSILON) {
        return configured.clone();
    }
    let bounds: BTreeMap<Category, Bounds> = Category::ALL
        .into_iter()
        .map(|category| (category, Bounds::around_units(configured.units(category))))
        .collect();
    let total: u32 = Category::ALL.into_iter().map(|category| configured.units(category)).sum();
    let scaled = |scale: f64| -> BTreeMap<Category, u32> {
        let unit = |category: Category| {
            let wanted = f64::from(configured.units(category)) * wishes.get(&category).copied().unwrap_or(1.0) * scale;
            (category, bounds.get(&category).map_or(0, |bounds| bounds.clamp(wanted)))
        };
        Category::ALL.into_iter().map(unit).collect()
    };
    let sum = |units: &BTreeMap<Category, u32>| units.values().sum::<u32>();
    // The sum grows with the scale, so halving finds the scale at which it comes nearest from below.
    let (mut low, mut high) = (0.5, 2.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if sum(&scaled(middle)) <= total { low = middle } else { high = middle }
    }
    let mut units = scaled(low);
    let mut missing = total.saturating_sub(sum(&units));
    // What rounding has left goes to those that still have room, in the order of presentation.
    while missing > 0 {
        let mut given = false;
        for (category, unit) in &mut units {
            if missing > 0 && bounds.get(category).is_some_and(|bounds| *unit < bounds.most) {
                *unit += 1;
                missing -= 1;
                given = true;
            }
        }
        if !given {
            break;
        }
    }
    CategoryWeights::from_units(|category| units.get(&category).copied().unwrap_or(0))
}

/// How far one weight may move, in its own units, rounded towards the configured one.
struct Bounds {
    least: u32,
    most: u32,
}

impl Bounds {
    fn around_units(units: u32) -> Self {
        let reach = units * BOUND_PERCENT / 100;
        Self { least: units - reach, most: units + reach }
    }

    fn clamp(&self, wanted: f64) -> u32 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the bounds first")]
        let units = wanted.floor().clamp(f64::from(self.least), f64::from(self.most)) as u32;
        units
    }
}

/// The fingerprint of a result that was made with these weights.
#[must_use]
pub fn fingerprint_with_weights(toolchain: &str, weights: &CategoryWeights) -> String {
    digest::sha256(format!("{toolchain}\0weights\0{}", weights.digest()).as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn configured() -> CategoryWeights {
        let weights = tapps_config::WeightsConfig::default();
        CategoryWeights::from_fractions(|category| weights.weight_of(category))
    }

    fn sum(weights: &CategoryWeights) -> u32 {
        Category::ALL.into_iter().map(|category| weights.units(category)).sum()
    }

    #[test]
    fn few_outcomes_move_nothing_and_many_move_within_the_bound() {
        let told = |right, wrong| Tallies::from([(Category::Security, FeedbackTally { right, wrong })]);
        for few in [told(9, 0), told(0, 9), told(5, 5), told(50, 50), Tallies::new()] {
            assert_eq!(adapt_weights(&configured(), &few), configured(), "{few:?}");
        }
        let up = adapt_weights(&configured(), &told(10, 0));
        let down = adapt_weights(&configured(), &told(0, 10));
        assert!(up.units(Category::Security) > 2_700 && up.units(Category::Security) <= 3_240);
        assert!(up.units(Category::Maintainability) < 2_400);
        assert!(down.units(Category::Security) >= 2_160 && down.units(Category::Security) < 2_700);
        assert_ne!(fingerprint_with_weights("x", &up), fingerprint_with_weights("x", &configured()));
    }

    proptest! {
        /// Outcomes in any number and order, up to a thousand at a time.
        #[test]
        fn weights_stay_within_their_bounds(told in prop::collection::vec((0_usize..7, any::<bool>()), 0..=1_000)) {
            let mut tallies = Tallies::new();
            for (index, right) in told {
                let tally = tallies.entry(Category::ALL[index]).or_default();
                if right { tally.right += 1 } else { tally.wrong += 1 }
            }
            let (before, after) = (configured(), adapt_weights(&configured(), &tallies));
            prop_assert_eq!(sum(&after), sum(&before));
            for category in Category::ALL {
                let (was, is) = (f64::from(before.units(category)), f64::from(after.units(category)));
                prop_assert!((is - was).abs() <= was * 0.2, "{:?}: {} to {}", category, was, is);
            }
            prop_assert_eq!(adapt_weights(&before, &tallies), after, "the same outcomes give the same weights");
        }
    }
}
