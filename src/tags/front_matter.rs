//! Tags in the front matter: the YAML block at the top of a note, read by a YAML parser with the span of every text.

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span, StrInput, StructureStyle};

use super::grammar;
use super::note::{FrontMatterTag, NoteTagSpans, Quotes, Scalar, TagList, TagListForm};

/// Why a text that is spelled with escapes cannot be changed in place.
const ESCAPED: &str = "its text is written with escapes";

/// Where the front matter stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatterBlock {
    /// Between the two lines of dashes.
    pub content: Range<usize>,
    /// After the second line of dashes.
    pub end: usize,
}

/// The front matter of a text, if it begins with one.
#[must_use]
pub fn find(text: &str) -> Option<FrontMatterBlock> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let first = line_at(text, start)?;
    if !is_fence(text.get(first.clone())?) {
        return None;
    }
    let mut at = first.end;
    while let Some(line) = line_at(text, at) {
        if is_fence(text.get(line.clone())?) {
            return Some(FrontMatterBlock { content: first.end..line.start, end: line.end });
        }
        at = line.end;
    }
    None
}

/// The line that begins at `start`, with its line end; none at the end of the text.
fn line_at(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
    Some(start..start + rest.find('\n').map_or(rest.len(), |at| at + 1))
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Reads the tags of the front matter at `block` into `note`.
pub fn read_front_matter_tags(text: &str, block: Range<usize>, note: &mut NoteTagSpans) {
    let Some(yaml) = text.get(block.clone()) else { return };
    // A key that holds tags has the word in it; without one nothing needs to be parsed.
    if !yaml.as_bytes().windows(3).any(|three| three.eq_ignore_ascii_case(b"tag")) {
        return;
    }
    let mut options = Options::default();
    options.set_emit_comments(false);
    let parser = Parser::new_from_str_with_options(yaml, options);
    let mut reader =
        FrontMatterReader { yaml, parser, lists: Vec::new(), invalid: Vec::new(), anchors: HashMap::new() };
    match reader.read_yaml_document() {
        Ok(()) => {
            let FrontMatterReader { lists, invalid, .. } = reader;
            note.lists = lists.into_iter().map(|list| shift_list_spans(list, block.start)).collect();
            note.invalid = invalid;
        }
        Err(why) => note.unreadable = Some(why),
    }
}

/// A list with its spans moved by `by`.
fn shift_list_spans(mut list: TagList, by: usize) -> TagList {
    let shift = |span: &mut Range<usize>| *span = span.start + by..span.end + by;
    for scalar in &mut list.scalars {
        shift(&mut scalar.span);
        scalar.words.iter_mut().filter_map(|word| word.span.as_mut()).for_each(shift);
    }
    list
}

struct FrontMatterReader<'y> {
    yaml: &'y str,
    parser: Parser<'y, StrInput<'y>>,
    lists: Vec<TagList>,
    invalid: Vec<String>,
    /// Texts that have a name, for the aliases that stand for them.
    anchors: HashMap<usize, String>,
}

