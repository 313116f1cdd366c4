//! Data-driven tests of rules and measurements, for every language that tree-sitter reads.

use std::collections::HashMap;

use super::analyze_tree_language;
use super::grammar::TreeLanguage;
use super::halstead::count_halstead;
use super::nodes::{MAX_DEPTH, SyntaxTree, field};
use crate::python::metrics::halstead::Halstead;
use crate::shape::FileShape;
use tapps_base::finding::{Category, Finding, Severity};
use tapps_base::rule::Rule;
use tapps_base::source::Source;
use tapps_syntax::nodes::NodeRow;

/// The shape of a text that parses.
pub(crate) fn parsed_shape<L: TreeLanguage>(path: &str, text: &str) -> FileShape {
    let shape = analyze_tree_language::<L>(&Source::new(path, text.as_bytes()));
    assert_eq!(shape.syntax_errors, [], "{text}");
    shape
}

/// The findings of one rule in a text.
pub(crate) fn rule_findings<L: TreeLanguage>(rule: &Rule, path: &str, text: &str) -> Vec<Finding> {
    let name = rule.name();
    parsed_shape::<L>(path, text).findings.into_iter().filter(|finding| finding.rule == name).collect()
}

/// Each text has exactly one finding of the rule.
pub(crate) fn assert_each_found<L: TreeLanguage>(rule: &Rule, path: &str, texts: impl IntoIterator<Item = String>) {
    for text in texts {
        let found = rule_findings::<L>(rule, path, &text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].line >= 1 && found[0].column >= 1 && found[0].category == rule.category);
    }
}

/// No text has a finding of the rule.
pub(crate) fn assert_none_found<L: TreeLanguage>(rule: &Rule, path: &str, texts: impl IntoIterator<Item = String>) {
    for text in texts {
        let found = rule_findings::<L>(rule, path, &text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

/// The catalogue of a language: in order, whole, and priced as security is priced everywhere.
pub(crate) fn assert_rules_are_whole(rules: &[Rule]) {
    assert!(rules.is_sorted_by(|a, b| a.code < b.code));
    for rule in rules {
        assert!(rule.summary.ends_with('.') && rule.help.ends_with('.') && rule.cost > 0, "{}", rule.code);
        let is_security = rule.category == Category::Security;
        assert_eq!(rule.cwe.is_some(), is_security, "{}", rule.code);
        if is_security {
            assert_eq!(rule.cost, if rule.severity == Severity::High { 3_000 } else { 1_000 }, "{}", rule.code);
        }
    }
}

/// The cognitive complexity of the only function of a text.
pub(crate) fn cognitive_of<L: TreeLanguage>(text: &str) -> u32 {
    let parsed = (L::grammar().parse)("", text).unwrap();
    let row = NodeRow::from_parsed(&parsed, MAX_DEPTH).unwrap();
    let tree = SyntaxTree::of_row(L::grammar(), text, &row);
    let function = tree.all_nodes().find(|node| tree.is_function(*node)).unwrap();
    super::cognitive::cognitive_complexity(&tree, field(function, "body").unwrap())
}

/// The cognitive complexity of each function of a text.
pub(crate) fn cognitive_by_name<L: TreeLanguage>(text: &str) -> HashMap<String, u32> {
    let parsed = (L::grammar().parse)("", text).unwrap();
    let row = NodeRow::from_parsed(&parsed, MAX_DEPTH).unwrap();
    let tree = SyntaxTree::of_row(L::grammar(), text, &row);
    let named = tree.all_nodes().filter_map(|node| {
        let (name, _) = tree.is_function(node).then(|| (L::grammar().block_name)(&tree, node)).flatten()?;
        Some((name, super::cognitive::cognitive_complexity(&tree, field(node, "body")?)))
    });
    named.collect()
}

/// Kinds of operators and operands, and how many there are of each.
pub(crate) fn halstead_of<L: TreeLanguage>(text: &str) -> [u32; 4] {
    let parsed = (L::grammar().parse)("", text).unwrap();
    let row = NodeRow::from_parsed(&parsed, MAX_DEPTH).unwrap();
    let tree = SyntaxTree::of_row(L::grammar(), text, &row);
    let Halstead { h1, h2, n1, n2 } = count_halstead(&tree);
    [h1, h2, n1, n2]
}
