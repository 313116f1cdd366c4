//! Files that anybody may write.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-world-writable",
            Category::Security,
            Severity::Medium,
            "Anybody in the container may change what is there.",
            "give the rights to one user",
        ),
        "CWE-732",
    ),
    hadolint: &[],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "chmod") {
        let open = |word: &String| {
            matches!(word.as_str(), "777" | "0777" | "a+rwx" | "ugo+rwx" | "o+w" | "a+w" | "666" | "0666")
        };
        if command.arguments().iter().any(open) {
            sink.say(Place::line(command.line), "anybody may write these files");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1\nRUN chmod -R 777 /x\n", &[2]), ("FROM a:1\nRUN chmod 755 /x\n", &[])],
        );
    }
}
