//! What expressions hold for a name that is asked for: the text that one gives, and whether a table has a text among its keys.

use std::collections::BTreeMap;

use ruff_python_ast::{Arguments, Comprehension, DictItem, Expr, ExprAttribute, InterpolatedStringElement, Operator};
use tapps_syntax::python::names::dotted_name;

use super::asked::Asked;
use super::{OwnLibrary, called};

/// What names from around stand for: a text, or what is not known.
pub(super) type KnownTexts<'t> = BTreeMap<&'t str, Option<String>>;

/// What names were last bound to; nothing where that is not known.
pub(super) type KnownValues<'a> = BTreeMap<&'a str, Option<&'a Expr>>;

/// Names and parts of expressions that are followed from one to the next.
const DEPTH: usize = 128;

/// The longest text that is put together, in bytes.
const LONGEST: usize = 4 << 10;

/// What is known where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Held<'h, 'm, 'a> {
    pub(super) around: &'h OwnLibrary<'m, 'a>,
    /// What takes the name that is asked for.
    pub(super) parameter: Option<&'a str>,
    /// What names from around the function stand for.
    pub(super) given: &'h KnownTexts<'h>,
    pub(super) values: &'h KnownValues<'a>,
    pub(super) left: usize,
}

static NO_TEXTS: KnownTexts<'static> = KnownTexts::new();

impl<'h, 'm, 'a> Held<'h, 'm, 'a> {
    /// Outside of functions.
    pub(super) fn of_module(around: &'h OwnLibrary<'m, 'a>) -> Self {
        static NO_VALUES: KnownValues<'static> = KnownValues::new();
        Self { around, parameter: None, given: &NO_TEXTS, values: &NO_VALUES, left: DEPTH }
    }

    pub(super) fn of_function(
        around: &'h OwnLibrary<'m, 'a>,
        parameter: &'a str,
        given: &'h KnownTexts<'h>,
        values: &'h KnownValues<'a>,
    ) -> Self {
        Self { around, parameter: Some(parameter), given, values, left: DEPTH }
    }

    /// One step further; none where too many were taken.
    fn further(self) -> Option<Self> {
        let left = self.left.checked_sub(1)?;
        self.around.asked.is_some_and(Asked::step).then_some(Self { left, ..self })
    }

    /// The text that an expression gives; none where it cannot be told, or is no text.
    pub(super) fn text_of(&self, expr: &'a Expr) -> Option<String> {
        let further = self.further()?;
        let text = match expr {
            Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
            Expr::Name(name) => further.text_of_name(name.id.as_str()),
            Expr::BinOp(both) if both.op == Operator::Add => {
                Some(further.text_of(&both.left)? + &further.text_of(&both.right)?)
            }
            Expr::FString(text) => text.value.elements().map(|element| further.text_of_element(element)).collect(),
            _ => None,
        };
        text.filter(|text| text.len() <= LONGEST)
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
            return self.text_of((*value)?);
        }
        if self.parameter == Some(name) {
            return Some(self.around.asked?.name.to_owned());
        }
        if let Some(text) = self.given.get(name) {
            return text.clone();
        }
        if name == "__name__" {
            return Some(self.around.module.to_owned());
        }
        Held { left: self.left, ..Held::of_module(self.around) }.text_of(self.around.value_of(name)?)
    }

    /// Whether a table has a text among its keys; none where that cannot be told.
    pub(super) fn contains(&self, table: &'a Expr, text: &str) -> Option<bool> {
        let further = self.further()?;
        match table {
            Expr::Name(name) => further.name_contains(name.id.as_str(), text),
            Expr::Dict(dict) => any(dict.items.iter().map(|item| further.item_is(item, text))),
            Expr::Set(each) => further.any_is(&each.elts, text),
            Expr::List(each) => further.any_is(&each.elts, text),
            Expr::Tuple(each) => further.any_is(&each.elts, text),
            Expr::DictComp(each) => further.made_contains(each.key.as_deref()?, &each.generators, text),
            Expr::SetComp(each) => further.made_contains(&each.elt, &each.generators, text),
            Expr::ListComp(each) => further.made_contains(&each.elt, &each.generators, text),
            Expr::Generator(each) => further.made_contains(&each.elt, &each.generators, text),
            Expr::BinOp(both) if matches!(both.op, Operator::Add | Operator::BitOr) => {
                any([further.contains(&both.left, text), further.contains(&both.right, text)].into_iter())
            }
            Expr::Call(call) => match &*call.func {
                Expr::Attribute(of) if of.attr.as_str() == "keys" && call.arguments.is_empty() => {
                    further.contains(&of.value, text)
                }
                _ => further.called_contains(called(call)?, &call.arguments, text),
            },
            Expr::Attribute(of) => further.is_names_of_module(of).then(|| self.module_lacks(text))?,
            _ => None,
        }
    }

    fn name_contains(&self, name: &str, text: &str) -> Option<bool> {
        if let Some(value) = self.values.get(name) {
            return self.contains((*value)?, text);
        }
        if self.parameter == Some(name) || self.given.contains_key(name) {
            return None;
        }
        let left = self.left;
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
        let mut values = self.values.clone();
        let made = any(each.iter().map(|one| {
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
        (self.around.asked?.name == text).then_some(false)
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
