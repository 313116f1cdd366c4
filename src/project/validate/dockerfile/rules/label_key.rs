//! Names of labels.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-label-key",
        Category::Maintainability,
        Severity::Info,
        "The label's name breaks the rules for labels, or is reserved.",
        "use lower-case words with dots and dashes, beginning with a letter",
    ),
    hadolint: &["DL3048"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for label in file.all("LABEL") {
        for (key, _) in label.pairs() {
            let reserved =
                ["com.docker.", "io.docker.", "org.dockerproject."].iter().any(|start| key.starts_with(start));
            let letters = key.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'_' | b'/')
            });
            let edges =
                key.starts_with(|c: char| c.is_ascii_lowercase()) && key.ends_with(|c: char| c.is_ascii_alphanumeric());
            if !key.is_empty()
                && !key.contains('$')
                && (reserved || !letters || !edges || key.contains("..") || key.contains("--"))
            {
                sink.say(label.place, format!("the label name `{key}` is not allowed"));
                break;
            }
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
                ("FROM a:1\nLABEL A=1\nLABEL com.docker.x=1\nLABEL a..b=1\n", &[2, 3, 4]),
                ("FROM a:1\nLABEL org.opencontainers.image.title=x \"a-b\"=c\n", &[]),
            ],
        );
    }
}
