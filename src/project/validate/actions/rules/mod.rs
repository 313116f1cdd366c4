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

use crate::project::validate::sink::Check;
use crate::project::validate::yaml::Node;

/// Everything the rules need.
mod prelude {
    #[cfg(test)]
    pub(super) use super::holds;
    pub(super) use crate::base::finding::{Category, Severity};
    pub(super) use crate::project::validate::sink::{Check, Place, Sink, rule};
    pub(super) use crate::project::validate::yaml::Node;
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
    use crate::project::validate::{sink, yaml};
    let parse = |source: &crate::base::source::Source| yaml::parse(source.text().unwrap_or_default()).expect("valid");
    sink::holds(check, parse, cases);
}
