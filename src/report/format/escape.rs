//! Text of tools and files as other formats can hold it.

/// Without characters that no format may hold: control characters, which terminals and XML do not take, and the marks that
/// turn the direction of text around, which hide what it says. Line ends and tabs stay.
pub(super) fn strip_unprintable(text: &str) -> String {
    text.chars().filter(|&c| matches!(c, '\n' | '\t') || !(c.is_control() || is_hidden(c))).collect()
}

/// As [`strip_unprintable`], on one line.
pub(super) fn single_line(text: &str) -> String {
    strip_unprintable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// A relative path as a reference of RFC 3986: every byte that has a meaning there, or none, is percent-encoded.
pub(super) fn percent_encode_path(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut uri, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
        uri
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_go_and_paths_become_references() {
        assert_eq!(strip_unprintable("a\u{1b}[2J\u{202E}b\r\n\tc"), "a[2Jb\n\tc");
        assert_eq!(single_line(" a\n  b\u{7} "), "a b");
        assert_eq!(percent_encode_path("src/a b#c%/é.py"), "src/a%20b%23c%25/%C3%A9.py");
    }
}
