//! What values are, as far as declarations prove it.

use std::rc::Rc;

use super::facts::{GoDeclaration, GoField, GoMethod, GoTerm, GoValue, TermId};
use super::imports::ImportedPackage;
use super::packages::{GoItem, GoPackages, PackageId};
use crate::model::{ElementId, FileId};
use crate::tree::evaluation::{Evaluation, Evaluator as _, MOST_STEPS};

const BUILT_IN_TYPES: &[&str] = &[
    "any",
    "bool",
    "byte",
    "comparable",
    "complex128",
    "complex64",
    "error",
    "float32",
    "float64",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "rune",
    "string",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];
const BUILT_IN_FUNCTIONS: &[&str] = &[
    "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
    "panic", "print", "println", "real", "recover",
];

/// The type of a value, or what stands where a value could.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) enum GoType<'a> {
    #[default]
    Unknown,
    Declared(GoItem),
    Pointer(Rc<Self>),
    List(Rc<Self>),
    Channel(Rc<Self>),
    Map(Rc<Self>, Rc<Self>),
    /// With what it gives.
    Function(FileId, TermId),
    Tuple(FileId, &'a [TermId]),
    Struct(FileId, &'a [GoField], &'a [TermId]),
    Interface(FileId, &'a [GoMethod], &'a [TermId]),
    /// Of the language: `error`, `int`.
    BuiltIn,
    /// Of a package outside of the project.
    Outside(&'a str),
    /// No value but a type.
    Itself(Rc<Self>),
    Package(PackageId),
    OutsidePackage(&'a str),
    /// A function or method that is declared, with the file and type of what it gives.
    Callee(Rc<[ElementId]>, Option<(FileId, TermId)>),
    BuiltInFunction(&'a str),
}

/// Looks at the values of one file after another.
#[derive(Debug)]
pub(in crate::tree) struct GoEvaluator<'a> {
    pub(super) packages: &'a GoPackages<'a>,
    pub(super) evaluation: Evaluation<GoType<'a>>,
}

impl<'a> GoEvaluator<'a> {
    pub(in crate::tree) fn new(packages: &'a GoPackages<'a>) -> Self {
        Self { packages, evaluation: Evaluation::default() }
    }

    pub(super) fn outcome_of_value(&mut self, file: FileId, value: &'a GoValue) -> GoType<'a> {
        match value {
            GoValue::Unknown => GoType::Unknown,
            GoValue::Name(name) => self.name(file, name),
            GoValue::Typed(term) => self.term(file, *term),
            GoValue::Type(term) => match self.term(file, *term) {
                GoType::Unknown => GoType::Itself(Rc::new(GoType::Unknown)),
                known => GoType::Itself(Rc::new(known)),
            },
            GoValue::Member(of, name) => {
                let of = self.value(file, *of);
                self.member(&of, name)
            }
            GoValue::Called(callee, first) => match self.value(file, *callee) {
                GoType::BuiltInFunction("append") => self.value(file, *first),
                callee => self.result(&callee),
            },
            GoValue::New(word, of) | GoValue::Make(word, of) => match self.value(file, *word) {
                GoType::BuiltInFunction("new") => GoType::Pointer(Rc::new(self.term(file, *of))),
                GoType::BuiltInFunction("make") => self.term(file, *of),
                callee => self.result(&callee),
            },
            GoValue::Element(of) => match self.value(file, *of) {
                callee @ (GoType::Callee(..) | GoType::Itself(_)) => callee,
                of => self.element(&of, false),
            },
            GoValue::Key(of) => {
                let of = self.value(file, *of);
                self.element(&of, true)
            }
            GoValue::Part(of, at) => match self.value(file, *of) {
                GoType::Tuple(file, parts) => {
                    parts.get(*at as usize).map_or(GoType::Unknown, |part| self.term(file, *part))
                }
                _ => GoType::Unknown,
            },
            GoValue::Held(of) => match self.value(file, *of) {
                GoType::Callee(_, Some((file, term))) => GoType::Function(file, term),
                GoType::Callee(_, None) => GoType::Unknown,
                of => of,
            },
            GoValue::Pointer(of) => match self.value(file, *of) {
                GoType::Unknown => GoType::Unknown,
                of => GoType::Pointer(Rc::new(of)),
            },
            GoValue::Behind(of) => match self.value(file, *of) {
                GoType::Pointer(of) => (*of).clone(),
                GoType::Itself(of) => GoType::Itself(Rc::new(GoType::Pointer(of))),
                _ => GoType::Unknown,
            },
        }
    }

    /// What a call of something gives.
    fn result(&mut self, callee: &GoType<'a>) -> GoType<'a> {
        match callee {
            GoType::Callee(_, Some((file, term))) | GoType::Function(file, term) => self.term(*file, *term),
            GoType::Itself(of) => (**of).clone(),
            GoType::Declared(_) => match self.underlying(callee) {
                GoType::Function(file, term) => self.term(file, term),
                _ => GoType::Unknown,
            },
            _ => GoType::Unknown,
        }
    }

    /// What an index or a range gives; with `first`, the first of a range.
    fn element(&mut self, of: &GoType<'a>, first: bool) -> GoType<'a> {
        match (self.underlying(of), first) {
            (GoType::List(of), false)
            | (GoType::Channel(of), _)
            | (GoType::Map(of, _), true)
            | (GoType::Map(_, of), false) => (*of).clone(),
            (GoType::Pointer(of), false) => match self.underlying(&of) {
                GoType::List(of) => (*of).clone(),
                _ => GoType::Unknown,
            },
            (GoType::Outside(module), _) => GoType::Outside(module),
            _ => GoType::Unknown,
        }
    }

    /// What a declared type is made of; other types are what they are.
    pub(super) fn underlying(&mut self, of: &GoType<'a>) -> GoType<'a> {
        let mut at = of.clone();
        for _ in 0..MOST_STEPS {
            let GoType::Declared(item) = at else { return at };
            let Some(GoDeclaration::Type { term, .. }) = self.packages.declared(item).map(|it| &it.what) else {
                return GoType::Unknown;
            };
            at = self.term(item.file, *term);
        }
        GoType::Unknown
    }

    /// The type that a term of a file means.
    pub(super) fn term(&mut self, file: FileId, term: TermId) -> GoType<'a> {
        self.step(|this| this.term_inside(file, term))
    }

    fn term_inside(&mut self, file: FileId, term: TermId) -> GoType<'a> {
        let term = self.packages.facts(file).and_then(|facts| facts.terms.get(term as usize));
        let mut inner = |term: &TermId| Rc::new(self.term(file, *term));
        match term {
            None | Some(GoTerm::Unknown) => GoType::Unknown,
            Some(GoTerm::Pointer(of)) => GoType::Pointer(inner(of)),
            Some(GoTerm::List(of)) => GoType::List(inner(of)),
            Some(GoTerm::Channel(of)) => GoType::Channel(inner(of)),
            Some(GoTerm::Map(key, of)) => GoType::Map(inner(key), inner(of)),
            Some(GoTerm::Function(result)) => GoType::Function(file, *result),
            Some(GoTerm::Tuple(parts)) => GoType::Tuple(file, parts),
            Some(GoTerm::Struct { fields, embedded }) => GoType::Struct(file, fields, embedded),
            Some(GoTerm::Interface { methods, embedded }) => GoType::Interface(file, methods, embedded),
            Some(GoTerm::Named { package, name }) => {
                let found = match package {
                    Some(package) => {
                        let package = self.name(file, package);
                        self.member(&package, name)
                    }
                    None => self.name(file, name),
                };
                match found {
                    GoType::Itself(of) => (*of).clone(),
                    outside @ GoType::Outside(_) => outside,
                    _ => GoType::Unknown,
                }
            }
        }
    }

    /// What a name means in a file, outside of its functions.
    fn name(&mut self, file: FileId, name: &'a str) -> GoType<'a> {
        let packages = self.packages;
        let own = packages.package_of(file).map(|package| packages.named(package, name)).unwrap_or_default();
        if !own.is_empty() {
            return self.items(own);
        }
        let Some(imports) = packages.imports(file) else { return GoType::Unknown };
        match imports.by_name.get(name) {
            Some(ImportedPackage::Own(package)) => return GoType::Package(*package),
            Some(ImportedPackage::Uncertain) => return GoType::Unknown,
            Some(ImportedPackage::Outside(path)) => return GoType::OutsidePackage(path),
            None => {}
        }
        if is_exported(name) {
            let items = imports.dotted.iter().map(|package| packages.named(*package, name));
            if let Some(items) = items.into_iter().find(|items| !items.is_empty()) {
                return self.items(items);
            }
            if imports.has_foreign_dotted {
                return GoType::Unknown;
            }
        }
        if BUILT_IN_TYPES.contains(&name) {
            return GoType::Itself(Rc::new(GoType::BuiltIn));
        }
        let word = BUILT_IN_FUNCTIONS.iter().find(|word| **word == name);
        word.map_or(GoType::Unknown, |word| GoType::BuiltInFunction(word))
    }

    /// What declarations of one name in one package mean.
    pub(super) fn items(&mut self, items: &[GoItem]) -> GoType<'a> {
        let declared: Vec<_> = items.iter().filter_map(|item| Some((*item, self.packages.declared(*item)?))).collect();
        let mut elements = Vec::new();
        for (item, declared) in &declared {
            match &declared.what {
                GoDeclaration::Function { .. } | GoDeclaration::Method { .. } => {
                    elements.extend(
                        declared.element.and_then(|local| self.packages.project().element_id(item.file, local)),
                    );
                }
                GoDeclaration::Type { term, is_alias } if items.len() == 1 => {
                    let of = if *is_alias { self.term(item.file, *term) } else { GoType::Declared(*item) };
                    return GoType::Itself(Rc::new(of));
                }
                GoDeclaration::Variable { term, value } if items.len() == 1 => {
                    return if *term == 0 { self.value(item.file, *value) } else { self.term(item.file, *term) };
                }
                GoDeclaration::Type { .. } | GoDeclaration::Variable { .. } => return GoType::Unknown,
            }
        }
        let result = match declared.as_slice() {
            [(item, declared)] => match &declared.what {
                GoDeclaration::Function { result } | GoDeclaration::Method { result, .. } => Some((item.file, *result)),
                _ => None,
            },
            _ => None,
        };
        if elements.is_empty() { GoType::Unknown } else { GoType::Callee(elements.into(), result) }
    }
}

pub(super) fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
