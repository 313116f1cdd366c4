//! The profile that `go test -coverprofile` writes: blocks of code with how often each ran.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Full, Record, records_by_path};
use tapps_base::language::Language;
use tapps_syntax::tree::parse_syntax_tree;

/// More lines than one block of a file has.
const MOST_LINES: u32 = 100_000;

/// True for a profile, by its first line.
pub(super) fn is_go_profile(bytes: &[u8]) -> bool {
    bytes.starts_with(b"mode: ")
}

/// Reads a profile: `path:line.column,line.column statements count`. Every line of a block is recorded; blocks of several
/// runs add up.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_go_profile(bytes: &[u8]) -> Result<Vec<Record>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut files: BTreeMap<&str, Full> = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("mode: ") {
            continue;
        }
        let (path, first, last, ran) =
            parse_block(line).ok_or_else(|| format!("line {}: `{line}` is no block", index + 1))?;
        let lines = files.entry(path).or_default();
        (first..=last).for_each(|line| lines.add_line(line, ran));
    }
    Ok(records_by_path(files))
}

fn parse_block(line: &str) -> Option<(&str, u32, u32, bool)> {
    let (path, block) = line.rsplit_once(':')?;
    let mut fields = block.split_ascii_whitespace();
    let (from, to) = fields.next()?.split_once(',')?;
    let line_of = |place: &str| place.split_once('.')?.0.parse::<u32>().ok();
    let (first, last) = (line_of(from)?, line_of(to)?);
    let count: u64 = fields.nth(1)?.parse().ok()?;
    (first > 0 && last >= first && last - first <= MOST_LINES).then_some((path, first, last, count > 0))
}

/// The lines on which a statement of a function begins; `None` when the text has errors.
pub(super) fn statement_lines(language: Language, text: &str) -> Option<BTreeSet<u32>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = parse_syntax_tree(language, text).ok().filter(|tree| !tree.root_node().has_error())?;
    let mut lines = BTreeSet::new();
    let mut cursor = tree.root_node().walk();
    loop {
        let node = cursor.node();
        let list = if language == Language::Go { "statement_list" } else { "block" };
        let in_list = node.parent().is_some_and(|parent| parent.kind() == list);
        if in_list && node.is_named() && !is_no_statement(node.kind()) {
            lines.insert(u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(lines);
            }
        }
    }
}

/// True for what stands among statements and does not run.
fn is_no_statement(kind: &str) -> bool {
    kind.contains("comment")
        || kind.ends_with("_item")
        || matches!(kind, "block" | "empty_statement" | "label" | "macro_definition" | "use_declaration")
}

#[cfg(test)]
mod tests {
    use super::super::record::RecordedLines;
    use super::*;

    #[test]
    fn blocks_become_lines() {
        let text = "mode: set\nexample.com/m/a.go:3.20,5.12 2 1\nexample.com/m/a.go:5.12,7.3 1 0\n";
        assert!(is_go_profile(text.as_bytes()));
        let records = parse_go_profile(text.as_bytes()).unwrap();
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].spellings, ["example.com/m/a.go"]);
        let RecordedLines::Full(full) = &records[0].lines else { panic!("{records:?}") };
        let told: Vec<(u32, bool)> = full.ran.iter().map(|(line, ran)| (*line, *ran)).collect();
        assert_eq!(told, [(3, true), (4, true), (5, true), (6, false), (7, false)]);
    }

    #[test]
    fn what_is_no_block_is_named() {
        let said = parse_go_profile(b"mode: set\na.go:3,4 1 1\n").unwrap_err();
        assert_eq!(said, "line 2: `a.go:3,4 1 1` is no block");
    }

    #[test]
    fn statements_begin_on_lines() {
        let text = "package a\n\nvar x = 1\n\nfunc f() {\n\tif x > 0 {\n\t\tg(\n\t\t\tx)\n\t}\n\t// done\n}\n";
        assert_eq!(statement_lines(Language::Go, text).unwrap().into_iter().collect::<Vec<_>>(), [6, 7]);
        let text = "use a::b;\nfn f(x: u8) -> u8 {\n    // first\n    let y = x;\n    if y > 0 {\n        g(\n            y,\n        );\n    }\n    y\n}\n";
        assert_eq!(statement_lines(Language::Rust, text).unwrap().into_iter().collect::<Vec<_>>(), [4, 5, 6, 10]);
        assert_eq!(statement_lines(Language::Go, "package a\nfunc {"), None);
    }
}
