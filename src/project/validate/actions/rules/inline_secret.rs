//! Secrets written into a workflow.

use super::super::model::{jobs, steps};
use super::prelude::*;
use crate::validate::secret_value;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Node> = Check {
    rule: weakness(
        rule(
            "actions-inline-secret",
            Category::Security,
            Severity::High,
            "Whoever may read the repository knows the secret.",
            "store it as a secret and use `${{ secrets.NAME }}`",
        ),
        "CWE-798",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    let all = jobs(root);
    let scopes = steps(root).into_iter().chain(all.iter().map(|job| job.node)).chain([root]);
    let sections = scopes.flat_map(|node| [node.get("env"), node.get("with")]).flatten();
    for (name, value, place) in sections.flat_map(Node::pairs) {
        if secret_value::is_written(name, value) && name != "id-token" && !name.starts_with("persist-") {
            sink.say(place, format!("`{name}` is written here"));
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
                ("env:\n  API_TOKEN: abc123\njobs: {}\n", &[2]),
                ("env:\n  API_TOKEN: ${{ secrets.X }}\njobs: {}\n", &[]),
            ],
        );
    }
}
