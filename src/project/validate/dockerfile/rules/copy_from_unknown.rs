//! Copying from a stage that does not exist.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-copy-from-unknown",
        Category::Maintainability,
        Severity::Medium,
        "COPY --from names a stage that is not there, so an image of that name is fetched.",
        "name a stage above, or a tagged image",
    ),
    hadolint: &["DL3022"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for copy in file.all("COPY") {
        let (Some(from), Some(stage)) = (copy.flag("from"), copy.stage) else { continue };
        // Names of stages are told apart by case here because older builders do so.
        let known = file.stages.iter().take(stage).any(|stage| stage.name.as_deref() == Some(from))
            || from.parse::<usize>().is_ok_and(|number| number < stage);
        let own = file.stages.get(stage).and_then(|stage| stage.name.as_deref()) == Some(from);
        if !known && !own && !from.contains(':') && !from.contains('@') {
            sink.say(copy.place, format!("no stage above is called `{from}`"));
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
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=y a /b\nCOPY --from=7 a /b\n", &[3, 4]),
                ("FROM a:1 AS x\nFROM b:1\nCOPY --from=x a /b\nCOPY --from=0 a /b\nCOPY --from=n:1 a /b\n", &[]),
            ],
        );
    }
}
