//! The native rules for sh and bash, one file each. What ShellCheck says is not said again.

mod prelude;
#[cfg(test)]
mod testing;

use super::language::Shell;
use crate::tree::dispatch::TreeRunner;
use tapps_base::declare_rules;

declare_rules! {
    pub rules run as ShellRunner;
    certificate_unchecked,
    cognitive_complexity,
    curl_without_fail,
    deep_nesting,
    downloaded_code_run,
    evaluated_argument,
    file_permissions,
    host_key_unchecked,
    low_tls_version,
    oversize_block,
    password_as_argument,
    passwordless_sudo,
    pid_named_temporary,
    pipe_hides_failure,
    process_for_text_in_loop,
    shell_command,
    shell_random_secret,
    short_rsa_key,
    temporary_left_behind,
    too_many_parameters,
    weak_cryptography,
}

/// How a rule looks at a file.
pub(super) type ShellRunner = TreeRunner<Shell>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::assert_examples_show_rules;
    use crate::tree::testing::assert_rules_are_whole;
    use tapps_base::language::{Analyzers, ScoredLanguage};

    #[test]
    fn examples_show_the_rule_and_its_absence() {
        let is_shell =
            |path: &str| ScoredLanguage::of_path(path).is_some_and(|one| one.analyzers() == Analyzers::Shell);
        assert_examples_show_rules(RULES, is_shell, crate::shell::analyze_shell);
    }

    #[test]
    fn rules_are_sorted_and_say_what_to_do() {
        assert_rules_are_whole(RULES);
    }
}
