//! The same run of statements twice in one file.
//!
//! Logical lines are compared token by token, so layout and comments make no difference and names do.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use ruff_python_ast::token::TokenKind;
use ruff_text_size::{Ranged as _, TextRange};

use super::{ModuleRunner, View};
use tapps_base::finding::{Category, Finding, Severity, Tool};
use tapps_base::rule::{Example, Rule};

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "duplicate-block",
    aliases: &["pylint:duplicate-code"],
    category: Category::Maintainability,
    severity: Severity::Low,
    cost: 300,
    blocking: false,
    summary: "At least 6 consecutive statements stand in the file a second time.",
    help: "Move the common statements into one function.",
    explanation: "Statements that stand twice have to be corrected twice, and sooner or later only one copy is. Six \
        statements and more in a row that are the same but for their indentation are reported at the second place. \
        Move them into one function and call it from both.",
    examples: &[Example {
        path: "example.py",
        bad: r#"def register(form):
    name = form["name"].strip()
    email = form["email"].strip().lower()
    if not name:
        raise ValueError("name is missing")
    if "@" not in email:
        raise ValueError("email is invalid")
    record = {"name": name, "email": email}
    save(record)
    notify(record)


def update(form):
    check_owner(form)
    name = form["name"].strip()
    email = form["email"].strip().lower()
    if not name:
        raise ValueError("name is missing")
    if "@" not in email:
        raise ValueError("email is invalid")
    record = {"name": name, "email": email}
    save(record)
    notify(record)
"#,
        good: r#"def register(form):
    store(form)


def update(form):
    check_owner(form)
    store(form)


def store(form):
    name = form["name"].strip()
    email = form["email"].strip().lower()
    if not name:
        raise ValueError("name is missing")
    if "@" not in email:
        raise ValueError("email is invalid")
    record = {"name": name, "email": email}
    save(record)
    notify(record)
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: ModuleRunner = check_duplicate_block;

/// Logical lines that make a block.
const LINES: usize = 6;
/// Tokens that a block must have to be worth a word.
const TOKENS: usize = 40;
/// Thousandths per logical line beyond the first six.
const PER_LINE: u32 = 100;
/// The most that one block costs.
const MOST: u32 = 2000;

/// Reports each later copy of a block, once.
fn check_duplicate_block(view: &View, found: &mut Vec<Finding>) {
    let lines = logical_lines(view);
    let mut first: HashMap<u64, usize> = HashMap::new();
    let mut at = 0;
    while at + LINES <= lines.len() {
        let Some(key) = window_key(&lines[at..at + LINES]) else {
            at += 1;
            continue;
        };
        let earlier = *first.entry(key).or_insert(at);
        let length = if earlier + LINES <= at { common_line_count(&lines, earlier, at) } else { 0 };
        let tokens: usize = lines[at..at + length].iter().map(|line| line.tokens).sum();
        if length < LINES || tokens < TOKENS {
            at += 1;
            continue;
        }
        found.push(finding(view, &lines, earlier, at, length));
        at += length;
    }
}

fn finding(view: &View, lines: &[LogicalLine], earlier: usize, at: usize, length: usize) -> Finding {
    let place = TextRange::new(lines[at].range.start(), lines[at + length - 1].range.end());
    let original = view.lines.line(lines[earlier].range.start());
    let more = u32::try_from(length - LINES).unwrap_or(u32::MAX);
    let cost = RULE.cost.saturating_add(more.saturating_mul(PER_LINE)).min(MOST);
    view.finding(&RULE, place, format!("{length} statements repeat those from line {original}"))
        .costing(cost)
        .anchored(view.lines.slice(place))
}

/// One logical line.
struct LogicalLine {
    /// Indentation levels around it.
    indent: usize,
    /// Of its tokens' kinds and texts.
    digest: u64,
    tokens: usize,
    range: TextRange,
    /// Imports repeat by nature.
    is_import: bool,
}

fn logical_lines(view: &View) -> Vec<LogicalLine> {
    let mut lines = Vec::new();
    let mut indent = 0_usize;
    let mut open: Option<(DefaultHasher, usize, TextRange, bool)> = None;
    for token in view.tokens.iter() {
        match token.kind() {
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            TokenKind::Indent => indent += 1,
            TokenKind::Dedent => indent = indent.saturating_sub(1),
            TokenKind::Newline | TokenKind::EndOfFile => {
                if let Some((hasher, tokens, range, is_import)) = open.take() {
                    lines.push(LogicalLine { indent, digest: hasher.finish(), tokens, range, is_import });
                }
            }
            kind => {
                let (hasher, tokens, range, _) = open.get_or_insert_with(|| {
                    let is_import = matches!(kind, TokenKind::Import | TokenKind::From);
                    (DefaultHasher::new(), 0, token.range(), is_import)
                });
                view.lines.slice(token.range()).hash(hasher);
                *tokens += 1;
                *range = range.cover(token.range());
            }
        }
    }
    lines
}

/// The key of a window; none when it leaves the suite it begins in or holds imports.
fn window_key(lines: &[LogicalLine]) -> Option<u64> {
    let base = lines.first()?.indent;
    let mut hasher = DefaultHasher::new();
    for line in lines {
        if line.is_import {
            return None;
        }
        (line.indent.checked_sub(base)?, line.digest).hash(&mut hasher);
    }
    Some(hasher.finish())
}

/// How many lines from `a` and from `b` on are the same, without `a`'s reaching into `b`'s and without leaving the
/// suite that they begin in.
fn common_line_count(lines: &[LogicalLine], a: usize, b: usize) -> usize {
    let (base_a, base_b) = (lines[a].indent, lines[b].indent);
    let most = (b - a).min(lines.len() - b);
    (0..most)
        .take_while(|offset| {
            let (x, y) = (&lines[a + offset], &lines[b + offset]);
            let indent = x.indent.checked_sub(base_a);
            x.digest == y.digest && indent.is_some() && indent == y.indent.checked_sub(base_b)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::found;
    use super::*;

    const BLOCK: &str = "    total = compute(first, second)
    if total > limit:
        report(total, limit)
        total = limit
    values.append(total * factor)
    log.info('done %s', total)
    return values, total
";

    fn shown(text: &str) -> Vec<(u32, u32, u32)> {
        found(check_duplicate_block, text).iter().map(|f| (f.line, f.end_line, f.cost)).collect()
    }

    #[test]
    fn a_copy_is_reported_once() {
        let text = format!("def f():\n{BLOCK}\ndef g(x):\n    x()\n{BLOCK}");
        assert_eq!(shown(&text), [(12, 18, 400)]);
    }

    #[test]
    fn layout_and_comments_make_no_difference_and_names_do() {
        let deeper: String = BLOCK.lines().map(|line| format!("    {line}  # again\n\n")).collect();
        let text = format!("def f():\n{BLOCK}\nclass C:\n    def g(x):\n{deeper}");
        assert_eq!(shown(&text).len(), 1);
        let renamed = format!("def f():\n{BLOCK}\ndef g(x):\n{}", BLOCK.replace("total", "sum"));
        assert!(shown(&renamed).is_empty());
    }

    #[test]
    fn short_or_trivial_runs_are_no_blocks() {
        let short: String = BLOCK.lines().take(5).map(|line| format!("{line}\n")).collect();
        assert!(shown(&format!("def f():\n{short}\ndef g():\n{short}")).is_empty());
        let trivial = "    pass\n".repeat(8);
        assert!(shown(&format!("def f():\n{trivial}\ndef g():\n{trivial}")).is_empty());
    }

    #[test]
    fn many_equal_lines_are_linear() {
        let text = "f(a, b, c, d, e, f, g)\n".repeat(30_000);
        assert!(shown(&text).len() < 30_000);
    }
}
