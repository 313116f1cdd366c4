//! The obsolete version of the file format.

use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "compose-obsolete-version",
        Category::Maintainability,
        Severity::Info,
        "The key `version` has no meaning any more.",
        "leave it out",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    if let Some((key, _)) = root.entry("version") {
        sink.say(key.place, "`version` is obsolete");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(&super::CHECK, &[("version: \"3\"\nservices: {}\n", &[1]), ("services: {}\n", &[])]);
    }
}
