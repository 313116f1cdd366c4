//! What types and values mean, and which members types have.

use std::collections::HashSet;
use std::rc::Rc;

use super::facts::{JavaMethod, JavaTerm, JavaValue, TermId, TypeAt, ValueId};
use super::packages::{JavaItem, JavaPackages};
use crate::model::FileId;
use crate::tree::evaluation::{Evaluation, Evaluator as _};

/// Types above one that are looked into; where there are more, nothing is said.
const MOST_ABOVE: usize = 100;

/// Imports of whole packages that are looked through; where there are more, nothing is said of what nothing else names.
const MOST_WHOLE: usize = 256;

/// The type of a value, or a type that stands where a value could.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) enum JavaKind {
    #[default]
    Unknown,
    Of(JavaItem),
    Array(Rc<Self>),
    /// Of a class outside of the project.
    Outside(Rc<str>),
}

/// The methods that a call may mean.
#[derive(Debug, Default)]
pub(super) struct FoundMethods<'a> {
    pub(super) found: Vec<(JavaItem, &'a JavaMethod)>,
    /// Some type above is not of the project, and may have methods of the name.
    pub(super) is_open: bool,
}

#[derive(Debug)]
pub(in crate::tree) struct JavaEvaluator<'a> {
    pub(super) packages: &'a JavaPackages<'a>,
    pub(super) evaluation: Evaluation<JavaKind>,
}

impl<'a> JavaEvaluator<'a> {
    pub(in crate::tree) fn new(packages: &'a JavaPackages<'a>) -> Self {
        Self { packages, evaluation: Evaluation::default() }
    }

    pub(super) fn outcome_of_value(&mut self, file: FileId, value: &'a JavaValue) -> JavaKind {
        match value {
            JavaValue::Unknown | JavaValue::Method { .. } | JavaValue::Bare { .. } | JavaValue::Above { .. } => {
                JavaKind::Unknown
            }
            JavaValue::Name { within, name } => self.name(file, *within, name),
            JavaValue::Typed(term) => self.term(file, *term),
            JavaValue::Field(of, name) => match self.value(file, *of) {
                JavaKind::Of(item) => match self.field(item, name, &mut HashSet::new()) {
                    Some(kind) => kind,
                    None => self.packages.inner_type(item, name).map_or(JavaKind::Unknown, JavaKind::Of),
                },
                _ => JavaKind::Unknown,
            },
            JavaValue::New { of, .. } => self.term(file, *of),
            JavaValue::Called(callee) => match self.methods_of_call(file, *callee).found.as_slice() {
                [(item, method)] => self.term(item.file, method.result),
                _ => JavaKind::Unknown,
            },
            JavaValue::Element(of) => match self.value(file, *of) {
                JavaKind::Array(of) => (*of).clone(),
                _ => JavaKind::Unknown,
            },
        }
    }

