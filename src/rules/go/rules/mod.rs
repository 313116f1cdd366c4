//! The native rules for Go, one file each.

mod prelude;
#[cfg(test)]
mod testing;

use std::collections::HashMap;
use std::sync::LazyLock;

use tapps_syntax::tree::Node;

use super::context::GoContext;
use crate::habit::bound_small_costs;
use tapps_base::declare_rules;
use tapps_base::finding::Finding;

declare_rules! {
    pub rules run as GoRunner;
    address_from_request,
    archive_slip,
    bind_all_interfaces,
    captured_loop_variable,
    cognitive_complexity,
    compile_in_function,
    context_not_passed,
    copied_mutex,
    deep_nesting,
    defer_in_loop,
    empty_error_branch,
    error_equality,
    error_not_wrapped,
    exposed_profiler,
    file_permissions,
    hard_coded_key,
    http_no_timeout,
    ignored_error,
    insecure_skip_verify,
    late_wait_group_add,
    low_tls_version,
    math_rand_secret,
    oversize_block,
    panic_in_library,
    path_from_request,
    print_debugging,
    redirect_from_request,
    reflected_input,
    shadowed_error,
    shell_command,
    short_rsa_key,
    sql_format,
    string_building_in_loop,
    swallowed_panic,
    template_html,
    timer_in_loop,
    too_many_parameters,
    unchecked_assertion,
    unclosed_body,
    unclosed_rows,
    unreachable_code,
    unsafe_import,
    unverified_token,
    weak_cryptography,
}

/// Looks at one node.
type GoNodeCheck = for<'c> fn(&GoContext<'c>, Node<'c>, &mut Vec<Finding>);

/// How a rule looks at a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum GoRunner {
    /// Called for each node of some kinds, parents first.
    Kinds(&'static [&'static str], GoNodeCheck),
    /// Called once.
    File(fn(&GoContext<'_>, &mut Vec<Finding>)),
}

/// What is called for each kind of node. Most kinds are nobody's concern, and a file has very many nodes.
static BY_KIND: LazyLock<HashMap<&str, Vec<GoNodeCheck>>> = LazyLock::new(|| {
    let mut by_kind: HashMap<&str, Vec<GoNodeCheck>> = HashMap::new();
    for check in CHECKS {
        if let GoRunner::Kinds(kinds, run) = check.run {
            kinds.iter().for_each(|kind| by_kind.entry(kind).or_default().push(run));
        }
    }
    by_kind
});

/// All findings of all rules, by place.
pub(super) fn run_go_rules(context: &GoContext<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for check in CHECKS {
        if let GoRunner::File(run) = check.run {
            run(context, &mut findings);
        }
    }
    for node in context.tree().all_nodes() {
        for run in BY_KIND.get(node.kind()).into_iter().flatten() {
            run(context, node, &mut findings);
        }
    }
    findings.sort_by(Finding::order);
    bound_small_costs(&mut findings);
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use tapps_base::finding::{Category, Severity};

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        assert_examples_show_rules(RULES, |path| path.ends_with(".go"), crate::go::analyze_go);
    }

    #[test]
    fn rules_are_sorted_and_say_what_to_do() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        for rule in RULES {
            assert!(rule.summary.ends_with('.') && rule.help.ends_with('.') && rule.cost > 0, "{}", rule.code);
            let is_security = rule.category == Category::Security;
            assert_eq!(rule.cwe.is_some(), is_security, "{}", rule.code);
            if is_security {
                assert_eq!(rule.cost, if rule.severity == Severity::High { 3_000 } else { 1_000 }, "{}", rule.code);
            }
        }
    }
}
