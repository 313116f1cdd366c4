//! ADD where COPY does.

use super::is_archive;
use super::prelude::*;

pub(super) const CHECK: Check<Dockerfile> = Check {
    rule: rule(
        "docker-add-for-files",
        Category::Security,
        Severity::Low,
        "ADD also unpacks archives and fetches addresses, which is surprising for plain files.",
        "use COPY",
    ),
    hadolint: &["DL3020"],
    run,
};

fn run(file: &Dockerfile, sink: &mut Sink<'_>) {
    for add in file.all("ADD") {
        let sources = add.words.len().saturating_sub(1);
        let plain = |word: &&String| !is_remote(word) && !is_archive(word) && !word.starts_with("<<");
        if add.words.iter().take(sources).any(|word| plain(&word)) {
            sink.say(add.place, "ADD is used for plain files");
        }
    }
}

fn is_remote(word: &str) -> bool {
    ["http://", "https://", "git@", "git://", "$"].iter().any(|start| word.starts_with(start))
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("FROM a:1\nADD a /b\nADD [\"x y\",\"/c\"]\n", &[2, 3]),
                ("FROM a:1\nADD a.tar.gz /b\nADD https://x/a /b\n", &[]),
            ],
        );
    }
}
