//! The native rules for Java, one file each.

mod prelude;
#[cfg(test)]
mod testing;

use super::language::Java;
use crate::tree::dispatch::TreeRunner;
use tapps_base::declare_rules;

declare_rules! {
    pub rules run as JavaRunner;
    boxed_monitor,
    boxing_constructor,
    caught_throwable,
    cognitive_complexity,
    console_output,
    cookie_without_secure,
    deep_nesting,
    discarded_result,
    empty_control_body,
    entry_outside_folder,
    equals_without_hash_code,
    evaluated_request,
    file_named_by_request,
    inexact_decimal,
    key_in_source,
    key_set_lookup,
    modified_while_iterating,
    mutable_static,
    object_deserialization,
    old_tls_protocol,
    oversize_block,
    page_echoes_request,
    parser_external_entities,
    pattern_in_loop,
    printed_stack_trace,
    redirect_named_by_request,
    return_in_finally,
    runtime_exec_text,
    shared_date_format,
    sql_concatenation,
    string_identity,
    string_sum_in_loop,
    swallowed_exception,
    swallowed_interrupt,
    switch_fall_through,
    system_exit,
    too_many_parameters,
    trust_all_certificates,
    unclosed_resource,
    unsafe_double_check,
    url_named_by_request,
    util_random_secret,
    weak_algorithm,
    world_writable_file,
}

/// How a rule looks at a file.
pub(super) type JavaRunner = TreeRunner<Java>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use crate::tree::testing::assert_rules_are_whole;

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        assert_examples_show_rules(RULES, |path| path.ends_with(".java"), crate::java::analyze_java);
    }

    #[test]
    fn rules_are_sorted_and_say_what_to_do() {
        assert_rules_are_whole(RULES);
    }
}
