//! Several sources without a folder to go to.

use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-copy-many",
        Category::Maintainability,
        Severity::High,
        "Several files can only be copied into a folder, which ends with a slash.",
        "end the target with a slash",
    ),
    hadolint: &["DL3021"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for copy in file.all("COPY") {
        let Some((target, sources)) = copy.words.split_last() else { continue };
        let folder = target.ends_with('/')
            || matches!(target.as_str(), "." | "..")
            || target.starts_with('$')
            || target.ends_with('\\');
        if sources.len() > 1 && !folder && !copy.heredocs {
            sink.say(copy.place, format!("several files are copied to `{target}`, which does not end with a slash"));
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
                ("FROM a:1\nCOPY a b /c\nCOPY [\"a\",\"b\",\"/c\"]\n", &[2, 3]),
                ("FROM a:1\nCOPY a b /c/\nCOPY a /b\n", &[]),
            ],
        );
    }
}
