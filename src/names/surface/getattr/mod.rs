//! What a module's `__getattr__` does with a name that no text of its library writes down: whether it can answer at all.
//! And what it does with one name that is asked for: whether it raises for it.
//!
//! Tables of names that the library writes out do not hold a name that is nowhere written: a test for membership fails, and
//! looking it up gives nothing or raises. What is left to do then is raised, handed on to something of the library itself, or
//! answered. Of a name that is asked for it is known what tables hold, where all of their keys can be told.

mod asked;
mod held;
mod text;
mod walk;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{Expr, ExprCall, Stmt, StmtFunctionDef};

use super::model::{BoundName, ModuleSurface};
use super::written::{single_assignment, written_tables};
use asked::{Asked, is_plain};
pub(crate) use asked::{ModuleSource, raises_for};
use held::KnownTexts;
use walk::gives_something;

/// Functions that are followed from one to the next.
const CALLS: usize = 4;

/// Functions of a module that are walked at most: each may ask many others.
const WALKS: u32 = 64;

/// What a function needs to know of the module that it stands in.
pub(super) struct OwnLibrary<'m, 'a> {
    /// The module, by absolute name, and the one at the top of the library.
    module: &'m str,
    top: &'m str,
    surface: &'m ModuleSurface,
    suite: &'a [Stmt],
    /// What statements of the module bind names to.
    assigned: BTreeMap<&'a str, &'a Expr>,
    /// Names of the module that stand for tables of written names.
    tables: BTreeSet<&'a str>,
    functions: BTreeMap<&'a str, &'a StmtFunctionDef>,
    /// The name that is asked for; without one it is any that is nowhere written.
    asked: Option<Asked<'m>>,
    /// Functions that may still be walked.
    walks: Cell<u32>,
}

impl<'m, 'a> OwnLibrary<'m, 'a> {
    pub(super) fn new(module: &'m str, surface: &'m ModuleSurface, suite: &'a [Stmt]) -> Self {
        let top = module.split('.').next().unwrap_or(module);
        let functions = suite.iter().filter_map(Stmt::as_function_def_stmt);
        Self {
            module,
            top,
            surface,
            suite,
            tables: written_tables(suite),
            functions: functions.map(|function| (function.name.as_str(), function)).collect(),
            assigned: suite.iter().filter_map(single_assignment).collect(),
            asked: None,
            walks: Cell::new(WALKS),
        }
    }

    /// Whether a function gives something for such a name, handed over in its first parameter.
    pub(super) fn answers(&self, function: &'a StmtFunctionDef) -> bool {
        self.answers_by(function, 0, CALLS)
    }

    /// Whether what a name of the module stands for gives something for such a name.
    pub(super) fn bound_answers(&self, name: &str) -> bool {
        match self.asked {
            Some(_) => self.called_answers(name, 0, CALLS),
            // Made by a function or taken from elsewhere: what it does is not seen, only whose it is.
            None => !self.is_function_of_own(name),
        }
    }

    fn answers_by(&self, function: &'a StmtFunctionDef, at: usize, calls: usize) -> bool {
        let Some(left) = self.walks.get().checked_sub(1).filter(|_| self.asked.is_none() || is_plain(function)) else {
            return true;
        };
        self.walks.set(left);
        let parameters = &function.parameters;
        let mut taken = parameters.posonlyargs.iter().chain(&parameters.args);
        let Some(parameter) = taken.nth(at) else { return true };
        let parameter = parameter.parameter.name.as_str();
        let others = parameters.iter().map(|one| one.name().as_str()).filter(|name| *name != parameter);
        let given: KnownTexts<'_> = others.map(|name| (name, None)).collect();
        gives_something(self, function, parameter, &given, calls)
    }

    /// Whether a name of the module is only bound by imports from its own library.
    fn is_imported_of_own(&self, name: &str) -> bool {
        let own = |bound: &BoundName| match bound {
            BoundName::Import { module, .. } => module.split('.').next() == Some(self.top),
            _ => false,
        };
        self.surface.names.get(name).is_some_and(|bound| bound.iter().all(own))
    }

    /// Whether a name of the module is a function of the library, or what one has made.
    fn is_function_of_own(&self, name: &str) -> bool {
        let is_function = |name: &str| self.functions.contains_key(name) || self.is_imported_of_own(name);
        is_function(name) || self.made_by(name).is_some_and(|call| called(call).is_some_and(is_function))
    }

    /// The call that a name of the module is bound to the result of.
    fn made_by(&self, name: &str) -> Option<&'a ExprCall> {
        self.assigned.get(name)?.as_call_expr()
    }

    /// Whether a name of the module is bound in one place.
    fn is_bound_once(&self, name: &str) -> bool {
        !self.may_be_starred(name) && self.surface.names.get(name).is_some_and(|bound| bound.len() == 1)
    }

    /// What a name of the module is bound to, where that is done once.
    fn value_of(&self, name: &str) -> Option<&'a Expr> {
        self.assigned.get(name).copied().filter(|_| self.is_bound_once(name))
    }
}

