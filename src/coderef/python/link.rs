//! The edges between Python files.

use std::collections::HashMap;

use rayon::prelude::*;

use super::facts::{Call, Facts, Form, Import, Imported, Place, Value};
use super::modules::{Found, Modules};
use super::types::{Ty, Types};
use crate::family;
use crate::family::{Linked, Project};
use crate::model::{Edge, EdgeKind, ElementId, Export, FileId, Kind, Language, Node, Status, Taken, Target};
use crate::tops::Tops;

/// Files that a core links at once.
const FILES_AT_ONCE: usize = 8;
/// Methods of one name that are listed as what an unknown receiver may have meant.
const MOST_CANDIDATES: usize = 10;

/// The edges between the files of this family, and what they take from each other besides.
#[must_use]
pub fn link(project: &Project<'_>) -> Linked {
    let modules = Modules::new(project.files);
    let (methods, tops) = (methods(project), Tops::new(project, |facts| matches!(facts, family::Facts::Python(_))));
    let files = (0..).map(FileId).zip(project.facts);
    let python: Vec<(FileId, &Facts)> = files
        .filter_map(|(file, facts)| match facts {
            family::Facts::Python(facts) => Some((file, &**facts)),
            _ => None,
        })
        .collect();
    python
        .into_par_iter()
        .with_max_len(FILES_AT_ONCE)
        .map(|(file, facts)| {
            let types = Types::new(project, &modules, &tops);
            let found = Linked::default();
            let mut linker = Linker { types, methods: &methods, file, facts, found };
            linker.imports();
            linker.exports();
            linker.heritage();
            linker.calls();
            linker.found
        })
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

/// The methods of each name.
fn methods<'a>(project: &Project<'a>) -> HashMap<&'a str, Vec<ElementId>> {
    let mut methods: HashMap<&str, Vec<ElementId>> = HashMap::new();
    for (id, element) in (0..).map(ElementId).zip(project.elements) {
        let language = project.files.get(element.file.0 as usize).map(|file| file.language);
        if element.kind == Kind::Method && language == Some(Language::Python) {
            methods.entry(&element.name).or_default().push(id);
        }
    }
    methods
}

struct Linker<'a> {
    types: Types<'a>,
    methods: &'a HashMap<&'a str, Vec<ElementId>>,
    file: FileId,
    facts: &'a Facts,
    found: Linked,
}

