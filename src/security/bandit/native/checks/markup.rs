//! Markup from texts that nobody escaped: Jinja, Mako, MarkupSafe, Django.

use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal, walk_expr};
use ruff_python_ast::{AnyNodeRef, Expr, ExprCall, Keyword};
use tapps_base::finding::Severity::{self, High, Medium};

use super::safe_markup::is_safe_markup;
use crate::bandit::native::call::CallView;
use crate::bandit::native::literal::is_constant;
use crate::bandit::native::place::is_no_node;
use crate::bandit::native::verdict::{Judged, Lost, Verdict};

/// Keywords by their depth; of those equally deep the first.
#[derive(Default)]
struct ShallowestKeyword<'a> {
    name: &'static str,
    depth: usize,
    found: Option<(usize, &'a Keyword)>,
}

impl<'a> ShallowestKeyword<'a> {
    /// The keyword of that name which is nearest below a call.
    fn below_call(call: &'a ExprCall, name: &'static str) -> Option<&'a Keyword> {
        let mut search = Self { name, depth: 0, found: None };
        walk_expr(&mut search, &call.func);
        search.visit_arguments(&call.arguments);
        search.found.map(|(_, keyword)| keyword)
    }
}

impl<'a> SourceOrderVisitor<'a> for ShallowestKeyword<'a> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        if let AnyNodeRef::Keyword(keyword) = node
            && keyword.arg.as_ref().is_some_and(|arg| arg == self.name)
            && self.found.is_none_or(|(depth, _)| self.depth < depth)
        {
            self.found = Some((self.depth, keyword));
        }
        self.depth += usize::from(!is_no_node(node));
        TraversalSignal::Traverse
    }

    fn leave_node(&mut self, node: AnyNodeRef<'a>) {
        self.depth -= usize::from(!is_no_node(node));
    }
}

pub(super) fn judge_jinja_environment(view: &CallView<'_, '_>) -> Judged {
    if view.name() != "Environment" || !view.parts().any(|part| part == "jinja2") {
        return Ok(None);
    }
    let verdict =
        |confidence: Severity, text: &'static str| Ok(Some(Verdict::new("B701", (High, confidence), 94, text)));
    let Some(keyword) = ShallowestKeyword::below_call(view.call, "autoescape") else {
        return verdict(
            High,
            "By default, jinja2 sets autoescape to False. Consider using autoescape=True or use the select_autoescape function to \
             mitigate XSS vulnerabilities.",
        );
    };
    match &keyword.value {
        Expr::BooleanLiteral(literal) if literal.value => Ok(None),
        Expr::BooleanLiteral(_) => verdict(
            High,
            "Using jinja2 templates with autoescape=False is dangerous and can lead to XSS. Use autoescape=True or use the \
             select_autoescape function to mitigate XSS vulnerabilities.",
        ),
        Expr::Call(call) if is_named(&call.func, "select_autoescape") => Ok(None),
        _ => verdict(
            Medium,
            "Using jinja2 templates with autoescape=False is dangerous and can lead to XSS. Ensure autoescape=True or use the \
             select_autoescape function to mitigate XSS vulnerabilities.",
        ),
    }
}

fn is_named(expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::Attribute(attribute) => attribute.attr.as_str() == name,
        Expr::Name(found) => found.id.as_str() == name,
        _ => false,
    }
}

pub(super) fn judge_mako_template(view: &CallView<'_, '_>) -> Judged {
    let found = view.name() == "Template" && view.parts().any(|part| part == "mako");
    let text = "Mako templates allow HTML/JS rendering by default and are inherently open to XSS attacks. Ensure variables in all \
                templates are properly sanitized via the 'n', 'h' or 'x' flags (depending on context). For example, to HTML escape \
                the variable 'data' do ${ data |h }.";
    Ok(found.then(|| Verdict::new("B702", (Medium, High), 80, text)))
}

pub(super) fn judge_markup_text(view: &CallView<'_, '_>) -> Judged {
    let name = view.qualified.as_str();
    if !["markupsafe.Markup", "flask.Markup"].contains(&name) || view.positional().first().is_none_or(is_constant) {
        return Ok(None);
    }
    let text = format!("Potential XSS with ``{name}`` detected. Do not use ``{}`` on untrusted data.", view.name());
    Ok(Some(Verdict::new("B704", (Medium, High), 79, "").saying(text)))
}

/// Texts that Django is told not to escape.
pub(super) fn judge_django_markup(view: &CallView<'_, '_>) -> Judged {
    const MARKING: [&str; 5] = ["mark_safe", "SafeText", "SafeUnicode", "SafeString", "SafeBytes"];
    if !MARKING.contains(&view.name()) || !view.imports.has_like("django.utils.safestring") {
        return Ok(None);
    }
    let markup = view.positional().first().ok_or(Lost)?;
    if markup.is_string_literal_expr() || is_safe_markup(view, markup)? {
        return Ok(None);
    }
    Ok(Some(Verdict::new("B703", (Medium, High), 80, "Potential XSS on mark_safe function.")))
}
