//! The native rules for scripts, one file each.

mod prelude;
#[cfg(test)]
mod testing;

use std::collections::HashMap;

use oxc_ast::AstKind;
use oxc_ast::ast::CallExpression;
use oxc_semantic::AstNode;

use super::context::ScriptContext;
use tapps_base::declare_rules;
use tapps_base::finding::Finding;

/// How a rule looks at a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScriptRunner {
    /// Called for each node of the syntax tree, parents first.
    Node(for<'c, 'a> fn(&ScriptContext<'c, 'a>, &'c AstNode<'a>, &mut Vec<Finding>)),
    /// Called for each call.
    Call(for<'c, 'a> fn(&ScriptContext<'c, 'a>, &'c CallExpression<'a>, &mut Vec<Finding>)),
    /// Called once.
    File(fn(&ScriptContext<'_, '_>, &mut Vec<Finding>)),
}

declare_rules! {
    pub rules run as ScriptRunner;
    angular_bypass_security,
    any_density,
    array_callback_no_return,
    await_in_loop,
    child_process_template,
    command_from_request,
    component_in_render,
    constant_condition,
    cookie_insecure,
    cors_credentials,
    csp_off,
    dangerously_set_inner_html,
    debugger,
    deep_nesting,
    duplicate_case,
    effect_async,
    effect_deps,
    electron_insecure,
    empty_catch,
    eval,
    fallthrough,
    floating_promise,
    graphql_introspection,
    hardcoded_signing_key,
    hook_order,
    host_header_link,
    index_key,
    inner_html,
    insecure_random,
    javascript_url,
    jquery_html,
    jwt_none,
    jwt_unverified,
    ldap_injection,
    log_secret,
    loose_equality,
    markup_fragment,
    markup_property,
    missing_key,
    module_from_request,
    nested_loop,
    nosql_injection,
    open_redirect,
    oversize_block,
    path_traversal,
    plain_http_credentials,
    postmessage_star,
    prototype_pollution,
    reflected_markup,
    regex_from_request,
    request_forgery,
    self_compare,
    shell_argument,
    spread_in_reduce,
    sql_template,
    stack_trace_sent,
    state_mutation,
    static_iv,
    static_root,
    template_injection,
    temporary_file,
    timing_compare,
    tls_verify_off,
    ts_ignore,
    undefined_name,
    unreachable_code,
    unsafe_deserialize,
    unused_import,
    unused_variable,
    var_keyword,
    vm_run_text,
    weak_cipher,
    weak_hash,
    weak_key_size,
    weak_password_rounds,
    xml_external_entities,
    xpath_injection,
    zip_slip,
}

/// All findings of all rules, by place.
pub(super) fn run_script_rules(context: &ScriptContext<'_, '_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut per_node = Vec::new();
    let mut per_call = Vec::new();
    for check in CHECKS {
        match check.run {
            ScriptRunner::Node(run) => per_node.push(run),
            ScriptRunner::Call(run) => per_call.push(run),
            ScriptRunner::File(run) => run(context, &mut findings),
        }
    }
    for node in context.nodes().iter() {
        for run in &per_node {
            run(context, node, &mut findings);
        }
        if let AstKind::CallExpression(call) = node.kind() {
            for run in &per_call {
                run(context, call, &mut findings);
            }
        }
    }
    findings.sort_by(Finding::order);
    bound_costs(&mut findings);
    findings
}

/// What findings of one small kind may cost together: a habit is one thing to say, however often it shows.
const MAX_PER_SMALL_RULE: u32 = 2_000;
/// Rules that ask for less than this are small.
const SMALL: u32 = 1_000;

/// Makes the findings of a small rule informational once their sum has reached its bound.
fn bound_costs(findings: &mut [Finding]) {
    let mut spent: HashMap<String, u32> = HashMap::new();
    for finding in findings.iter_mut().filter(|finding| finding.cost < SMALL) {
        let spent = spent.entry(finding.rule.clone()).or_default();
        finding.cost = finding.cost.min(MAX_PER_SMALL_RULE - *spent);
        *spent += finding.cost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use tapps_base::finding::Severity;
    use tapps_base::language::ScoredLanguage;

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        let is_script = |path: &str| ScoredLanguage::of_path(path).is_some_and(ScoredLanguage::is_script);
        assert_examples_show_rules(RULES, is_script, crate::script::analyze_script);
    }

    #[test]
    fn rules_are_told_apart_and_say_what_to_do() {
        let mut codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        codes.sort_unstable();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
        for rule in RULES {
            assert!(rule.code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", rule.code);
            assert!(rule.summary.ends_with('.') && !rule.help.is_empty() && rule.cost > 0, "{}", rule.code);
            let is_security = rule.category == tapps_base::finding::Category::Security;
            assert_eq!(rule.cwe.is_some(), is_security, "{}", rule.code);
            if is_security {
                assert_eq!(rule.cost, if rule.severity == Severity::High { 3_000 } else { 1_000 }, "{}", rule.code);
            }
        }
    }
}
