//! The dialect of INI that Python's `configparser` reads, as Python's tools use it: sections, `key = value` or
//! `key: value`, continuation lines by indentation, a `[DEFAULT]` section whose keys every other section has too.

use std::collections::{HashMap, HashSet};

/// The section whose keys all others have.
const DEFAULT: &str = "DEFAULT";

/// One section with its keys in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    /// Lower-case key with its value; continuation lines are joined with `\n`.
    entries: Vec<(String, String)>,
}

impl Section {
    /// The last value given for a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// A file, and whether `configparser` would have taken it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IniDocument {
    /// Without `[DEFAULT]`.
    pub sections: Vec<Section>,
    defaults: Section,
    /// Line and kind of the first thing that `configparser` refuses; what could be read is in `sections` all the same.
    pub fault: Option<(usize, &'static str)>,
}

impl IniDocument {
    /// How many keys [`Self::entries_of`] goes through for a section.
    #[must_use]
    pub fn count_entries(&self, section: &Section) -> usize {
        self.defaults.entries.len() + section.entries.len()
    }

    /// The keys that a section has, those of `[DEFAULT]` first and its own after them.
    pub fn entries_of<'d>(&'d self, section: &'d Section) -> impl Iterator<Item = (&'d str, &'d str)> {
        let own: HashSet<&str> = section.entries.iter().map(|(key, _)| key.as_str()).collect();
        let inherited = self.defaults.entries.iter().filter(move |(key, _)| !own.contains(key.as_str()));
        inherited.chain(&section.entries).map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// Reads a text as `configparser.RawConfigParser` does.
#[must_use]
pub fn parse_ini_text(text: &str) -> IniDocument {
    let mut reader = IniReader::default();
    // Python reads text files with every kind of line end.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    for (at, line) in text.split('\n').enumerate() {
        reader.take_line(at + 1, line);
    }
    reader.into_document()
}

#[derive(Default)]
struct IniReader {
    document: IniDocument,
    section: CurrentSection,
    /// Where each section is, by its name.
    places: HashMap<String, usize>,
    /// The keys so far, each with its section.
    keys: HashSet<(CurrentSection, String)>,
    /// How far the key that lines may still continue is indented; none when there is no such key.
    key_indent: Option<usize>,
}

/// Where keys go.
#[derive(Default, Clone, Copy, PartialEq, Eq, Hash)]
enum CurrentSection {
    #[default]
    None,
    Defaults,
    At(usize),
}

impl IniReader {
    fn take_line(&mut self, number: usize, line: &str) {
        let value = line.trim();
        if value.starts_with(['#', ';']) {
            return;
        }
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        if self.key_indent.is_some_and(|key| value.is_empty() || indent > key) {
            if let Some((_, started)) = self.current_entries().and_then(|entries| entries.last_mut()) {
                started.push('\n');
                started.push_str(value);
            }
            return;
        }
        match section_name(value) {
            _ if value.is_empty() => {}
            Some(name) => self.open_section(number, name),
            None => self.add_key(number, value, indent),
        }
    }

    fn open_section(&mut self, number: usize, name: &str) {
        self.key_indent = None;
        if name == DEFAULT {
            self.section = CurrentSection::Defaults;
            return;
        }
        let known = self.places.get(name).copied();
        if known.is_some() {
            self.record_refusal(number, "the section is there twice");
        } else {
            self.places.insert(name.to_owned(), self.document.sections.len());
            self.document.sections.push(Section { name: name.to_owned(), entries: Vec::new() });
        }
        self.section = CurrentSection::At(known.unwrap_or(self.document.sections.len() - 1));
    }

    fn add_key(&mut self, number: usize, line: &str, indent: usize) {
        self.key_indent = None;
        let Some((key, value)) = line.split_once(['=', ':']).filter(|(key, _)| !key.trim().is_empty()) else {
            return self.record_refusal(number, "the line is neither a section nor a key with a value");
        };
        let (key, value) = (key.trim().to_lowercase(), value.trim().to_owned());
        let section = self.section;
        let Some(entries) = self.current_entries() else {
            return self.record_refusal(number, "there is no section before this line");
        };
        entries.push((key.clone(), value));
        let twice = !self.keys.insert((section, key));
        self.key_indent = Some(indent);
        if twice {
            self.record_refusal(number, "the key is there twice");
        }
    }

    fn current_entries(&mut self) -> Option<&mut Vec<(String, String)>> {
        match self.section {
            CurrentSection::None => None,
            CurrentSection::Defaults => Some(&mut self.document.defaults.entries),
            CurrentSection::At(at) => self.document.sections.get_mut(at).map(|section| &mut section.entries),
        }
    }

    fn record_refusal(&mut self, number: usize, why: &'static str) {
        self.document.fault.get_or_insert((number, why));
    }

    fn into_document(mut self) -> IniDocument {
        let IniDocument { sections, defaults, .. } = &mut self.document;
        for (_, value) in sections.iter_mut().chain([defaults]).flat_map(|section| &mut section.entries) {
            value.truncate(value.trim_end().len());
        }
        self.document
    }
}

/// The name in a section's header: all up to the last bracket, as `configparser` has it.
fn section_name(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix('[')?.rsplit_once(']')?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sections_and_continued_values() {
        let document = parse_ini_text("# c\n[a:b]\nOne = 1\ntwo:\n  x\n  y # not a comment\n\n[c]\n");
        let sections = &document.sections;
        assert_eq!((sections.len(), document.fault), (2, None));
        assert_eq!(sections[0].name, "a:b");
        assert_eq!(sections[0].get("one"), Some("1"));
        assert_eq!(sections[0].get("two"), Some("\nx\ny # not a comment"));
        assert_eq!(sections[0].get("three"), None);
    }

    #[test]
    fn every_section_has_the_default_keys_but_its_own_count_more() {
        let document = parse_ini_text("[DEFAULT]\nA = 1\nb = 2\n[x]\nb = 3\n[DEFAULT]\nc: 4\n");
        assert_eq!(document.sections.len(), 1);
        let entries: Vec<_> = document.entries_of(&document.sections[0]).collect();
        assert_eq!(entries, [("a", "1"), ("c", "4"), ("b", "3")]);
    }

    #[test]
    fn lines_end_and_go_on_as_in_python() {
        let document =
            parse_ini_text("[x] ; trailing\r\na = 1\r\n\r\n   2\r  [y]\nb = 1\n [z]\n# c\n c = 2\n  d = 3\n");
        let all: Vec<_> =
            document.sections.iter().map(|section| (section.name.as_str(), section.entries.clone())).collect();
        let entry = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        // An indented header goes on with the value before it.
        assert_eq!(all, [("x", vec![entry("a", "1\n\n2\n[y]"), entry("b", "1\n[z]\nc = 2\nd = 3")])]);
        let document = parse_ini_text("  [x]\n  a = 1\n b = 2\n");
        assert_eq!(document.sections[0].entries, [entry("a", "1"), entry("b", "2")]);
    }

    #[test]
    fn what_configparser_refuses_is_told_with_its_line() {
        for (text, line) in [
            ("a = 1\n", 1),
            ("[x]\nword\n", 2),
            ("[x]\na = 1\nA = 2\n", 3),
            ("[x]\n[y]\n[x]\n", 3),
            ("[x]\n= 1\n", 2),
            ("[]\n", 1),
        ] {
            assert_eq!(parse_ini_text(text).fault.map(|(at, _)| at), Some(line), "{text:?}");
        }
    }
}
