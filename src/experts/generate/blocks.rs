//! The passages of a markdown document, each with the headings above it.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// What a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Paragraph,
    List,
    Table,
    Code,
}

/// A passage: one paragraph, list, table or piece of code that is in nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentBlock {
    pub(super) kind: BlockKind,
    /// As it stands in the document.
    pub(super) text: String,
    /// The headings above it, outermost first, in small letters.
    pub(super) headings: Vec<String>,
    /// The first heading of the document as it is written.
    pub(super) title: Option<String>,
    /// Where links of the passage lead, over https alone.
    pub(super) addresses: Vec<String>,
    document: String,
    lines: (usize, usize),
}

impl DocumentBlock {
    /// `FILE:FIRST-LAST`.
    pub(super) fn place(&self) -> String {
        format!("{}:{}-{}", self.document, self.lines.0, self.lines.1)
    }
}

/// The passages of a document in its order; front matter is none.
pub(super) fn read_document(path: &str, text: &str) -> Vec<DocumentBlock> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader { path, text, blocks: Vec::new(), headings: Vec::new(), title: None };
    let mut events = Parser::new_ext(text, options).into_offset_iter();
    while let Some((event, range)) = events.next() {
        let Event::Start(tag) = event else { continue };
        let end = tag.to_end();
        let (mut words, mut addresses, mut depth) = (String::new(), Vec::new(), 1_u32);
        for (inner, _) in events.by_ref() {
            match inner {
                Event::Start(Tag::Link { dest_url, .. }) if dest_url.starts_with("https://") => {
                    addresses.push(dest_url.to_string());
                }
                Event::Text(text) | Event::Code(text) => words.push_str(&text),
                Event::Start(ref inner) if inner.to_end() == end => depth += 1,
                Event::End(inner) if inner == end => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        match (tag, end) {
            (Tag::Heading { level, .. }, _) => reader.open_heading(level, words.trim()),
            (Tag::Paragraph, _) => reader.add(BlockKind::Paragraph, range, addresses),
            (Tag::Table(_), _) => reader.add(BlockKind::Table, range, addresses),
            (Tag::CodeBlock(_), _) => reader.add(BlockKind::Code, range, addresses),
            (_, TagEnd::List(_)) => reader.add(BlockKind::List, range, addresses),
            _ => {}
        }
    }
    let title = reader.title;
    reader.blocks.into_iter().map(|block| DocumentBlock { title: title.clone(), ..block }).collect()
}

struct Reader<'t> {
    path: &'t str,
    text: &'t str,
    blocks: Vec<DocumentBlock>,
    headings: Vec<(HeadingLevel, String)>,
    title: Option<String>,
}

impl Reader<'_> {
    fn open_heading(&mut self, level: HeadingLevel, words: &str) {
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, words.to_lowercase()));
        self.title.get_or_insert_with(|| words.to_owned());
    }

    fn add(&mut self, kind: BlockKind, range: Range<usize>, addresses: Vec<String>) {
        let text = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let first = self.text.get(..range.start).unwrap_or_default().matches('\n').count() + 1;
        self.blocks.push(DocumentBlock {
            kind,
            text: text.to_owned(),
            headings: self.headings.iter().map(|(_, words)| words.clone()).collect(),
            title: None,
            addresses,
            document: self.path.to_owned(),
            lines: (first, first + text.matches('\n').count()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_know_their_headings_lines_and_links() {
        let text = "---\na: b\n---\n# Flags\nSee [the page](https://example.org/a).\n\n## Rules\n- one\n  - two\n- three\n\n\
                    | a | b |\n|---|---|\n| 1 | 2 |\n\n# Other\n```py\n# no heading\n```\n";
        let told: Vec<(BlockKind, String, Vec<String>)> =
            read_document("d.md", text).into_iter().map(|block| (block.kind, block.place(), block.headings)).collect();
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            told,
            [
                (BlockKind::Paragraph, "d.md:5-5".to_owned(), words(&["flags"])),
                (BlockKind::List, "d.md:8-10".to_owned(), words(&["flags", "rules"])),
                (BlockKind::Table, "d.md:12-14".to_owned(), words(&["flags", "rules"])),
                (BlockKind::Code, "d.md:17-19".to_owned(), words(&["other"])),
            ]
        );
        let first = read_document("d.md", text).swap_remove(0);
        assert_eq!((first.title.as_deref(), first.addresses), (Some("Flags"), words(&["https://example.org/a"])));
    }
}
