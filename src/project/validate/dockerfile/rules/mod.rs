//! The rules, one a file, sorted by code.

mod absolute_workdir;
mod add_for_files;
mod add_unverified;
mod apt;
mod before_from;
mod cd_in_run;
mod consecutive_run;
mod copied_archive;
mod copy_from_itself;
mod copy_from_unknown;
mod copy_many;
mod copy_whole_filesystem;
mod distribution_upgrade;
mod duplicate_stage;
mod env_refers_to_itself;
mod interactive_install;
mod label_key;
mod latest_image;
mod linked_shell;
mod maintainer;
mod missing_healthcheck;
mod multiple_cmd;
mod multiple_entrypoint;
mod multiple_healthchecks;
mod no_user;
mod numeric_user;
mod onbuild_forbidden;
mod package_cache_kept;
mod pip_cache_kept;
mod pipe_hides_failure;
mod piped_download;
mod platform_in_from;
mod pointless_command;
mod port_range;
mod recommended_packages;
mod redundant_platform;
mod relative_copy_target;
mod reserved_stage_name;
mod root_user;
mod secret_in_build;
mod shell_form;
mod sudo;
mod unknown_instruction;
mod unpinned_package;
mod untagged_image;
mod useradd_large_id;
mod wget_and_curl;
mod wget_progress;
mod world_writable;

use super::instruction::Dockerfile;
use crate::validate::sink::Check;

/// Everything the rules need.
mod prelude {
    pub(super) use super::super::instruction::Dockerfile;
    #[cfg(test)]
    pub(super) use super::holds;
    pub(super) use crate::validate::sink::{Check, Place, Sink, rule};
    pub(super) use tapps_base::finding::{Category, Severity};
}

/// All rules, sorted by code.
pub(super) const ALL: &[Check<Dockerfile>] = &[
    absolute_workdir::CHECK,
    add_for_files::CHECK,
    add_unverified::CHECK,
    apt::CHECK,
    before_from::CHECK,
    cd_in_run::CHECK,
    consecutive_run::CHECK,
    copied_archive::CHECK,
    copy_from_itself::CHECK,
    copy_from_unknown::CHECK,
    copy_many::CHECK,
    copy_whole_filesystem::CHECK,
    distribution_upgrade::CHECK,
    duplicate_stage::CHECK,
    env_refers_to_itself::CHECK,
    interactive_install::CHECK,
    label_key::CHECK,
    latest_image::CHECK,
    linked_shell::CHECK,
    maintainer::CHECK,
    missing_healthcheck::CHECK,
    multiple_cmd::CHECK,
    multiple_entrypoint::CHECK,
    multiple_healthchecks::CHECK,
    no_user::CHECK,
    numeric_user::CHECK,
    onbuild_forbidden::CHECK,
    package_cache_kept::CHECK,
    pip_cache_kept::CHECK,
    pipe_hides_failure::CHECK,
    piped_download::CHECK,
    platform_in_from::CHECK,
    pointless_command::CHECK,
    port_range::CHECK,
    recommended_packages::CHECK,
    redundant_platform::CHECK,
    relative_copy_target::CHECK,
    reserved_stage_name::CHECK,
    root_user::CHECK,
    secret_in_build::CHECK,
    shell_form::CHECK,
    sudo::CHECK,
    unknown_instruction::CHECK,
    unpinned_package::CHECK,
    untagged_image::CHECK,
    useradd_large_id::CHECK,
    wget_and_curl::CHECK,
    wget_progress::CHECK,
    world_writable::CHECK,
];

/// True for the name of a file that ADD unpacks.
fn is_archive(word: &str) -> bool {
    const ENDINGS: [&str; 10] =
        [".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".gz", ".bz2", ".xz"];
    ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// How the rules are tested.
#[cfg(test)]
fn holds(check: &Check<Dockerfile>, cases: &[(&str, &[u32])]) {
    let parse = |source: &tapps_base::source::Source| super::parse::parse(source.text().unwrap_or_default());
    crate::validate::sink::holds(check, parse, cases);
}
