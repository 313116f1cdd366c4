//! Which names of a scope hold something that was made from a value of interest, as far as the text shows it.

use std::collections::HashSet;

use ruff_python_ast::visitor::source_order::{self, SourceOrderVisitor};
use ruff_python_ast::{Comprehension, Expr, ExprCall, InterpolatedStringElement, Operator, Stmt};

use super::names::last_name;
use crate::words::split_identifier_words;

/// The bodies of a module, of its classes and of its functions, outer ones first: each is a scope.
#[must_use]
pub fn python_scopes(body: &[Stmt]) -> Vec<&[Stmt]> {
    let mut walk = ScopeCollector { scopes: vec![body] };
    walk.visit_body(body);
    walk.scopes
}

struct ScopeCollector<'a> {
    scopes: Vec<&'a [Stmt]>,
}

impl<'a> SourceOrderVisitor<'a> for ScopeCollector<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(node) => self.scopes.push(&node.body),
            Stmt::ClassDef(node) => self.scopes.push(&node.body),
            _ => {}
        }
        source_order::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Calls `visit` with every expression of a scope, outer ones first; not with those of definitions inside it.
pub fn every_scope_expr<'a>(scope: &'a [Stmt], visit: &mut impl FnMut(&'a Expr)) {
    struct ScopeExprWalk<'v, F>(&'v mut F);
    impl<'a, F: FnMut(&'a Expr)> SourceOrderVisitor<'a> for ScopeExprWalk<'_, F> {
        fn visit_stmt(&mut self, stmt: &'a Stmt) {
            if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                source_order::walk_stmt(self, stmt);
            }
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            (self.0)(expr);
            source_order::walk_expr(self, expr);
        }
    }
    ScopeExprWalk(visit).visit_body(scope);
}

/// What a scope binds: names, and the value that they are bound to or that is added to them.
#[derive(Debug, Default)]
pub struct Bindings<'a> {
    all: Vec<(Vec<&'a str>, &'a Expr)>,
}

impl<'a> Bindings<'a> {
    /// Reads a scope; definitions inside it are scopes of their own.
    #[must_use]
    pub fn of_scope(scope: &'a [Stmt]) -> Self {
        let mut read = Self::default();
        read.visit_body(scope);
        read
    }

    /// Each set of names that is bound at once, with the value.
    #[must_use]
    pub fn all(&self) -> &[(Vec<&'a str>, &'a Expr)] {
        &self.all
    }

    /// The names that hold what `is_source` says of, or text and lists made from it.
    #[must_use]
    pub fn derived_from(&self, is_source: &dyn Fn(&Expr) -> bool) -> HashSet<&'a str> {
        let mut derived = HashSet::new();
        // Each pass follows one more link; chains in real code are short.
        for _ in 0..8 {
            let before = derived.len();
            for (names, value) in &self.all {
                if carries(value, &derived, is_source) {
                    derived.extend(names);
                }
            }
            if derived.len() == before {
                break;
            }
        }
        derived
    }

    fn bind(&mut self, target: &'a Expr, value: &'a Expr) {
        let mut names = Vec::new();
        collect_targets(target, &mut names);
        if !names.is_empty() {
            self.all.push((names, value));
        }
    }
}

/// The names that a target binds or changes: `x`, `x[0]`, `x, y`; an attribute belongs to no scope.
fn collect_targets<'a>(target: &'a Expr, names: &mut Vec<&'a str>) {
    match target {
        Expr::Tuple(node) => node.elts.iter().for_each(|one| collect_targets(one, names)),
        Expr::List(node) => node.elts.iter().for_each(|one| collect_targets(one, names)),
        Expr::Starred(node) => collect_targets(&node.value, names),
        Expr::Subscript(node) => collect_targets(&node.value, names),
        Expr::Name(node) => names.push(node.id.as_str()),
        _ => {}
    }
}

impl<'a> SourceOrderVisitor<'a> for Bindings<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Assign(node) => node.targets.iter().for_each(|target| self.bind(target, &node.value)),
            Stmt::AnnAssign(node) => {
                if let Some(value) = &node.value {
                    self.bind(&node.target, value);
                }
            }
            Stmt::AugAssign(node) => self.bind(&node.target, &node.value),
            Stmt::For(node) => self.bind(&node.target, &node.iter),
            Stmt::With(node) => {
                for item in &node.items {
                    if let Some(target) = &item.optional_vars {
                        self.bind(target, &item.context_expr);
                    }
                }
            }
            Stmt::Expr(node) => {
                // What is appended to a list is in it.
                if let Expr::Call(call) = node.value.as_ref()
                    && let Expr::Attribute(method) = call.func.as_ref()
                    && matches!(method.attr.as_str(), "append" | "extend" | "add" | "insert")
                    && let Some(value) = call.arguments.args.last()
                {
                    self.bind(&method.value, value);
                }
            }
            _ => {}
        }
        source_order::walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Named(node) => self.bind(&node.target, &node.value),
            _ => comprehensions(expr).iter().for_each(|one| self.bind(&one.target, &one.iter)),
        }
        source_order::walk_expr(self, expr);
    }
}

