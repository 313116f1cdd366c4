//! One name that is asked for: whether a module's `__getattr__` raises for it, through the modules of its library.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ruff_python_ast::{ExprCall, Stmt, StmtFunctionDef};
use tapps_project::parse;

use super::super::model::BoundName;
use super::super::read::{ModulePlace, answers_elsewhere, read_surface};
use super::held::{Held, KnownTexts};
use super::text::{stored_names, yields};
use super::walk::gives_something;
use super::{OwnLibrary, called};

/// Modules that are looked into for one question.
const MODULES: usize = 64;

/// Parts of expressions that are looked at for one question.
const STEPS: usize = 100_000;

/// Tables that may decide it: for each of them the texts of the library are searched.
const MOST_TABLES: usize = 16;

/// A module as it is written.
pub(crate) struct ModuleSource {
    pub(crate) text: String,
    /// It is the `__init__` of a package.
    pub(crate) package: bool,
}

/// Gives the source of a module, by its absolute name.
type Sources<'s> = &'s (dyn Fn(&str) -> Option<ModuleSource> + Sync);

/// What is asked, and where.
#[derive(Clone, Copy)]
pub(super) struct Asked<'m> {
    pub(super) name: &'m str,
    /// The module that has no such name itself.
    pub(super) of: &'m str,
    sources: Sources<'m>,
    /// The tables whose keys decided.
    tables: &'m Mutex<BTreeSet<String>>,
    /// Modules that were looked into, and steps that were taken.
    looked: &'m AtomicUsize,
    steps: &'m AtomicUsize,
}

/// The names of the tables that decide it, where the `__getattr__` of a module certainly raises for a name that the module does
/// not have. That they are written nowhere else in the library remains to be seen.
pub(crate) fn raises_for(of: &str, name: &str, sources: Sources<'_>) -> Option<BTreeSet<String>> {
    let (tables, looked, steps) = (Mutex::default(), AtomicUsize::new(0), AtomicUsize::new(0));
    let asked = Asked { name, of, sources, tables: &tables, looked: &looked, steps: &steps };
    let raises = asked.in_module(of, |around| !around.suite.iter().any(|stmt| answers_elsewhere(stmt, around)));
    raises.filter(|raises| *raises)?;
    let tables = tables.into_inner().unwrap_or_else(PoisonError::into_inner);
    (tables.len() <= MOST_TABLES).then_some(tables)
}

impl<'m> Asked<'m> {
    /// Looks into a module of the library; none where it cannot be read, or where too many were.
    fn in_module<T: Send>(self, module: &str, look: impl FnOnce(&OwnLibrary<'_, '_>) -> T + Send) -> Option<T> {
        let source = (self.sources)(module).filter(|_| self.looked.fetch_add(1, Ordering::Relaxed) < MODULES)?;
        let surface = read_surface(ModulePlace { name: module, package: source.package }, &source.text);
        parse::read_python(&source.text, |parsed| {
            let around = OwnLibrary { asked: Some(self), ..OwnLibrary::new(module, &surface, parsed.suite()) };
            look(&around)
        })
    }

    /// Takes a step; false when the question has taken too many.
    pub(super) fn step(self) -> bool {
        self.steps.fetch_add(1, Ordering::Relaxed) < STEPS
    }

    pub(super) fn rely_on(&self, table: &str) {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).insert(table.to_owned());
    }
}

