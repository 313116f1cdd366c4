//! The rules, one a file, sorted by code.

use crate::validate::sink::ConfigRunner;
use crate::validate::yaml::YamlNode;
use tapps_base::declare_rules;

declare_rules! {
    pub(in crate::validate) rules run as ConfigRunner<YamlNode>;
    deprecated_command,
    incomplete,
    inline_secret,
    missing_permissions,
    missing_timeout,
    persisted_credentials,
    template_injection,
    unknown_need,
    unpinned_action,
    untrusted_checkout,
    write_all;
    reported elsewhere: syntax,
}
