//! Commands of the runner that are gone.

use super::super::model::steps;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "actions-deprecated-command",
        Category::Maintainability,
        Severity::Medium,
        "The runner does not obey the command any more.",
        "write to `$GITHUB_OUTPUT`, `$GITHUB_ENV` or `$GITHUB_PATH`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    for run in steps(root).into_iter().filter_map(|step| step.get("run")) {
        let text = run.text().unwrap_or_default();
        let old = ["::set-output", "::set-env", "::add-path", "::save-state"].iter().find(|old| text.contains(*old));
        if let Some(old) = old {
            sink.say(run.place, format!("`{old}` is gone"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("jobs:\n  a:\n    steps:\n      - run: echo \"::set-output name=a::b\"\n", &[4]),
                ("jobs:\n  a:\n    steps:\n      - run: echo a=b >> $GITHUB_OUTPUT\n", &[]),
            ],
        );
    }
}
