//! The rules, one a file, sorted by code.

use crate::validate::sink::ConfigRunner;
use crate::validate::yaml::YamlNode;
use tapps_base::declare_rules;

declare_rules! {
    pub(in crate::validate) rules run as ConfigRunner<YamlNode>;
    docker_privileged,
    incomplete_server,
    inline_secret,
    no_servers,
    plain_http,
    shell_command,
    unpinned_package;
    reported elsewhere: syntax,
}
