//! Hooks of git, for agents that cannot be sent on at the end of a turn.

use super::launch::Launch;
use tapps_sandbox::Boundary;

/// The hooks, each with what this program is asked there.
const HOOKS: [(&str, &str); 2] = [("pre-commit", "hook commit"), ("pre-push", "hook push \"$@\"")];

const BEGIN: &str = "# tapps-mcp: begin";
const END: &str = "# tapps-mcp: end";

/// The configuration of the frameworks that keep the hooks themselves.
const FRAMEWORK: &str = ".pre-commit-config.yaml";

/// The most that is read of a file of git's, in bytes.
const LARGEST: u64 = 1 << 20;

/// A hook to write: its path in the project, and its text as it would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedGitHook {
    pub path: String,
    /// None for a file that is not there yet.
    pub before: Option<String>,
    pub after: String,
}

/// What becomes of the hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitHookTask {
    Write,
    Remove,
    /// Those that are there are brought up to date.
    Renew,
}

/// The hooks to write, and what has to be done by hand instead.
#[must_use]
pub fn plan_git_hooks(boundary: &Boundary, launch: &Launch, task: GitHookTask) -> (Vec<WantedGitHook>, Vec<String>) {
    let wanted = task == GitHookTask::Write;
    let read = |path: &str| {
        let path = boundary.resolve(path).ok()?;
        boundary.read(&path, LARGEST).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let Some(configuration) = read(".git/config") else {
        let why = "git's hooks: the project root is not the top of a repository of its own".to_owned();
        return (Vec::new(), if wanted { vec![why] } else { Vec::new() });
    };
    if wanted && (read(FRAMEWORK).is_some() || configuration.to_ascii_lowercase().contains("hookspath")) {
        let program = launch.for_shell();
        let note = format!(
            "git's hooks are kept by something else here: let it run `{program} hook commit` before a commit and \
             `{program} hook push` before a push"
        );
        return (Vec::new(), vec![note]);
    }
    let (mut hooks, mut notes) = (Vec::new(), Vec::new());
    for (name, does) in HOOKS {
        let path = format!(".git/hooks/{name}");
        let before = read(&path);
        let section = format!("{BEGIN}\n{} {does} || [ $? -ne 1 ] || exit 1\n{END}\n", launch.for_shell());
        let after = match (&before, wanted) {
            (None, false) => continue,
            (None, true) => Some(format!("#!/bin/sh\n{section}")),
            (Some(text), _) if task == GitHookTask::Renew && !text.contains(BEGIN) => continue,
            (Some(text), _) => edit_hook(text, &section, name, task != GitHookTask::Remove),
        };
        match after {
            Some(after) => hooks.push(WantedGitHook { path, before, after }),
            None if wanted => {
                notes.push(format!("{path} is yours: let it run `{} {does}` itself", launch.for_shell()));
            }
            None => {}
        }
    }
    (hooks, notes)
}

/// The text of a hook with the section in it, or without it; none for a hook of the user's that cannot take it.
fn edit_hook(text: &str, section: &str, name: &str, wanted: bool) -> Option<String> {
    let begin = text.find(BEGIN);
    let end = text.find(END).map(|at| at + END.len() + 1);
    let section = if wanted { section } else { "" };
    match (begin, end) {
        (Some(begin), Some(end)) if begin < end => {
            let rest = text.get(end..).unwrap_or_default();
            Some(format!("{}{section}{rest}", text.get(..begin)?))
        }
        (None, None) if wanted => {
            let (first, rest) = text.split_once('\n')?;
            let shell = first.starts_with("#!") && first.trim_end().ends_with("sh");
            // What git says of a push can be read only once, and the user's own lines come to it first.
            (shell && name != "pre-push").then(|| format!("{first}\n{section}{rest}"))
        }
        (None, None) => Some(text.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const SECTION: &str = "# tapps-mcp: begin\np hook commit || [ $? -ne 1 ] || exit 1\n# tapps-mcp: end\n";

    #[test]
    fn a_section_is_put_in_and_taken_out() {
        let mine = "#!/bin/sh\nmake lint\n";
        let once = edit_hook(mine, SECTION, "pre-commit", true).unwrap();
        assert_eq!(once, format!("#!/bin/sh\n{SECTION}make lint\n"));
        assert_eq!(edit_hook(&once, SECTION, "pre-commit", true).unwrap(), once);
        assert_eq!(edit_hook(&once, SECTION, "pre-commit", false).unwrap(), mine);
        assert_eq!(edit_hook("#!/usr/bin/env python3\n", SECTION, "pre-commit", true), None);
        assert_eq!(edit_hook(mine, SECTION, "pre-push", true), None);
    }

    #[test]
    fn hooks_that_something_else_keeps_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let boundary = Boundary::open(folder.path()).unwrap();
        let launch = Launch::from_program(Path::new("/opt/tapps-mcp")).unwrap();
        assert_eq!(plan_git_hooks(&boundary, &launch, GitHookTask::Write).1.len(), 1, "no repository");
        std::fs::create_dir_all(folder.path().join(".git/hooks")).unwrap();
        std::fs::write(folder.path().join(".git/config"), "[core]\n").unwrap();
        let (hooks, notes) = plan_git_hooks(&boundary, &launch, GitHookTask::Write);
        assert_eq!((hooks.len(), notes.len()), (2, 0));
        assert!(hooks[0].after.contains("/opt/tapps-mcp hook commit || [ $? -ne 1 ] || exit 1"), "{hooks:?}");
        assert_eq!(plan_git_hooks(&boundary, &launch, GitHookTask::Remove), (Vec::new(), Vec::new()));
        std::fs::write(folder.path().join(".git/config"), "[core]\n\thooksPath = .husky\n").unwrap();
        let (hooks, notes) = plan_git_hooks(&boundary, &launch, GitHookTask::Write);
        assert_eq!(hooks, []);
        assert!(notes[0].contains("/opt/tapps-mcp hook commit"), "{notes:?}");
    }
}
