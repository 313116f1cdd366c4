//! The native rules for Go, one file each.

mod prelude;
#[cfg(test)]
mod testing;

use super::language::Go;
use crate::tree::dispatch::TreeRunner;
use tapps_base::declare_rules;

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

/// How a rule looks at a file.
pub(super) type GoRunner = TreeRunner<Go>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use crate::tree::testing::assert_rules_are_whole;

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        assert_examples_show_rules(RULES, |path| path.ends_with(".go"), crate::go::analyze_go);
    }

    #[test]
    fn rules_are_sorted_and_say_what_to_do() {
        assert_rules_are_whole(RULES);
    }
}