impl<'y> FrontMatterReader<'y> {
    fn next(&mut self) -> Result<(Event<'y>, Range<usize>), String> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                if let Event::Scalar(value, _, anchor, _) = &event
                    && *anchor > 0
                {
                    self.anchors.insert(*anchor, value.to_string());
                }
                Ok((event, bytes(&span)))
            }
            Some(Err(error)) => Err(format!("the front matter is not valid YAML: {error}")),
            None => Ok((Event::StreamEnd, 0..0)),
        }
    }

    /// Reads the only document; its root has to be a mapping, or nothing at all.
    fn read_yaml_document(&mut self) -> Result<(), String> {
        loop {
            match self.next()?.0 {
                Event::StreamStart | Event::DocumentStart(..) => {}
                Event::MappingStart(..) => break,
                Event::StreamEnd | Event::DocumentEnd => return Ok(()),
                _ => return Err("the front matter is not a mapping of keys to values".to_owned()),
            }
        }
        loop {
            match self.next()?.0 {
                Event::MappingEnd => break,
                Event::Scalar(key, ..) if is_tag_key(&key) => self.read_tag_value()?,
                Event::Scalar(..) | Event::Alias(_) => {
                    let value = self.next()?.0;
                    self.skip(&value)?;
                }
                complex => {
                    self.skip(&complex)?;
                    let value = self.next()?.0;
                    self.skip(&value)?;
                }
            }
        }
        loop {
            match self.next()?.0 {
                Event::StreamEnd => return Ok(()),
                Event::DocumentStart(..) => return Err("the front matter holds more than one document".to_owned()),
                _ => {}
            }
        }
    }

    /// Passes over the rest of a value whose first event has been read.
    fn skip(&mut self, first: &Event<'y>) -> Result<(), String> {
        let mut depth = match first {
            Event::SequenceStart(..) | Event::MappingStart(..) => 1_u32,
            _ => 0,
        };
        while depth > 0 {
            match self.next()?.0 {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                Event::StreamEnd => return Err("the front matter ends too early".to_owned()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the value of a key that holds tags.
    fn read_tag_value(&mut self) -> Result<(), String> {
        let (event, span) = self.next()?;
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let scalar = YamlScalarText { value: &value, style, named: anchor > 0 || tag.is_some(), span };
                let scalars = self.read_tag_text(&scalar).into_iter().collect();
                self.lists.push(TagList { form: TagListForm::Text, scalars });
            }
            Event::SequenceStart(style, ..) => {
                let form = if style == StructureStyle::Flow { TagListForm::Flow } else { TagListForm::Block };
                let scalars = self.read_list_items()?;
                self.lists.push(TagList { form, scalars });
            }
            other => {
                self.invalid.push(self.excerpt(&other, &span));
                self.skip(&other)?;
            }
        }
        Ok(())
    }

    /// Reads the items of a list up to its end.
    fn read_list_items(&mut self) -> Result<Vec<Scalar>, String> {
        let mut scalars = Vec::new();
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::SequenceEnd => return Ok(scalars),
                Event::Scalar(value, style, anchor, tag) => {
                    let text = YamlScalarText { value: &value, style, named: anchor > 0 || tag.is_some(), span };
                    scalars.extend(self.read_list_item(&text));
                }
                Event::Alias(anchor) => scalars.extend(self.resolve_alias(anchor, span)),
                Event::StreamEnd => return Err("the front matter ends too early".to_owned()),
                other => {
                    self.invalid.push(self.excerpt(&other, &span));
                    self.skip(&other)?;
                }
            }
        }
    }

    fn resolve_alias(&mut self, anchor: usize, span: Range<usize>) -> Option<Scalar> {
        let value = self.anchors.get(&anchor).cloned().unwrap_or_default();
        let (tag, hash) = without_hash(&value);
        if !grammar::is_tag(tag) {
            self.invalid.push(self.yaml.get(span).unwrap_or_default().to_owned());
            return None;
        }
        let words = vec![FrontMatterTag { tag: tag.to_owned(), span: None, hash }];
        Some(Scalar { span, quotes: Quotes::None, words, fixed: Some("an alias stands for it") })
    }

    /// One item of a list: the whole text is one tag.
    fn read_list_item(&mut self, text: &YamlScalarText<'_>) -> Option<Scalar> {
        let value = text.value.trim();
        if text.is_nothing() || value.is_empty() {
            return None;
        }
        let (tag, hash) = without_hash(value);
        if !grammar::is_tag(tag) {
            self.invalid.push(value.to_owned());
            return None;
        }
        let content = text.content(self.yaml);
        let span =
            self.yaml.get(content.clone()).and_then(|raw| raw.find(tag).filter(|_| raw.trim() == value)).map(|at| {
                let start = content.start + at;
                start..start + tag.len()
            });
        // Escapes that break a line or stand for blanks are more than the spelling of a tag.
        let spaced = span.is_none() && self.yaml.get(content).is_none_or(|raw| raw.contains(char::is_whitespace));
        let fixed = text.unchangeable_reason().or(spaced.then_some(ESCAPED));
        let words = vec![FrontMatterTag { tag: tag.to_owned(), span, hash }];
        Some(Scalar { span: text.span.clone(), quotes: text.quotes(), words, fixed })
    }

    /// A text with any number of tags, between commas or blanks.
    fn read_tag_text(&mut self, text: &YamlScalarText<'_>) -> Option<Scalar> {
        if text.is_nothing() {
            return None;
        }
        let content = text.content(self.yaml);
        let raw = self.yaml.get(content.clone()).unwrap_or_default();
        // Words without escapes are the same words in the source, however the lines are folded.
        let plain = split(raw).map(|(_, word)| word).eq(split(text.value).map(|(_, word)| word));
        let mut words = Vec::new();
        for (at, word) in split(if plain { raw } else { text.value }) {
            let (tag, hash) = without_hash(word);
            if grammar::is_tag(tag) {
                let start = content.start + at + usize::from(hash);
                let span = plain.then(|| start..start + tag.len());
                words.push(FrontMatterTag { tag: tag.to_owned(), span, hash });
            } else {
                self.invalid.push(word.to_owned());
            }
        }
        let spaced = raw.contains(char::is_whitespace);
        let escaped = (!plain && (words.len() > 1 || spaced)).then_some(ESCAPED);
        Some(Scalar {
            span: text.span.clone(),
            quotes: text.quotes(),
            words,
            fixed: text.unchangeable_reason().or(escaped),
        })
    }

    /// What an entry that is not a text looks like, for messages.
    fn excerpt(&self, event: &Event<'_>, span: &Range<usize>) -> String {
        match event {
            Event::SequenceStart(..) => "[…]".to_owned(),
            Event::MappingStart(..) => "{…}".to_owned(),
            _ => self.yaml.get(span.clone()).unwrap_or_default().to_owned(),
        }
    }
}

