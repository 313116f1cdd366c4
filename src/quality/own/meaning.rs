//! What the rules of a tool mean: category, severity and cost by code.

use globset::Glob;
use serde::{Deserialize, Serialize};

use crate::category::density::flat_lint_cost;
use crate::settle::FULL;
use tapps_base::finding::{Category, Finding, Severity};

/// The table, of which the first line that fits a code counts; the last line fits every code.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct Meanings(Vec<Meaning>);

#[derive(Debug, Clone, Deserialize, Serialize)]
struct Meaning {
    /// A code, or a pattern of codes.
    code: String,
    category: Category,
    severity: Severity,
    /// In thousandths of a category point.
    cost: Option<u32>,
}

impl Meaning {
    fn price(&self) -> u32 {
        self.cost.unwrap_or_else(|| flat_lint_cost(self.severity))
    }
}

/// Most lines of the table.
const MOST: usize = 512;

impl Meanings {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.0.len() > MOST {
            return Err(format!("there are more than {MOST} `rules`"));
        }
        if self.0.last().is_none_or(|last| last.code != "*") {
            return Err(
                "the last of the `rules` needs the code \"*\", which says what every other code means".to_owned()
            );
        }
        for Meaning { code, cost, .. } in &self.0 {
            Glob::new(code).map_err(|e| format!("the code `{code}` is no pattern: {}", e.kind()))?;
            if cost.is_some_and(|cost| cost > FULL) {
                return Err(format!("the cost of `{code}` is above {FULL}, which is all that a category has"));
            }
        }
        Ok(())
    }

    /// The categories that the tool has a say in, sorted.
    pub(super) fn categories(&self) -> Vec<Category> {
        let mut categories: Vec<Category> = self.0.iter().map(|meaning| meaning.category).collect();
        categories.sort();
        categories.dedup();
        categories
    }

    /// The lines of the table: pattern, category, severity, cost in thousandths of a category point.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Category, Severity, u32)> {
        self.0.iter().map(|meaning| (meaning.code.as_str(), meaning.category, meaning.severity, meaning.price()))
    }

    /// Category, severity and cost of a code.
    pub(crate) fn of_code(&self, code: &str) -> Option<(Category, Severity, u32)> {
        let meaning = self.0.iter().find(|meaning| {
            meaning.code == code || Glob::new(&meaning.code).is_ok_and(|glob| glob.compile_matcher().is_match(code))
        })?;
        Some((meaning.category, meaning.severity, meaning.price()))
    }

    /// The finding of a code.
    pub(super) fn finding(&self, tool: &str, code: &str, message: String) -> Option<Finding> {
        let (category, severity, cost) = self.of_code(code)?;
        Some(Finding::of_own_tool(tool, code, (category, severity), message).costing(cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_counts() {
        let text = r#"[
            {"code": "SC2086", "category": "security", "severity": "high", "cost": 900},
            {"code": "SC*", "category": "maintainability", "severity": "low"},
            {"code": "*", "category": "devex", "severity": "info"}]"#;
        let meanings: Meanings = serde_json::from_str(text).unwrap();
        meanings.check().unwrap();
        let of = |code: &str| {
            let finding = meanings.finding("linter", code, "m".to_owned()).unwrap();
            (finding.rule, finding.category, finding.cost)
        };
        assert_eq!(of("SC2086"), ("linter:SC2086".to_owned(), Category::Security, 900));
        assert_eq!(of("SC1"), ("linter:SC1".to_owned(), Category::Maintainability, 250));
        assert_eq!(of("other"), ("linter:other".to_owned(), Category::Devex, 0));
        assert_eq!(meanings.categories(), [Category::Security, Category::Maintainability, Category::Devex]);
    }
}