impl<'a> OwnLibrary<'_, 'a> {
    /// Whether what a name of the module stands for gives something when it is called with the name that is asked for, in the
    /// place of this parameter.
    pub(super) fn called_answers(&self, name: &str, at: usize, calls: usize) -> bool {
        if !self.is_bound_once(name) {
            return true;
        }
        if let Some(function) = self.functions.get(name) {
            return self.answers_by(function, at, calls);
        }
        if let Some(call) = self.made_by(name) {
            return at != 0 || self.made_answers(call, calls).unwrap_or(true);
        }
        let elsewhere = self.elsewhere(name, |other, name| other.called_answers(name, at, calls));
        elsewhere.unwrap_or(true)
    }

    /// Whether a name may be taken over with `*`.
    pub(super) fn may_be_starred(&self, name: &str) -> bool {
        let exports = |other: &OwnLibrary<'_, '_>| match &other.surface.exported {
            Some(exported) => exported.contains(name),
            None => !other.surface.stars.is_empty() || other.surface.names.contains_key(name),
        };
        let mut stars = self.surface.stars.iter();
        !name.starts_with('_')
            && stars.any(|star| self.asked.and_then(|asked| asked.in_module(star, exports)).unwrap_or(true))
    }

    /// Whether a statement binds a name in a way of which nothing is known, where a name is asked for.
    pub(in crate::surface) fn may_bind(&self, stmt: &Stmt, name: &str) -> bool {
        self.asked.is_some() && stored_names(std::slice::from_ref(stmt)).contains(&name)
    }

    /// Looks at a name in the module of the library that it is imported from.
    pub(super) fn elsewhere<T: Send>(
        &self,
        name: &str,
        look: impl FnOnce(&OwnLibrary<'_, '_>, &str) -> T + Send,
    ) -> Option<T> {
        let [BoundName::Import { module, name: Some(name) }] = self.surface.names.get(name)?.as_slice() else {
            return None;
        };
        let asked = self.asked.filter(|_| module.split('.').next() == Some(self.top))?;
        asked.in_module(module, |other| look(other, name))
    }

    /// Whether the function that a call makes gives something for the name that is asked for.
    fn made_answers(&self, call: &'a ExprCall, calls: usize) -> Option<bool> {
        let left = calls.checked_sub(1)?;
        let held = Held::of_module(self);
        let given: Option<Vec<String>> = call.arguments.args.iter().map(|one| held.text_of(one)).collect();
        let given = given.filter(|_| call.arguments.keywords.is_empty())?;
        let maker = called(call).filter(|maker| self.is_bound_once(maker))?;
        match self.functions.get(maker) {
            Some(maker) => self.made_by_answers(maker, given, left),
            None => self.elsewhere(maker, |other, maker| {
                let maker = other.functions.get(maker).filter(|_| other.is_bound_once(maker))?;
                other.made_by_answers(maker, given, left)
            })?,
        }
    }

    /// The same, of the function that this one gives when it is called with these texts.
    fn made_by_answers(&self, maker: &'a StmtFunctionDef, given: Vec<String>, calls: usize) -> Option<bool> {
        let (last, before) = maker.body.split_last().filter(|_| is_plain(maker))?;
        let gives = last.as_return_stmt()?.value.as_deref()?.as_name_expr()?.id.as_str();
        let (inner, others): (Vec<&Stmt>, Vec<&Stmt>) = before.iter().partition(|stmt| stmt.is_function_def_stmt());
        let [Stmt::FunctionDef(inner)] = *inner else { return None };
        let is_harmless = |stmt: &&Stmt| match stmt {
            Stmt::Expr(expr) => expr.value.is_string_literal_expr(),
            other => other.is_import_stmt() || other.is_import_from_stmt(),
        };
        if inner.name.as_str() != gives || !is_plain(inner) || !others.iter().all(is_harmless) {
            return None;
        }
        let names = maker.parameters.iter().map(|one| one.name().as_str());
        let mut texts: KnownTexts<'_> = names.map(|name| (name, None)).collect();
        let taken = maker.parameters.posonlyargs.iter().chain(&maker.parameters.args);
        texts.extend(taken.map(|one| one.parameter.name.as_str()).zip(given.into_iter().map(Some)));
        texts.extend(stored_names(before).into_iter().map(|name| (name, None)));
        texts.extend(inner.parameters.iter().map(|one| (one.name().as_str(), None)));
        let parameter = inner.parameters.posonlyargs.iter().chain(&inner.parameters.args).next()?;
        Some(gives_something(self, inner, parameter.parameter.name.as_str(), &texts, calls))
    }
}

