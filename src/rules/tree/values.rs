//! What a value is made from, whatever the language.

use tapps_syntax::nodes::Node;

use super::context::TreeContext;
use super::grammar::TreeLanguage;

/// How often a value is followed from name to name.
const HOPS: usize = 3;

/// An expression and, of names, what they were given. `value_of` says what a name was given before the place where it stands.
pub(crate) fn values_behind<'c, L: TreeLanguage>(
    context: &TreeContext<'c, L>,
    node: Node<'c>,
    value_of: impl Fn(&TreeContext<'c, L>, Node<'c>) -> Option<Node<'c>>,
) -> Vec<Node<'c>> {
    let mut found = vec![node];
    let mut from = 0;
    for _ in 0..HOPS {
        let level: Vec<Node<'c>> = found.get(from..).unwrap_or_default().to_vec();
        from = found.len();
        let names =
            level.iter().flat_map(|root| context.tree().subtree_of(*root)).filter(|at| at.kind() == "identifier");
        let values: Vec<Node<'c>> = names.filter_map(|name| value_of(context, name)).collect();
        for value in values {
            if !found.iter().any(|known| known.id() == value.id()) {
                found.push(value);
            }
        }
    }
    found
}

/// The names that a value gets on its way out: what `name_of` says of each thing around it.
pub(crate) fn names_outside<'c, L: TreeLanguage>(
    context: &TreeContext<'c, L>,
    node: Node<'_>,
    name_of: impl Fn(Node<'c>) -> Option<Node<'c>>,
) -> Vec<&'c str> {
    context.tree().ancestors_of(node).filter_map(name_of).map(|name| context.text(name)).collect()
}
