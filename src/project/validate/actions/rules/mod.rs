//! The rules, one a file, sorted by code.

mod deprecated_command;
mod incomplete;
mod inline_secret;
mod missing_permissions;
mod missing_timeout;
mod persisted_credentials;
mod template_injection;
mod unknown_need;
mod unpinned_action;
mod untrusted_checkout;
mod write_all;

use crate::validate::sink::Check;
use crate::validate::yaml::Node;

/// Everything the rules need.
mod prelude {
    #[cfg(test)]
    pub(super) use super::holds;
    pub(super) use crate::validate::sink::{Check, Place, Sink, rule};
    pub(super) use crate::validate::yaml::Node;
    pub(super) use tapps_base::finding::{Category, Severity};
}

/// All rules, sorted by code.
pub(super) const ALL: &[Check<Node>] = &[
    deprecated_command::CHECK,
    incomplete::CHECK,
    inline_secret::CHECK,
    missing_permissions::CHECK,
    missing_timeout::CHECK,
    persisted_credentials::CHECK,
    template_injection::CHECK,
    unknown_need::CHECK,
    unpinned_action::CHECK,
    untrusted_checkout::CHECK,
    write_all::CHECK,
];

/// How the rules are tested.
#[cfg(test)]
fn holds(check: &Check<Node>, cases: &[(&str, &[u32])]) {
    use crate::validate::{sink, yaml};
    let parse = |source: &tapps_base::source::Source| yaml::parse(source.text().unwrap_or_default()).expect("valid");
    sink::holds(check, parse, cases);
}
