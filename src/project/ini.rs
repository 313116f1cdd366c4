//! The dialect of INI that Python's tools share: sections, `key = value` or `key: value`, indented continuation lines.

/// One section with its keys in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) name: String,
    /// Lower-case key with its value; continuation lines are joined with `\n`.
    entries: Vec<(String, String)>,
}

impl Section {
    /// The last value given for a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// The sections of a text; lines that fit nothing are passed over.
pub(super) fn parse(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            && !line.starts_with(char::is_whitespace)
        {
            sections.push(Section { name: name.to_owned(), entries: Vec::new() });
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        if line.starts_with(char::is_whitespace) {
            if let Some((_, value)) = section.entries.last_mut() {
                value.push('\n');
                value.push_str(trimmed);
            }
        } else if let Some((key, value)) = trimmed.split_once(['=', ':']) {
            section.entries.push((key.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sections_and_continued_values() {
        let sections = parse("# c\n[a:b]\nOne = 1\ntwo:\n  x\n  y # not a comment\n\n[c]\n");
        assert_eq!(sections.len(), 2);
        assert_eq!(sections[0].name, "a:b");
        assert_eq!(sections[0].get("one"), Some("1"));
        assert_eq!(sections[0].get("two"), Some("\nx\ny # not a comment"));
        assert_eq!(sections[0].get("three"), None);
    }
}
