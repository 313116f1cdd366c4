//! Passwords that every user of the machine can read.

use super::prelude::*;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "password-as-argument",
    aliases: &[],
    category: Category::Security,
    severity: Severity::Medium,
    cost: 1_000,
    blocking: false,
    summary: "A password among the arguments of a program stands in the list of processes.",
    help: "Hand it over on standard input, by a file that only you can read, or by the environment.",
    explanation: "Whoever has an account on the machine can list the running programs with their arguments, and \
        logs of the system keep them. Most programs read a password from somewhere else: \
        `--password-stdin`, `sshpass -e`, `--netrc`, `MYSQL_PWD` or an options file, `-pass env:NAME`.",
    examples: &[Example {
        path: "example.sh",
        bad: r#"#!/bin/sh
docker login -u deploy -p "$REGISTRY_TOKEN" registry.example
"#,
        good: r#"#!/bin/sh
printf %s "$REGISTRY_TOKEN" | docker login -u deploy --password-stdin registry.example
"#,
    }],
    cwe: Some("CWE-214"),
    since: "0.1.0",
};

pub(super) const RUN: ShellRunner = ShellRunner::Kinds(&["command"], check_password_as_argument);

fn check_password_as_argument<'c>(context: &ShellContext<'c>, node: Node<'c>, out: &mut Vec<Finding>) {
    let Some(call) = command_call(context, node) else { return };
    let shown = match call.name {
        "sshpass" => call.arguments.iter().copied().find(|argument| context.text(*argument).starts_with("-p")),
        "docker" | "podman" | "helm" | "skopeo" => {
            let logs_in = call.texts(context).contains(&"login");
            let long = || call.arguments.iter().copied().find(|one| context.text(*one).starts_with("--password="));
            call.option(context, &["-p", "--password"]).or_else(long).filter(|_| logs_in)
        }
        "mysql" | "mysqladmin" | "mysqldump" | "mariadb" => call.arguments.iter().copied().find(|argument| {
            let text = context.text(*argument);
            text.starts_with("--password=") || text.strip_prefix("-p").is_some_and(|rest| !rest.is_empty())
        }),
        "curl" => call.option(context, &["-u", "--user"]).filter(|option| {
            let value = call.behind(*option);
            value.is_some_and(|value| context.text(value).split_once(':').is_some_and(|(_, secret)| secret.len() > 1))
        }),
        "openssl" => {
            call.arguments.iter().copied().find(|argument| unquoted(context.text(*argument)).starts_with("pass:"))
        }
        _ => None,
    };
    if let Some(option) = shown {
        let message = format!("the password is in the arguments of `{}`, which every user can list", call.name);
        out.push(context.report(&RULE, option, message));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                r#"sshpass -p "$PASSWORD" ssh host ls"#,
                r#"docker login -u me -p "$TOKEN" registry.example"#,
                r#"docker login --password="$TOKEN" registry.example"#,
                r#"mysql -uroot -p"$PASSWORD" shop"#,
                r#"curl -u "me:$TOKEN" https://a.example/x"#,
                r#"openssl enc -aes-256-cbc -k x -pass "pass:$KEY""#,
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                r#"docker login --username me --password-stdin registry.example"#,
                r#"docker run -p 80:80 image"#,
                r#"mysql -p shop"#,
                r#"curl -u me: https://a.example"#,
                r#"curl --netrc https://a.example/x"#,
                r#"openssl enc -pass env:KEY"#,
                r#"sshpass -f file ssh host"#,
            ],
        );
    }
}
