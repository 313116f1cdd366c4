//! SQL that is put together: in texts, and by two ways of Django.

use std::sync::LazyLock;

use regex::Regex;
use ruff_python_ast::{AnyNodeRef, Expr, ExprBinOp};
use ruff_text_size::{Ranged as _, TextRange};
use tapps_base::finding::Severity::{Low, Medium};

use crate::bandit::native::call::CallView;
use crate::bandit::native::text::TextNode;
use crate::bandit::native::verdict::{Judged, Lost, Verdict};

/// SQL injection.
const INJECTION: u32 = 89;

/// The texts of a chain of operators, read once for all of them.
#[derive(Debug)]
pub(in crate::bandit::native) struct OperatorChain {
    range: TextRange,
    texts: Vec<(TextRange, String)>,
    /// Whether the words of a statement are among them at all.
    suspicious: bool,
}

impl OperatorChain {
    fn of_expression(top: &ExprBinOp) -> Self {
        let mut texts = Vec::new();
        let mut waiting = vec![&*top.right, &*top.left];
        while let Some(expr) = waiting.pop() {
            match expr {
                Expr::BinOp(inner) => waiting.extend([&*inner.right, &*inner.left]),
                Expr::StringLiteral(literal) => texts.push((literal.range(), literal.value.to_str().to_owned())),
                _ => {}
            }
        }
        let all: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        Self { range: top.range(), suspicious: has_statement_words(&all.join(" ")), texts }
    }

    /// What bandit reads at one text: the text, and behind it all texts of the chain but those beside it.
    fn statement_at(&self, text: &str, beside: TextRange) -> String {
        let others =
            self.texts.iter().filter(|(range, _)| !beside.contains_range(*range)).map(|(_, text)| text.as_str());
        std::iter::once(text).chain(others).collect::<Vec<_>>().join(" ")
    }
}

/// A quick look before the pattern is tried.
fn has_statement_words(text: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("(?i)select|delete|insert|update").ok());
    WORDS.as_ref().is_none_or(|words| words.is_match(text))
}

fn is_statement(text: &str) -> bool {
    static STATEMENT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let pattern = r"(?is)select_.*from_|delete_+from_|insert_+into_.*values(?:_|\()|update_.*set_";
        Regex::new(&pattern.replace('_', r"[\s\x1c-\x1f]")).ok()
    });
    has_statement_words(text) && STATEMENT.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// A statement that is put together by operators, by `format` or `replace`, or by an f-string.
pub(in crate::bandit::native) fn judge_statement(
    node: &TextNode<'_>,
    ancestors: &[AnyNodeRef<'_>],
    chain: &mut Option<OperatorChain>,
) -> Judged {
    let above = |steps: usize| ancestors.len().checked_sub(steps).and_then(|at| ancestors.get(at)).copied();
    let mut replaced = false;
    let (wrapper, statement) = match above(1) {
        Some(AnyNodeRef::ExprBinOp(parent)) => {
            let top = ancestors.iter().rposition(|node| !matches!(node, AnyNodeRef::ExprBinOp(_))).unwrap_or_default();
            let Some(AnyNodeRef::ExprBinOp(whole)) = ancestors.get(top + 1) else { return Ok(None) };
            let chain = match chain {
                Some(known) if known.range == whole.range() => known,
                other => other.insert(OperatorChain::of_expression(whole)),
            };
            if !chain.suspicious {
                return Ok(None);
            }
            (ancestors.get(top).copied(), chain.statement_at(node.value, parent.range()))
        }
        Some(AnyNodeRef::ExprAttribute(parent)) if ["format", "replace"].contains(&parent.attr.as_str()) => {
            replaced = parent.attr.as_str() == "replace";
            (above(3), node.value.to_owned())
        }
        Some(AnyNodeRef::ExprFString(_) | AnyNodeRef::InterpolatedStringFormatSpec(_)) => match &node.joined {
            Some(joined) => (above(2), joined.clone()),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    if !is_statement(&statement) {
        return Ok(None);
    }
    let executed = matches!(wrapper, Some(AnyNodeRef::ExprCall(call)) if is_executing(&call.func));
    let confidence = if executed && !replaced { Medium } else { Low };
    let text = "Possible SQL injection vector through string-based query construction.";
    Ok(Some(Verdict::new("B608", (Medium, confidence), INJECTION, text)))
}

fn is_executing(called: &Expr) -> bool {
    let name = match called {
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        Expr::Name(name) => name.id.as_str(),
        _ => return false,
    };
    ["execute", "executemany"].contains(&name)
}

/// `extra` of a query set with anything but constant texts.
pub(super) fn judge_extra(view: &CallView<'_, '_>) -> Judged {
    if view.name() != "extra" {
        return Ok(None);
    }
    // By name and by position; a position counts more.
    let argument = |position: usize, name: &str| {
        let named = view.keywords().iter().rev().find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == name));
        view.positional().get(position).or_else(|| named.map(|keyword| &keyword.value))
    };
    let open_list = |argument: Option<&Expr>| match argument {
        None => false,
        Some(Expr::List(list)) => !list.elts.iter().all(Expr::is_string_literal_expr),
        Some(_) => true,
    };
    let open_select = match argument(0, "select") {
        None => false,
        Some(Expr::Dict(dict)) => !dict.items.iter().all(|item| {
            item.key.as_ref().is_some_and(Expr::is_string_literal_expr) && item.value.is_string_literal_expr()
        }),
        Some(_) => true,
    };
    let insecure = open_list(argument(1, "where")) || open_list(argument(3, "tables")) || open_select;
    let text = "Use of extra potential SQL attack vector.";
    Ok(insecure.then(|| Verdict::new("B610", (Medium, Medium), INJECTION, text)))
}

/// `RawSQL` of Django with anything but a constant text.
pub(super) fn judge_raw_sql(view: &CallView<'_, '_>) -> Judged {
    if view.name() != "RawSQL" || !view.imports.has_like("django.db.models") {
        return Ok(None);
    }
    let named = view.keywords().iter().rev().find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg == "sql"));
    let sql = view.positional().first().or_else(|| named.map(|keyword| &keyword.value)).ok_or(Lost)?;
    let text = "Use of RawSQL potential SQL attack vector.";
    Ok((!sql.is_string_literal_expr()).then(|| Verdict::new("B611", (Medium, Medium), INJECTION, text)))
}
