//! Colour where the reader's terminal wants it, and small typographic helpers.

use std::fmt::Display;

use tapps_base::log_text;
use tapps_security::secrets::mask_text;

/// How to write: with or without ANSI colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub colour: bool,
}

impl Style {
    fn paint(self, code: &str, text: impl Display) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    #[must_use]
    pub fn bold(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    #[must_use]
    pub fn dim(self, text: impl Display) -> String {
        self.paint("2", text)
    }

    #[must_use]
    pub fn good(self, text: impl Display) -> String {
        self.paint("32", text)
    }

    #[must_use]
    pub fn fair(self, text: impl Display) -> String {
        self.paint("33", text)
    }

    #[must_use]
    pub fn bad(self, text: impl Display) -> String {
        self.paint("31", text)
    }

    /// Text in the colour of how good `share` (0–1) is.
    #[must_use]
    pub fn color_by_share(self, share: f64, text: impl Display) -> String {
        match share {
            share if share >= 0.8 => self.good(text),
            share if share >= 0.6 => self.fair(text),
            _ => self.bad(text),
        }
    }

    /// A unified diff, line by line in the colour of what a line says; neither secrets nor control characters get through.
    #[must_use]
    pub fn color_diff(self, diff: &str) -> String {
        let coloured = |line: &str| {
            let plain = log_text(line);
            let line = match line.chars().next() {
                Some('+') => self.good(plain),
                Some('-') => self.bad(plain),
                Some('@') => self.dim(plain),
                _ => plain.into_owned(),
            };
            line + "\n"
        };
        mask_text(diff).lines().map(coloured).collect()
    }
}

/// Width of a bar in characters.
const BAR: usize = 10;

/// A bar of ten characters for a share of 0–1.
#[must_use]
pub fn render_bar(share: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=80 first")]
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * BAR as f64).round() as usize;
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let drawn = format!("{}{partial}", "█".repeat(eighths / 8));
    let width = drawn.chars().count();
    drawn + &"·".repeat(BAR.saturating_sub(width))
}

/// `1 finding`, `2 findings`.
#[must_use]
pub fn pluralize_count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_always_ten_wide() {
        for (share, drawn) in [(0.0, "··········"), (1.0, "██████████"), (0.55, "█████▌····"), (7.0, "██████████")]
        {
            assert_eq!(render_bar(share), drawn);
        }
    }
}