    /// The methods that a callee may mean by name and number of arguments.
    pub(super) fn methods_of_call(&mut self, file: FileId, callee: ValueId) -> FoundMethods<'a> {
        let what = self.packages.facts(file).and_then(|facts| facts.values.get(callee as usize));
        match what {
            Some(JavaValue::Method { of, name, arguments }) => match self.value(file, *of) {
                JavaKind::Of(item) => self.methods(item, name, *arguments),
                _ => FoundMethods::default(),
            },
            Some(JavaValue::Above { within, name, arguments }) => {
                let item = JavaItem { file, at: *within };
                self.collect(|this, found, seen| this.add_above(item, name, *arguments, found, seen))
            }
            Some(JavaValue::Bare { within, name, arguments }) => self.bare_methods(file, *within, name, *arguments),
            _ => FoundMethods::default(),
        }
    }

    /// The nearest type around that has the name at all decides; else what is imported.
    fn bare_methods(&mut self, file: FileId, within: Option<TypeAt>, name: &str, arguments: u32) -> FoundMethods<'a> {
        let mut at = within.map(|at| JavaItem { file, at });
        while let Some(item) = at {
            let found = self.methods(item, name, arguments);
            if found.is_open || !found.found.is_empty() || self.has_method(item, name) {
                return found;
            }
            at = self.packages.declared(item).and_then(|of| of.outer).map(|at| JavaItem { file, at });
        }
        let mut found = FoundMethods::default();
        let packages = self.packages;
        if packages.whole_imports(file).len() > MOST_WHOLE {
            return FoundMethods { found: Vec::new(), is_open: true };
        }
        let named = packages.imports_named(file, name).iter().filter(|import| import.is_static);
        let named = named.filter_map(|import| Some(import.parts.split_last()?.1));
        let wholes = packages.whole_imports(file).iter().filter(|import| import.is_static);
        for of in named.chain(wholes.map(|import| import.parts.as_slice())) {
            match self.packages.type_of_path(of) {
                Some(Some(item)) => {
                    let methods = self.methods(item, name, arguments);
                    found.is_open |= methods.is_open;
                    found.found.extend(methods.found);
                }
                _ => found.is_open = true,
            }
        }
        found
    }

    fn has_method(&mut self, item: JavaItem, name: &str) -> bool {
        !self.packages.methods(item, name).is_empty()
            || (0..=8).any(|arguments| !self.methods(item, name, arguments).found.is_empty())
    }

    /// The methods of a type and of those above it, without those that others stand for.
    fn methods(&mut self, item: JavaItem, name: &str, arguments: u32) -> FoundMethods<'a> {
        self.collect(|this, found, seen| this.add_methods(item, name, arguments, found, seen))
    }

    /// What is found among types above each other, unless these are too many.
    fn collect(
        &mut self,
        add: impl FnOnce(&mut Self, &mut FoundMethods<'a>, &mut HashSet<JavaItem>),
    ) -> FoundMethods<'a> {
        let (mut found, mut seen) = (FoundMethods::default(), HashSet::new());
        add(self, &mut found, &mut seen);
        if seen.len() >= MOST_ABOVE { FoundMethods { found: Vec::new(), is_open: true } } else { found }
    }

    fn add_methods(
        &mut self,
        item: JavaItem,
        name: &str,
        arguments: u32,
        found: &mut FoundMethods<'a>,
        seen: &mut HashSet<JavaItem>,
    ) {
        if seen.len() >= MOST_ABOVE || !seen.insert(item) {
            return;
        }
        let packages = self.packages;
        for method in packages.methods(item, name).iter().filter(|method| takes(method, arguments)) {
            if !found.found.iter().any(|(_, other)| other.parameters == method.parameters) {
                found.found.push((item, *method));
            }
        }
        self.add_above(item, name, arguments, found, seen);
    }

    fn add_above(
        &mut self,
        item: JavaItem,
        name: &str,
        arguments: u32,
        found: &mut FoundMethods<'a>,
        seen: &mut HashSet<JavaItem>,
    ) {
        for term in self.packages.declared(item).map(|of| of.above.as_slice()).unwrap_or_default() {
            match self.term(item.file, *term) {
                JavaKind::Of(above) => self.add_methods(above, name, arguments, found, seen),
                _ => found.is_open = true,
            }
        }
    }

    /// The type of a field that a type has or inherits.
    fn field(&mut self, item: JavaItem, name: &str, seen: &mut HashSet<JavaItem>) -> Option<JavaKind> {
        if seen.len() >= MOST_ABOVE {
            return Some(JavaKind::Unknown);
        }
        let of = self.packages.declared(item).filter(|_| seen.insert(item))?;
        if let Ok(at) = of.fields.binary_search_by(|(field, _)| field.as_str().cmp(name)) {
            return of.fields.get(at).map(|(_, term)| self.term(item.file, *term));
        }
        of.above.iter().find_map(|term| match self.term(item.file, *term) {
            JavaKind::Of(above) => self.field(above, name, seen),
            // It may have a field of the name.
            _ => Some(JavaKind::Unknown).filter(|_| name.starts_with(char::is_lowercase)),
        })
    }

    /// A name that nothing in the method binds: a field of a type around, or a type.
    fn name(&mut self, file: FileId, within: Option<TypeAt>, name: &'a str) -> JavaKind {
        let mut at = within.map(|at| JavaItem { file, at });
        while let Some(item) = at {
            if let Some(kind) = self.field(item, name, &mut HashSet::new()) {
                return kind;
            }
            at = self.packages.declared(item).and_then(|of| of.outer).map(|at| JavaItem { file, at });
        }
        self.type_named(file, within, name)
    }

    /// The type that a term of a file means.
    pub(super) fn term(&mut self, file: FileId, term: TermId) -> JavaKind {
        self.step(|this| match this.packages.facts(file).and_then(|facts| facts.terms.get(term as usize)) {
            Some(JavaTerm::Array(of)) => JavaKind::Array(Rc::new(this.term(file, *of))),
            Some(JavaTerm::Here(at)) => JavaKind::Of(JavaItem { file, at: *at }),
            Some(JavaTerm::Named { within, parts }) => this.named(file, *within, parts),
            Some(JavaTerm::Unknown) | None => JavaKind::Unknown,
        })
    }

    fn named(&mut self, file: FileId, within: Option<TypeAt>, parts: &'a [String]) -> JavaKind {
        let Some((first, rest)) = parts.split_first() else { return JavaKind::Unknown };
        match self.type_named(file, within, first) {
            JavaKind::Of(top) => {
                let found = rest.iter().try_fold(top, |at, name| self.packages.inner_type(at, name));
                found.map_or(JavaKind::Unknown, JavaKind::Of)
            }
            JavaKind::Outside(_) if !rest.is_empty() => match self.packages.type_of_path(parts) {
                Some(found) => found.map_or(JavaKind::Unknown, JavaKind::Of),
                None => JavaKind::Outside(parts.join(".").into()),
            },
            other => other,
        }
    }

    /// What a simple name of a type means: types in those around, imports, the package, what is imported as a whole.
    fn type_named(&mut self, file: FileId, within: Option<TypeAt>, name: &'a str) -> JavaKind {
        let mut at = within.map(|at| JavaItem { file, at });
        while let Some(item) = at {
            let Some(of) = self.packages.declared(item) else { break };
            if of.name == name && !name.is_empty() {
                return JavaKind::Of(item);
            }
            if let Some(inner) = self.inherited_type(item, name, &mut HashSet::new()) {
                return JavaKind::Of(inner);
            }
            at = of.outer.map(|at| JavaItem { file, at });
        }
        let Some(facts) = self.packages.facts(file) else { return JavaKind::Unknown };
        let certain = |found: Option<JavaItem>| found.map_or(JavaKind::Unknown, JavaKind::Of);
        for import in self.packages.imports_named(file, name) {
            match self.packages.type_of_path(&import.parts) {
                Some(found) => return certain(found),
                None if import.is_static => {}
                None => return JavaKind::Outside(import.parts.join(".").into()),
            }
        }
        if let Some(found) = self.packages.type_of_package(&facts.package, name) {
            return certain(found);
        }
        let wholes = self.packages.whole_imports(file);
        if wholes.len() > MOST_WHOLE {
            return JavaKind::Unknown;
        }
        let mut found = wholes.iter().filter_map(|import| {
            let outer = self.packages.type_of_path(&import.parts).flatten();
            let inner = outer.and_then(|outer| self.packages.inner_type(outer, name));
            inner.map(Some).or_else(|| self.packages.type_of_package(&import.parts.join("."), name))
        });
        match (found.next(), found.next()) {
            (Some(found), None) => certain(found),
            (Some(_), Some(_)) => JavaKind::Unknown,
            (None, _) => JavaKind::Outside(name.into()),
        }
    }

    fn inherited_type(&mut self, item: JavaItem, name: &str, seen: &mut HashSet<JavaItem>) -> Option<JavaItem> {
        if seen.len() >= MOST_ABOVE || !seen.insert(item) {
            return None;
        }
        if let Some(inner) = self.packages.inner_type(item, name) {
            return Some(inner);
        }
        // What a type inherits is looked for by the names above it, which are not names of types in it.
        let of = self.packages.declared(item)?;
        let facts = self.packages.facts(item.file)?;
        of.above.iter().find_map(|term| {
            let Some(JavaTerm::Named { parts, .. }) = facts.terms.get(*term as usize) else { return None };
            let [above] = parts.as_slice() else { return None };
            let found = self.packages.type_of_package(&facts.package, above).flatten().or_else(|| {
                let import = self.packages.imports_named(item.file, above).first()?;
                self.packages.type_of_path(&import.parts).flatten()
            });
            self.inherited_type(found?, name, seen)
        })
    }
}

/// Whether a method can be called with so many arguments.
pub(super) fn takes(method: &JavaMethod, arguments: u32) -> bool {
    let count = u32::try_from(method.parameters.len()).unwrap_or(u32::MAX);
    count == arguments || method.is_open && arguments + 1 >= count
}
