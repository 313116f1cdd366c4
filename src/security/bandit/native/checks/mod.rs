//! bandit's tests, by what they are about.

mod cryptography;
mod database;
mod direction;
mod files;
mod loading;
mod markup;
mod passwords;
mod safe_markup;
mod shell;
mod statements;
mod transport;

pub(super) use database::{OperatorChain, judge_statement};
pub(super) use direction::judge_direction;
pub(super) use passwords::{judge_password_default, judge_password_text, judge_temporary_path, judge_written_address};
pub(super) use statements::{assertion_verdict, judge_handler};
pub(super) use transport::judge_tls_default;

use super::blacklist::judge_listed_call;
use super::call::CallView;
use super::verdict::Judged;

/// The tests that look at calls.
pub(super) const CALL_TESTS: &[fn(&CallView<'_, '_>) -> Judged] = &[
    judge_listed_call,
    cryptography::judge_digest,
    cryptography::judge_key_size,
    database::judge_extra,
    database::judge_raw_sql,
    files::judge_extraction,
    files::judge_file_mode,
    loading::judge_exec,
    loading::judge_flask_debug,
    loading::judge_hub_download,
    loading::judge_logging_listener,
    loading::judge_torch,
    loading::judge_yaml,
    markup::judge_django_markup,
    markup::judge_jinja_environment,
    markup::judge_mako_template,
    markup::judge_markup_text,
    passwords::judge_password_argument,
    shell::judge_other_with_shell,
    shell::judge_partial_path,
    shell::judge_remote_command,
    shell::judge_started_process,
    shell::judge_started_shell,
    shell::judge_subprocess_with_shell,
    shell::judge_subprocess_without_shell,
    shell::judge_wildcard,
    transport::judge_certificate_check,
    transport::judge_host_keys,
    transport::judge_missing_tls_version,
    transport::judge_snmp_encryption,
    transport::judge_snmp_version,
    transport::judge_timeout,
    transport::judge_tls_version,
];
