//! Users with very high numbers.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-useradd-large-id",
        Category::Maintainability,
        Severity::Low,
        "useradd writes a log as large as the user's number: gigabytes for a high one.",
        "add `--no-log-init`",
    ),
    hadolint: &["DL3046"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for (_, command) in file.runs().filter(|(_, command)| command.name() == "useradd") {
        let arguments = command.arguments();
        let after = arguments
            .iter()
            .position(|word| matches!(word.as_str(), "-u" | "--uid"))
            .and_then(|at| arguments.get(at + 1));
        let joined = arguments.iter().find_map(|word| word.strip_prefix("--uid=").or_else(|| word.strip_prefix("-u")));
        let id = after.map(String::as_str).or(joined).unwrap_or_default();
        if id.len() > 5
            && id.bytes().all(|byte| byte.is_ascii_digit())
            && !command.has(&["--no-log-init"])
            && !command.has_short('l')
        {
            sink.say(Place::line(command.line), format!("the user number {id} makes useradd write a huge log"));
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
                ("FROM a:1\nRUN useradd -u 123456 x\n", &[2]),
                ("FROM a:1\nRUN useradd -l -u 123456 x && useradd -u 1000 y\n", &[]),
            ],
        );
    }
}
