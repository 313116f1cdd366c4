//! The rules, one a file, sorted by code.

use super::instruction::Dockerfile;
use crate::validate::sink::{ConfigRunner, FindingSink};
use tapps_base::declare_rules;

declare_rules! {
    pub(in crate::validate) rules run as ConfigRunner<Dockerfile>;
    absolute_workdir,
    add_for_files,
    add_unverified,
    apt,
    before_from,
    cd_in_run,
    consecutive_run,
    copied_archive,
    copy_from_itself,
    copy_from_unknown,
    copy_many,
    copy_whole_filesystem,
    distribution_upgrade,
    duplicate_stage,
    env_refers_to_itself,
    interactive_install,
    label_key,
    latest_image,
    linked_shell,
    maintainer,
    missing_healthcheck,
    multiple_cmd,
    multiple_entrypoint,
    multiple_healthchecks,
    no_user,
    numeric_user,
    onbuild_forbidden,
    package_cache_kept,
    pip_cache_kept,
    pipe_hides_failure,
    piped_download,
    platform_in_from,
    pointless_command,
    port_range,
    recommended_packages,
    redundant_platform,
    relative_copy_target,
    reserved_stage_name,
    root_user,
    secret_in_build,
    shell_form,
    sudo,
    unknown_instruction,
    unpinned_package,
    untagged_image,
    useradd_large_id,
    wget_and_curl,
    wget_progress,
    world_writable,
}

/// Everything the rules need.
mod prelude {
    pub(super) use super::super::instruction::Dockerfile;
    #[cfg(test)]
    pub(super) use super::assert_dockerfile_rule;
    pub(super) use crate::validate::sink::{ConfigRunner, FileLocation, FindingSink};
    pub(super) use tapps_base::finding::{Category, Severity, Tool};
    pub(super) use tapps_base::rule::{Example, Rule};
}

/// True for the name of a file that ADD unpacks.
fn is_archive(word: &str) -> bool {
    const ENDINGS: [&str; 10] =
        [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".gz", ".bz2", ".xz"];
    ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Reports every instruction of a stage but the first of its kind; those for later builds do not count.
fn report_repeated_instructions(file: &Dockerfile, keyword: &str, message: &str, sink: &mut FindingSink<'_>) {
    for stage in 0..file.stages.len() {
        for again in file.of_stage(stage).filter(|one| one.is(keyword) && !one.onbuild).skip(1) {
            sink.report_finding(again.place, message);
        }
    }
}

/// How the rules are tested.
#[cfg(test)]
fn assert_dockerfile_rule(rule: &tapps_base::rule::Rule, run: ConfigRunner<Dockerfile>, cases: &[(&str, &[u32])]) {
    let parse = |source: &tapps_base::source::Source| super::parse::parse_dockerfile(source.text().unwrap_or_default());
    crate::validate::sink::assert_rule_findings(rule, run, parse, cases);
}
