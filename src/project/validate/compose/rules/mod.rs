//! The rules, one a file, sorted by code.

use crate::validate::sink::ConfigRunner;
use crate::validate::yaml::YamlNode;
use tapps_base::declare_rules;

declare_rules! {
    pub(in crate::validate) rules run as ConfigRunner<YamlNode>;
    added_capability,
    docker_socket,
    exposed_database,
    host_mount,
    host_namespace,
    inline_secret,
    latest_image,
    missing_healthcheck,
    missing_limits,
    missing_restart,
    nothing_to_run,
    obsolete_version,
    privileged,
    root_user,
    unconfined,
    unknown_key,
    unknown_reference;
    reported elsewhere: syntax,
}
