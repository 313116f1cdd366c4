//! What rules about React have in common.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression, JSXElement, JSXFragment};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::context::ScriptContext;
use super::expressions::{Callback, call_of, identifier_of, member_name, member_parts, plain_argument, without_casts};
use super::origins;

/// Hooks that React itself exports.
pub(crate) const BUILT_IN_HOOKS: &[&str] = &[
    "useActionState",
    "useCallback",
    "useContext",
    "useDebugValue",
    "useDeferredValue",
    "useEffect",
    "useId",
    "useImperativeHandle",
    "useInsertionEffect",
    "useLayoutEffect",
    "useMemo",
    "useOptimistic",
    "useReducer",
    "useRef",
    "useState",
    "useSyncExternalStore",
    "useTransition",
];

pub(crate) fn is_hook_name(name: &str) -> bool {
    name.strip_prefix("use").is_some_and(|rest| rest.starts_with(|first: char| first.is_uppercase()))
}

pub(crate) fn is_component_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_uppercase())
}

/// True for `useEffect` and its kin from React or Preact, or a global or namespace of that name.
pub(crate) fn is_effect(context: &ScriptContext<'_, '_>, callee: &Expression<'_>) -> bool {
    member_name(callee).is_some_and(|name| matches!(name, "useEffect" | "useLayoutEffect" | "useInsertionEffect"))
        && is_from_react(context, callee)
}

fn is_from_react(context: &ScriptContext<'_, '_>, callee: &Expression<'_>) -> bool {
    match origins::import_origin(context, callee) {
        Some(origin) => is_react_module(&origin.module),
        None => match without_casts(callee) {
            Expression::Identifier(name) => context.is_global(name),
            other => member_parts(other)
                .and_then(|(object, _)| identifier_of(object))
                .is_some_and(|object| object.name == "React" && context.is_global(object)),
        },
    }
}

fn is_react_module(module: &str) -> bool {
    matches!(module, "react" | "preact/hooks" | "preact/compat")
}

/// What a symbol is to a `useState` or `useReducer` call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StateOf {
    /// The second element of the pair.
    pub(crate) is_setter: bool,
    /// The state begins as written data, not as an instance made by a call or `new`.
    pub(crate) is_plain: bool,
}

impl StateOf {
    /// `None` when the symbol is no part of such a pair.
    pub(crate) fn of_symbol(context: &ScriptContext<'_, '_>, symbol: SymbolId) -> Option<Self> {
        let AstKind::VariableDeclarator(declarator) = context.declaration(symbol).kind() else { return None };
        let BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
        let call = call_of(declarator.init.as_ref()?)?;
        let hook = member_name(&call.callee)?;
        if !matches!(hook, "useState" | "useReducer") || !is_from_react(context, &call.callee) {
            return None;
        }
        let span = context.scoping().symbol_span(symbol);
        let index = pair.elements.iter().position(|element| {
            element.as_ref().is_some_and(|element| ScriptContext::is_within(span, element.span()))
        })?;
        let is_plain = hook == "useState"
            && match plain_argument(&call.arguments, 0) {
                None => true,
                Some(initial) => !matches!(
                    initial,
                    Expression::NewExpression(_)
                        | Expression::CallExpression(_)
                        | Expression::ArrowFunctionExpression(_)
                        | Expression::FunctionExpression(_)
                        | Expression::Identifier(_)
                ),
            };
        Some(Self { is_setter: index == 1, is_plain })
    }
}

/// The callback of `list.map(…)`, `list.flatMap(…)` or `Array.from(list, …)`.
pub(crate) fn mapped_callback<'e, 'a>(call: &'e CallExpression<'a>) -> Option<&'e Expression<'a>> {
    let (object, method) = member_parts(&call.callee)?;
    let is_children = member_name(object) == Some("Children");
    match method {
        "map" | "flatMap" if !is_children => plain_argument(&call.arguments, 0),
        "from" if member_name(object) == Some("Array") => plain_argument(&call.arguments, 1),
        _ => None,
    }
}

/// A JSX element or fragment.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Element<'e, 'a> {
    Named(&'e JSXElement<'a>),
    Fragment(&'e JSXFragment<'a>),
}

impl Element<'_, '_> {
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Named(element) => element.opening_element.span,
            Self::Fragment(fragment) => fragment.opening_fragment.span,
        }
    }
}

/// The elements that a callback returns itself, through `?:`, `&&` and `return`.
pub(crate) fn returned_elements<'e, 'a>(
    context: &ScriptContext<'e, 'a>,
    callback: Callback<'e, 'a>,
) -> Vec<Element<'e, 'a>> {
    let mut elements = Vec::new();
    if let Some(expression) = callback.expression() {
        collect_jsx_elements(expression, &mut elements);
    }
    for value in returned_values(context, callback) {
        collect_jsx_elements(value, &mut elements);
    }
    elements
}

/// What the `return` statements of a callback with a body give back.
pub(crate) fn returned_values<'e, 'a>(
    context: &ScriptContext<'e, 'a>,
    callback: Callback<'e, 'a>,
) -> Vec<&'e Expression<'a>> {
    if callback.body().is_none() {
        return Vec::new();
    }
    let own = context.own_nodes(callback.node_id());
    own.filter_map(|node| match node.kind() {
        AstKind::ReturnStatement(statement) => statement.argument.as_ref(),
        _ => None,
    })
    .collect()
}

fn collect_jsx_elements<'e, 'a>(expression: &'e Expression<'a>, elements: &mut Vec<Element<'e, 'a>>) {
    match without_casts(expression) {
        Expression::JSXElement(element) => elements.push(Element::Named(element)),
        Expression::JSXFragment(fragment) => elements.push(Element::Fragment(fragment)),
        Expression::ConditionalExpression(choice) => {
            collect_jsx_elements(&choice.consequent, elements);
            collect_jsx_elements(&choice.alternate, elements);
        }
        Expression::LogicalExpression(logical) => collect_jsx_elements(&logical.right, elements),
        _ => {}
    }
}
