//! What expressions hold for a name that is asked for: the text that one gives, and whether a table has a text among its keys.

use std::collections::BTreeMap;

use ruff_python_ast::{Arguments, Comprehension, DictItem, Expr, ExprAttribute, InterpolatedStringElement, Operator};
use tapps_syntax::python::names::dotted_name;

use super::super::written::single_assignment;
use super::{OwnLibrary, called};

/// What names stand for, where that is a text.
pub(super) type KnownTexts<'t> = BTreeMap<&'t str, String>;

/// What names were last bound to; nothing where that is not known.
pub(super) type KnownValues<'a> = BTreeMap<&'a str, Option<&'a Expr>>;

/// Names that are followed from one to the next.
const NAMES: usize = 16;

/// What is known where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Held<'h, 'm, 'a> {
    pub(super) around: &'h OwnLibrary<'m, 'a>,
    /// What takes the name that is asked for.
    pub(super) parameter: Option<&'a str>,
    /// What names from around the function stand for.
    pub(super) given: &'h KnownTexts<'h>,
    pub(super) values: &'h KnownValues<'a>,
    /// The table of the module may have got names on the way.
    pub(super) filled: bool,
    pub(super) left: usize,
}

static NO_TEXTS: KnownTexts<'static> = KnownTexts::new();

impl<'h, 'm, 'a> Held<'h, 'm, 'a> {
    /// Outside of functions.
    pub(super) fn of_module(around: &'h OwnLibrary<'m, 'a>) -> Self {
        static NO_VALUES: KnownValues<'static> = KnownValues::new();
        Self { around, parameter: None, given: &NO_TEXTS, values: &NO_VALUES, filled: false, left: NAMES }
    }

    pub(super) fn of_function(
        around: &'h OwnLibrary<'m, 'a>,
        parameter: &'a str,
        given: &'h KnownTexts<'h>,
        values: &'h KnownValues<'a>,
    ) -> Self {
        Self { around, parameter: Some(parameter), given, values, filled: false, left: NAMES }
    }

    fn further(self) -> Option<Self> {
        Some(Self { left: self.left.checked_sub(1)?, ..self })
    }

    /// The text that an expression gives; none where it cannot be told, or is no text.
    pub(super) fn text_of(&self, expr: &'a Expr) -> Option<String> {
        match expr {
            Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
            Expr::Name(name) => self.text_of_name(name.id.as_str()),
            Expr::BinOp(both) if both.op == Operator::Add => {
                Some(self.text_of(&both.left)? + &self.text_of(&both.right)?)
            }
            Expr::FString(text) => text.value.elements().map(|element| self.text_of_element(element)).collect(),
            _ => None,
        }
    }

    fn text_of_element(&self, element: &'a InterpolatedStringElement) -> Option<String> {
        match element {
            InterpolatedStringElement::Literal(literal) => Some(literal.value.to_string()),
            InterpolatedStringElement::Interpolation(of) => {
                let plain = of.conversion.is_none() && of.format_spec.is_none() && of.debug_text.is_none();
                plain.then(|| self.text_of(&of.expression))?
            }
        }
    }

    fn text_of_name(&self, name: &str) -> Option<String> {
        if let Some(value) = self.values.get(name) {
            return self.further()?.text_of((*value)?);
        }
        if self.parameter == Some(name) {
            return Some(self.around.asked?.name.to_owned());
        }
        if let Some(text) = self.given.get(name) {
            return Some(text.clone());
        }
        if name == "__name__" {
            return Some(self.around.module.to_owned());
        }
        let further = self.further()?;
        Held { left: further.left, ..Held::of_module(self.around) }.text_of(self.around.value_of(name)?)
    }

