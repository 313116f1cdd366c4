//! The rules, one a file, sorted by code.

mod added_capability;
mod docker_socket;
mod exposed_database;
mod host_mount;
mod host_namespace;
mod inline_secret;
mod latest_image;
mod missing_healthcheck;
mod missing_limits;
mod missing_restart;
mod nothing_to_run;
mod obsolete_version;
mod privileged;
mod root_user;
mod unconfined;
mod unknown_key;
mod unknown_reference;

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
    added_capability::CHECK,
    docker_socket::CHECK,
    exposed_database::CHECK,
    host_mount::CHECK,
    host_namespace::CHECK,
    inline_secret::CHECK,
    latest_image::CHECK,
    missing_healthcheck::CHECK,
    missing_limits::CHECK,
    missing_restart::CHECK,
    nothing_to_run::CHECK,
    obsolete_version::CHECK,
    privileged::CHECK,
    root_user::CHECK,
    unconfined::CHECK,
    unknown_key::CHECK,
    unknown_reference::CHECK,
];

/// How the rules are tested.
#[cfg(test)]
fn holds(check: &Check<Node>, cases: &[(&str, &[u32])]) {
    use crate::validate::{sink, yaml};
    let parse = |source: &tapps_base::source::Source| yaml::parse(source.text().unwrap_or_default()).expect("valid");
    sink::holds(check, parse, cases);
}
