//! What is made from the definition of the command line: `docs/cli.md`, completions, manual pages.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use clap::builder::StyledStr;
use clap::{Arg, CommandFactory as _};
use rstest::rstest;
use tapps_base::exit;
use tapps_mcp::cli::args::Cli;
use tapps_mcp::cli::coderef::args::Cli as CoderefCli;

use crate::systems::{self, System};
use crate::toolchain_support::{PROGRAM, folder, stderr, stdout};

fn run(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).current_dir("/").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

const HEAD: &str = "\
# The command line

Made from the definition of the two programs. `tapps-mcp man COMMAND` shows the same as a manual page, `tapps-mcp completions SHELL`
writes what a shell needs to complete it.

";

/// The table of exit codes, as it stands in the reference and in the README.
fn exit_codes() -> String {
    let rows: String = exit::MEANINGS.iter().map(|(code, meaning)| format!("| {code} | {meaning} |\n")).collect();
    format!("| exit code | meaning |\n| --- | --- |\n{rows}")
}

#[test]
fn the_readme_lists_every_exit_code() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    assert!(readme.contains(&exit_codes()), "README.md should hold\n{}", exit_codes());
}

fn reference() -> String {
    let mut text = format!("{HEAD}{}", exit_codes());
    for mut program in [Cli::command(), CoderefCli::command()] {
        program.build();
        chapter(&program, "", &mut text);
    }
    text
}

/// `above` is what stands before the command's own name on a command line; empty for a program.
fn chapter(command: &clap::Command, above: &str, text: &mut String) {
    let top = above.is_empty();
    let name = format!("{above} {}", command.get_name());
    let name = name.trim();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let usage = usage.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let about = plain(command.get_long_about().or(command.get_about()));
    let _ = write!(text, "\n## {name}\n\n{about}\n\n```text\n{usage}\n```\n");
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && (top || !argument.is_global_set()))
        .filter(|argument| !["help", "version"].contains(&argument.get_id().as_str()))
        .collect();
    if !arguments.is_empty() {
        text.push_str("\n| argument | |\n| --- | --- |\n");
        for argument in arguments {
            let _ = writeln!(text, "| {} | {} |", spelled(argument), meaning(argument));
        }
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help") {
        chapter(below, name, text);
    }
}

/// `-v, --verbose`, `--preset NAME`, `PATH…`
fn spelled(argument: &Arg) -> String {
    let value = argument.get_value_names().filter(|_| argument.get_action().takes_values()).map(|names| {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        names.join(" ")
    });
    let short = argument.get_short().map(|letter| format!("-{letter}"));
    let long = argument.get_long().map(|word| format!("--{word}"));
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    let words: Vec<String> =
        [flags.join(", "), value.unwrap_or_default()].into_iter().filter(|word| !word.is_empty()).collect();
    format!("`{}`", words.join(" "))
}

fn meaning(argument: &Arg) -> String {
    let mut text = plain(argument.get_long_help().or(argument.get_help()));
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set() && argument.get_action().takes_values())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !values.is_empty() {
        let _ = write!(text, ": {}", values.join(", "));
    }
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
    if !defaults.is_empty() && argument.get_action().takes_values() {
        let _ = write!(text, " [default: {}]", defaults.join(", "));
    }
    text.replace('|', "\\|").replace('\n', " ")
}

fn plain(text: Option<&StyledStr>) -> String {
    text.map(ToString::to_string).unwrap_or_default()
}

#[test]
fn the_reference_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let current = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &current).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == current, "run the tests with UPDATE_DOCS=1 to write docs/cli.md anew");
    for word in ["## tapps-mcp gate merge", "| `--dry-run` | ", "## coderef scan", "| `-q, --quiet` | "] {
        assert!(current.contains(word), "{word}");
    }
}

#[rstest]
#[case("bash", "complete -F _tapps__mcp", "toolchain")]
#[case("zsh", "#compdef tapps-mcp", "toolchain")]
#[case("fish", "complete -c tapps-mcp", "toolchain")]
#[case("elvish", "edit:completion:arg-completer[tapps-mcp]", "toolchain")]
#[case("powershell", "Register-ArgumentCompleter", "toolchain")]
fn every_shell_gets_its_completions(#[case] shell: &str, #[case] sign: &str, #[case] command: &str) {
    let script = run(&["completions", shell]);
    assert!(script.contains(sign) && script.contains(command), "{shell}");
}

#[test]
fn bash_completes_a_command_line() {
    let folder = folder();
    let file = folder.path().join("tapps-mcp.bash");
    fs::write(&file, run(&["completions", "bash"])).unwrap();
    let completed = |words: &str| {
        let script = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
             _tapps__mcp tapps-mcp \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).trim().to_owned()
    };
    assert_eq!(completed("tapps-mcp doc"), "docs doctor");
    assert_eq!(completed("tapps-mcp toolchain ver"), "verify");
    assert_eq!(completed("tapps-mcp init --scope u"), "user");
}

#[test]
fn manual_pages_are_made_for_every_command() {
    let page = run(&["man"]);
    assert!(page.contains(".TH tapps-mcp 1") && page.contains("Exit codes"), "{page}");
    assert!(run(&["man", "gate", "merge"]).contains("tapps\\-mcp\\-gate\\-merge"));
    let folder = folder();
    let said = run(&["man", "--all", folder.path().to_str().unwrap()]);
    let pages = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(said.split_whitespace().nth(1), Some(pages.to_string().as_str()), "{said}");
    assert!(pages > 40, "{pages}");
    assert!(folder.path().join("tapps-mcp-doctor.1").is_file());
    let output = Command::new(PROGRAM).args(["man", "gat"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean gate?"), "{}", stderr(&output));
}

/// groff reads every page without a complaint.
#[test]
fn manual_pages_are_sound() {
    let Some(groff) = systems::require(System::Groff) else { return };
    let folder = folder();
    run(&["man", "--all", folder.path().to_str().unwrap()]);
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let output = Command::new(&groff).args(["-man", "-Tutf8", "-ww", "-z"]).arg(&path).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}: {}", path.display(), stderr(&output));
    }
}
