//! Keys that compose does not know.

use super::super::model::services;
use crate::validate::yaml_rules::prelude::*;
use tapps_base::nearest;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "compose-unknown-key",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "The key means nothing, so what was meant does not happen.",
    help: "correct the key, or begin its name with `x-`",
    explanation: "Compose does not know the key, so it refuses the file, or the setting does nothing. Mostly a letter \
        is wrong, or the key stands on the wrong level. Keys of your own may begin with `x-`.",
    examples: &[Example {
        path: "compose.yaml",
        bad: "services:
  web:
    imgae: nginx:1.27.3
    build: .
",
        good: "services:
  web:
    image: nginx:1.27.3
    build: .
",
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<YamlNode> = check_unknown_key;

/// What a service may say.
const SERVICE: [&str; 96] = [
    "annotations",
    "attach",
    "blkio_config",
    "build",
    "cap_add",
    "cap_drop",
    "cgroup",
    "cgroup_parent",
    "command",
    "configs",
    "container_name",
    "cpu_count",
    "cpu_percent",
    "cpu_period",
    "cpu_quota",
    "cpu_rt_period",
    "cpu_rt_runtime",
    "cpu_shares",
    "cpus",
    "cpuset",
    "credential_spec",
    "depends_on",
    "deploy",
    "develop",
    "device_cgroup_rules",
    "devices",
    "dns",
    "dns_opt",
    "dns_search",
    "domainname",
    "entrypoint",
    "env_file",
    "environment",
    "expose",
    "extends",
    "external_links",
    "extra_hosts",
    "gpus",
    "group_add",
    "healthcheck",
    "hostname",
    "image",
    "init",
    "ipc",
    "isolation",
    "label_file",
    "labels",
    "links",
    "log_driver",
    "log_opt",
    "log_options",
    "logging",
    "mac_address",
    "mem_limit",
    "mem_reservation",
    "mem_swappiness",
    "memswap_limit",
    "models",
    "net",
    "network_mode",
    "networks",
    "oom_kill_disable",
    "oom_score_adj",
    "pid",
    "pids_limit",
    "platform",
    "ports",
    "post_start",
    "pre_stop",
    "privileged",
    "profiles",
    "provider",
    "pull_policy",
    "read_only",
    "restart",
    "runtime",
    "scale",
    "secrets",
    "security_opt",
    "shm_size",
    "stdin_open",
    "stop_grace_period",
    "stop_signal",
    "storage_opt",
    "sysctls",
    "tmpfs",
    "tty",
    "ulimits",
    "use_api_socket",
    "user",
    "userns_mode",
    "uts",
    "volume_driver",
    "volumes",
    "volumes_from",
    "working_dir",
];

/// What a file may say.
const FILE: [&str; 10] =
    ["configs", "include", "models", "name", "networks", "secrets", "services", "version", "volumes", "volumes_from"];

fn check_unknown_key(root: &YamlNode, sink: &mut FindingSink<'_>) {
    report_unknown_keys(root, &FILE, "", sink);
    for service in services(root) {
        report_unknown_keys(service.node, &SERVICE, service.name, sink);
    }
}

fn report_unknown_keys(node: &YamlNode, known: &[&'static str], service: &str, sink: &mut FindingSink<'_>) {
    for (key, _) in node.entries() {
        let Some(name) = key.text().filter(|name| !known.contains(name) && !name.starts_with("x-")) else { continue };
        let near = nearest::names(name, known.iter().copied());
        let meant = near.first().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let whose = if service.is_empty() { String::new() } else { format!(" of the service `{service}`") };
        sink.report_finding(key.place, format!("the key `{name}`{whose} is unknown{meant}"));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_yaml_rule(
            &super::RULE,
            super::RUN,
            &[
                ("services:\n  a:\n    imge: x:1\nservice: {}\n", &[3, 4]),
                ("x-a: 1\nname: x\nservices:\n  a:\n    image: x:1\n    x-b: 1\n", &[]),
            ],
        );
    }
}
