//! YAML as a tree in which every node knows its bytes, so that an edit touches nothing else.

use std::collections::HashSet;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, StrInput, StructureStyle};
use serde_json::{Map, Value};

use super::{broken_document_error, in_the_way};
use tapps_base::Result;

/// Nesting that no configuration has.
const DEEPEST: usize = 128;

/// One node and the bytes that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct YamlPart {
    pub(super) content: YamlContent,
    pub(super) from: usize,
    /// Where the last of its text ends. A block has no end of its own.
    pub(super) to: usize,
    /// It has an anchor or a tag, or is an alias: what is changed here may change elsewhere.
    pub(super) is_marked: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum YamlContent {
    Scalar { text: String, is_plain: bool },
    List { items: Vec<YamlPart>, is_flow: bool },
    Map { entries: Vec<(YamlPart, YamlPart)>, is_flow: bool },
    Alias(usize),
}

impl YamlPart {
    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            YamlContent::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// True for nothing at all, and for the words that mean it.
    pub(super) fn is_null(&self) -> bool {
        let YamlContent::Scalar { text, is_plain: true } = &self.content else { return false };
        matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
    }

    pub(super) fn entries(&self) -> &[(YamlPart, YamlPart)] {
        match &self.content {
            YamlContent::Map { entries, .. } => entries,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[YamlPart] {
        match &self.content {
            YamlContent::List { items, .. } => items,
            _ => &[],
        }
    }

    /// A key with its value.
    pub(super) fn entry(&self, name: &str) -> Option<&(YamlPart, YamlPart)> {
        self.entries().iter().find(|(key, _)| key.text() == Some(name))
    }

    /// The values, so that two documents can be compared. What is nothing may become a map.
    pub(super) fn comparable_value(&self) -> Value {
        match &self.content {
            _ if self.is_null() => Value::Object(Map::new()),
            YamlContent::Scalar { text, .. } => Value::from(text.as_str()),
            YamlContent::List { items, .. } => items.iter().map(Self::comparable_value).collect(),
            YamlContent::Alias(number) => Value::from(*number),
            YamlContent::Map { entries, .. } => {
                let entry = |(key, value): &(Self, Self)| {
                    let name = key.text().map_or_else(|| key.comparable_value().to_string(), str::to_owned);
                    (name, value.comparable_value())
                };
                Value::Object(entries.iter().map(entry).collect())
            }
        }
    }
}

/// Reads the one document of a text; none where nothing stands but comments.
///
/// # Errors
/// `config_error` with line and column for what is no YAML, for keys that are given twice, and for several documents.
pub(super) fn parse_yaml(text: &str, file: &str) -> Result<Option<YamlPart>> {
    let mut options = Options::default();
    options.set_emit_comments(false);
    let mut reader = SpanReader { parser: Parser::new_from_str_with_options(text, options), text, file };
    let mut root = None;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => return Ok(root.filter(|root: &YamlPart| !root.is_null())),
            Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
            _ if root.is_some() => return Err(reader.fault(&span, "a second document begins")),
            event => root = Some(reader.part(event, &span, 0)?),
        }
    }
}

/// Nothing in the way of an edit: no anchor, alias or tag.
///
/// # Errors
/// `config_error` that names `key`.
pub(super) fn ensure_unmarked(part: &YamlPart, file: &str, key: &str) -> Result<()> {
    if part.is_marked { Err(in_the_way(file, key, "free of anchors, aliases and tags")) } else { Ok(()) }
}

struct SpanReader<'y> {
    parser: Parser<'y, StrInput<'y>>,
    text: &'y str,
    file: &'y str,
}

impl<'y> SpanReader<'y> {
    fn fault(&self, span: &Span, what: &str) -> tapps_base::Error {
        broken_document_error(self.file, span.start.line(), span.start.col() + 1, what)
    }

    fn next(&mut self) -> Result<(Event<'y>, Span)> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let at = error.marker();
                Err(broken_document_error(self.file, at.line(), at.col() + 1, &error.info()))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn part(&mut self, event: Event<'y>, span: &Span, depth: usize) -> Result<YamlPart> {
        if depth > DEEPEST {
            return Err(self.fault(span, "it is nested too deeply"));
        }
        let bytes = span.byte_range().ok_or_else(|| self.fault(span, "its place is not known"))?;
        let part = |content, to, is_marked| YamlPart { content, from: bytes.start, to, is_marked };
        Ok(match event {
            Event::Alias(number) => part(YamlContent::Alias(number), bytes.end, true),
            Event::Scalar(text, style, anchor, tag) => {
                let content = YamlContent::Scalar { text: text.into_owned(), is_plain: style == ScalarStyle::Plain };
                // The reader counts the gap behind a block to it.
                let to = self.text.get(..bytes.end).map_or(bytes.end, |before| before.trim_end().len());
                part(content, to.max(bytes.start), anchor > 0 || tag.is_some())
            }
            Event::SequenceStart(style, anchor, tag) => {
                let (items, end) = self.list(depth)?;
                let is_flow = style == StructureStyle::Flow;
                let last = items.last().map_or(bytes.end, |item| item.to);
                // A list that stands no deeper than its key is said to begin at its first item.
                let first = items.first().and_then(|item| self.text.get(..item.from)?.rfind('-'));
                let (from, to) = if is_flow { (bytes.start, end) } else { (first.unwrap_or(bytes.start), last) };
                YamlPart { from, ..part(YamlContent::List { items, is_flow }, to, anchor > 0 || tag.is_some()) }
            }
            Event::MappingStart(style, anchor, tag) => {
                let (entries, end) = self.map(depth)?;
                let is_flow = style == StructureStyle::Flow;
                let last = entries.last().map_or(bytes.end, |(_, value)| value.to);
                let to = if is_flow { end } else { last };
                part(YamlContent::Map { entries, is_flow }, to, anchor > 0 || tag.is_some())
            }
            _ => return Err(self.fault(span, "a value is missing")),
        })
    }

    fn list(&mut self, depth: usize) -> Result<(Vec<YamlPart>, usize)> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::SequenceEnd => return Ok((items, end_of(&span))),
                event => items.push(self.part(event, &span, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<(Vec<(YamlPart, YamlPart)>, usize)> {
        let (mut entries, mut names) = (Vec::new(), HashSet::new());
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                return Ok((entries, end_of(&span)));
            }
            let key = self.part(event, &span, depth + 1)?;
            if key.text().is_some_and(|name| !names.insert(name.to_owned())) {
                return Err(self.fault(&span, "this key stands here twice"));
            }
            let (event, span) = self.next()?;
            let mut value = self.part(event, &span, depth + 1)?;
            // Where nothing stands the reader says where the next thing does.
            if value.from == value.to && value.is_null() {
                (value.from, value.to) = (key.to, key.to);
            }
            entries.push((key, value));
        }
    }
}

fn end_of(span: &Span) -> usize {
    span.byte_range().map_or(0, |bytes| bytes.end)
}
