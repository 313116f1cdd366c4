//! Category weights in whole ten-thousandths, and what becomes of them when a category is not measured.

use std::collections::BTreeMap;

use tapps_base::digest;
use tapps_base::finding::Category;

/// One weight per category; they need not sum to anything particular, shares are taken of the sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryWeights(BTreeMap<Category, u32>);

impl CategoryWeights {
    /// Takes weights as fractions (0.27) and keeps four decimals of each.
    #[must_use]
    pub fn from_fractions(weight: impl Fn(Category) -> f64) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=10 000 first")]
        let units = |category| (weight(category) * 10_000.0).round().clamp(0.0, 10_000.0) as u32;
        Self(Category::ALL.into_iter().map(|category| (category, units(category))).collect())
    }

    /// Takes weights in ten-thousandths.
    #[must_use]
    pub fn from_units(units: impl Fn(Category) -> u32) -> Self {
        Self(Category::ALL.into_iter().map(|category| (category, units(category))).collect())
    }

    /// SHA-256 over all of them, in lower-case hex.
    #[must_use]
    pub fn digest(&self) -> String {
        let words: Vec<String> =
            self.0.iter().map(|(category, units)| format!("{} {units}", category.as_str())).collect();
        digest::sha256(words.join("\n").as_bytes())
    }

    /// The share of the overall score that a category has when only `measured` ones count, 0–1.
    #[must_use]
    pub fn share(&self, category: Category, measured: &[Category]) -> f64 {
        let sum: u32 = measured.iter().map(|category| self.units(*category)).sum();
        if sum == 0 || !measured.contains(&category) {
            return 0.0;
        }
        f64::from(self.units(category)) / f64::from(sum)
    }

    /// The weight of a category in ten-thousandths.
    #[must_use]
    pub fn units(&self, category: Category) -> u32 {
        self.0.get(&category).copied().unwrap_or(0)
    }

    /// All categories, heaviest first, ties in the order of presentation.
    #[must_use]
    pub fn heaviest_first(&self) -> Vec<Category> {
        let mut all = Category::ALL.to_vec();
        all.sort_by_key(|category| std::cmp::Reverse(self.units(*category)));
        all
    }
}

/// Rounds to six decimals, which hides no deduction and no platform can round differently.
#[must_use]
pub fn round6(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seven() -> CategoryWeights {
        CategoryWeights::from_fractions(|category| match category {
            Category::Complexity => 0.18,
            Category::Security => 0.27,
            Category::Maintainability => 0.24,
            Category::TestCoverage => 0.13,
            Category::Performance => 0.08,
            Category::Structure | Category::Devex => 0.05,
        })
    }

    #[test]
    fn unmeasured_weight_is_spread_in_proportion() {
        let all = Category::ALL.to_vec();
        assert!((seven().share(Category::Security, &all) - 0.27).abs() < 1e-12);
        let some = [Category::Complexity, Category::Performance];
        assert!((seven().share(Category::Complexity, &some) - 18.0 / 26.0).abs() < 1e-12);
        assert_eq!(seven().share(Category::Security, &some), 0.0);
        assert_eq!(seven().heaviest_first()[..2], [Category::Security, Category::Maintainability]);
    }
}
