//! Downloads that are run at once.

use super::prelude::*;

pub(in crate::validate) const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "docker-piped-download",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 0,
    blocking: false,
    summary: "What is downloaded is run without a look at it.",
    help: "download it, check its digest, then run it",
    explanation: "The script is run as it arrives: whoever controls the server, or the way to it, runs code in the \
        build, and a connection that breaks leaves half a script executed. Download the file, compare its digest, then \
        run it.",
    examples: &[Example {
        path: "Dockerfile",
        bad: "FROM debian:12.8
RUN curl -fsSL https://example.com/install.sh | sh
",
        good: "FROM debian:12.8
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.com/install.sh /tmp/install.sh
RUN sh /tmp/install.sh
",
    }],
    cwe: Some("CWE-494"),
    since: "0.1.0",
};

pub(super) const RUN: ConfigRunner<Dockerfile> = check_piped_download;

fn check_piped_download(file: &Dockerfile, sink: &mut FindingSink<'_>) {
    for run in file.instructions_named("RUN") {
        for pair in run.commands.windows(2) {
            let [from, to] = pair else { continue };
            let fetches = matches!(from.name(), "curl" | "wget") && from.piped;
            if fetches
                && matches!(to.name(), "sh" | "bash" | "zsh" | "dash" | "python" | "python3" | "node" | "perl" | "sudo")
            {
                sink.report_finding(
                    FileLocation::line(from.line),
                    format!("what `{}` fetches is run unchecked by `{}`", from.name(), to.name()),
                );
            }
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
                ("FROM a:1\nRUN curl -fsSL https://x | sh\n", &[2]),
                ("FROM a:1\nRUN curl x | tar x\nRUN curl -o x y\n", &[]),
            ],
        );
    }
}
