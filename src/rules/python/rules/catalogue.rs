//! All rules, and the one place where they are run.

use super::{
    View, broad_silent_except, deep_nesting, duplicate_block, list_membership_in_loop, mutable_class_default,
    nested_loop, oversize_block, quadratic_concat, repeated_compile, too_many_parameters, unreachable_code,
    unused_private,
};
use tapps_base::finding::Finding;
use tapps_base::rule::Rule;

/// Every rule, sorted by its code.
pub const RULES: &[Rule] = &[
    broad_silent_except::RULE,
    deep_nesting::RULE,
    duplicate_block::RULE,
    list_membership_in_loop::RULE,
    mutable_class_default::RULE,
    nested_loop::RULE,
    oversize_block::RULE,
    quadratic_concat::RULE,
    repeated_compile::RULE,
    too_many_parameters::RULE,
    unreachable_code::RULE,
    unused_private::RULE,
];

/// The findings of all rules, without a file and in no particular order.
#[must_use]
pub fn check(view: &View) -> Vec<Finding> {
    let checks: [fn(&View, &mut Vec<Finding>); 12] = [
        broad_silent_except::check,
        deep_nesting::check,
        duplicate_block::check,
        list_membership_in_loop::check,
        mutable_class_default::check,
        nested_loop::check,
        oversize_block::check,
        quadratic_concat::check,
        repeated_compile::check,
        too_many_parameters::check,
        unreachable_code::check,
        unused_private::check,
    ];
    let mut found = Vec::new();
    for check in checks {
        check(view, &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::finding::Tool;

    #[test]
    fn rules_are_sorted_named_and_affordable() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        for rule in RULES {
            assert_eq!(rule.tool, Tool::Tapps);
            assert!(rule.cost > 0 && rule.cost <= 3000, "{}", rule.code);
            assert!(rule.summary.ends_with('.') && rule.help.ends_with('.'), "{}", rule.code);
        }
    }
}
