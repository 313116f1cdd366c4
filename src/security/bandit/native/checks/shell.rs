//! Starting other programs: with a shell, without one, with wildcards, from a partial path; and on other machines.

use ruff_python_ast::{Expr, Number};
use tapps_base::finding::Severity::{High, Low, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::literal::Value;
use crate::bandit::native::verdict::{Judged, Lost, Verdict};

const STARTING: &[&str] =
    &["subprocess.Popen", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.run"];

const WITH_SHELL: &[&str] = &[
    "os.system",
    "os.popen",
    "os.popen2",
    "os.popen3",
    "os.popen4",
    "popen2.popen2",
    "popen2.popen3",
    "popen2.popen4",
    "popen2.Popen3",
    "popen2.Popen4",
    "commands.getoutput",
    "commands.getstatusoutput",
    "subprocess.getoutput",
    "subprocess.getstatusoutput",
];

const WITHOUT_SHELL: &[&str] = &[
    "os.execl",
    "os.execle",
    "os.execlp",
    "os.execlpe",
    "os.execv",
    "os.execve",
    "os.execvp",
    "os.execvpe",
    "os.spawnl",
    "os.spawnle",
    "os.spawnlp",
    "os.spawnlpe",
    "os.spawnv",
    "os.spawnve",
    "os.spawnvp",
    "os.spawnvpe",
    "os.startfile",
];

/// Programs whose options a file name can become.
const TAKING_OPTIONS: [&str; 4] = ["chown", "chmod", "tar", "rsync"];

/// OS command injection.
const INJECTION: u32 = 78;

/// Whether the call asks for a shell. Names and whatever has to be evaluated count as true.
fn asks_for_shell(view: &CallView<'_, '_>) -> Result<bool, Lost> {
    if !view.has_keyword("shell")? {
        return Ok(false);
    }
    let named = view.keywords().iter().rev().find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == "shell"));
    Ok(named.is_some_and(|keyword| match &keyword.value {
        Expr::BooleanLiteral(literal) => literal.value,
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(int) => int.as_u64() != Some(0),
            Number::Float(float) => *float != 0.0,
            Number::Complex { real, imag } => *real != 0.0 || *imag != 0.0,
        },
        Expr::List(list) => !list.elts.is_empty(),
        Expr::Dict(dict) => !dict.items.is_empty(),
        Expr::Name(name) => !["False", "None"].contains(&name.id.as_str()),
        Expr::StringLiteral(literal) => !literal.value.is_empty(),
        Expr::BytesLiteral(literal) => !literal.value.is_empty(),
        Expr::NoneLiteral(_) => false,
        _ => true,
    }))
}

/// Whether the first argument is a text as it stands.
fn has_fixed_command(view: &CallView<'_, '_>) -> bool {
    matches!(view.positional().first(), Some(Expr::StringLiteral(_)))
}

/// `subprocess` with a shell.
pub(super) fn judge_subprocess_with_shell(view: &CallView<'_, '_>) -> Judged {
    if !STARTING.contains(&view.qualified.as_str()) || !asks_for_shell(view)? || view.positional_values()?.is_empty() {
        return Ok(None);
    }
    let verdict = if has_fixed_command(view) {
        Verdict::new(
            "B602",
            (Low, High),
            INJECTION,
            "subprocess call with shell=True seems safe, but may be changed in the future, consider rewriting without shell",
        )
    } else {
        Verdict::new("B602", (High, High), INJECTION, "subprocess call with shell=True identified, security issue.")
    };
    Ok(Some(verdict.on_line(view.keyword_line("shell"))))
}

/// `subprocess` without a shell.
pub(super) fn judge_subprocess_without_shell(view: &CallView<'_, '_>) -> Judged {
    if !STARTING.contains(&view.qualified.as_str()) || asks_for_shell(view)? {
        return Ok(None);
    }
    let text = "subprocess call - check for execution of untrusted input.";
    Ok(Some(Verdict::new("B603", (Low, High), INJECTION, text).on_line(view.keyword_line("shell"))))
}

