//! How `__all__` comes about: literals, sums, the lists of other modules, later additions.

use std::collections::BTreeMap;

use ruff_python_ast::Expr;

use super::module::All;
use tapps_syntax::python::names::dotted_name;

/// Module variables that hold lists of names, and modules by the names they are bound to.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) lists: BTreeMap<String, Vec<All>>,
    pub(super) modules: BTreeMap<String, String>,
}

impl Lists {
    /// The steps an expression stands for; `None` when it cannot be followed.
    pub(super) fn steps(&self, expr: &Expr) -> Option<Vec<All>> {
        match expr {
            Expr::List(list) => self.names_of_elements(&list.elts),
            Expr::Tuple(tuple) => self.names_of_elements(&tuple.elts),
            Expr::Set(set) => self.names_of_elements(&set.elts),
            // Its keys.
            Expr::Dict(dict) => {
                let key = |item: &ruff_python_ast::DictItem| {
                    Some(item.key.as_ref()?.as_string_literal_expr()?.value.to_str().to_owned())
                };
                Some(vec![All::Names(dict.items.iter().map(key).collect::<Option<_>>()?)])
            }
            Expr::BinOp(sum) => Some([self.steps(&sum.left)?, self.steps(&sum.right)?].concat()),
            Expr::Name(name) => self.lists.get(name.id.as_str()).cloned(),
            Expr::Attribute(attribute) if attribute.attr.as_str() == "__all__" => {
                let module = dotted_name(&attribute.value)?;
                Some(vec![All::Of(self.absolute(&module)?)])
            }
            // list(x), tuple(x), sorted(x), set(x)
            Expr::Call(call) if matches!(&*call.func, Expr::Name(name) if matches!(name.id.as_str(), "list" | "tuple" | "sorted" | "set")) => {
                self.steps(call.arguments.args.first()?)
            }
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(method) if matches!(method.attr.as_str(), "copy" | "keys") => self.steps(&method.value),
                _ => None,
            },
            _ => None,
        }
    }

    fn names_of_elements(&self, elements: &[Expr]) -> Option<Vec<All>> {
        let mut steps = Vec::new();
        for element in elements {
            match element {
                Expr::StringLiteral(text) => steps.push(All::Names(vec![text.value.to_str().to_owned()])),
                Expr::Starred(starred) => steps.extend(self.steps(&starred.value)?),
                // `Name.__name__`
                Expr::Attribute(attribute) if attribute.attr.as_str() == "__name__" => {
                    steps.push(All::Names(vec![dotted_name(&attribute.value)?.rsplit('.').next()?.to_owned()]));
                }
                _ => return None,
            }
        }
        Some(steps)
    }

    /// The absolute name of a module as the text calls it.
    pub(super) fn absolute(&self, called: &str) -> Option<String> {
        let (first, rest) = called.split_once('.').map_or((called, None), |(first, rest)| (first, Some(rest)));
        let module = self.modules.get(first)?;
        Some(rest.map_or_else(|| module.clone(), |rest| format!("{module}.{rest}")))
    }
}
