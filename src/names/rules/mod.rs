//! What can be said of the names of libraries, one rule a file; `check` finds them.

tapps_base::declare_rules! {
    pub rules;
    undeclared_dependency,
    unknown_api,
    unknown_argument,
    unknown_module,
}
