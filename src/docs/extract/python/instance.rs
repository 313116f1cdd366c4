//! What a class has beyond its body: attributes that its methods give to `self`, and what keeps its members from being known.

use ruff_python_ast::statement_visitor::{StatementVisitor, walk_stmt};
use ruff_python_ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};

use super::class::is_public;
use super::module::PythonItem;
use super::read::PythonModuleReader;
use super::signature::{annotation, slice};
use crate::symbol::SymbolKind;
use crate::text::{clip, squeeze};
use tapps_syntax::python::dynamic::find_dynamic;
use tapps_syntax::python::names::{dotted_name, last_name};

/// Longest value that stands in a signature, in characters.
const VALUE: usize = 80;

/// Decorators that add no attribute that could be asked for.
const DECORATORS: [&str; 17] = [
    "attributes",
    "attrs",
    "dataclass",
    "dataclass_transform",
    "define",
    "deprecated",
    "disjoint_base",
    "final",
    "frozen",
    "mutable",
    "public",
    "runtime_checkable",
    "s",
    "set_module",
    "total_ordering",
    "type_check_only",
    "unique",
];
/// Metaclasses that add no members but methods of the class itself.
const METACLASSES: [&str; 4] = ["ABCMeta", "EnumMeta", "EnumType", "type"];

impl PythonModuleReader<'_> {
    /// Adds the attributes that the methods of a class give to their instance, and those that it has slots for.
    pub(super) fn instance_attributes(&self, class: &StmtClassDef, item: &mut PythonItem) {
        for method in class.body.iter().filter_map(Stmt::as_function_def_stmt) {
            let Some(receiver) = receiver_of(method) else { continue };
            Assignments { reader: self, receiver, item }.visit_body(&method.body);
            // What is restored was there before.
            if method.name.as_str() != "__setstate__" && find_dynamic(&method.body, Some(receiver)).receiver {
                item.open.get_or_insert_with(|| format!("`{}` sets attributes by computed names", method.name));
            }
        }
        let is_slots = |target: &Expr| target.as_name_expr().is_some_and(|name| name.id.as_str() == "__slots__");
        let slots = class.body.iter().filter_map(Stmt::as_assign_stmt).filter(|it| it.targets.iter().any(is_slots));
        for slots in slots {
            let one = std::slice::from_ref(&*slots.value);
            let names = match &*slots.value {
                Expr::Tuple(tuple) => &tuple.elts,
                Expr::List(list) => &list.elts,
                _ => one,
            };
            for name in names.iter().filter_map(Expr::as_string_literal_expr).map(|name| name.value.to_str()) {
                if is_public(name) {
                    let member = || PythonItem::new(SymbolKind::Attribute, name.to_owned(), self.line_of(slots));
                    item.members.entry(name.to_owned()).or_insert_with(member);
                }
            }
        }
    }

    /// Why a class may have members that its text does not say.
    pub(super) fn why_open(&self, class: &StmtClassDef) -> Option<String> {
        let text = |expr: &Expr| clip(&squeeze(slice(self.source, expr)), VALUE);
        let arguments = class.arguments.iter();
        let computed = arguments.clone().flat_map(|arguments| arguments.args.iter()).find(|base| {
            let base = if let Expr::Subscript(generic) = base { &generic.value } else { *base };
            dotted_name(base).is_none()
        });
        if let Some(base) = computed {
            return Some(format!("its base `{}` is made while it runs", text(base)));
        }
        let mut keywords = arguments.flat_map(|arguments| arguments.keywords.iter());
        let metaclass = keywords.find(|keyword| keyword.arg.as_ref().is_some_and(|name| name == "metaclass"));
        if let Some(metaclass) = metaclass.filter(|it| !is_among(&it.value, &METACLASSES)) {
            return Some(format!("its metaclass is `{}`", text(&metaclass.value)));
        }
        let mut decorators = class.decorator_list.iter().map(|decorator| &decorator.expression);
        if let Some(decorator) = decorators.find(|it| !is_among(called(it), &DECORATORS)) {
            return Some(format!("its decorator is `{}`", text(decorator)));
        }
        if class.body.iter().any(makes_names) {
            return Some("its body imports names, or makes them in a loop".to_owned());
        }
        let mut methods = class.body.iter().filter_map(Stmt::as_function_def_stmt);
        let answers = methods.find(|method| matches!(method.name.as_str(), "__getattr__" | "__getattribute__"));
        answers.map(|method| format!("it has `{}`", method.name))
    }
}

/// Whether a statement of a class's body binds names that are not read.
fn makes_names(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::For(_) | Stmt::While(_) | Stmt::With(_) | Stmt::Try(_) => true,
        Stmt::If(branch) => {
            let others = branch.elif_else_clauses.iter().flat_map(|clause| &clause.body);
            branch.body.iter().chain(others).any(makes_names)
        }
        _ => false,
    }
}

fn called(expr: &Expr) -> &Expr {
    expr.as_call_expr().map_or(expr, |call| &call.func)
}

