//! Rules that several languages share: declared here once, checked by each language in its own way.

tapps_base::declare_rules! {
    pub rules;
    cognitive_complexity,
    deep_nesting,
    nested_loop,
    not_utf8,
    oversize_block,
    syntax_error,
    too_deeply_nested,
    too_many_parameters,
    unreachable_code,
}