    /// Whether a table has a text among its keys; none where that cannot be told.
    pub(super) fn contains(&self, table: &'a Expr, text: &str) -> Option<bool> {
        match table {
            Expr::Name(name) => self.name_contains(name.id.as_str(), text),
            Expr::Dict(dict) => any(dict.items.iter().map(|item| self.item_is(item, text))),
            Expr::Set(each) => self.any_is(&each.elts, text),
            Expr::List(each) => self.any_is(&each.elts, text),
            Expr::Tuple(each) => self.any_is(&each.elts, text),
            Expr::DictComp(each) => self.made_contains(each.key.as_deref()?, &each.generators, text),
            Expr::SetComp(each) => self.made_contains(&each.elt, &each.generators, text),
            Expr::ListComp(each) => self.made_contains(&each.elt, &each.generators, text),
            Expr::Generator(each) => self.made_contains(&each.elt, &each.generators, text),
            Expr::BinOp(both) if matches!(both.op, Operator::Add | Operator::BitOr) => {
                any([self.contains(&both.left, text), self.contains(&both.right, text)].into_iter())
            }
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(of) if of.attr.as_str() == "keys" && call.arguments.is_empty() => {
                    self.contains(&of.value, text)
                }
                _ => self.called_contains(called(call)?, &call.arguments, text),
            },
            Expr::Attribute(of) => self.is_names_of_module(of).then(|| self.module_lacks(text))?,
            _ => None,
        }
    }

    fn name_contains(&self, name: &str, text: &str) -> Option<bool> {
        if let Some(value) = self.values.get(name) {
            return self.further()?.contains((*value)?, text);
        }
        if self.parameter == Some(name) || self.given.contains_key(name) {
            return None;
        }
        let left = self.further()?.left;
        if let Some(value) = self.around.value_of(name) {
            self.around.asked?.rely_on(name);
            return Held { left, ..Held::of_module(self.around) }.contains(value, text);
        }
        let look =
            |other: &OwnLibrary<'_, '_>, name: &str| Held { left, ..Held::of_module(other) }.name_contains(name, text);
        self.around.elsewhere(name, look)?
    }

    fn item_is(&self, item: &'a DictItem, text: &str) -> Option<bool> {
        match &item.key {
            Some(key) => Some(self.text_of(key)? == text),
            None => self.contains(&item.value, text),
        }
    }

    fn any_is(&self, each: &'a [Expr], text: &str) -> Option<bool> {
        any(each.iter().map(|one| match one {
            Expr::Starred(starred) => self.contains(&starred.value, text),
            _ => Some(self.text_of(one)? == text),
        }))
    }

    /// Whether a comprehension over texts that are written out makes a text.
    fn made_contains(&self, key: &'a Expr, generators: &'a [Comprehension], text: &str) -> Option<bool> {
        let [Comprehension { target: Expr::Name(target), iter, ifs, .. }] = generators else { return None };
        let each = match iter {
            Expr::List(each) => &each.elts,
            Expr::Set(each) => &each.elts,
            Expr::Tuple(each) => &each.elts,
            _ => return None,
        };
        let made = any(each.iter().map(|one| {
            let mut values = self.values.clone();
            values.insert(target.id.as_str(), Some(one));
            Some(Held { values: &values, ..*self }.text_of(key)? == text)
        }));
        made.filter(|made| !made || ifs.is_empty())
    }

    /// Whether what a function makes of tables has a text among its keys.
    fn called_contains(&self, function: &str, arguments: &'a Arguments, text: &str) -> Option<bool> {
        match (function, &*arguments.args) {
            ("globals", []) if self.around.asked?.of == self.around.module => self.module_lacks(text),
            ("dict" | "frozenset" | "list" | "set" | "sorted" | "tuple" | "MappingProxyType", [table]) => {
                let named = arguments.keywords.iter().map(|one| Some(one.arg.as_ref()?.as_str() == text));
                any(named.chain([self.contains(table, text)]))
            }
            _ => None,
        }
    }

    /// Whether an expression is the table of the module that is asked, by its name: `sys.modules[__name__].__dict__`.
    fn is_names_of_module(&self, of: &'a ExprAttribute) -> bool {
        let Expr::Subscript(item) = &*of.value else { return false };
        of.attr.as_str() == "__dict__"
            && dotted_name(&item.value).as_deref() == Some("sys.modules")
            && self.around.asked.is_some_and(|asked| self.text_of(&item.slice).as_deref() == Some(asked.of))
    }

    /// The module that is asked has no such name, or nobody would ask.
    fn module_lacks(&self, text: &str) -> Option<bool> {
        (self.around.asked?.name == text && !self.filled).then_some(false)
    }
}

impl<'a> OwnLibrary<'_, 'a> {
    /// What a name of the module is bound to, where that is done once.
    fn value_of(&self, name: &str) -> Option<&'a Expr> {
        let once = self.is_bound_once(name);
        let mut bound = self.suite.iter().filter_map(single_assignment).filter(|(of, _)| *of == name);
        Some(bound.next().filter(|_| once)?.1)
    }
}

/// Whether any holds; none where none does and of some it cannot be told.
fn any(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for one in all {
        match one {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = false,
        }
    }
    known.then_some(false)
}
