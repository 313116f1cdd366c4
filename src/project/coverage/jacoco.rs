//! JaCoCo's XML: instructions that ran and did not, by the lines of each source file.
//!
//! Files are named by package and name alone. The folder that a build compiles is not in the report, so each is looked for
//! below the usual ones.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::cobertura::attribute;
use super::record::{Full, Record, RecordedLines};

/// Folders in which Maven, Gradle and Android keep sources, the plainest last.
const SOURCE_FOLDERS: [&str; 5] = ["src/main/java", "src/main/kotlin", "src/java", "src", ""];
/// How far into a report its first element may begin.
const HEAD: usize = 2_000;

/// True for a report of JaCoCo, by its first element.
pub(super) fn is_jacoco(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD.min(bytes.len())).unwrap_or_default();
    String::from_utf8_lossy(head).contains("<report")
}

/// Reads a report. A line ran when one of its instructions did; a line without instructions is not recorded.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_jacoco(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut reader = Reader::from_str(text);
    let (mut package, mut file) = (String::new(), None);
    let mut files: BTreeMap<String, Full> = BTreeMap::new();
    let mut depth = 0_usize;
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event().map_err(|e| format!("at byte {at}: {e}"))?;
        let is_start = matches!(event, Event::Start(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                depth += usize::from(is_start);
                match tag.name().as_ref() {
                    "package" => package = required(&tag, "name")?,
                    "sourcefile" => {
                        let name = required(&tag, "name")?;
                        let path = if package.is_empty() { name } else { format!("{package}/{name}") };
                        files.entry(path.clone()).or_default();
                        file = is_start.then_some(path);
                    }
                    "line" => {
                        if let Some(lines) = file.as_ref().and_then(|file| files.get_mut(file)) {
                            add_line(lines, &tag)?;
                        }
                    }
                    _ => {}
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if tag.name().as_ref() == "sourcefile" {
                    file = None;
                }
            }
            Event::Eof if depth > 0 => return Err("it ends before its elements are closed".to_owned()),
            Event::Eof => break,
            _ => {}
        }
    }
    let spellings = |file: &str| SOURCE_FOLDERS.iter().map(|root| crate::roots::join(root, file)).collect();
    let record =
        |(file, lines): (String, Full)| Record { spellings: spellings(&file), lines: RecordedLines::Full(lines) };
    Ok(files.into_iter().map(record).collect())
}

fn required(tag: &BytesStart<'_>, name: &str) -> Result<String, String> {
    attribute(tag, name)?.ok_or_else(|| format!("a `{}` has no `{name}`", tag.name().as_ref()))
}

fn add_line(lines: &mut Full, tag: &BytesStart<'_>) -> Result<(), String> {
    let number = |name: &str| {
        let text = required(tag, name)?;
        text.parse::<u32>().map_err(|_| format!("`{text}` is no number of `{name}`"))
    };
    let (line, missed, covered) = (number("nr")?, number("mi")?, number("ci")?);
    if missed > 0 || covered > 0 {
        lines.add_line(line, covered > 0);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "<?xml version=\"1.0\"?><!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\
        <report name=\"shop\"><package name=\"a/b\"><class name=\"a/b/C\" sourcefilename=\"C.java\"/><sourcefile name=\"C.java\">\
        <line nr=\"3\" mi=\"0\" ci=\"2\" mb=\"0\" cb=\"0\"/><line nr=\"5\" mi=\"4\" ci=\"0\" mb=\"2\" cb=\"0\"/>\
        <line nr=\"6\" mi=\"1\" ci=\"1\" mb=\"1\" cb=\"1\"/><counter type=\"LINE\" missed=\"1\" covered=\"2\"/></sourcefile></package></report>";

    #[test]
    fn instructions_become_lines() {
        assert!(is_jacoco(REPORT.as_bytes()) && !is_jacoco(b"<coverage version=\"1\"/>"));
        let records = parse_jacoco(REPORT.as_bytes()).unwrap();
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].spellings.first().map(String::as_str), Some("src/main/java/a/b/C.java"));
        assert_eq!(records[0].spellings.last().map(String::as_str), Some("a/b/C.java"));
        let RecordedLines::Full(full) = &records[0].lines else { panic!("lines are known") };
        assert_eq!(full.ran, BTreeMap::from([(3, true), (5, false), (6, true)]));
    }

    #[rstest::rstest]
    #[case("<report><package name=\"a\">", "it ends before its elements are closed")]
    #[case("<report><package/></report>", "a `package` has no `name`")]
    #[case(
        "<report><package name=\"a\"><sourcefile name=\"B.java\"><line nr=\"x\" mi=\"0\" ci=\"0\"/></sourcefile></package></report>",
        "`x` is no number of `nr`"
    )]
    fn what_is_broken_is_named(#[case] text: &str, #[case] reason: &str) {
        assert_eq!(parse_jacoco(text.as_bytes()).unwrap_err(), reason);
    }
}