/// The name of the module that is called.
fn called(call: &ExprCall) -> Option<&str> {
    Some(call.func.as_name_expr()?.id.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::{ModulePlace, Openness, read_surface};

    const IMPORTS: &str = "import other\nfrom lib import inner\nfrom . import beside\nTABLE = {'a': 1}\nNAMES = dir(other)\nMOVED = inner(__name__)\nLENT = other.module\n";

    /// What a module of a library is, whose `__getattr__` has this body.
    fn opened(body: &str) -> Option<Openness> {
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        let text = format!(
            "{IMPORTS}class Made: ...\ndef ask(key):\n    return Made(key)\ndef look(key):\n    return TABLE[key]\ndef __getattr__(name):\n{body}"
        );
        read_surface(ModulePlace { name: "lib.module", package: false }, &text).open
    }

    #[rstest::rstest]
    #[case("if name == 'old':\n    import other\n    return other.new\nraise AttributeError(name)")]
    #[case("if name != 'old':\n    raise AttributeError(name)\nreturn other.new")]
    #[case("import other\nif name in ('a', 'b'):\n    return getattr(other, name)\nraise AttributeError(name)")]
    #[case("if name not in TABLE:\n    raise AttributeError(name)\nreturn getattr(other, TABLE[name])")]
    #[case("found = TABLE.get(name)\nif found is None:\n    raise AttributeError(name)\nreturn found")]
    #[case("found = TABLE.get(name)\nif found:\n    return other.make(found)\nraise AttributeError(name)")]
    #[case("if (found := TABLE.get(name)) is not None:\n    return found\nraise AttributeError(name)")]
    #[case("if not (found := TABLE.get(name)):\n    raise AttributeError(name)\nreturn found")]
    #[case("try:\n    return TABLE[name]\nexcept KeyError:\n    raise AttributeError(name) from None")]
    #[case(
        "for key, names in TABLE.items():\n    if name in names:\n        return getattr(other, name)\nraise AttributeError(name)"
    )]
    #[case("from importlib import import_module\nreturn import_module('.' + name, __name__)")]
    #[case("import importlib\nreturn importlib.import_module(f'{__name__}.{name}')")]
    #[case("return getattr(beside, name)")]
    #[case("return getattr(inner, name)")]
    #[case("return look(name)")]
    #[case("return beside(name)")]
    #[case("return MOVED(name)")]
    #[case("if name in globals():\n    return 1\nelse:\n    raise AttributeError(name)")]
    #[case("match name:\n    case 'old' | 'older':\n        return 1\n    case _:\n        raise AttributeError(name)")]
    #[case("if name == 'a' and other.is_on:\n    return 1\nraise AttributeError(name)")]
    fn only_names_that_are_written_down_are_answered_for(#[case] body: &str) {
        assert_eq!(opened(body), Some(Openness::GetattrOfOwn), "{body}");
    }

    #[rstest::rstest]
    #[case("return getattr(other, name)")]
    #[case("return getattr(beside, name, None)")]
    #[case("return getattr(LENT, name)")]
    #[case("return other.commands[name]")]
    #[case("return Made(name)")]
    #[case("return ask(name)")]
    #[case("return TABLE.get(name)")]
    #[case("if name in NAMES:\n    return getattr(other, name)\nraise AttributeError(name)")]
    #[case("if name.startswith('old_'):\n    return 1\nraise AttributeError(name)")]
    #[case("if name == 'a':\n    return 1")]
    #[case("if name == 'a' or other.is_on:\n    return 1\nraise AttributeError(name)")]
    #[case("import importlib\nreturn importlib.import_module(name)")]
    #[case(
        "import lib.inner, other\nfor module in (inner, other):\n    if hasattr(module, name):\n        return getattr(module, name)\nraise AttributeError(name)"
    )]
    #[case("try:\n    return TABLE[name]\nexcept KeyError:\n    return getattr(other, name)")]
    #[case(
        "found = TABLE.get(name)\nif other.is_on:\n    found = other.make(name)\nif found:\n    return found\nraise AttributeError(name)"
    )]
    fn what_may_answer_for_any_name_leaves_the_module_open(#[case] body: &str) {
        assert_eq!(opened(body), Some(Openness::Getattr), "{body}");
    }

    #[rstest::rstest]
    #[case("from .moved import asked\n__getattr__ = asked(__name__)\n", Openness::GetattrOfOwn)]
    #[case("from .moved import __getattr__\n", Openness::GetattrOfOwn)]
    #[case("from other import asked\n__getattr__ = asked(__name__)\n", Openness::Getattr)]
    #[case("from other import __getattr__\n", Openness::Getattr)]
    #[case("import other\n__getattr__ = other.asked\n", Openness::Getattr)]
    fn what_is_taken_from_elsewhere_is_told_by_whose_it_is(#[case] text: &str, #[case] expected: Openness) {
        let place = ModulePlace { name: "lib.module", package: false };
        assert_eq!(read_surface(place, text).open, Some(expected), "{text}");
    }
}
