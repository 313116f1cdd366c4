//! Hooks of agents: code 2 is a refusal, which the model has to heed; whatever keeps this program from its work ends with
//! code 1, which is shown and stops nobody. Otherwise one mistake in a configuration would refuse the edit that mends it.

use std::ffi::OsString;

use super::out;
use tapps_base::log_text;
use tapps_base::{Error, exit};

/// The commands that agents call around an edit.
const COMMANDS: [&str; 2] = ["check", "guard"];

/// The option that says which agent calls.
const CLIENT: &str = "--client";

/// Whether the arguments of the process are those of a hook, also when they cannot be parsed.
#[must_use]
pub(super) fn is_hook_call(args: &[OsString]) -> bool {
    let words = || args.iter().skip(1).filter_map(|arg| arg.to_str());
    let names_agent =
        words().any(|word| word.strip_prefix(CLIENT).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')));
    names_agent && words().any(|word| COMMANDS.contains(&word))
}

/// Says on the error stream why the hook did not do its work.
#[must_use]
pub(super) fn report_failure(what: &str, error: &Error) -> u8 {
    let hint = error.body().hint.as_deref().map(|hint| format!(" ({})", log_text(hint))).unwrap_or_default();
    out::to_stderr(&format!("{what}: {}{hint}\n", log_text(error.message())));
    exit::FINDINGS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_known_by_their_arguments() {
        for (line, is_hook) in [
            ("tapps-mcp check --client gemini", true),
            ("tapps-mcp --project-root /x tdd guard --client=cursor --unknown", true),
            ("tapps-mcp check a.py", false),
            ("tapps-mcp tdd guard a.py", false),
            ("tapps-mcp init --client gemini", false),
            ("check guard --clients", false),
        ] {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(is_hook_call(&args), is_hook, "{line}");
        }
    }
}
