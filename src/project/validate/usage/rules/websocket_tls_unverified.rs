//! Certificates that are not checked.

use super::prelude::*;
use crate::validate::sink::weakness;

pub(super) const CHECK: Check<Code> = Check {
    rule: weakness(
        rule(
            "websocket-tls-unverified",
            Category::Security,
            Severity::High,
            "Whoever stands between can pretend to be the server.",
            "leave verification on",
        ),
        "CWE-295",
    ),
    hadolint: &[],
    run,
};

fn run(code: &Code, sink: &mut Sink<'_>) {
    for call in &code.calls {
        let socket = call.callee.to_ascii_lowercase().contains("websocket");
        let off = call.named("rejectUnauthorized") == Some(&Argument::False)
            || call.callee == "ssl._create_unverified_context";
        if off && (socket || call.callee.starts_with("ssl.")) {
            sink.say(call.place, "the server's certificate is not checked");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[(
                "import ssl, websockets\nc = ssl._create_unverified_context()\nd = ssl.create_default_context()\n",
                &[2],
            )],
        );
    }
}
