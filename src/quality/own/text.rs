//! The score of a text file in no scored language: of the categories that the project's own tools measure, and no others.

use std::collections::BTreeMap;

use super::OwnAnswer;
use crate::assemble::Frame;
use crate::result::{CategoryScore, NotMeasured};
use crate::settle::{account_deductions, settle_category, to_category_points};
use crate::weights::round6;
use tapps_base::finding::{Category, Finding};

/// The categories with their scores, and the overall score; nothing where no tool was asked.
pub(crate) fn score_categories(
    own: &[OwnAnswer],
    gaps: &[NotMeasured],
    findings: &mut [Finding],
    frame: &Frame,
) -> (BTreeMap<Category, CategoryScore>, Option<f64>) {
    let mut measured: Vec<Category> = own.iter().flat_map(|answer| answer.categories.iter().copied()).collect();
    measured.sort();
    measured.dedup();
    measured.retain(|category| !gaps.iter().any(|gap| gap.category == *category));
    let (mut categories, mut lost) = (BTreeMap::new(), 0.0);
    for category in measured.iter().copied() {
        let share = frame.weights.share(category, &measured);
        let account = settle_category(category, findings);
        for entry in &account.entries {
            let points = round6(share * f64::from(entry.cost) / 100.0);
            if let Some(finding) = findings.get_mut(entry.finding) {
                finding.points = points;
            }
            lost += points;
        }
        let score = CategoryScore {
            score: Some(to_category_points(account.score)),
            weight: round6(share),
            measured: true,
            details: format!("{} findings of the project's own tools", account.entries.len()),
            deductions: account_deductions(&account, findings),
        };
        categories.insert(category, score);
    }
    let overall = (!categories.is_empty()).then(|| round6(100.0 - lost));
    (categories, overall)
}