fn is_among(expr: &Expr, names: &[&str]) -> bool {
    last_name(expr).is_some_and(|name| names.contains(&name))
}

/// The name of a method's instance; none for methods of the class.
fn receiver_of(method: &StmtFunctionDef) -> Option<&str> {
    let of_class = |decorator: &ruff_python_ast::Decorator| {
        matches!(last_name(&decorator.expression), Some("classmethod" | "staticmethod"))
    };
    if method.decorator_list.iter().any(of_class) {
        return None;
    }
    let parameters = &method.parameters;
    let first = parameters.posonlyargs.first().or_else(|| parameters.args.first())?;
    Some(first.parameter.name.as_str())
}

struct Assignments<'r, 's> {
    reader: &'r PythonModuleReader<'s>,
    receiver: &'r str,
    item: &'r mut PythonItem,
}

impl Assignments<'_, '_> {
    fn assign(&mut self, target: &Expr, said: impl Fn(&str) -> String + Copy) {
        match target {
            Expr::Attribute(attribute) if self.is_receiver(&attribute.value) => {
                let name = attribute.attr.as_str();
                if is_public(name) {
                    let line = self.reader.line_of(&attribute.attr);
                    let member = || PythonItem::new(SymbolKind::Attribute, said(name), line);
                    self.item.members.entry(name.to_owned()).or_insert_with(member);
                }
            }
            Expr::Tuple(targets) => {
                targets.elts.iter().for_each(|target| self.assign(target, str::to_owned));
            }
            _ => {}
        }
    }

    fn is_receiver(&self, expr: &Expr) -> bool {
        expr.as_name_expr().is_some_and(|name| name.id.as_str() == self.receiver)
    }
}

impl<'a> StatementVisitor<'a> for Assignments<'_, '_> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let source = self.reader.source;
        match stmt {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Assign(assign) => {
                let value = clip(&squeeze(slice(source, &*assign.value)), VALUE);
                assign.targets.iter().for_each(|target| self.assign(target, |name| format!("{name} = {value}")));
            }
            Stmt::AnnAssign(assign) => {
                let of = annotation(source, &assign.annotation);
                self.assign(&assign.target, |name| format!("{name}: {of}"));
            }
            _ => walk_stmt(self, stmt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{paths, symbols_of_files};

    fn open(text: &str) -> Option<String> {
        let symbols = symbols_of_files(&[("demo/__init__.py", text)]);
        symbols.into_iter().find(|symbol| symbol.path == "demo.A").unwrap().open
    }

    #[test]
    fn what_methods_give_to_their_instance_is_there() {
        let text = "class A:\n    __slots__ = 'nine', 'one'\n    one = 1\n    def __init__(self, a: int) -> None:\n        self.one = a\n        if a:\n            \
                    self.two: int = a\n        self.three, self._four = a, a\n        other.five = a\n    def load(this):\n        \
                    with x:\n            this.six = []\n        def inner(this):\n            this.seven = 1\n    @classmethod\n    \
                    def make(cls):\n        cls.eight = 1\n";
        let symbols = symbols_of_files(&[("demo/__init__.py", text)]);
        assert_eq!(
            paths(&symbols),
            [
                "demo.A",
                "demo.A.load",
                "demo.A.make",
                "demo.A.nine",
                "demo.A.one",
                "demo.A.six",
                "demo.A.three",
                "demo.A.two"
            ]
        );
        let said = |path: &str| symbols.iter().find(|symbol| symbol.path == path).unwrap().signature.clone();
        assert_eq!([said("demo.A.one"), said("demo.A.two"), said("demo.A.six")], ["one = 1", "two: int", "six = []"]);
    }

    #[test]
    fn what_may_bring_more_members_is_named() {
        assert_eq!(open("class A: ...\n"), None);
        assert_eq!(open("import abc, enum\n@final\nclass A(metaclass=abc.ABCMeta): ...\n"), None);
        for (text, why) in [
            ("class A:\n    def __getattr__(self, name): ...\n", "it has `__getattr__`"),
            ("class A(metaclass=Meta): ...\n", "its metaclass is `Meta`"),
            ("class A:\n    if new:\n        from b import c\n", "its body imports names, or makes them in a loop"),
            ("class A(make()): ...\n", "its base `make()` is made while it runs"),
            ("@register('a')\nclass A: ...\n", "its decorator is `register('a')`"),
            ("class A: ...\ndef f(cls, n):\n    setattr(cls, n, 1)\n", "`demo` sets attributes by computed names"),
            ("class A:\n    def f(self, n):\n        vars(self)[n] = 1\n", "`f` sets attributes by computed names"),
            (
                "class A:\n    def __setstate__(self, n):\n        setattr(self, n, 1)\n    def f(self, n, v):\n        setattr(self, n, v)\n",
                "`f` sets attributes by computed names",
            ),
        ] {
            assert_eq!(open(text).as_deref(), Some(why), "{text}");
        }
    }
}