impl Linker<'_> {
    fn add(&mut self, from: Node, kind: EdgeKind, status: Status, to: Target, place: Place) {
        self.found.edges.push(Edge { from, kind, status, to, sites: vec![(place.line, place.column)] });
    }

    fn imports(&mut self) {
        let facts = self.facts;
        for import in &facts.imports {
            let status = match (import.type_only, import.form) {
                (true, _) => Status::TypeOnly,
                (_, Form::Call) => Status::Dynamic,
                _ => Status::Resolved,
            };
            match self.types.found(self.file, import) {
                Found::File(file) => {
                    self.import(status, Node::File(file), import.place);
                    if import.form != Form::From {
                        self.take(status, file, None);
                    }
                    for name in import.names.iter().filter(|_| import.form == Form::From) {
                        self.import_name(status, Some(file), "", name);
                    }
                }
                Found::Namespace(folder) => {
                    for name in import.names.iter().filter(|_| import.form == Form::From) {
                        self.import_name(status, None, &folder, name);
                    }
                }
                Found::Missing => {
                    let name = format!("{}{}", ".".repeat(import.level as usize), import.module);
                    self.add(
                        Node::File(self.file),
                        EdgeKind::Import,
                        Status::Unresolved,
                        Target::Unknown(name),
                        import.place,
                    );
                }
                Found::Outside => self.import_outside(import),
            }
        }
    }

    fn import(&mut self, status: Status, to: Node, place: Place) {
        self.add(Node::File(self.file), EdgeKind::Import, status, Target::Node(to), place);
    }

    fn take(&mut self, status: Status, from: FileId, name: Option<&str>) {
        let type_only = status == Status::TypeOnly;
        self.found.taken.push(Taken { by: self.file, from, name: name.map(str::to_owned), type_only });
    }

    fn import_outside(&mut self, import: &Import) {
        let status = if import.type_only { Status::TypeOnly } else { Status::External };
        let from = Node::File(self.file);
        let target = |name: Option<String>| Target::External { module: import.module.clone(), name };
        if import.form != Form::From {
            self.add(from, EdgeKind::Import, status, target(None), import.place);
        }
        for name in import.names.iter().filter(|_| import.form == Form::From) {
            self.add(from, EdgeKind::Import, status, target(Some(name.name.clone())), name.place);
        }
    }

    /// A name taken from a module or namespace: elements, or a module inside it.
    fn import_name(&mut self, status: Status, from: Option<FileId>, folder: &str, name: &Imported) {
        let elements = from.map_or_else(Vec::new, |file| self.types.elements(file, &name.name));
        if let [one] = elements.as_slice() {
            return self.import(status, Node::Element(*one), name.place);
        }
        if !elements.is_empty() {
            let nodes = elements.into_iter().map(Node::Element).collect();
            let target = Target::Candidates { name: name.name.clone(), nodes };
            return self.add(Node::File(self.file), EdgeKind::Import, Status::Ambiguous, target, name.place);
        }
        let module = match from {
            Some(file) => self.types.member(&Ty::Module(file), &name.name),
            None => self.types.member(&Ty::Namespace(folder.to_owned()), &name.name),
        };
        match module.as_slice() {
            [Ty::Module(file)] => {
                self.take(status, *file, None);
                self.import(status, Node::File(*file), name.place);
            }
            [Ty::Outside(module, member)] => {
                let name_of = (!member.is_empty()).then(|| member.clone());
                let target = Target::External { module: module.clone(), name: name_of };
                self.add(Node::File(self.file), EdgeKind::Import, Status::External, target, name.place);
            }
            // A variable that is no element of its own, or a name that is made while running: the file is known.
            _ => match from {
                Some(file) => self.take(status, file, Some(&name.name)),
                None => {
                    let target = Target::Unknown(name.name.clone());
                    self.add(Node::File(self.file), EdgeKind::Import, Status::Unresolved, target, name.place);
                }
            },
        }
    }

    /// The elements a file offers: its own, and those it takes from elsewhere to hand on.
    fn exports(&mut self) {
        let own = (0..).zip(self.types.project.elements_of(self.file));
        let own = own.filter(|(_, element)| element.parent.is_none() && element.export != Export::No);
        let mut offered: Vec<(ElementId, Place)> = Vec::new();
        for (local, element) in own {
            let block = 0;
            let place = Place { at: 0, block, line: element.span.line, column: element.span.column };
            offered.extend(self.types.project.element_id(self.file, local).map(|id| (id, place)));
        }
        let path = self.types.project.files.get(self.file.0 as usize).map_or("", |file| file.path.as_str());
        let is_package = path.rsplit('/').next().is_some_and(|name| name.starts_with("__init__."));
        for import in self.facts.imports.iter().filter(|import| import.form == Form::From && import.scope == 0) {
            let Found::File(from) = self.types.found(self.file, import) else { continue };
            for name in &import.names {
                let handed_on = match &self.facts.all {
                    Some(all) => all.binary_search(&name.bound).is_ok(),
                    None => (is_package && !name.bound.starts_with('_')) || (name.renamed && name.bound == name.name),
                };
                if handed_on {
                    offered.extend(self.types.elements(from, &name.name).into_iter().map(|id| (id, name.place)));
                }
            }
        }
        for (id, place) in offered {
            let target = Target::Node(Node::Element(id));
            self.add(Node::File(self.file), EdgeKind::Export, Status::Resolved, target, place);
        }
    }

    fn heritage(&mut self) {
        let facts = self.facts;
        for (id, scope) in (0..).zip(&facts.scopes) {
            let Some((class, from)) = scope.class.as_ref().zip(self.types.element((self.file, id))) else { continue };
            for base in &class.bases {
                let found = self.types.eval((self.file, scope.parent), &base.value);
                let (status, target) = self.judge(&found, &base.value, |ty| match ty {
                    Ty::Class(def) => self.types.element(*def).map(Node::Element),
                    _ => None,
                });
                self.add(Node::Element(from), EdgeKind::Extends, status, target, base.place);
            }
        }
    }

    fn calls(&mut self) {
        let facts = self.facts;
        let test = self.types.project.files.get(self.file.0 as usize).is_some_and(|file| file.test);
        for call in &facts.calls {
            let found = self.types.eval((self.file, call.scope), &call.callee);
            let (status, target) = self.judge(&found, &call.callee, |ty| self.called(ty));
            let from = call.element.and_then(|local| self.types.project.element_id(self.file, local));
            let from = from.map_or(Node::File(self.file), Node::Element);
            if test && status == Status::Resolved && self.leaves_tests(&target) {
                self.add(from, EdgeKind::Test, status, target.clone(), call.place);
            }
            self.add(from, EdgeKind::Call, status, target, call.place);
            self.dynamic(call, from);
        }
    }

    /// A call of what `getattr` gives is known only while the program runs.
    fn dynamic(&mut self, call: &Call, from: Node) {
        let Value::Call(callee, _) = &call.callee else { return };
        if matches!(&**callee, Value::Name(name, ..) if *name == *"getattr")
            && let Some(edge) = self.found.edges.last_mut().filter(|edge| edge.from == from)
        {
            edge.status = Status::Dynamic;
            edge.to = Target::Unknown("getattr".to_owned());
        }
    }

    fn leaves_tests(&self, target: &Target) -> bool {
        let Target::Node(Node::Element(id)) = target else { return false };
        let element = self.types.project.elements.get(id.0 as usize);
        let file = element.and_then(|element| self.types.project.files.get(element.file.0 as usize));
        file.is_some_and(|file| !file.test)
    }

    /// What runs when a thing is called.
    fn called(&self, ty: &Ty) -> Option<Node> {
        let def = match ty {
            Ty::Function(def, _) => *def,
            Ty::Class(class) => self.types.constructor(*class).unwrap_or(*class),
            Ty::Instance(_) => match self.types.attribute(ty, "__call__").as_slice() {
                [Ty::Function(def, _)] => *def,
                _ => return None,
            },
            _ => return None,
        };
        self.types.element(def).map(Node::Element)
    }

    /// The status and target that a list of meanings gives.
    fn judge(&self, found: &[Ty], value: &Value, node: impl Fn(&Ty) -> Option<Node>) -> (Status, Target) {
        let mut nodes: Vec<Node> = found.iter().filter_map(&node).collect();
        let all = nodes.len() == found.len();
        nodes.sort();
        nodes.dedup();
        match (nodes.as_slice(), found) {
            ([one], _) if all => (Status::Resolved, Target::Node(*one)),
            ([], [Ty::Outside(module, name) | Ty::OutsideInstance(module, name)]) => {
                let name = (!name.is_empty()).then(|| name.clone());
                (Status::External, Target::External { module: module.clone(), name })
            }
            ([], [Ty::Builtin(name)]) => (Status::Builtin, Target::Builtin(name.clone())),
            ([], _) => self.unknown(found, value),
            _ => (Status::Ambiguous, Target::Candidates { name: shown(value), nodes }),
        }
    }

    /// An unknown callee: methods of that name are candidates when the receiver is not known.
    fn unknown(&self, found: &[Ty], value: &Value) -> (Status, Target) {
        let name = shown(value);
        let open = found.contains(&Ty::Unknown);
        if let (Value::Attribute(..), true) = (value, open) {
            let same = self.methods.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            if !same.is_empty() && same.len() <= MOST_CANDIDATES {
                let nodes = same.iter().copied().map(Node::Element).collect();
                return (Status::Ambiguous, Target::Candidates { name, nodes });
            }
        }
        (Status::Unresolved, Target::Unknown(name))
    }
}

/// The last name of an expression.
fn shown(value: &Value) -> String {
    match value {
        Value::Name(name, ..) | Value::Attribute(_, name) => name.to_string(),
        Value::Call(on, _) | Value::Subscript(on, _) => shown(on),
        Value::Builtin(name) => name.clone(),
        Value::Either(_) | Value::None | Value::Unknown => "?".to_owned(),
    }
}
