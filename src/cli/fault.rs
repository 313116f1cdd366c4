//! How failures are worded on the error stream.

use super::human::style::Style;
use super::out;
use tapps_base::Error;
use tapps_base::log_text;

/// An error as lines for people: what happened, then what to do next.
#[must_use]
pub fn render_cli_error(error: &Error, style: Style) -> String {
    let mut text = format!("{} {}\n", style.bad(style.bold("error:")), strip_control_characters(error.message()));
    if let Some(hint) = &error.body().hint {
        text += &format!("{} {}\n", style.bold("hint:"), strip_control_characters(hint));
    }
    text
}

/// Line by line without control characters; messages may quote what a file or a tool said.
fn strip_control_characters(text: &str) -> String {
    text.lines().map(log_text).collect::<Vec<_>>().join("\n  ")
}

/// Makes a panic one line on the error stream; whoever waits for the thread decides what follows.
pub(super) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let what = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        out::to_stderr(&format!("internal error: {} ({place}); please report it\n", log_text(what)));
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_hint_in_plain_and_in_colour() {
        let error = Error::invalid("unknown preset `\u{1b}[2Jx`").hint("did you mean strict?");
        assert_eq!(
            render_cli_error(&error, Style { colour: false }),
            "error: unknown preset `[2Jx`\nhint: did you mean strict?\n"
        );
        let coloured = render_cli_error(&error, Style { colour: true });
        assert!(coloured.starts_with("\u{1b}[31m"), "{coloured:?}");
        assert!(!coloured.contains("\u{1b}[2J"), "{coloured:?}");
    }
}
