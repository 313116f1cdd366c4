//! What values are, as far as declarations prove it.

use std::rc::Rc;

use super::facts::{RustDeclaration, RustField, RustValue, ValueId, by_name};
use super::lookup::{FoundPath, NamedItem, Space};
use super::methods::RustMethods;
use super::modules::{ModuleId, RustItem, RustModules};
use super::standard::{behind_pointer, each_of, leads_to_argument, method_result, standard_type};
use super::types::{RustType, seen_from_outside};
use crate::model::FileId;
use crate::tree::evaluation::{Evaluation, Evaluator as _};

#[derive(Debug)]
pub(in crate::tree) struct RustEvaluator<'a> {
    pub(super) modules: &'a RustModules<'a>,
    methods: RustMethods<'a>,
    pub(super) evaluation: Evaluation<RustType<'a>>,
}

impl<'a> RustEvaluator<'a> {
    pub(in crate::tree) fn new(modules: &'a RustModules<'a>) -> Self {
        Self { modules, methods: RustMethods::new(modules), evaluation: Evaluation::default() }
    }

    pub(super) fn outcome_of_value(&mut self, file: FileId, value: &'a RustValue) -> RustType<'a> {
        match value {
            RustValue::Unknown => RustType::Unknown,
            RustValue::Path { module, parts } => {
                let found = self.modules.follow(ModuleId { file, at: *module }, parts, Space::Value);
                self.found(&found)
            }
            RustValue::Inner { element, result, is_async } => {
                let id = element.and_then(|local| self.modules.project().element_id(file, local));
                RustType::Callee(id.into_iter().collect(), Some((file, *result, *is_async)))
            }
            RustValue::Associated(term, name) => {
                let of = self.modules.term_type(file, *term);
                if name.is_empty() { self.constructor_of(of) } else { self.associated(&of, name) }
            }
            RustValue::Typed(term) => self.modules.term_type(file, *term),
            RustValue::Field(of, name) => {
                let of = self.value(file, *of);
                self.field(&of, name)
            }
            RustValue::Method(of, name) => {
                let of = self.value(file, *of);
                self.method(&as_value(of), name)
            }
            RustValue::Called(callee, first) => {
                let callee = self.value(file, *callee);
                self.result(callee, file, *first)
            }
            RustValue::Element(of) => match self.value(file, *of) {
                RustType::List(of) => (*of).clone(),
                RustType::Standard("Vec" | "VecDeque", arguments) => first_of(&arguments),
                RustType::Standard("HashMap" | "BTreeMap", arguments) => {
                    arguments.get(1).cloned().unwrap_or(RustType::Unknown)
                }
                _ => RustType::Unknown,
            },
            RustValue::Each(of) => each_of(&self.value(file, *of)),
            RustValue::Part(of, at) => match self.value(file, *of) {
                RustType::Tuple(parts) => parts.get(*at as usize).cloned().unwrap_or(RustType::Unknown),
                _ => RustType::Unknown,
            },
            RustValue::Tried(of) => match self.value(file, *of) {
                RustType::Standard("Option" | "Result", arguments) => first_of(&arguments),
                _ => RustType::Unknown,
            },
            RustValue::Awaited(of) => match self.value(file, *of) {
                RustType::Future(of) => (*of).clone(),
                _ => RustType::Unknown,
            },
            RustValue::Behind(of) => {
                let of = behind_pointer(self.value(file, *of));
                match &of {
                    // Whether `*a` leads behind a reference or through `Deref` is not told.
                    RustType::Declared(item) if self.methods.behind(*item).is_some() => RustType::Unknown,
                    _ => of,
                }
            }
            RustValue::Taken { of, module, parts, field } => {
                let found = self.modules.follow(ModuleId { file, at: *module }, parts, Space::Value);
                let found = if found.named.is_empty() || matches!(found.named.as_slice(), [NamedItem::Outside(_)]) {
                    let found = self.modules.follow(ModuleId { file, at: *module }, parts, Space::Type);
                    self.found(&found)
                } else {
                    self.found(&found)
                };
                match found {
                    RustType::Outside(path) => {
                        let of = self.value(file, *of);
                        taken_by_standard_variant(&path, &of)
                    }
                    RustType::Constructor(..) | RustType::Itself => self.taken_field(file, *module, parts, field),
                    _ => RustType::Unknown,
                }
            }
            RustValue::Tuple(parts) => {
                RustType::Tuple(parts.iter().map(|part| as_value(self.value(file, *part))).collect())
            }
            RustValue::Held(of) => match self.value(file, *of) {
                RustType::Callee(_, Some((file, term, false))) => RustType::Function(file, term),
                RustType::Callee(..) | RustType::Foreign(_) | RustType::Outside(_) => RustType::Unknown,
                of => as_value(of),
            },
        }
    }

    /// What a path in the code stands for.
    fn found(&mut self, found: &FoundPath<'a>) -> RustType<'a> {
        if let [name] = found.rest {
            return match found.named.as_slice() {
                [NamedItem::Item(item)] => {
                    let of = self.modules.item_type(*item, &[], 0);
                    self.associated(&of, name)
                }
                _ => RustType::Unknown,
            };
        }
        if !found.rest.is_empty() {
            return RustType::Unknown;
        }
        if let [only] = found.named.as_slice() {
            return match only {
                NamedItem::Item(item) => self.item(*item),
                NamedItem::Variant(of, _) => RustType::Constructor(None, Rc::new(RustType::Declared(*of))),
                NamedItem::Outside(path) => outside(path),
                NamedItem::Module(_) => RustType::Unknown,
            };
        }
        // Which one there is, the build decides.
        let items = found.named.iter().map(|named| match named {
            NamedItem::Item(item) => self.modules.declared(*item).map(|declared| (*item, declared)),
            _ => None,
        });
        let items: Option<Vec<_>> = items.collect();
        let elements =
            items.into_iter().flatten().filter(|(_, it)| matches!(it.what, RustDeclaration::Function { .. }));
        let project = self.modules.project();
        RustType::Callee(elements.filter_map(|(item, it)| project.element_id(item.file, it.element?)).collect(), None)
    }

    fn item(&self, item: RustItem) -> RustType<'a> {
        let Some(declared) = self.modules.declared(item) else { return RustType::Unknown };
        let element = declared.element.and_then(|local| self.modules.project().element_id(item.file, local));
        match &declared.what {
            RustDeclaration::Function { result, is_async } => {
                RustType::Callee(element.into_iter().collect(), Some((item.file, *result, *is_async)))
            }
            RustDeclaration::Struct { .. } => RustType::Constructor(element, Rc::new(RustType::Declared(item))),
            RustDeclaration::Value(term) => self.modules.term_type(item.file, *term),
            RustDeclaration::Enum(_) | RustDeclaration::Trait { .. } | RustDeclaration::Alias(_) => RustType::Itself,
        }
    }

    fn constructor_of(&self, of: RustType<'a>) -> RustType<'a> {
        match of {
            RustType::Declared(item) => self.item(item),
            _ => RustType::Unknown,
        }
    }

    /// `T::name`
    fn associated(&mut self, of: &RustType<'a>, name: &str) -> RustType<'a> {
        match of {
            RustType::Declared(item) => {
                if let Some(RustDeclaration::Enum(variants)) = self.modules.declared(*item).map(|it| &it.what)
                    && by_name(variants, name, |variant| &variant.name).is_some()
                {
                    return RustType::Constructor(None, Rc::new(RustType::Declared(*item)));
                }
                let found = self.methods.of_type(*item, name);
                // What is derived gives the type itself.
                found.unwrap_or_else(|| match name {
                    "default" => RustType::Foreign(Rc::new(RustType::Declared(*item))),
                    _ => RustType::Unknown,
                })
            }
            RustType::Bounded { traits, .. } => self.methods.of_bounds(traits, name).unwrap_or(RustType::Unknown),
            RustType::Standard(kind, arguments) => match name {
                "new" | "with_capacity" | "default" => {
                    RustType::Foreign(Rc::new(RustType::Standard(kind, Rc::clone(arguments))))
                }
                _ => RustType::Foreign(Rc::new(RustType::Unknown)),
            },
            RustType::Outside(path) => RustType::Outside(Rc::clone(path)),
            _ => RustType::Unknown,
        }
    }

    /// `of.name()`
    fn method(&mut self, of: &RustType<'a>, name: &str) -> RustType<'a> {
        match of {
            RustType::Declared(item) => {
                let found = self.methods.through_deref(*item, name);
                found.unwrap_or_else(|| match name {
                    "clone" => RustType::Foreign(Rc::new(of.clone())),
                    _ => RustType::Unknown,
                })
            }
            RustType::Bounded { traits, .. } => self.methods.of_bounds(traits, name).unwrap_or(RustType::Unknown),
            RustType::Standard(kind, arguments) => {
                if let Some(result) = method_result(kind, arguments, name) {
                    return RustType::Foreign(Rc::new(result));
                }
                match arguments.first().filter(|_| leads_to_argument(kind)) {
                    // These have methods of such names themselves.
                    Some(_)
                        if matches!(
                            name,
                            "as_ref" | "as_mut" | "borrow" | "borrow_mut" | "fmt" | "eq" | "cmp" | "into"
                        ) =>
                    {
                        RustType::Unknown
                    }
                    Some(of) => {
                        let of = of.clone();
                        self.method(&of, name)
                    }
                    None => RustType::Unknown,
                }
            }
            RustType::List(item) => match name {
                "iter" | "iter_mut" | "into_iter" | "rev" | "skip" | "take" | "filter" | "peekable" | "cloned"
                | "copied" | "by_ref" | "clone" => RustType::Foreign(Rc::new(of.clone())),
                "next" | "next_back" | "last" | "first" | "find" | "pop" => {
                    RustType::Foreign(Rc::new(RustType::Standard("Option", Rc::from([(**item).clone()]))))
                }
                _ => RustType::Unknown,
            },
            RustType::Outside(path) => RustType::Outside(Rc::clone(path)),
            _ => RustType::Unknown,
        }
    }

    /// What a call gives.
    fn result(&mut self, callee: RustType<'a>, file: FileId, first: ValueId) -> RustType<'a> {
        match callee {
            RustType::Callee(_, Some((file, term, is_async))) => {
                let result = seen_from_outside(self.modules.term_type(file, term));
                if is_async { RustType::Future(Rc::new(result)) } else { result }
            }
            RustType::Function(file, term) => seen_from_outside(self.modules.term_type(file, term)),
            RustType::Constructor(_, of) => (*of).clone(),
            RustType::Foreign(result) => match &*result {
                // `Arc::new(a)`
                RustType::Standard(kind, arguments) if arguments.is_empty() => {
                    RustType::Standard(kind, Rc::from([as_value(self.value(file, first))]))
                }
                _ => (*result).clone(),
            },
            RustType::Outside(path) => match path.as_ref() {
                ["Some"] => RustType::Standard("Option", Rc::from([as_value(self.value(file, first))])),
                ["Ok"] => RustType::Standard("Result", Rc::from([as_value(self.value(file, first))])),
                _ => RustType::Unknown,
            },
            _ => RustType::Unknown,
        }
    }

    fn field(&mut self, of: &RustType<'a>, name: &str) -> RustType<'a> {
        match of {
            RustType::Declared(item) => {
                let found = self.methods.with_those_behind(*item).find_map(|item| {
                    let Some(RustDeclaration::Struct { fields, .. }) = self.modules.declared(item).map(|it| &it.what)
                    else {
                        return None;
                    };
                    by_name(fields, name, |field| &field.name).map(|(_, field)| (item.file, field.term))
                });
                found.map_or(RustType::Unknown, |(file, term)| seen_from_outside(self.modules.term_type(file, term)))
            }
            RustType::Standard(kind, arguments) if leads_to_argument(kind) => {
                arguments.first().map_or(RustType::Unknown, |of| self.field(of, name))
            }
            RustType::Tuple(parts) => {
                let at = name.parse::<usize>().ok();
                at.and_then(|at| parts.get(at)).cloned().unwrap_or(RustType::Unknown)
            }
            RustType::Outside(path) => RustType::Outside(Rc::clone(path)),
            _ => RustType::Unknown,
        }
    }

    /// A field of a struct or a variant that a pattern names.
    fn taken_field(&self, file: FileId, module: u32, parts: &'a [String], name: &str) -> RustType<'a> {
        let module = ModuleId { file, at: module };
        let mut found = self.modules.follow(module, parts, Space::Value);
        if !matches!(found.named.as_slice(), [NamedItem::Item(_) | NamedItem::Variant(..)]) {
            found = self.modules.follow(module, parts, Space::Type);
        }
        let (item, fields): (RustItem, &'a [RustField]) = match found.named.as_slice() {
            [NamedItem::Item(item)] => match self.modules.declared(*item).map(|it| &it.what) {
                Some(RustDeclaration::Struct { fields, .. }) => (*item, fields),
                _ => return RustType::Unknown,
            },
            [NamedItem::Variant(item, at)] => match self.modules.declared(*item).map(|it| &it.what) {
                Some(RustDeclaration::Enum(variants)) => (*item, variants.get(*at).map_or(&[], |it| &it.fields)),
                _ => return RustType::Unknown,
            },
            _ => return RustType::Unknown,
        };
        let field = by_name(fields, name, |field| &field.name);
        field.map_or(RustType::Unknown, |(_, it)| seen_from_outside(self.modules.term_type(item.file, it.term)))
    }
}

/// What a path out of the project stands for.
fn outside<'a>(path: &Rc<[&'a str]>) -> RustType<'a> {
    if let [before @ .., name] = path.as_ref()
        && let Some(kind) = standard_type(before)
    {
        return match *name {
            "new" | "with_capacity" | "default" => RustType::Foreign(Rc::new(RustType::Standard(kind, Rc::from([])))),
            _ => RustType::Foreign(Rc::new(RustType::Unknown)),
        };
    }
    RustType::Outside(Rc::clone(path))
}

fn taken_by_standard_variant<'a>(path: &[&'a str], of: &RustType<'a>) -> RustType<'a> {
    match (path, of) {
        (["Some"], RustType::Standard("Option", arguments)) | (["Ok"], RustType::Standard("Result", arguments)) => {
            first_of(arguments)
        }
        (["Err"], RustType::Standard("Result", arguments)) => arguments.get(1).cloned().unwrap_or(RustType::Unknown),
        _ => RustType::Unknown,
    }
}

fn first_of<'a>(arguments: &[RustType<'a>]) -> RustType<'a> {
    arguments.first().cloned().unwrap_or(RustType::Unknown)
}

/// A struct without fields is written like what makes one.
fn as_value(of: RustType<'_>) -> RustType<'_> {
    match of {
        RustType::Constructor(_, of) => (*of).clone(),
        of => of,
    }
}
