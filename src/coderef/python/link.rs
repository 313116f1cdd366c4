//! The edges between Python files.

use std::collections::HashMap;

use rayon::prelude::*;

use super::facts::{BlockPosition, Imported, PythonCall, PythonFacts, PythonImport, PythonImportForm, Value};
use super::modules::{ModuleLookup, Modules};
use super::types::{Ty, Types};
use crate::family;
use crate::family::{Linked, Project};
use crate::model::{
    Edge, EdgeKind, EdgeStatus, EdgeTarget, ElementId, ElementKind, ExportKind, FileId, GraphNode, Language, Passage,
    Taken,
};
use crate::tops::Tops;

/// Files that a core links at once.
const FILES_AT_ONCE: usize = 8;
/// Methods of one name that are listed as what an unknown receiver may have meant.
const MOST_CANDIDATES: usize = 10;

/// The edges between the files of this family, and what they take from each other besides.
#[must_use]
pub fn link_python_files(project: &Project<'_>) -> Linked {
    let modules = Modules::new(project.files);
    let (methods, tops) =
        (methods(project), Tops::new(project, |facts| matches!(facts, family::LanguageFacts::Python(_))));
    let files = (0..).map(FileId).zip(project.facts);
    let python: Vec<(FileId, &PythonFacts)> = files
        .filter_map(|(file, facts)| match facts {
            family::LanguageFacts::Python(facts) => Some((file, &**facts)),
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
            linker.add_import_edges();
            linker.add_export_edges();
            linker.add_heritage_edges();
            linker.add_call_edges();
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
        if element.kind == ElementKind::Method && language == Some(Language::Python) {
            methods.entry(&element.name).or_default().push(id);
        }
    }
    methods
}

struct Linker<'a> {
    types: Types<'a>,
    methods: &'a HashMap<&'a str, Vec<ElementId>>,
    file: FileId,
    facts: &'a PythonFacts,
    found: Linked,
}

