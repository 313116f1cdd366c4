//! Relative targets without a working directory.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-relative-copy-target",
        Category::Maintainability,
        Severity::Low,
        "The target is relative and the stage sets no WORKDIR, so it depends on the base image.",
        "set WORKDIR first, or give the whole path",
    ),
    hadolint: &["DL3045"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    let mut set = vec![false; file.stages.len()];
    for instruction in &file.instructions {
        let Some(at) = instruction.stage else { continue };
        if instruction.is("FROM") {
            // A stage that goes on from another has its folder.
            let before = file.stages.get(at).and_then(|stage| file.stage_named(&stage.image, at));
            let inherited = before.and_then(|before| set.get(before).copied()).unwrap_or_default();
            set.get_mut(at).into_iter().for_each(|flag| *flag = inherited);
        }
        if instruction.is("WORKDIR") {
            set.get_mut(at).into_iter().for_each(|flag| *flag = true);
        }
        let Some(target) = instruction.words.last().filter(|_| instruction.is("COPY")) else { continue };
        let target = target.trim_matches(['"', '\'']);
        let drive = target.get(1..2) == Some(":");
        if !target.starts_with(['/', '$', '\\']) && !drive && !set.get(at).copied().unwrap_or_default() {
            sink.say(instruction.place, format!("the target `{target}` is relative and no WORKDIR is set"));
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
                ("FROM a:1\nCOPY a b\n", &[2]),
                ("FROM a:1 AS x\nWORKDIR /x\nCOPY a b\nFROM x\nCOPY a .\n", &[]),
                ("FROM a:1\nCOPY a /b\nCOPY a $X\n", &[]),
            ],
        );
    }
}
