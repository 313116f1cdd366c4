//! Markdown with front matter: the two parts of a file, and where a value stands in it.

use serde::de::DeserializeOwned;
use serde_saphyr::{DefaultMessageFormatter, Location, MessageFormatter as _};

use super::problem::{Place, Problem};

/// The line that opens and closes the front matter.
const FENCE: &str = "---";

/// A file in two parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// Project-relative path, or the name of a built-in file.
    pub file: &'a str,
    yaml: &'a str,
    /// What follows the front matter.
    pub body: &'a str,
    /// Line of the file in which the body begins, counted from 1.
    pub body_line: u64,
}

impl<'a> Document<'a> {
    /// Splits a file at its front matter.
    pub fn split(file: &'a str, text: &'a str) -> Result<Self, Problem> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = Lines { text, at: 0 };
        let begins = Place { file: file.to_owned(), line: 1, column: 1 };
        if lines.next().map(str::trim_end) != Some(FENCE) {
            return Err(begins.problem("the file does not begin with front matter: a line with `---`"));
        }
        let start = lines.at;
        let mut line = 1_u64;
        loop {
            let before = lines.at;
            let Some(next) = lines.next() else {
                return Err(begins.problem("the front matter has no end: a second line with `---`"));
            };
            line += 1;
            if next.trim_end() == FENCE {
                let (yaml, body) = (text.get(start..before), text.get(lines.at..));
                return Ok(Self {
                    file,
                    yaml: yaml.unwrap_or_default(),
                    body: body.unwrap_or_default(),
                    body_line: line + 1,
                });
            }
        }
    }

    /// Reads the front matter as `T`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_saphyr::from_str(self.yaml).map_err(|error| {
            let error = error.without_snippet();
            let place = self.place(error.location().unwrap_or(Location::UNKNOWN));
            place.problem(DefaultMessageFormatter.format_message(error).into_owned())
        })
    }

    /// Where a value of the front matter stands in the file.
    pub fn place(&self, location: Location) -> Place {
        // The fence is line 1, so that the front matter begins on line 2.
        Place { file: self.file.to_owned(), line: location.line() + 1, column: location.column().max(1) }
    }

    /// A line of the body, counted from 0.
    pub fn body_place(&self, line: u64) -> Place {
        Place { file: self.file.to_owned(), line: self.body_line + line, column: 1 }
    }
}

/// Lines with their ends, so that offsets stay true.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = rest.split_inclusive('\n').next()?;
        self.at += line.len();
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Front {
        name: String,
    }

    #[test]
    fn both_parts_are_found_whatever_the_line_ends() {
        for text in
            ["---\nname: a\n---\nbody\n", "---\r\nname: a\r\n---\r\nbody\n", "\u{feff}---\nname: a\n---  \nbody\n"]
        {
            let document = Document::split("a.md", text).unwrap();
            assert_eq!(document.parse::<Front>().unwrap(), Front { name: "a".into() });
            assert_eq!((document.body, document.body_line), ("body\n", 4), "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_place_in_the_file() {
        let split = |text| Document::split("w/a.md", text).unwrap_err().to_string();
        assert!(split("# no front matter").starts_with("w/a.md:1:1: the file does not begin"));
        assert!(split("---\nname: a\n").starts_with("w/a.md:1:1: the front matter has no end"));
        assert!(split("").starts_with("w/a.md:1:1: "));
        let parse = |text: &str| {
            let problem = Document::split("a.md", text).unwrap().parse::<Front>().unwrap_err();
            (problem.place.line, problem.place.column, problem.message)
        };
        let (line, column, message) = parse("---\nname: a\nnam: b\n---\n");
        assert_eq!((line, column), (3, 1), "{message}");
        assert!(message.contains("nam"), "{message}");
        assert_eq!(parse("---\nname: [\n---\n").0, 2);
    }
}
