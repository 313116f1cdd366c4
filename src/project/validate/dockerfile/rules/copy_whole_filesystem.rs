//! A whole file system copied from another stage.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-copy-whole-filesystem",
        Category::Maintainability,
        Severity::Medium,
        "Everything of another stage is copied, tools and secrets of the build included.",
        "copy what is needed",
    ),
    hadolint: &["DL3067"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for copy in file.all("COPY").filter(|copy| copy.flag("from").is_some()) {
        if let [source, target] = copy.words.as_slice()
            && source == "/"
            && target == "/"
        {
            sink.say(copy.place, "the whole file system of another stage is copied");
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
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=x / /\n", &[3]),
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=x /a /\nCOPY --from=x / /y\n", &[]),
            ],
        );
    }
}
