//! Both wget and curl.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-wget-and-curl",
        Category::Maintainability,
        Severity::Low,
        "Two programs for one purpose make the image larger.",
        "use one of them",
    ),
    hadolint: &["DL4001"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for stage in 0..file.stages.len() {
        let in_stage = || file.runs_of_stage(stage);
        let first = |name: &'static str| in_stage().find(|(_, command)| command.name() == name);
        let (Some(wget), Some(curl)) = (first("wget"), first("curl")) else { continue };
        let later = if wget.1.line >= curl.1.line { "wget" } else { "curl" };
        for (_, command) in in_stage().filter(|(_, command)| command.name() == later) {
            sink.say(Place::line(command.line), "the stage uses both wget and curl");
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
                ("FROM a:1\nRUN wget -q x\nRUN curl x\n", &[3]),
                ("FROM a:1\nRUN wget -q x\nFROM b:1\nRUN curl x\n", &[]),
            ],
        );
    }
}