/// Whether calling a function runs its body, and nothing around it.
pub(super) fn is_plain(function: &StmtFunctionDef) -> bool {
    function.decorator_list.is_empty() && !function.is_async && !yields(&function.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVED: &str = "OLD = {'lib.part:old': 'lib:new', **{f'lib.part:{name}': 'lib' for name in ('a', 'b')}}\nGONE = frozenset(['lib.part:gone']) | {'lib.part:lost'}\ndef asked_of(module):\n    from .errors import Gone\n    def answer(name):\n        path = f'{module}:{name}'\n        if path in OLD.keys():\n            return take(OLD[path])\n        if path in GONE:\n            raise Gone(path)\n        names: dict = sys.modules[module].__dict__\n        if name in names:\n            return names[name]\n        raise AttributeError(name)\n    return answer\n";

    fn raises(part: &str, name: &str) -> Option<Vec<String>> {
        let sources = |module: &str| {
            let text = match module {
                "lib.part" => part,
                "lib.moved" => MOVED,
                "lib.stars" => "TABLE = {'gone': 1}\n",
                "lib.round" => "from .about import ask\n",
                "lib.about" => "from .round import ask\n",
                _ => return None,
            };
            Some(ModuleSource { text: text.to_owned(), package: false })
        };
        raises_for("lib.part", name, &sources).map(|tables| tables.into_iter().collect())
    }

    #[rstest::rstest]
    #[case("gone", true)]
    #[case("lost", true)]
    #[case("never", true)]
    #[case("old", false)]
    #[case("a", false)]
    fn functions_that_a_call_made_are_followed(#[case] name: &str, #[case] expected: bool) {
        for part in [
            "from .moved import asked_of\n__getattr__ = asked_of(__name__)\n",
            "from lib.moved import asked_of as of\n_ask = of(__name__)\ndef __getattr__(name):\n    return _ask(name)\n",
        ] {
            let tables = expected.then(|| vec!["GONE".to_owned(), "OLD".to_owned()]);
            assert_eq!(raises(part, name), tables, "{part}");
        }
    }

    #[rstest::rstest]
    #[case("if name == 'old':\n    return 1\nraise AttributeError(name)")]
    #[case("if name not in TABLE:\n    raise AttributeError(name)\nreturn TABLE[name]")]
    #[case("found = TABLE.get(name)\nif found is None:\n    raise AttributeError(name)\nreturn found")]
    #[case("try:\n    return TABLE[name]\nexcept KeyError:\n    raise AttributeError(name) from None")]
    #[case("if (found := TABLE.get(name)) is not None:\n    return found\nraise AttributeError(name)")]
    #[case("key = name + '_'\nif key == 'old_':\n    return 1\nraise AttributeError(name)")]
    #[case(
        "if name in globals():\n    return 1\nif name in dict(TABLE, more=1):\n    return 1\nraise AttributeError(name)"
    )]
    fn a_name_raises_that_no_table_has(#[case] body: &str) {
        assert!(asks(body, "gone"), "{body}");
        assert!(!asks(body, "old"), "{body}");
    }

    #[rstest::rstest]
    #[case("__getattr__, __dir__ = attach(__name__)\n")]
    #[case("try:\n    from other import __getattr__\nexcept ImportError:\n    pass\n")]
    #[case("with other.on():\n    __getattr__ = other.asked\n")]
    #[case("import other\n__getattr__ = other.asked\n")]
    #[case("TABLE = {'a': 1}\nfrom .stars import *\ndef __getattr__(name):\n    return TABLE[name]\n")]
    #[case("from .round import ask\ndef __getattr__(name):\n    return ask(name)\n")]
    #[case("from .round import ask\n__getattr__ = ask(__name__)\n")]
    #[case(
        "from .round import ask\ndef __getattr__(name):\n    if name in ask:\n        return 1\n    raise AttributeError(name)\n"
    )]
    fn what_is_bound_in_other_ways_may_answer(#[case] part: &str) {
        assert_eq!(raises(part, "gone"), None, "{part}");
    }

    #[rstest::rstest]
    #[case("name = SHORT.get(name, name)\nif name in TABLE:\n    return 1\nraise AttributeError(name)")]
    #[case("name = name + 'old'\nif name in TABLE:\n    return 1\nraise AttributeError(name)")]
    #[case("name += 'old'\nif name in TABLE:\n    return 1\nraise AttributeError(name)")]
    #[case("for name in TABLE:\n    pass\nif name in TABLE:\n    return 1\nraise AttributeError(name)")]
    #[case("from other import TABLE\nif name in TABLE:\n    return 1\nraise AttributeError(name)")]
    #[case("with suppress(KeyError):\n    return TABLE[name]\nreturn 1")]
    #[case(
        "key = 'a'\ntry:\n    key = other()\n    raise KeyError(key)\nexcept KeyError:\n    if key in TABLE:\n        return 1\nraise AttributeError(name)"
    )]
    #[case(
        "for key, names in SHORT.items():\n    if name in names:\n        break\nelse:\n    raise AttributeError(name)\nreturn other.of(key)"
    )]
    #[case("name = SHORT.get(name, name)\nreturn look(name)")]
    #[case(
        "names = {'a': 1}\nnames.update(other.load())\nif name in names:\n    return names[name]\nraise AttributeError(name)"
    )]
    #[case(
        "found = TABLE.get(name)\nif found is None:\n    from . import found\nif found is None:\n    raise AttributeError(name)\nreturn found"
    )]
    #[case("with suppress(AttributeError):\n    return look(name)\nreturn other.of(name)")]
    #[case("with other.tried():\n    return TABLE[name]\nreturn other.of(name)")]
    #[case("return lazy(name, SHORT)")]
    #[case("TABLE = SHORT\nreturn TABLE[name]")]
    #[case("if load():\n    pass\nreturn globals()[name]")]
    #[case("yield name\nraise AttributeError(name)")]
    #[case("if name in MADE:\n    return 1\nraise AttributeError(name)")]
    #[case("if name in TWICE:\n    return 1\nraise AttributeError(name)")]
    #[case("if name in CHOSEN:\n    return 1\nraise AttributeError(name)")]
    #[case("if name.startswith('g'):\n    return 1\nraise AttributeError(name)")]
    #[case("return other(name)")]
    #[case("return twice(name)")]
    #[case("return kept(name)")]
    #[case(
        "name = other.of(name)\nmatch name:\n    case 'old':\n        return 1\n    case _:\n        raise AttributeError(name)"
    )]
    #[case("globals()['gone'] = 1\nreturn globals()[name]")]
    #[case("load()\nif name in globals():\n    return globals()[name]\nraise AttributeError(name)")]
    #[case("try:\n    load()\n    raise KeyError\nexcept KeyError:\n    return globals()[name]")]
    fn what_cannot_be_told_may_answer(#[case] body: &str) {
        assert!(!asks(body, "gone"), "{body}");
    }

    fn asks(body: &str, name: &str) -> bool {
        const TABLES: &str = "import other\nTABLE = {'old': 1}\nSHORT = {'gone': 'old'}\nMADE = {key: 1 for key in dir(other)}\nTWICE = {'a': 1}\nif other.on:\n    TWICE = {'gone': 1}\nCHOSEN = {one: 1 for one in ('a', 'gone') if one}\ndef twice(key):\n    raise AttributeError(key)\ntwice = other.twice\ndef look(key):\n    return TABLE[key]\ndef lazy(key, mapping):\n    return mapping[key]\nmapping = {'a': 1}\n@other.kept\ndef kept(key):\n    raise AttributeError(key)\n";
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        raises(&format!("{TABLES}def __getattr__(name):\n{body}"), name).is_some()
    }
}
