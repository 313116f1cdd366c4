//! Cobertura XML, as written by coverage.py, gcovr, istanbul and others.
//!
//! The document type is skipped and entities it declares are never expanded, so a document cannot grow while it is read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::record::{Full, Record, RecordedLines};

/// More source folders than any report names. Each file is looked for below each of them.
const SOURCES_MAX: usize = 1_000;
/// Ways to read the paths of all files together.
const SPELLINGS_MAX: usize = 1_000_000;

/// Reads a report.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_cobertura(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut reader = Reader::from_str(text);
    let mut state = CoberturaParser::default();
    loop {
        let at = reader.buffer_position();
        match reader.read_event().map_err(|e| format!("at byte {at}: {e}"))? {
            Event::Start(tag) => state.open(&tag, false)?,
            Event::Empty(tag) => state.open(&tag, true)?,
            Event::End(tag) => state.close(tag.name().as_ref()),
            Event::Text(text) if state.in_source => {
                let piece = text.into_inner();
                state.source.push_str(piece.as_ref());
            }
            Event::GeneralRef(entity) if state.in_source => state.source.push_str(&resolve_entity(entity.as_ref())),
            Event::Eof => break,
            _ => {}
        }
    }
    if !state.is_coverage {
        return Err("it has no `coverage` element".to_owned());
    }
    if state.depth != 0 {
        return Err("it ends before its elements are closed".to_owned());
    }
    if state.sources.len() > SOURCES_MAX || state.sources.len().saturating_mul(state.files.len()) > SPELLINGS_MAX {
        return Err(format!("it has {} files below {} sources", state.files.len(), state.sources.len()));
    }
    Ok(state.records())
}

#[derive(Default)]
struct CoberturaParser {
    is_coverage: bool,
    depth: usize,
    in_source: bool,
    source: String,
    sources: Vec<String>,
    /// File name of the open `class`.
    file: Option<String>,
    files: BTreeMap<String, Full>,
}

impl CoberturaParser {
    fn open(&mut self, tag: &BytesStart<'_>, empty: bool) -> Result<(), String> {
        if self.depth == 0 {
            self.is_coverage |= tag.name().as_ref() == "coverage";
        }
        if !empty {
            self.depth += 1;
        }
        match tag.name().as_ref() {
            "source" if !empty => self.in_source = true,
            "class" => {
                let file = attribute(tag, "filename")?.ok_or("a `class` has no `filename`")?;
                self.files.entry(file.clone()).or_default();
                self.file = (!empty).then_some(file);
            }
            "line" => self.line(tag)?,
            _ => {}
        }
        Ok(())
    }

    fn line(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        let Some(lines) = self.file.as_ref().and_then(|file| self.files.get_mut(file)) else { return Ok(()) };
        let number = attribute(tag, "number")?.unwrap_or_default();
        let hits = attribute(tag, "hits")?.unwrap_or_default();
        let line = number.parse().map_err(|_| format!("`{number}` is not a line number"))?;
        let hits: f64 = hits.parse().map_err(|_| format!("`{hits}` is not a number of hits"))?;
        lines.add_line(line, hits > 0.0);
        Ok(())
    }

    fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        match name {
            "source" => {
                let source = std::mem::take(&mut self.source).trim().to_owned();
                if !source.is_empty() {
                    self.sources.push(source);
                }
                self.in_source = false;
            }
            "class" => self.file = None,
            _ => {}
        }
    }

    fn records(self) -> Vec<Record> {
        let sources = self.sources;
        let spellings = |file: &str| {
            if sources.is_empty() || is_absolute(file) {
                return vec![file.to_owned()];
            }
            sources.iter().map(|source| format!("{}/{file}", source.trim_end_matches(['/', '\\']))).collect()
        };
        let record =
            |(file, lines): (String, Full)| Record { spellings: spellings(&file), lines: RecordedLines::Full(lines) };
        self.files.into_iter().map(record).collect()
    }
}

/// True for absolute paths of any system.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':')
}

/// The value of an attribute, with the five predefined and the numeric entities resolved and any other left as it is.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| format!("a malformed attribute: {e}"))?;
        if attribute.key.as_ref() == name {
            let raw: &str = attribute.value.as_ref();
            let value = quick_xml::escape::unescape(raw).unwrap_or(Cow::Borrowed(raw));
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}

fn resolve_entity(entity: &str) -> String {
    let reference = format!("&{entity};");
    quick_xml::escape::unescape(&reference).map(Cow::into_owned).unwrap_or(reference)
}