/// A text as the parser gives it.
struct YamlScalarText<'v> {
    value: &'v str,
    style: ScalarStyle,
    /// True when an anchor or a type stands before it.
    named: bool,
    span: Range<usize>,
}

impl YamlScalarText<'_> {
    fn quotes(&self) -> Quotes {
        match self.style {
            ScalarStyle::SingleQuoted => Quotes::Single,
            ScalarStyle::DoubleQuoted => Quotes::Double,
            ScalarStyle::Literal | ScalarStyle::Folded => Quotes::Block,
            _ => Quotes::None,
        }
    }

    /// True for what YAML calls null.
    fn is_nothing(&self) -> bool {
        self.quotes() == Quotes::None && matches!(self.value, "" | "~" | "null" | "Null" | "NULL")
    }

    fn unchangeable_reason(&self) -> Option<&'static str> {
        self.named.then_some("it has an anchor or a type")
    }

    /// The span without quotes, or without the line that introduces a block.
    fn content(&self, yaml: &str) -> Range<usize> {
        let raw = yaml.get(self.span.clone()).unwrap_or_default();
        match self.quotes() {
            Quotes::None => self.span.clone(),
            Quotes::Single | Quotes::Double => {
                self.span.start + 1..self.span.end.saturating_sub(1).max(self.span.start + 1)
            }
            Quotes::Block => {
                let introduced = raw.starts_with(['|', '>']);
                let skipped = if introduced { raw.find('\n').map_or(raw.len(), |at| at + 1) } else { 0 };
                self.span.start + skipped..self.span.end
            }
        }
    }
}

fn is_tag_key(key: &str) -> bool {
    key.eq_ignore_ascii_case("tags") || key.eq_ignore_ascii_case("tag")
}

fn without_hash(word: &str) -> (&str, bool) {
    word.strip_prefix('#').map_or((word, false), |tag| (tag, true))
}

