//! Rules that several languages share: declared here once, checked by each language in its own way.

tapps_base::declare_rules! {
    pub rules;
    bind_all_interfaces,
    cognitive_complexity,
    deep_nesting,
    empty_error_branch,
    file_permissions,
    hard_coded_key,
    low_tls_version,
    nested_loop,
    not_utf8,
    oversize_block,
    panic_in_library,
    path_from_request,
    shell_command,
    short_rsa_key,
    sql_format,
    string_building_in_loop,
    syntax_error,
    too_deeply_nested,
    too_many_parameters,
    unreachable_code,
    unverified_token,
    weak_cryptography,
}
