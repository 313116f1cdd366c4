//! The elements of a Python file: what is put into the index for a definition.

use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged as _, TextRange};

use super::head;
use super::walk::PythonFileWalker;
use super::word::PythonName;
use crate::model::{Element, ElementId, ElementKind, ElementMetrics, ExportKind, FileId, Modifiers, Span};
use tapps_syntax::python::complexity::keyword_start;
use tapps_syntax::python::names::{dotted_name, last_name};

/// What an element is called and where it stands, before it has a place in the list.
pub(super) struct New {
    pub(super) kind: ElementKind,
    pub(super) name: String,
    pub(super) name_at: TextRange,
    pub(super) range: TextRange,
    pub(super) signature: String,
    pub(super) doc: Option<String>,
    pub(super) modifiers: Modifiers,
    pub(super) decorators: Vec<String>,
    pub(super) metrics: Option<ElementMetrics>,
    pub(super) body: u64,
}

impl PythonFileWalker<'_> {
    /// Puts an element into the list and gives its position.
    pub(super) fn add_element(&mut self, new: New) -> u32 {
        let holder = self.element.and_then(|at| self.elements.get(at as usize));
        let path = holder.map_or_else(|| new.name.clone(), |holder| format!("{}.{}", holder.path, new.name));
        let times = self.taken.entry((new.kind, path.clone())).or_default();
        *times += 1;
        let path = if *times > 1 { format!("{path}~{times}") } else { path };
        let (key, function) = ((self.element, PythonName::from(new.name.as_str())), new.metrics.is_some());
        let name_at = self.position_at(new.name_at.start());
        let export = if self.scope == 0 && !new.name.starts_with('_') { ExportKind::Named } else { ExportKind::No };
        self.elements.push(Element {
            file: FileId(0),
            kind: new.kind,
            path,
            parent: self.element.map(ElementId),
            span: Span {
                lead_line: self.lines.line(new.range.start()),
                line: name_at.line,
                column: name_at.column,
                end_line: self.lines.last_line(new.range),
                bytes: u32::from(new.range.start()) + self.shift..u32::from(new.range.end()) + self.shift,
            },
            signature: new.signature,
            export,
            doc: new.doc,
            modifiers: Modifiers { private: is_private(&new.name), ..new.modifiers },
            decorators: new.decorators,
            metrics: new.metrics,
            body: new.body,
            name: new.name,
        });
        let at = u32::try_from(self.elements.len() - 1).unwrap_or(u32::MAX);
        let known = self.known.entry(key).or_default();
        *known = if function { Some(at) } else { *known };
        at
    }

    /// The element of a function; a further overload, setter or deleter becomes part of the one that is there.
    pub(super) fn add_function(&mut self, def: &StmtFunctionDef, generator: bool) -> u32 {
        let new = self.new_function(def, generator);
        let earlier = self.known.get(&(self.element, PythonName::from(new.name.as_str()))).copied().flatten();
        match earlier {
            Some(at) if self.is_continuation(at as usize, &new) => {
                self.merge(at as usize, new);
                at
            }
            _ => self.add_element(new),
        }
    }

    fn new_function(&self, def: &StmtFunctionDef, generator: bool) -> New {
        let start = keyword_start(self.code.text, def.range, &def.decorator_list);
        let decorators = decorators(&def.decorator_list);
        let in_class = self.in_class();
        let is = |names: &[&str]| decorators.iter().any(|d| names.contains(&d.rsplit('.').next().unwrap_or(d)));
        let kind = match def.name.as_str() {
            "__init__" if in_class => ElementKind::Constructor,
            _ if in_class
                && is(&["property", "cached_property", "setter", "deleter", "getter", "abstractproperty"]) =>
            {
                ElementKind::Accessor
            }
            _ if in_class => ElementKind::Method,
            _ => ElementKind::Function,
        };
        let measured = self.metrics.get(&start).copied().unwrap_or_default();
        New {
            kind,
            name: def.name.to_string(),
            name_at: def.name.range,
            range: def.range,
            signature: self.code.of_function(def, start),
            doc: head::docstring_line(&def.body),
            modifiers: Modifiers {
                asynchronous: def.is_async,
                generator,
                abstract_: is(&["abstractmethod", "abstractproperty"]),
                static_: is(&["staticmethod", "classmethod"]),
                private: false,
            },
            metrics: Some(ElementMetrics {
                cyclomatic: measured.own,
                cyclomatic_total: measured.total,
                cognitive: super::cognitive::cognitive_complexity(def),
                nesting: measured.nesting,
                parameters: u32::try_from(def.parameters.len()).unwrap_or(u32::MAX),
                lines: self.lines.last_line(def.range) + 1 - self.lines.line(def.range.start()),
            }),
            body: self.code.declaration_hash(start, def.range.end(), def.name.as_str()),
            decorators,
        }
    }

    /// True for the next overload or part of a property.
    fn is_continuation(&self, at: usize, new: &New) -> bool {
        let Some(earlier) = self.elements.get(at) else { return false };
        let overloaded = earlier.decorators.iter().any(|d| d == "overload" || d.ends_with(".overload"));
        let part = |d: &String| {
            d.strip_prefix(&new.name).is_some_and(|rest| [".setter", ".deleter", ".getter"].contains(&rest))
        };
        overloaded || (earlier.kind == ElementKind::Accessor && new.decorators.iter().any(part))
    }

    fn merge(&mut self, at: usize, new: New) {
        let adjacent = self.elements.iter().skip(at + 1).all(|e| e.parent.is_some_and(|p| p.0 as usize >= at));
        let (name_at, end_line) = (self.position_at(new.name_at.start()), self.lines.last_line(new.range));
        let shift = self.shift;
        let Some(element) = self.elements.get_mut(at) else { return };
        if element.kind == ElementKind::Accessor {
            let more = new.metrics.map_or(0, |metrics| metrics.cyclomatic);
            if let Some(metrics) = &mut element.metrics {
                metrics.cyclomatic = metrics.cyclomatic.max(more);
            }
            element.body = element.body.rotate_left(1) ^ new.body;
        } else {
            element.span.line = name_at.line;
            element.span.column = name_at.column;
            element.signature = new.signature;
            element.doc = new.doc.or_else(|| element.doc.take());
            element.modifiers = Modifiers { private: element.modifiers.private, ..new.modifiers };
            element.decorators = new.decorators;
            element.metrics = new.metrics;
            element.body = new.body;
        }
        if adjacent {
            element.span.end_line = end_line;
            element.span.bytes.end = u32::from(new.range.end()) + shift;
        }
    }

    /// The element of a class.
    pub(super) fn add_class(&mut self, def: &StmtClassDef) -> u32 {
        let start = keyword_start(self.code.text, def.range, &def.decorator_list);
        let bases = def.arguments.iter().flat_map(|arguments| &arguments.args);
        let bases: Vec<&str> = bases.filter_map(last_name).collect();
        let metaclass = def.arguments.as_ref().and_then(|arguments| arguments.find_keyword("metaclass"));
        let abstract_ = bases.contains(&"ABC")
            || metaclass.is_some_and(|keyword| last_name(&keyword.value) == Some("ABCMeta"))
            || def.body.iter().any(is_abstract);
        let kind = match () {
            () if bases.iter().any(|base| ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"].contains(base)) => {
                ElementKind::Enum
            }
            () if bases.contains(&"Protocol") => ElementKind::Interface,
            () => ElementKind::Class,
        };
        let new = New {
            kind,
            name: def.name.to_string(),
            name_at: def.name.range,
            range: def.range,
            signature: self.code.of_class(def, start),
            doc: head::docstring_line(&def.body),
            modifiers: Modifiers { abstract_, ..Modifiers::default() },
            decorators: decorators(&def.decorator_list),
            metrics: None,
            body: self.code.declaration_hash(start, def.range.end(), def.name.as_str()),
        };
        self.add_element(new)
    }

    /// The element of an assignment at the level of the module or of a class, once a name.
    pub(super) fn add_variable(&mut self, target: &Expr, stmt: &Stmt, annotation: Option<&Expr>, value: Option<&Expr>) {
        let (Expr::Name(name), true) = (target, self.holds_variables()) else { return };
        if self.known.contains_key(&(self.element, PythonName::from(&name.id)))
            || name.id.as_str() == "__slots__"
            || name.id.as_str() == "_"
        {
            return;
        }
        let range = stmt.range();
        let kind = match (annotation, value) {
            _ if matches!(stmt, Stmt::TypeAlias(_)) => ElementKind::Type,
            _ if self.in_class() => ElementKind::Property,
            (Some(annotation), _) if last_name(annotation) == Some("TypeAlias") => ElementKind::Type,
            (_, Some(value)) if is_type(value) => ElementKind::Type,
            _ => ElementKind::Constant,
        };
        let new = New {
            kind,
            name: name.id.to_string(),
            name_at: name.range,
            range,
            signature: self.code.on_one_line(range),
            doc: None,
            modifiers: Modifiers::default(),
            decorators: Vec::new(),
            metrics: None,
            body: self.code.declaration_hash(range.start(), range.end(), name.id.as_str()),
        };
        self.add_element(new);
    }

    /// `__all__` decides what a module exports when it is there.
    pub(super) fn apply_all(&mut self) {
        let Some(all) = &mut self.facts.all else { return };
        all.sort();
        all.dedup();
        for element in self.elements.iter_mut().filter(|element| element.parent.is_none()) {
            element.export = if all.binary_search(&element.name).is_ok() { ExportKind::Named } else { ExportKind::No };
        }
    }
}

fn is_private(name: &str) -> bool {
    name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__"))
}

fn is_abstract(stmt: &Stmt) -> bool {
    let Stmt::FunctionDef(def) = stmt else { return false };
    def.decorator_list.iter().any(|decorator| last_name(&decorator.expression) == Some("abstractmethod"))
}

/// Callees of decorators; one that is no dotted name is left out.
fn decorators(list: &[Decorator]) -> Vec<String> {
    let callee = |decorator: &Decorator| match &decorator.expression {
        Expr::Call(call) => dotted_name(&call.func),
        other => dotted_name(other),
    };
    list.iter().filter_map(callee).collect()
}

/// `Union[...]`, `NewType(...)` and the like name a type.
fn is_type(value: &Expr) -> bool {
    match value {
        Expr::Subscript(node) => last_name(&node.value).is_some_and(|name| {
            ["Union", "Optional", "Literal", "Callable", "Annotated", "Type", "Mapping", "Sequence", "Iterable"]
                .contains(&name)
        }),
        Expr::Call(node) => {
            last_name(&node.func).is_some_and(|name| ["NewType", "TypeVar", "ParamSpec"].contains(&name))
        }
        _ => false,
    }
}