/// Any other function that is asked for a shell.
pub(super) fn judge_other_with_shell(view: &CallView<'_, '_>) -> Judged {
    if view.keywords().is_empty() || STARTING.contains(&view.qualified.as_str()) || !asks_for_shell(view)? {
        return Ok(None);
    }
    let text = "Function call with shell=True parameter identified, possible security issue.";
    Ok(Some(Verdict::new("B604", (Medium, Low), INJECTION, text).on_line(view.keyword_line("shell"))))
}

/// Functions that always start a shell.
pub(super) fn judge_started_shell(view: &CallView<'_, '_>) -> Judged {
    if !WITH_SHELL.contains(&view.qualified.as_str()) || view.positional_values()?.is_empty() {
        return Ok(None);
    }
    Ok(Some(if has_fixed_command(view) {
        Verdict::new(
            "B605",
            (Low, High),
            INJECTION,
            "Starting a process with a shell: Seems safe, but may be changed in the future, consider rewriting without shell",
        )
    } else {
        Verdict::new(
            "B605",
            (High, High),
            INJECTION,
            "Starting a process with a shell, possible injection detected, security issue.",
        )
    }))
}

/// Functions that replace the process or start one beside it.
pub(super) fn judge_started_process(view: &CallView<'_, '_>) -> Judged {
    let found = WITHOUT_SHELL.contains(&view.qualified.as_str());
    Ok(found.then(|| Verdict::new("B606", (Low, Medium), INJECTION, "Starting a process without a shell.")))
}

/// A program that is looked up where PATH says.
pub(super) fn judge_partial_path(view: &CallView<'_, '_>) -> Judged {
    let starts = [STARTING, WITH_SHELL, WITHOUT_SHELL].iter().any(|names| names.contains(&view.qualified.as_str()));
    if !starts || view.positional_values()?.is_empty() {
        return Ok(None);
    }
    let first = view.positional().first();
    let program = match first {
        Some(Expr::List(list)) => list.elts.first().or(first),
        other => other,
    };
    let Some(Expr::StringLiteral(literal)) = program else { return Ok(None) };
    let partial = !is_full_path(literal.value.to_str());
    let text = "Starting a process with a partial executable path";
    Ok(partial.then(|| Verdict::new("B607", (Low, High), INJECTION, text)))
}

/// A path from the root, from a drive, or from the working directory.
fn is_full_path(path: &str) -> bool {
    path.starts_with(['\\', '/', '.']) || matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

/// A wildcard that a shell expands into arguments of a program which takes options among them.
pub(super) fn judge_wildcard(view: &CallView<'_, '_>) -> Judged {
    let name = view.qualified.as_str();
    let shell = WITH_SHELL.contains(&name) || STARTING.contains(&name) && view.keyword_says("shell", &["True"])?;
    if !shell {
        return Ok(None);
    }
    let command = match view.positional_value(0)? {
        Some(Value::List(words)) => words.iter().map(|word| format!(" {}", word.show_plainly())).collect(),
        Some(Value::Text(text)) => text,
        _ => return Ok(None),
    };
    if !command.contains('*') || !TAKING_OPTIONS.iter().any(|program| command.contains(program)) {
        return Ok(None);
    }
    let verdict =
        Verdict::new("B609", (High, Medium), 155, "").saying(format!("Possible wildcard injection in call: {name}"));
    Ok(Some(verdict.on_line(view.keyword_line("shell"))))
}

/// A command for a shell on another machine.
pub(super) fn judge_remote_command(view: &CallView<'_, '_>) -> Judged {
    let found = view.name() == "exec_command" && view.imports.has_like("paramiko");
    let text = "Possible shell injection via Paramiko call, check inputs are properly sanitized.";
    Ok(found.then(|| Verdict::new("B601", (Medium, Medium), INJECTION, text)))
}
