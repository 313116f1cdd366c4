//! The unified diff of a note, made from the edits themselves: linear, and the same every time.

use std::fmt::Write as _;
use std::ops::Range;

use super::edit::Edit;

/// Lines shown before and after a change.
const CONTEXT: usize = 1;

/// Lines that change together.
struct ChangedLines {
    /// 0-based numbers of the old lines.
    old: Range<usize>,
    new: Vec<String>,
}

/// The difference that sorted edits make to `text`.
#[must_use]
pub fn unified(path: &str, text: &str, edits: &[Edit]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some(start)
        })
        .collect();
    let changes = changes(text, &starts, edits);
    let mut out = format!("--- a/{path}\n+++ b/{path}\n");
    let mut shift = 0_isize;
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        let together = 1 + rest.windows(2).take_while(|pair| share_hunk(pair)).count();
        let (hunk, others) = rest.split_at(together);
        rest = others;
        let last = hunk.last().unwrap_or(first);
        let from = first.old.start.saturating_sub(CONTEXT);
        let to = (last.old.end + CONTEXT).min(lines.len());
        let grown: isize = hunk.iter().map(|change| to_signed(change.new.len()) - to_signed(change.old.len())).sum();
        let new_count = (to_signed(to - from) + grown).max(0);
        let new_from = to_signed(from) + shift + isize::from(new_count > 0);
        let old_from = to_signed(from) + isize::from(to > from);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "@@ -{old_from},{} +{new_from},{new_count} @@", to - from);
        shift += grown;
        write_hunk(&mut out, &lines, hunk, from..to);
    }
    out
}

fn share_hunk(pair: &[ChangedLines]) -> bool {
    matches!(pair, [a, b] if b.old.start <= a.old.end + 2 * CONTEXT)
}

fn write_hunk(out: &mut String, lines: &[&str], hunk: &[ChangedLines], shown: Range<usize>) {
    let mut at = shown.start;
    for change in hunk {
        write_lines(out, ' ', lines.get(at..change.old.start).unwrap_or_default());
        write_lines(out, '-', lines.get(change.old.clone()).unwrap_or_default());
        write_lines(out, '+', &change.new);
        at = change.old.end;
    }
    write_lines(out, ' ', lines.get(at..shown.end).unwrap_or_default());
}

fn write_lines(out: &mut String, sign: char, lines: &[impl AsRef<str>]) {
    for line in lines {
        out.push(sign);
        out.push_str(line.as_ref());
        if !line.as_ref().ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

fn changes(text: &str, starts: &[usize], edits: &[Edit]) -> Vec<ChangedLines> {
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset).saturating_sub(1);
    let mut changes = Vec::new();
    let mut rest = edits;
    while let Some(first) = rest.first() {
        let from = line_of(first.span.start);
        let mut to = from;
        let mut count = 0;
        for edit in rest {
            if count > 0 && line_of(edit.span.start) > to {
                break;
            }
            to = to.max(line_of(edit.span.end.max(edit.span.start + 1) - 1));
            count += 1;
        }
        let (group, others) = rest.split_at(count);
        rest = others;
        let start = starts.get(from).copied().unwrap_or_default();
        let end = starts.get(to + 1).copied().unwrap_or(text.len());
        let mut new = String::new();
        let mut at = start;
        for edit in group {
            new.push_str(text.get(at..edit.span.start).unwrap_or_default());
            new.push_str(&edit.text);
            at = edit.span.end;
        }
        new.push_str(text.get(at..end).unwrap_or_default());
        let new = new.split_inclusive('\n').map(str::to_owned).collect();
        changes.push(ChangedLines { old: from..to + 1, new });
    }
    changes
}

fn to_signed(count: usize) -> isize {
    isize::try_from(count).unwrap_or(isize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str, old: &str, new: &str) -> Edit {
        let start = text.find(old).unwrap();
        Edit { span: start..start + old.len(), text: new.to_owned() }
    }

    #[test]
    fn changes_with_a_line_around_them() {
        let text = "1\n2 #a\n3\n4\n5\n6\n- b\n8 #c";
        let edits = [edit(text, "a", "x"), edit(text, "- b\n", ""), edit(text, "c", "y")];
        let expected = "--- a/n.md\n+++ b/n.md\n@@ -1,3 +1,3 @@\n 1\n-2 #a\n+2 #x\n 3\n@@ -6,3 +6,2 @@\n 6\n-- b\n-8 #c\n\
                        \\ No newline at end of file\n+8 #y\n\\ No newline at end of file\n";
        assert_eq!(unified("n.md", text, &edits), expected);
    }

    #[test]
    fn several_edits_of_a_line_are_one_change() {
        let text = "#a #b\n#a\n";
        let edits = [edit(text, "a", "b"), edit(text, "b", "a")];
        assert_eq!(unified("n", text, &edits), "--- a/n\n+++ b/n\n@@ -1,2 +1,2 @@\n-#a #b\n+#b #a\n #a\n");
    }
}
