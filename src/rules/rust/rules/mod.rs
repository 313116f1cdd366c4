//! The native rules for Rust, one file each.

mod prelude;
#[cfg(test)]
mod testing;

use super::language::Rust;
use crate::tree::dispatch::TreeRunner;
use tapps_base::declare_rules;

declare_rules! {
    pub rules run as RustRunner;
    archive_entry_path,
    bind_all_interfaces,
    blocking_in_async,
    boxed_collection,
    certificate_check_off,
    cognitive_complexity,
    collect_to_count,
    cors_any_origin,
    dangling_pointer,
    debug_macro,
    deep_nesting,
    empty_error_branch,
    equal_operands,
    exit_in_library,
    expect_without_reason,
    file_permissions,
    first_removed_in_loop,
    float_equality,
    forgotten_value,
    formatted_expect,
    hard_coded_key,
    ignored_result,
    into_implementation,
    lock_across_await,
    low_tls_version,
    mismatched_hash,
    missing_safety_section,
    oversize_block,
    owned_reference_parameter,
    panic_in_library,
    path_from_request,
    pattern_compiled_in_loop,
    predictable_secret,
    recursive_display,
    repeated_map_lookup,
    same_branches,
    shell_command,
    short_rsa_key,
    sql_format,
    static_mut,
    string_building_in_loop,
    todo_macro,
    too_many_parameters,
    unbounded_channel,
    uninitialized_memory,
    unit_error,
    unreachable_code,
    unsafe_without_comment,
    untyped_transmute,
    unverified_token,
    unwrap_call,
    weak_cryptography,
}

/// How a rule looks at a file.
pub(super) type RustRunner = TreeRunner<Rust>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use crate::tree::testing::assert_rules_are_whole;

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        assert_examples_show_rules(RULES, |path| path.ends_with(".rs"), crate::rust::analyze_rust);
    }

    #[test]
    fn rules_are_sorted_and_say_what_to_do() {
        assert_rules_are_whole(RULES);
    }
}
