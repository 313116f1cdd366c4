//! Remote files added without a checksum.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-add-unverified",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Low,
    cost: 0,
    blocking: false,
    summary: "What is fetched is not checked, so it may be something else tomorrow.",
    help: "give ADD a checksum: `--checksum=sha256:...`",
    explanation: "The builder takes whatever the server sends on the day of the build. `ADD --checksum=sha256:...` \
        refuses anything but the file that was meant, so a server that was taken over cannot put something into the \
        image.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
ADD https://example.com/tool.tar.gz /opt/
",
        good: "FROM debian:12.8
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.com/tool.tar.gz /opt/
",
    }],
    cwe: Some("CWE-494"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_add_unverified;

fn check_add_unverified(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for add in file.instructions_named("ADD") {
        let sources = add.words.len().saturating_sub(1);
        let remote = |word: &String| word.starts_with("http://") || word.starts_with("https://");
        let repository = |word: &String| word.contains(".git");
        let mut fetched = add.words.iter().take(sources).filter(|word| remote(word) && !repository(word));
        if let (Some(address), None) = (fetched.next(), add.flag("checksum")) {
            sink.report_finding(add.place, format!("`{address}` is added without a checksum"));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::assert_dockerfile_rule(
            &super::RULE,
            super::RUN,
            &[
                ("FROM a:1\nADD https://x/a /b\n", &[2]),
                ("FROM a:1\nADD --checksum=sha256:0 https://x/a /b\nADD https://x/a.git#v1 /b\n", &[]),
            ],
        );
    }
}
