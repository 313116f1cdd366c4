//! A unified diff from planned changes; nothing has to be searched for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::plan::Edit;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The diff of one file. `lines` are without their ends, edits by 1-based line.
pub(super) fn render_unified_diff(path: &str, lines: &[&str], edits: &BTreeMap<u32, Edit>) -> String {
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    let mut shift = 0;
    for (from, to) in hunks(lines.len(), edits) {
        let (mut body, mut removed, mut added) = (String::new(), 0, 0);
        for number in from..=to {
            let edit = u32::try_from(number).ok().and_then(|number| edits.get(&number));
            let line = lines.get(number - 1).copied().unwrap_or_default();
            if let Some(Edit::Insert(new) | Edit::Replace(new)) = edit {
                if matches!(edit, Some(Edit::Replace(_))) {
                    let _ = writeln!(body, "-{line}");
                    removed += 1;
                }
                let _ = writeln!(body, "+{new}");
                added += 1;
            }
            if !matches!(edit, Some(Edit::Replace(_))) {
                let _ = writeln!(body, " {line}");
                removed += 1;
                added += 1;
            }
        }
        let _ = write!(text, "@@ -{from},{removed} +{},{added} @@\n{body}", from + shift);
        shift += added - removed;
    }
    text
}

/// First and last lines of the stretches to be shown.
fn hunks(count: usize, edits: &BTreeMap<u32, Edit>) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for at in edits.keys().map(|at| *at as usize) {
        let (from, to) = (at.saturating_sub(CONTEXT).max(1), (at + CONTEXT).min(count));
        match hunks.last_mut() {
            Some(last) if from <= last.1 + 1 => last.1 = to,
            _ => hunks.push((from, to)),
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_count_lines_before_and_after() {
        let lines: Vec<String> = (1..=20).map(|n| format!("l{n}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let edits = BTreeMap::from([(2, Edit::Insert("new".into())), (15, Edit::Replace("other".into()))]);
        let expected = "--- a/x\n+++ b/x\n@@ -1,5 +1,6 @@\n l1\n+new\n l2\n l3\n l4\n l5\n\
                        @@ -12,7 +13,7 @@\n l12\n l13\n l14\n-l15\n+other\n l16\n l17\n l18\n";
        assert_eq!(render_unified_diff("x", &lines, &edits), expected);
    }
}
