//! The rules, one a file, sorted by code.

mod docker_privileged;
mod incomplete_server;
mod inline_secret;
mod no_servers;
mod plain_http;
mod shell_command;
mod unpinned_package;

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
    docker_privileged::CHECK,
    incomplete_server::CHECK,
    inline_secret::CHECK,
    no_servers::CHECK,
    plain_http::CHECK,
    shell_command::CHECK,
    unpinned_package::CHECK,
];

/// How the rules are tested.
#[cfg(test)]
fn holds(check: &Check<Node>, cases: &[(&str, &[u32])]) {
    use crate::validate::{sink, yaml};
    let parse = |source: &tapps_base::source::Source| yaml::parse(source.text().unwrap_or_default()).expect("valid");
    sink::holds(check, parse, cases);
}
