//! Stage names used twice.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-duplicate-stage",
        Category::Maintainability,
        Severity::High,
        "Two stages of one name cannot be told apart.",
        "give each stage a name of its own",
    ),
    hadolint: &["DL3024"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    let mut seen = std::collections::BTreeSet::new();
    for stage in &file.stages {
        if let Some(name) = &stage.name
            && !seen.insert(name.to_ascii_lowercase())
        {
            sink.say(stage.place, format!("another stage is called `{name}` already"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[("FROM a:1 AS x\nFROM b:1 AS x\n", &[2]), ("FROM a:1 AS x\nFROM b:1 AS y\n", &[])],
        );
    }
}
