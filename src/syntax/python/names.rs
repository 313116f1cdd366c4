//! Names in expressions.

use ruff_python_ast::{Alias, Expr, Pattern};

/// `a.b.c` as text when the expression is that.
#[must_use]
pub fn dotted_name(expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    let mut at = expr;
    while let Expr::Attribute(node) = at {
        parts.push(node.attr.as_str());
        at = &node.value;
    }
    let Expr::Name(name) = at else { return None };
    parts.push(name.id.as_str());
    parts.reverse();
    Some(parts.join("."))
}

/// The last part of a dotted name, of a call's callee, or of what is subscripted.
#[must_use]
pub fn last_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(node) => Some(node.attr.as_str()),
        Expr::Call(node) => last_name(&node.func),
        Expr::Subscript(node) => last_name(&node.value),
        _ => None,
    }
}

/// Whether a text may be one name; with which character it begins is not asked.
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What one name of `import …` binds, and the module that stands behind it: `import a.b` binds `a` to `a`.
#[must_use]
pub fn import_binding(alias: &Alias) -> (&str, &str) {
    let module = alias.name.as_str();
    match &alias.asname {
        Some(bound) => (bound.as_str(), module),
        None => {
            let top = module.split('.').next().unwrap_or(module);
            (top, top)
        }
    }
}

/// The names that a pattern of `match` binds.
#[must_use]
pub fn pattern_names(pattern: &Pattern) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![pattern];
    while let Some(pattern) = open.pop() {
        match pattern {
            Pattern::MatchAs(one) => {
                found.extend(one.name.as_deref());
                open.extend(one.pattern.as_deref());
            }
            Pattern::MatchStar(one) => found.extend(one.name.as_deref()),
            Pattern::MatchMapping(one) => {
                found.extend(one.rest.as_deref());
                open.extend(&one.patterns);
            }
            Pattern::MatchSequence(one) => open.extend(&one.patterns),
            Pattern::MatchOr(one) => open.extend(&one.patterns),
            Pattern::MatchClass(one) => {
                open.extend(&one.arguments.patterns);
                open.extend(one.arguments.keywords.iter().map(|keyword| &keyword.pattern));
            }
            Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => {}
        }
    }
    found
}

/// The absolute name of the module that an import in the module `from` names; none for one that leads above its package.
/// `package` says that the importing module is the `__init__` of one.
#[must_use]
pub fn absolute_module(from: &str, package: bool, level: u32, module: Option<&str>) -> Option<String> {
    if level == 0 {
        return module.map(str::to_owned);
    }
    let mut parts: Vec<&str> = from.split('.').collect();
    let up = if package { level - 1 } else { level };
    for _ in 0..up {
        parts.pop()?;
    }
    parts.extend(module);
    (!parts.is_empty()).then(|| parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::parse_shallow_expression;

    #[test]
    fn names_are_read_from_the_left_and_from_the_right() {
        let names = |text: &str| {
            let parsed = parse_shallow_expression(text).unwrap();
            let expr = parsed.expr();
            (dotted_name(expr), last_name(expr).map(str::to_owned))
        };
        let both = |dotted: &str, last: &str| (Some(dotted.to_owned()), Some(last.to_owned()));
        assert_eq!(names("a"), both("a", "a"));
        assert_eq!(names("a.b.c"), both("a.b.c", "c"));
        assert_eq!(names("a.b(1)[2]"), (None, Some("b".to_owned())));
        assert_eq!(names("1"), (None, None));
    }

    #[test]
    fn relative_imports_are_read_from_where_they_stand() {
        let absolute = |package, level, module| absolute_module("a.b.c", package, level, module);
        assert_eq!(absolute(false, 0, Some("x")).as_deref(), Some("x"));
        assert_eq!(absolute(false, 1, Some("x")).as_deref(), Some("a.b.x"));
        assert_eq!(absolute(true, 1, None).as_deref(), Some("a.b.c"));
        assert_eq!(absolute(false, 4, Some("x")), None);
    }

    #[test]
    fn patterns_bind_names() {
        let text = "match x:\n    case [a, *b, {'k': c, **d}, E(f, g=h)] | (i as j): pass\n";
        let found = crate::python::parse::parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let choice = parsed.suite()[0].as_match_stmt().unwrap();
            let mut names: Vec<String> =
                pattern_names(&choice.cases[0].pattern).into_iter().map(str::to_owned).collect();
            names.sort();
            names
        });
        assert_eq!(found.unwrap(), ["a", "b", "c", "d", "f", "h", "i", "j"]);
    }
}
