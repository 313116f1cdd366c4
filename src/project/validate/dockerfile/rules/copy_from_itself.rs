//! Copying from the stage itself.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-copy-from-itself",
        Category::Maintainability,
        Severity::High,
        "A stage cannot copy from itself.",
        "name another stage",
    ),
    hadolint: &["DL3023"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for copy in file.all("COPY") {
        let (Some(from), Some(at)) = (copy.flag("from"), copy.stage) else { continue };
        let name = file.stages.get(at).and_then(|stage| stage.name.as_deref());
        if name.is_some_and(|name| name.eq_ignore_ascii_case(from)) {
            sink.say(copy.place, format!("the stage `{from}` copies from itself"));
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
                ("FROM a:1 AS x\nCOPY --from=x a /b\n", &[2]),
                ("FROM a:1 AS x\nFROM b:1 AS y\nCOPY --from=x a /b\n", &[]),
            ],
        );
    }
}