impl Linker<'_> {
    fn add_edge(&mut self, from: GraphNode, kind: EdgeKind, status: EdgeStatus, to: EdgeTarget, place: BlockPosition) {
        self.found.edges.push(Edge { from, kind, status, to, sites: vec![(place.line, place.column)] });
    }

    fn add_import_edges(&mut self) {
        let facts = self.facts;
        for import in &facts.imports {
            let status = match (import.type_only, import.form) {
                (true, _) => EdgeStatus::TypeOnly,
                (_, PythonImportForm::Call) => EdgeStatus::Dynamic,
                _ => EdgeStatus::Resolved,
            };
            match self.types.imported_module(self.file, import) {
                ModuleLookup::File(file) => {
                    self.add_import_edge(status, GraphNode::File(file), import.place);
                    if self.names_submodules_only(file, import) {
                        self.note_passage(file, import.place);
                    }
                    if import.form != PythonImportForm::From {
                        self.note_import_use(status, file, None);
                    }
                    for name in import.names.iter().filter(|_| import.form == PythonImportForm::From) {
                        self.import_name(status, Some(file), "", name);
                    }
                }
                ModuleLookup::Namespace(folder) => {
                    for name in import.names.iter().filter(|_| import.form == PythonImportForm::From) {
                        self.import_name(status, None, &folder, name);
                    }
                }
                ModuleLookup::Missing => {
                    let name = format!("{}{}", ".".repeat(import.level as usize), import.module);
                    self.add_edge(
                        GraphNode::File(self.file),
                        EdgeKind::Import,
                        EdgeStatus::Unresolved,
                        EdgeTarget::Unknown(name),
                        import.place,
                    );
                }
                ModuleLookup::Outside => self.import_outside(import),
            }
        }
    }

    fn add_import_edge(&mut self, status: EdgeStatus, to: GraphNode, place: BlockPosition) {
        self.add_edge(GraphNode::File(self.file), EdgeKind::Import, status, EdgeTarget::Node(to), place);
    }

    fn note_import_use(&mut self, status: EdgeStatus, from: FileId, name: Option<&str>) {
        let type_only = status == EdgeStatus::TypeOnly;
        self.found.taken.push(Taken { by: self.file, from, name: name.map(str::to_owned), type_only });
    }

    /// Of `from package import a, b`: everything that it names is a module in the package, which is only passed through.
    fn names_submodules_only(&self, package: FileId, import: &PythonImport) -> bool {
        import.form == PythonImportForm::From
            && !import.names.is_empty()
            && import.names.iter().all(|name| {
                self.is_submodule(package, &name.name) && self.types.member_elements(package, &name.name).is_empty()
            })
    }

    fn is_submodule(&self, package: FileId, name: &str) -> bool {
        let found = self.types.modules.lookup_in_package(package, name);
        matches!(found, ModuleLookup::File(_) | ModuleLookup::Namespace(_))
    }

    fn note_passage(&mut self, through: FileId, place: BlockPosition) {
        self.found.passages.push(Passage { by: self.file, through, site: (place.line, place.column) });
    }

    fn import_outside(&mut self, import: &PythonImport) {
        let status = if import.type_only { EdgeStatus::TypeOnly } else { EdgeStatus::External };
        let from = GraphNode::File(self.file);
        let target = |name: Option<String>| EdgeTarget::External { module: import.module.clone(), name };
        if import.form != PythonImportForm::From {
            self.add_edge(from, EdgeKind::Import, status, target(None), import.place);
        }
        for name in import.names.iter().filter(|_| import.form == PythonImportForm::From) {
            self.add_edge(from, EdgeKind::Import, status, target(Some(name.name.clone())), name.place);
        }
    }

    /// A name taken from a module or namespace: elements, or a module inside it.
    fn import_name(&mut self, status: EdgeStatus, from: Option<FileId>, folder: &str, name: &Imported) {
        let elements = from.map_or_else(Vec::new, |file| self.types.member_elements(file, &name.name));
        if let [one] = elements.as_slice() {
            return self.add_import_edge(status, GraphNode::Element(*one), name.place);
        }
        if !elements.is_empty() {
            let nodes = elements.into_iter().map(GraphNode::Element).collect();
            let target = EdgeTarget::Candidates { name: name.name.clone(), nodes };
            return self.add_edge(
                GraphNode::File(self.file),
                EdgeKind::Import,
                EdgeStatus::Ambiguous,
                target,
                name.place,
            );
        }
        let module = match from {
            Some(file) => self.types.member(&Ty::Module(file), &name.name),
            None => self.types.member(&Ty::Namespace(folder.to_owned()), &name.name),
        };
        match module.as_slice() {
            [Ty::Module(file)] => {
                self.note_import_use(status, *file, None);
                self.add_import_edge(status, GraphNode::File(*file), name.place);
                if from.is_some_and(|from| !self.is_submodule(from, &name.name)) {
                    self.note_passage(*file, name.place);
                }
            }
            [Ty::Outside(module, member)] => {
                let name_of = (!member.is_empty()).then(|| member.clone());
                let target = EdgeTarget::External { module: module.clone(), name: name_of };
                self.add_edge(GraphNode::File(self.file), EdgeKind::Import, EdgeStatus::External, target, name.place);
            }
            // A variable that is no element of its own, or a name that is made while running: the file is known.
            _ => match from {
                Some(file) => self.note_import_use(status, file, Some(&name.name)),
                None => {
                    let target = EdgeTarget::Unknown(name.name.clone());
                    self.add_edge(
                        GraphNode::File(self.file),
                        EdgeKind::Import,
                        EdgeStatus::Unresolved,
                        target,
                        name.place,
                    );
                }
            },
        }
    }

    /// The elements a file offers: its own, and those it takes from elsewhere to hand on.
    fn add_export_edges(&mut self) {
        let own = (0..).zip(self.types.project.elements_of(self.file));
        let own = own.filter(|(_, element)| element.parent.is_none() && element.export != ExportKind::No);
        let mut offered: Vec<(ElementId, BlockPosition)> = Vec::new();
        for (local, element) in own {
            let block = 0;
            let place = BlockPosition { at: 0, block, line: element.span.line, column: element.span.column };
            offered.extend(self.types.project.element_id(self.file, local).map(|id| (id, place)));
        }
        let path = self.types.project.files.get(self.file.0 as usize).map_or("", |file| file.path.as_str());
        let is_package = path.rsplit('/').next().is_some_and(|name| name.starts_with("__init__."));
        for import in
            self.facts.imports.iter().filter(|import| import.form == PythonImportForm::From && import.scope == 0)
        {
            let ModuleLookup::File(from) = self.types.imported_module(self.file, import) else { continue };
            for name in &import.names {
                let handed_on = match &self.facts.all {
                    Some(all) => all.binary_search(&name.bound).is_ok(),
                    None => (is_package && !name.bound.starts_with('_')) || (name.renamed && name.bound == name.name),
                };
                if handed_on {
                    offered.extend(self.types.member_elements(from, &name.name).into_iter().map(|id| (id, name.place)));
                }
            }
        }
        for (id, place) in offered {
            let target = EdgeTarget::Node(GraphNode::Element(id));
            self.add_edge(GraphNode::File(self.file), EdgeKind::Export, EdgeStatus::Resolved, target, place);
        }
    }

    fn add_heritage_edges(&mut self) {
        let facts = self.facts;
        for (id, scope) in (0..).zip(&facts.scopes) {
            let Some((class, from)) = scope.class.as_ref().zip(self.types.element((self.file, id))) else { continue };
            for base in &class.bases {
                let found = self.types.eval((self.file, scope.parent), &base.value);
                let (status, target) = self.status_and_target(&found, &base.value, |ty| match ty {
                    Ty::Class(def) => self.types.element(*def).map(GraphNode::Element),
                    _ => None,
                });
                self.add_edge(GraphNode::Element(from), EdgeKind::Extends, status, target, base.place);
            }
        }
    }

    fn add_call_edges(&mut self) {
        let facts = self.facts;
        let test = self.types.project.files.get(self.file.0 as usize).is_some_and(|file| file.test);
        for call in &facts.calls {
            let found = self.types.eval((self.file, call.scope), &call.callee);
            let (status, target) = self.status_and_target(&found, &call.callee, |ty| self.callee_node(ty));
            let from = call.element.and_then(|local| self.types.project.element_id(self.file, local));
            let from = from.map_or(GraphNode::File(self.file), GraphNode::Element);
            if test && status == EdgeStatus::Resolved && self.leaves_tests(&target) {
                self.add_edge(from, EdgeKind::Test, status, target.clone(), call.place);
            }
            self.add_edge(from, EdgeKind::Call, status, target, call.place);
            self.mark_dynamic_call(call, from);
        }
    }

    /// A call of what `getattr` gives is known only while the program runs.
    fn mark_dynamic_call(&mut self, call: &PythonCall, from: GraphNode) {
        let Value::Call(callee, _) = &call.callee else { return };
        if matches!(&**callee, Value::Name(name, ..) if *name == *"getattr")
            && let Some(edge) = self.found.edges.last_mut().filter(|edge| edge.from == from)
        {
            edge.status = EdgeStatus::Dynamic;
            edge.to = EdgeTarget::Unknown("getattr".to_owned());
        }
    }

    fn leaves_tests(&self, target: &EdgeTarget) -> bool {
        let EdgeTarget::Node(GraphNode::Element(id)) = target else { return false };
        let element = self.types.project.elements.get(id.0 as usize);
        let file = element.and_then(|element| self.types.project.files.get(element.file.0 as usize));
        file.is_some_and(|file| !file.test)
    }

    /// What runs when a thing is called.
    fn callee_node(&self, ty: &Ty) -> Option<GraphNode> {
        let def = match ty {
            Ty::Function(def, _) => *def,
            Ty::Class(class) => self.types.constructor(*class).unwrap_or(*class),
            Ty::Instance(_) => match self.types.attribute_types(ty, "__call__").as_slice() {
                [Ty::Function(def, _)] => *def,
                _ => return None,
            },
            _ => return None,
        };
        self.types.element(def).map(GraphNode::Element)
    }

    /// The status and target that a list of meanings gives.
    fn status_and_target(
        &self,
        found: &[Ty],
        value: &Value,
        node: impl Fn(&Ty) -> Option<GraphNode>,
    ) -> (EdgeStatus, EdgeTarget) {
        let mut nodes: Vec<GraphNode> = found.iter().filter_map(&node).collect();
        let all = nodes.len() == found.len();
        nodes.sort();
        nodes.dedup();
        match (nodes.as_slice(), found) {
            ([one], _) if all => (EdgeStatus::Resolved, EdgeTarget::Node(*one)),
            ([], [Ty::Outside(module, name) | Ty::OutsideInstance(module, name)]) => {
                let name = (!name.is_empty()).then(|| name.clone());
                (EdgeStatus::External, EdgeTarget::External { module: module.clone(), name })
            }
            ([], [Ty::Builtin(name)]) => (EdgeStatus::Builtin, EdgeTarget::Builtin(name.clone())),
            ([], _) => self.unresolved_target(found, value),
            _ => (EdgeStatus::Ambiguous, EdgeTarget::Candidates { name: value_display_name(value), nodes }),
        }
    }

    /// An unknown callee: methods of that name are candidates when the receiver is not known.
    fn unresolved_target(&self, found: &[Ty], value: &Value) -> (EdgeStatus, EdgeTarget) {
        let name = value_display_name(value);
        let open = found.contains(&Ty::Unknown);
        if let (Value::Attribute(..), true) = (value, open) {
            let same = self.methods.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
            if !same.is_empty() && same.len() <= MOST_CANDIDATES {
                let nodes = same.iter().copied().map(GraphNode::Element).collect();
                return (EdgeStatus::Ambiguous, EdgeTarget::Candidates { name, nodes });
            }
        }
        (EdgeStatus::Unresolved, EdgeTarget::Unknown(name))
    }
}

/// The last name of an expression.
fn value_display_name(value: &Value) -> String {
    match value {
        Value::Name(name, ..) | Value::Attribute(_, name) => name.to_string(),
        Value::Call(on, _) | Value::Subscript(on, _) => value_display_name(on),
        Value::Builtin(name) => name.clone(),
        Value::Either(_) | Value::None | Value::Unknown => "?".to_owned(),
    }
}
