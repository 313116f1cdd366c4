//! YAML and JSON as a tree in which every node knows its place.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, StrInput};

use super::sink::FileLocation;

/// Nesting that no configuration has.
const MAX_DEPTH: usize = 128;
/// Nodes that a document may have once its aliases stand for what they name.
const MAX_NODES: usize = 500_000;

/// One node.
#[derive(Debug, Clone, Default)]
pub(crate) struct YamlNode {
    pub(crate) value: Value,
    pub(crate) place: FileLocation,
    /// How many nodes it is, aliases spelled out.
    size: usize,
}

/// What a node is.
#[derive(Debug, Clone, Default)]
pub(crate) enum Value {
    #[default]
    Nothing,
    /// A scalar, and whether it was written without quotes.
    Text(String, bool),
    List(Vec<Arc<YamlNode>>),
    Map(Vec<(Arc<YamlNode>, Arc<YamlNode>)>),
}

/// Why a text is no document: where, and a lower-case fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct YamlError {
    pub(crate) place: FileLocation,
    pub(crate) message: String,
}

impl YamlNode {
    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// True for `true`, and the words that YAML 1.1 means the same by.
    pub(crate) fn is_true(&self) -> bool {
        self.text().is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "on"))
    }

    pub(crate) fn is_nothing(&self) -> bool {
        matches!(&self.value, Value::Nothing)
            || matches!(&self.value, Value::Text(text, true) if matches!(text.as_str(), "" | "~" | "null"))
    }

    /// The items of a list; none for anything else.
    pub(crate) fn items(&self) -> &[Arc<YamlNode>] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// A list's items, or the node itself when it is a scalar.
    pub(crate) fn one_or_many(&self) -> Vec<&YamlNode> {
        match &self.value {
            Value::Text(..) => vec![self],
            _ => self.items().iter().map(AsRef::as_ref).collect(),
        }
    }

    /// The keys and values of a map, those merged with `<<` included; none for anything else.
    pub(crate) fn entries(&self) -> Vec<(&YamlNode, &YamlNode)> {
        let Value::Map(entries) = &self.value else { return Vec::new() };
        let mut found: Vec<(&YamlNode, &YamlNode)> = Vec::new();
        let is_merged = |(key, _): &&(Arc<YamlNode>, Arc<YamlNode>)| key.text() == Some("<<");
        let own: HashSet<Option<&str>> = match entries.iter().any(|entry| is_merged(&entry)) {
            true => entries.iter().map(|(key, _)| key.text()).collect(),
            false => HashSet::new(),
        };
        for (key, value) in entries {
            if key.text() == Some("<<") {
                let sources =
                    if matches!(value.value, Value::Map(_)) { vec![value.as_ref()] } else { value.one_or_many() };
                let merged = sources.into_iter().flat_map(YamlNode::entries);
                found.extend(merged.filter(|(key, _)| !own.contains(&key.text())));
            } else {
                found.push((key, value));
            }
        }
        found
    }

    /// The value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<&YamlNode> {
        self.entry(name).map(|(_, value)| value)
    }

    /// A key with its value.
    pub(crate) fn entry(&self, name: &str) -> Option<(&YamlNode, &YamlNode)> {
        self.entries().into_iter().find(|(key, _)| key.text() == Some(name))
    }

    /// The value at a path of keys.
    pub(crate) fn value_at_path(&self, path: &[&str]) -> Option<&YamlNode> {
        path.iter().try_fold(self, |node, name| node.get(name))
    }

    /// Names with values, as environments write them: a map, or a list of `NAME=value`.
    pub(crate) fn pairs(&self) -> Vec<(&str, &str, FileLocation)> {
        let of_map = self
            .entries()
            .into_iter()
            .filter_map(|(key, value)| Some((key.text()?, value.text().unwrap_or_default(), value.place)));
        let of_list = self.items().iter().filter_map(|item| {
            let (name, value) = item.text()?.split_once('=')?;
            Some((name, value, item.place))
        });
        of_map.chain(of_list).collect()
    }
}

/// Reads the first document of a text.
///
/// # Errors
/// Where and why it is not one: syntax, a key given twice, too deep, or aliases that blow up.
pub(crate) fn parse_yaml_document(text: &str) -> Result<YamlNode, YamlError> {
    let mut options = Options::default();
    options.set_emit_comments(false);
    let mut reader =
        YamlReader { parser: Parser::new_from_str_with_options(text, options), anchors: HashMap::new(), nodes: 0 };
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamStart | Event::DocumentStart(..) => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(YamlNode::default()),
            event => return reader.node(event, span, 0).map(|node| (*node).clone()),
        }
    }
}

struct YamlReader<'y> {
    parser: Parser<'y, StrInput<'y>>,
    anchors: HashMap<usize, Arc<YamlNode>>,
    nodes: usize,
}

fn clamp_line_number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn location_of_spans(start: &Span, end: &Span) -> FileLocation {
    // A block ends where the next thing begins, at the start of a later line.
    let last =
        if end.end.col() == 0 && end.end.line() > start.start.line() { end.end.line() - 1 } else { end.end.line() };
    FileLocation {
        line: clamp_line_number(start.start.line()),
        column: clamp_line_number(start.start.col() + 1),
        end_line: clamp_line_number(last),
    }
}

