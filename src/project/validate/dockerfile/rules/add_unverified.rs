//! Remote files added without a checksum.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: weakness(
        rule(
            "docker-add-unverified",
            Category::Security,
            Severity::Low,
            "What is fetched is not checked, so it may be something else tomorrow.",
            "give ADD a checksum: `--checksum=sha256:...`",
        ),
        "CWE-494",
    ),
    hadolint: &[],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for add in file.all("ADD") {
        let sources = add.words.len().saturating_sub(1);
        let remote = |word: &String| word.starts_with("http://") || word.starts_with("https://");
        let repository = |word: &String| word.contains(".git");
        let mut fetched = add.words.iter().take(sources).filter(|word| remote(word) && !repository(word));
        if let (Some(address), None) = (fetched.next(), add.flag("checksum")) {
            sink.say(add.place, format!("`{address}` is added without a checksum"));
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
                ("FROM a:1\nADD https://x/a /b\n", &[2]),
                ("FROM a:1\nADD --checksum=sha256:0 https://x/a /b\nADD https://x/a.git#v1 /b\n", &[]),
            ],
        );
    }
}