/// The loops of a comprehension or generator.
fn comprehensions(expr: &Expr) -> &[Comprehension] {
    match expr {
        Expr::ListComp(node) => &node.generators,
        Expr::SetComp(node) => &node.generators,
        Expr::DictComp(node) => &node.generators,
        Expr::Generator(node) => &node.generators,
        _ => &[],
    }
}

/// True when a value holds what `is_source` says of, or one of the names, whole or in part. What a call makes of its
/// arguments is something else, unless the call only puts texts together.
pub fn carries(value: &Expr, names: &HashSet<&str>, is_source: &dyn Fn(&Expr) -> bool) -> bool {
    let within = |inner: &Expr| carries(inner, names, is_source);
    if is_source(value) {
        return true;
    }
    match value {
        Expr::Name(node) => names.contains(node.id.as_str()),
        Expr::Attribute(node) => within(&node.value),
        Expr::Subscript(node) => within(&node.value),
        Expr::Await(node) => within(&node.value),
        Expr::Starred(node) => within(&node.value),
        Expr::Named(node) => within(&node.value),
        Expr::BinOp(node) => {
            matches!(node.op, Operator::Add | Operator::Mod) && (within(&node.left) || within(&node.right))
        }
        Expr::BoolOp(node) => node.values.iter().any(within),
        Expr::If(node) => within(&node.body) || within(&node.orelse),
        Expr::Tuple(node) => node.elts.iter().any(within),
        Expr::List(node) => node.elts.iter().any(within),
        Expr::Dict(node) => node.items.iter().any(|item| within(&item.value)),
        Expr::ListComp(node) => node.generators.iter().any(|one| within(&one.iter)) || within(&node.elt),
        Expr::Generator(node) => node.generators.iter().any(|one| within(&one.iter)) || within(&node.elt),
        Expr::FString(node) => node.value.elements().any(|element| match element {
            InterpolatedStringElement::Interpolation(part) => within(&part.expression),
            InterpolatedStringElement::Literal(_) => false,
        }),
        Expr::Call(node) => carries_through_call(node, &within),
        _ => false,
    }
}

fn carries_through_call(call: &ExprCall, within: &impl Fn(&Expr) -> bool) -> bool {
    const COUNTING: [&str; 5] = ["count", "index", "startswith", "endswith", "isdigit"];
    if let Expr::Attribute(method) = call.func.as_ref()
        && within(&method.value)
    {
        return !COUNTING.contains(&method.attr.as_str());
    }
    if !last_name(&call.func).is_some_and(puts_together) {
        return false;
    }
    let keywords = call.arguments.keywords.iter().map(|keyword| &keyword.value);
    call.arguments.args.iter().chain(keywords).any(within)
}

/// True for the name of a function that makes one text or list of its arguments.
fn puts_together(function: &str) -> bool {
    const PLAIN: [&str; 10] =
        ["str", "list", "tuple", "set", "sorted", "reversed", "enumerate", "zip", "dict", "dedent"];
    const WORDS: [&str; 13] = [
        "format",
        "join",
        "concat",
        "combine",
        "context",
        "docs",
        "documents",
        "chunks",
        "passages",
        "truncate",
        "dumps",
        "rerank",
        "stringify",
    ];
    PLAIN.contains(&function) || split_identifier_words(function).iter().any(|word| WORDS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse_python;

    /// The names of a module that hold what `fetch` returns.
    fn derived(text: &str) -> Vec<String> {
        let found = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let is_fetch = |expr: &Expr| expr.as_call_expr().is_some_and(|call| last_name(&call.func) == Some("fetch"));
            let names = Bindings::of_scope(parsed.suite()).derived_from(&is_fetch);
            let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            names.sort_unstable();
            names
        });
        found.unwrap()
    }

    #[rstest::rstest]
    #[case("a = fetch()\nb = a[0].text.strip()\nc = f'<{b}>'\n", &["a", "b", "c"])]
    #[case("a = await fetch()\nb = ', '.join(x.text for x in a)\n", &["a", "b", "x"])]
    #[case("parts = []\nfor x in fetch():\n    parts.append(x.text)\nt = 'a' + format_docs(parts)\n", &["parts", "t", "x"])]
    #[case("a = fetch()\nn = len(a)\nanswer = model.ask(a)\nok = a == []\n", &["a"])]
    #[case("if (a := fetch()): b = a or c\n", &["a", "b"])]
    #[case("def f():\n    a = fetch()\n", &[])]
    #[case("a = other()\nb = f'{a}'\n", &[])]
    fn values_are_followed(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(derived(text), expected);
    }

    #[test]
    fn every_body_is_a_scope() {
        let text = "x = 1\nclass C:\n    y = 2\n    def f(self):\n        def g(): return 3\n        return g\n";
        let counts = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            python_scopes(parsed.suite()).iter().map(|scope| scope.len()).collect::<Vec<_>>()
        });
        assert_eq!(counts.unwrap(), [2, 2, 2, 1]);
    }
}