impl<'y> YamlReader<'y> {
    fn next(&mut self) -> Result<(Event<'y>, Span), YamlError> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => {
                let at = error.marker();
                let place = FileLocation {
                    line: clamp_line_number(at.line()),
                    column: clamp_line_number(at.col() + 1),
                    end_line: clamp_line_number(at.line()),
                };
                Err(YamlError { place, message: error.info() })
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn node(&mut self, event: Event<'y>, span: Span, depth: usize) -> Result<Arc<YamlNode>, YamlError> {
        let here = location_of_spans(&span, &span);
        let fault = |message: &str| YamlError { place: here, message: message.to_owned() };
        if depth > MAX_DEPTH {
            return Err(fault("it is nested too deeply"));
        }
        let (value, anchor, size, end) = match event {
            Event::Alias(anchor) => {
                let named = self.anchors.get(&anchor).cloned().ok_or_else(|| fault("the alias stands for nothing"))?;
                self.count_nodes(named.size, here)?;
                return Ok(named);
            }
            Event::Scalar(text, style, anchor, _) => {
                (Value::Text(text.into_owned(), style == ScalarStyle::Plain), anchor, 1, span)
            }
            Event::SequenceStart(_, anchor, _) => {
                let (mut items, mut size) = (Vec::new(), 1);
                let end = loop {
                    match self.next()? {
                        (Event::SequenceEnd, span) => break span,
                        (Event::StreamEnd, _) => return Err(fault("the list does not end")),
                        (event, span) => {
                            let item = self.node(event, span, depth + 1)?;
                            size += item.size;
                            items.push(item);
                        }
                    }
                };
                (Value::List(items), anchor, size, end)
            }
            Event::MappingStart(_, anchor, _) => {
                let (entries, size, end) = self.map(here, depth)?;
                (Value::Map(entries), anchor, size, end)
            }
            _ => return Err(fault("a value is missing")),
        };
        self.count_nodes(1, here)?;
        let node = Arc::new(YamlNode { value, place: location_of_spans(&span, &end), size });
        if anchor > 0 {
            self.anchors.insert(anchor, Arc::clone(&node));
        }
        Ok(node)
    }

    #[expect(clippy::type_complexity, reason = "entries, their size, and where they end")]
    fn map(
        &mut self,
        here: FileLocation,
        depth: usize,
    ) -> Result<(Vec<(Arc<YamlNode>, Arc<YamlNode>)>, usize, Span), YamlError> {
        let mut entries: Vec<(Arc<YamlNode>, Arc<YamlNode>)> = Vec::new();
        let mut names = std::collections::HashSet::new();
        let mut size = 1;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::MappingEnd => return Ok((entries, size, span)),
                Event::StreamEnd => return Err(YamlError { place: here, message: "the map does not end".to_owned() }),
                event => {
                    let key = self.node(event, span, depth + 1)?;
                    if let Some(name) = key.text().filter(|name| *name != "<<")
                        && !names.insert(name.to_owned())
                    {
                        return Err(YamlError {
                            place: key.place,
                            message: format!("the key `{name}` is given twice"),
                        });
                    }
                    let (event, span) = self.next()?;
                    let value = self.node(event, span, depth + 1)?;
                    size += key.size + value.size;
                    entries.push((key, value));
                }
            }
        }
    }

    fn count_nodes(&mut self, nodes: usize, here: FileLocation) -> Result<(), YamlError> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MAX_NODES {
            return Err(YamlError { place: here, message: "its aliases stand for too much".to_owned() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each key of the one map against each of the other would be thousands of millions of comparisons.
    #[test]
    fn a_large_map_merged_into_a_large_map_is_read() {
        let keys = |letter: char| (0..60_000).map(|n| format!("{letter}{n}: 1")).collect::<Vec<_>>().join(", ");
        let root = parse_yaml_document(&format!("base: &b {{{}}}\nuse: {{<<: *b, a7: 2, {}}}\n", keys('a'), keys('b')))
            .unwrap();
        let used = root.get("use").unwrap();
        assert_eq!(used.entries().len(), 120_000);
        assert_eq!(used.get("a7").unwrap().text(), Some("2"));
        assert_eq!(used.get("a8").unwrap().text(), Some("1"));
    }

    #[test]
    fn nodes_know_their_places_and_merged_keys() {
        let root = parse_yaml_document("base: &b\n  x: 1\n  y: [a, \"b\"]\nuse:\n  <<: *b\n  x: 2\n").unwrap();
        assert_eq!(root.value_at_path(&["base", "x"]).unwrap().place, FileLocation { line: 2, column: 6, end_line: 2 });
        assert_eq!(root.value_at_path(&["use", "x"]).unwrap().text(), Some("2"));
        let items: Vec<&str> =
            root.value_at_path(&["use", "y"]).unwrap().items().iter().filter_map(|item| item.text()).collect();
        assert_eq!(items, ["a", "b"]);
        assert_eq!(root.get("use").unwrap().place.end_line, 6);
        assert!(parse_yaml_document("").unwrap().is_nothing());
    }

    #[test]
    fn json_is_read_too() {
        let root = parse_yaml_document("{\"a\": {\"b\": [1, true]},\n \"c\": \"x\"}").unwrap();
        assert_eq!(root.get("c").unwrap().place, FileLocation { line: 2, column: 7, end_line: 2 });
        assert!(root.value_at_path(&["a", "b"]).unwrap().items()[1].is_true());
    }

    #[test]
    fn faults_have_a_place() {
        assert_eq!(parse_yaml_document("a: 1\nb: 2\na: 3\n").unwrap_err().place.line, 3);
        assert_eq!(parse_yaml_document("a: 1\nb: [1\n").unwrap_err().place.line, 2);
        assert!(parse_yaml_document(&"[".repeat(100_000)).is_err());
        assert!(parse_yaml_document("a: *b\n").is_err());
    }

    #[test]
    fn aliases_cannot_blow_up() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for n in 1..12 {
            let list = vec![format!("*a{}", n - 1); 9].join(", ");
            text.push_str(&format!("a{n}: &a{n} [{list}]\n"));
        }
        assert_eq!(parse_yaml_document(&text).unwrap_err().message, "its aliases stand for too much");
    }
}