/// The words between commas and blanks, each with its offset.
fn split(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let mut at = 0;
    text.split(is_between).filter_map(move |word| {
        let start = at;
        // The separator after a word has at least one byte; where it has more, the distance of the slices tells.
        at = start + word.len();
        at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

fn bytes(span: &Span) -> Range<usize> {
    span.byte_range().unwrap_or(0..0)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn note(yaml: &str) -> (String, NoteTagSpans) {
        let text = format!("---\n{yaml}\n---\nbody\n");
        let block = find(&text).unwrap();
        let mut note = NoteTagSpans::default();
        read_front_matter_tags(&text, block.content, &mut note);
        (text, note)
    }

    #[rstest]
    #[case::flow("tags: [a, b/c]", &["a", "b/c"], &[])]
    #[case::flow_lines("tags: [\n  a, # first\n  'b',\n  \"c\",\n]", &["a", "b", "c"], &[])]
    #[case::block("tags:\n  - a\n  - 'b'\n  - \"#c\"", &["a", "b", "c"], &[])]
    #[case::block_at_column_0("tags:\n- a\n- b # why", &["a", "b"], &[])]
    #[case::one("tags: a", &["a"], &[])]
    #[case::commas("tags: a, b,c", &["a", "b", "c"], &[])]
    #[case::blanks("tag: a b", &["a", "b"], &[])]
    #[case::quoted_text("tags: \"#a, #b\"", &["a", "b"], &[])]
    #[case::literal("tags: |\n  a\n  b", &["a", "b"], &[])]
    #[case::folded("tags: >-\n  a,\n  b", &["a", "b"], &[])]
    #[case::many_lines("tags: a,\n  b\n  c", &["a", "b", "c"], &[])]
    #[case::other_case("Tags: [a]\nTAG: b", &["a", "b"], &[])]
    #[case::json("{\"tags\": [\"a\", \"b\"], \"x\": {\"tags\": [\"no\"]}}", &["a", "b"], &[])]
    #[case::nothing("tags:\ntag: ~", &[], &[])]
    #[case::empty("tags: []", &[], &[])]
    #[case::elsewhere("x:\n  tags: [no]\nmytags: [no]\ntags-x: no\ntags: [a]", &["a"], &[])]
    #[case::comments("# tags: [no]\ntitle: x #no\ntags: [a] # #no", &["a"], &[])]
    #[case::invalid("tags: [two words, 2024, \"a,lpha\", {k: v}, [n], ok]", &["ok"], &["two words", "2024", "a,lpha", "{…}", "[…]"])]
    #[case::mapping("tags: {a: b}", &[], &["{…}"])]
    #[case::alias("x: &n a\ntags: [*n, b]", &["a", "b"], &[])]
    #[case::escaped("tags: [\"\\u0061b\", 'it']", &["ab", "it"], &[])]
    #[case::unicode("tags: [日本, \"über\", 🚀]", &["日本", "über", "🚀"], &[])]
    fn every_form_of_a_list(#[case] yaml: &str, #[case] tags: &[&str], #[case] invalid: &[&str]) {
        let (text, note) = note(yaml);
        assert_eq!(note.unreadable, None);
        assert_eq!(note.tags(&text).collect::<Vec<_>>(), tags);
        assert_eq!(note.invalid, invalid);
        for word in note.lists.iter().flat_map(|list| &list.scalars).flat_map(|scalar| &scalar.words) {
            if let Some(span) = &word.span {
                assert_eq!(text[span.clone()], word.tag);
            }
        }
    }

    #[rstest]
    #[case("tags: [a", "the front matter is not valid YAML")]
    #[case("- tags", "the front matter is not a mapping")]
    #[case("tags: a\n--- \nx", "")]
    #[case("tags: [*missing]", "the front matter is not valid YAML")]
    #[case("a: b: c\ntags: x", "the front matter is not valid YAML")]
    fn what_cannot_be_read_is_said(#[case] yaml: &str, #[case] why: &str) {
        let (_, note) = note(yaml);
        let said = note.unreadable.unwrap_or_default();
        assert!(said.starts_with(why), "{said}");
        assert_eq!(said.is_empty(), why.is_empty());
    }

    #[test]
    fn spans_of_texts_include_their_quotes() {
        let (text, note) = note("tags: [a, 'b', \"c\"]\ntag: |\n  d");
        let spans: Vec<&str> =
            note.lists.iter().flat_map(|list| &list.scalars).map(|scalar| &text[scalar.span.clone()]).collect();
        assert_eq!(spans[..3], ["a", "'b'", "\"c\""]);
        let forms: Vec<TagListForm> = note.lists.iter().map(|list| list.form).collect();
        assert_eq!(forms, [TagListForm::Flow, TagListForm::Text]);
    }

    #[test]
    fn named_texts_are_fixed() {
        let (_, note) = note("tags: [&n a, !!str b, *n, c]");
        let fixed: Vec<bool> = note.lists[0].scalars.iter().map(|scalar| scalar.fixed.is_some()).collect();
        assert_eq!(fixed, [true, true, true, false]);
    }

    #[test]
    fn where_front_matter_begins_and_ends() {
        for (text, content) in [
            ("---\na: 1\n---\nb", Some("a: 1\n")),
            ("---\r\na: 1\r\n---\r\nb", Some("a: 1\r\n")),
            ("\u{feff}---\na\n---", Some("a\n")),
            ("---\n---\n", Some("")),
            ("---  \na\n--- \n", Some("a\n")),
            ("----\na\n---\n", None),
            ("\n---\na\n---\n", None),
            ("---\na\n", None),
            (" ---\na\n---\n", None),
            ("", None),
        ] {
            let found = find(text).map(|block| &text[block.content]);
            assert_eq!(found, content, "{text:?}");
        }
    }
}
