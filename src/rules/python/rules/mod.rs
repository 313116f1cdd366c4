//! The native rules for Python, one file each.

mod dependence;
mod loops;
mod suites;
pub mod view;

use tapps_base::declare_rules;
use tapps_base::finding::Finding;
pub use view::View;

/// How a rule looks at a module.
type ModuleRunner = fn(&View<'_>, &mut Vec<Finding>);

declare_rules! {
    pub rules run as ModuleRunner;
    broad_silent_except,
    deep_nesting,
    embedding_per_item,
    endless_agent_loop,
    list_membership_in_loop,
    mutable_class_default,
    nested_loop,
    oversize_block,
    quadratic_concat,
    repeated_compile,
    retrieved_system_text,
    too_many_parameters,
    unbalanced_weights,
    unreachable_code,
    unused_private,
}

/// The findings of all rules, without a file and in no particular order.
#[must_use]
pub fn run_python_rules(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for check in CHECKS {
        (check.run)(view, &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use tapps_base::finding::Tool;
    use tapps_base::source::Source;

    #[test]
    fn rules_are_sorted_named_and_affordable() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        for rule in RULES {
            assert_eq!(rule.tool, Tool::Tapps);
            assert!(rule.cost > 0 && rule.cost <= 3000, "{}", rule.code);
            assert!(rule.summary.ends_with('.') && rule.help.ends_with('.'), "{}", rule.code);
        }
    }

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        let analyze = |source: &Source| crate::python::analyze_python(source, (3, 13).into());
        assert_examples_show_rules(RULES, |path| path.ends_with(".py"), analyze);
    }
}
