//! The native rules for C and C++, one file each.

mod prelude;
#[cfg(test)]
mod testing;

use super::language::C;
use crate::tree::dispatch::TreeRunner;
use tapps_base::declare_rules;

declare_rules! {
    pub rules run as CRunner;
    assignment_as_condition,
    c_style_cast,
    caught_by_value,
    cognitive_complexity,
    copied_range_element,
    deep_nesting,
    delete_of_array,
    destructor_not_virtual,
    empty_handler,
    endl_in_loop,
    file_permissions,
    format_from_value,
    gets_call,
    header_without_guard,
    heavy_parameter_by_value,
    length_in_loop_condition,
    libc_random_secret,
    lost_reallocation,
    low_tls_version,
    oversize_block,
    peer_not_verified,
    predictable_temporary,
    raw_new,
    returned_local_address,
    scanf_without_width,
    secret_compared_bytewise,
    shell_command,
    short_rsa_key,
    size_of_pointer,
    stray_semicolon,
    text_compared_by_address,
    throwing_destructor,
    too_many_parameters,
    unbounded_copy,
    unbracketed_macro_argument,
    unchecked_allocation,
    unmarked_fall_through,
    unreachable_code,
    unsigned_below_zero,
    unterminated_copy,
    use_after_free,
    using_namespace_in_header,
    weak_cryptography,
}

/// How a rule looks at a file.
pub(super) type CRunner = TreeRunner<C>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use crate::tree::testing::assert_rules_are_whole;
    use tapps_base::language::{Analyzers, ScoredLanguage};

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        let is_c = |path: &str| ScoredLanguage::of_path(path).is_some_and(|one| one.analyzers() == Analyzers::C);
        assert_examples_show_rules(RULES, is_c, crate::c::analyze_c);
    }

    #[test]
    fn rules_are_sorted_and_say_what_to_do() {
        assert_rules_are_whole(RULES);
    }
}
