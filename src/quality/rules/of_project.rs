//! Rules that only one project has: its patterns, and what the tools say that it locked.

use schemars::JsonSchema;
use serde::Serialize;

use super::category_of;
use crate::category::density::flat_lint_cost;
use crate::own::OwnTools;
use tapps_base::Result;
use tapps_base::finding::{Category, Severity, Tool};
use tapps_patterns::{PatternRule, PatternRules};
use tapps_sandbox::Boundary;

/// One rule of a project, or of a tool that it locked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OwnRule {
    /// As findings name it; of a tool it may be a pattern for many, such as `yamllint:key-*`.
    pub rule: String,
    pub category: Category,
    pub severity: Severity,
    /// In thousandths of a category point.
    pub cost: u32,
    pub summary: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The file of the project that has it, or the package of the tool.
    pub declared_in: String,
    /// Code in which it finds something, and nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub valid: Vec<String>,
}

/// Everything that a project adds to the rules of this program.
#[derive(Debug)]
pub struct OwnRules {
    patterns: PatternRules,
    tools: OwnTools,
}

impl OwnRules {
    /// Reads them.
    ///
    /// # Errors
    /// As [`PatternRules::read`] and [`OwnTools::read`].
    pub fn read(boundary: &Boundary) -> Result<Self> {
        Ok(Self { patterns: PatternRules::read(boundary)?, tools: OwnTools::read(boundary)? })
    }

    /// Every rule, those of a tool as its description groups them, in the order of their names.
    #[must_use]
    pub fn all(&self) -> Vec<OwnRule> {
        let of_tools = self.tools.tools.iter().flat_map(|(tool, description)| {
            let rule = |(code, category, severity, cost): (&str, Category, Severity, u32)| {
                of_tool((&tool.name, description.name()), code, (category, severity, cost))
            };
            description.meanings.all().map(rule).collect::<Vec<_>>()
        });
        let mut all: Vec<OwnRule> = self.patterns.iter().map(of_pattern).chain(of_tools).collect();
        all.sort_by(|a, b| a.rule.cmp(&b.rule));
        all
    }

    /// The rule that a finding names.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<OwnRule> {
        let (family, code) = name.split_once(':').filter(|(_, code)| !code.is_empty())?;
        if family == Tool::Project.as_str() {
            return self.patterns.iter().find(|rule| rule.id() == code).map(of_pattern);
        }
        let (tool, description) = self.tools.tools.iter().find(|(_, description)| description.name() == family)?;
        let (category, severity, cost) = description.meanings.of_code(code)?;
        Some(of_tool((&tool.name, family), code, (category, severity, cost)))
    }
}

/// The category of a rule of this program, or of the project; none for a rule that neither has.
///
/// # Errors
/// As [`OwnRules::read`], for a name that is no rule of this program.
pub fn category_in_project(boundary: &Boundary, name: &str) -> Result<Option<Category>> {
    match category_of(name) {
        Some(category) => Ok(Some(category)),
        None => Ok(OwnRules::read(boundary)?.find(name).map(|rule| rule.category)),
    }
}

fn of_pattern(rule: &PatternRule) -> OwnRule {
    OwnRule {
        rule: format!("{}:{}", Tool::Project, rule.id()),
        category: rule.category(),
        severity: rule.severity(),
        cost: rule.cost(flat_lint_cost),
        summary: rule.message().to_owned(),
        help: rule.help().map(str::to_owned),
        declared_in: rule.file().to_owned(),
        invalid: rule.invalid().to_vec(),
        valid: rule.valid().to_vec(),
    }
}

fn of_tool(
    (package, tool): (&str, &str),
    code: &str,
    (category, severity, cost): (Category, Severity, u32),
) -> OwnRule {
    OwnRule {
        rule: format!("{tool}:{code}"),
        category,
        severity,
        cost,
        summary: format!("What {tool} says as {code}."),
        help: None,
        declared_in: package.to_owned(),
        invalid: Vec::new(),
        valid: Vec::new(),
    }
}
