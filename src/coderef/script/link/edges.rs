//! Edges of one file: imports, exports, heritage, calls.

use std::cell::RefCell;
use std::collections::HashMap;

use super::infer::Infer;
use super::targets::{Callee, any_element};
use super::ty::{Env, Ty};
use super::world::{Gid, Named, World};
use crate::family::{Linked, Project};
use crate::model::{
    Edge, EdgeKind, EdgeStatus, EdgeTarget, Element, ElementKind, ExportKind as Exporting, FileId, GraphNode, Passage,
    Taken,
};
use crate::script::facts::{At, Expr, ImportKind, ObjectShape, ScriptExport, ScriptExportTarget, ScriptImport};
use crate::script::resolve::ResolvedSpecifier;

pub(super) struct Edges<'w, 'p> {
    project: &'w Project<'p>,
    world: &'w World<'p>,
    infer: Infer<'w, 'p>,
    file: u32,
    /// The constant that each file exports as its default, where it was asked for.
    defaults: RefCell<HashMap<u32, Option<usize>>>,
    found: Linked,
}

/// All edges that begin in a file, and what else it takes.
pub(super) fn of_file(project: &Project<'_>, world: &World<'_>, file: u32) -> Linked {
    let found = Linked::default();
    let mut edges = Edges { project, world, infer: Infer::new(world), file, defaults: RefCell::default(), found };
    edges.add_import_edges();
    edges.add_export_edges();
    edges.add_heritage_edges();
    edges.add_call_edges();
    edges.found
}

impl Edges<'_, '_> {
    fn add(&mut self, from: GraphNode, kind: EdgeKind, (status, to): (EdgeStatus, EdgeTarget), at: At) {
        self.found.edges.push(Edge { from, kind, status, to, sites: vec![at] });
    }

    fn file_node(&self) -> GraphNode {
        GraphNode::File(FileId(self.file))
    }

    fn origin(&self, element: Option<u32>) -> GraphNode {
        let id = element.and_then(|local| self.project.element_id(FileId(self.file), local));
        id.map_or_else(|| self.file_node(), GraphNode::Element)
    }

    fn node(&self, at: Gid) -> Option<GraphNode> {
        self.project.element_id(FileId(at.file), at.id).map(GraphNode::Element)
    }

    fn add_import_edges(&mut self) {
        let imports = &self.world.facts(self.file).imports;
        for (index, import) in (0..).zip(imports) {
            let target = self.module_target(index, import);
            self.add(self.file_node(), EdgeKind::Import, target, import.at);
            if import.names.is_empty() || import.names.iter().any(|name| name.name == "*") {
                self.note_import_use(index, None, import.type_only);
            }
            for name in import.names.iter().filter(|name| name.name != "*") {
                let named = self.world.imported(self.file, index, &name.name);
                let (status, to) = self.named_target(&named, &name.name, import);
                let status =
                    if name.type_only && status == EdgeStatus::Resolved { EdgeStatus::TypeOnly } else { status };
                match &to {
                    EdgeTarget::Node(GraphNode::File(from)) => {
                        self.push_taken(*from, None, name.type_only);
                        let passage = Passage { by: FileId(self.file), through: *from, site: name.at };
                        self.found.passages.push(passage);
                    }
                    EdgeTarget::Node(GraphNode::Element(_)) | EdgeTarget::Candidates { .. } => {}
                    _ => self.note_import_use(index, Some(&name.name), name.type_only),
                }
                self.add(self.file_node(), EdgeKind::Import, (status, to), name.at);
            }
        }
    }

    /// Notes that the file takes a name of a module of the project, or all of it.
    fn note_import_use(&mut self, index: u32, name: Option<&str>, type_only: bool) {
        if let Some(ResolvedSpecifier::File(from)) = self.world.module(self.file, index) {
            let from = *from;
            self.push_taken(from, name, type_only);
        }
    }

    fn push_taken(&mut self, from: FileId, name: Option<&str>, type_only: bool) {
        let by = FileId(self.file);
        self.found.taken.push(Taken { by, from, name: name.map(str::to_owned), type_only });
    }

    fn module_target(&self, index: u32, import: &ScriptImport) -> (EdgeStatus, EdgeTarget) {
        match self.world.module(self.file, index) {
            Some(ResolvedSpecifier::File(file)) => {
                let status = match import.kind {
                    _ if import.type_only => EdgeStatus::TypeOnly,
                    ImportKind::Dynamic => EdgeStatus::Dynamic,
                    _ => EdgeStatus::Resolved,
                };
                (status, EdgeTarget::Node(GraphNode::File(*file)))
            }
            Some(ResolvedSpecifier::External(module)) => {
                (EdgeStatus::External, EdgeTarget::External { module: module.clone(), name: None })
            }
            Some(ResolvedSpecifier::Builtin(module)) => (EdgeStatus::Builtin, EdgeTarget::Builtin(module.clone())),
            Some(ResolvedSpecifier::Missing(name)) if !name.is_empty() => {
                (EdgeStatus::Unresolved, EdgeTarget::Unknown(name.clone()))
            }
            _ => (EdgeStatus::Dynamic, EdgeTarget::Unknown("import()".to_owned())),
        }
    }

    fn named_target(&self, named: &Named, name: &str, import: &ScriptImport) -> (EdgeStatus, EdgeTarget) {
        let missing = || {
            let module = import.specifier.clone().unwrap_or_default();
            (EdgeStatus::Unresolved, EdgeTarget::Unknown(format!("{module}#{name}")))
        };
        match named {
            Named::Module(file) => (EdgeStatus::Resolved, EdgeTarget::Node(GraphNode::File(FileId(*file)))),
            Named::External(module, name) => {
                (EdgeStatus::External, EdgeTarget::External { module: module.clone(), name: name.clone() })
            }
            Named::Builtin(module, name) => {
                let name = name.as_ref().map_or_else(|| module.clone(), |name| format!("{module}.{name}"));
                (EdgeStatus::Builtin, EdgeTarget::Builtin(name))
            }
            Named::Nothing => missing(),
            other => {
                let nodes = self.named_nodes(other);
                if nodes.is_empty() { missing() } else { resolved_or_ambiguous(nodes, name) }
            }
        }
    }

    /// The elements that an imported or exported name stands for.
    fn named_nodes(&self, named: &Named) -> Vec<GraphNode> {
        match named {
            Named::Symbol(at) => match any_element(self.world, *at, false).and_then(|at| self.node(at)) {
                Some(node) => vec![node],
                None => Vec::new(),
            },
            Named::Expr(at) => self.expression_node(*at).into_iter().collect(),
            Named::Several(all) => {
                let mut nodes: Vec<GraphNode> = all.iter().flat_map(|named| self.named_nodes(named)).collect();
                nodes.sort_unstable();
                nodes.dedup();
                nodes
            }
            Named::Module(file) => vec![GraphNode::File(FileId(*file))],
            _ => Vec::new(),
        }
    }

    /// The element of an exported expression.
    fn expression_node(&self, at: Gid) -> Option<GraphNode> {
        let element = match self.world.expr(at.file, at.id) {
            Expr::Function(id) => self.world.function(Gid { file: at.file, id: *id })?.element,
            Expr::Class(id) => self.world.shape(Gid { file: at.file, id: *id })?.element,
            Expr::Symbol(id) => {
                let found = any_element(self.world, Gid { file: at.file, id: *id }, false)?;
                return self.node(found);
            }
            _ => None,
        };
        if let Some(id) = element {
            return self.node(Gid { file: at.file, id });
        }
        self.node(Gid { file: at.file, id: self.default_constant(at.file)? })
    }

    /// The element of a value that is exported as the default; looked for once a file.
    fn default_constant(&self, file: u32) -> Option<u32> {
        let is_one = |element: &Element| {
            element.kind == ElementKind::Constant && element.export == Exporting::Default && element.parent.is_none()
        };
        let look = || self.project.elements_of(FileId(file)).iter().position(is_one);
        let known = *self.defaults.borrow_mut().entry(file).or_insert_with(look);
        known.and_then(|local| u32::try_from(local).ok())
    }

    fn add_export_edges(&mut self) {
        for export in &self.world.facts(self.file).exports {
            match &export.what {
                ScriptExportTarget::All(_) => self.star_export(export),
                _ => self.one_export(&export.name, export),
            }
        }
    }

    fn one_export(&mut self, name: &str, export: &ScriptExport) {
        let named = self.world.exported(self.file, name);
        let target = match &named {
            Named::External(module, name) => {
                (EdgeStatus::External, EdgeTarget::External { module: module.clone(), name: name.clone() })
            }
            other => {
                let nodes = self.named_nodes(other);
                if nodes.is_empty() {
                    // A local value without an element of its own.
                    if matches!(export.what, ScriptExportTarget::Symbol(_) | ScriptExportTarget::Expr(_)) {
                        return;
                    }
                    (EdgeStatus::Unresolved, EdgeTarget::Unknown(name.to_owned()))
                } else {
                    resolved_or_ambiguous(nodes, name)
                }
            }
        };
        let (status, to) = target;
        let status = if export.type_only && status == EdgeStatus::Resolved { EdgeStatus::TypeOnly } else { status };
        self.add(self.file_node(), EdgeKind::Export, (status, to), export.at);
    }

    /// `export * from`: all names of the other module but `default`.
    fn star_export(&mut self, export: &ScriptExport) {
        let ScriptExportTarget::All(import) = export.what else { return };
        let Some(ResolvedSpecifier::File(FileId(target))) = self.world.module(self.file, import) else { return };
        let mut names = self.world.export_names(*target);
        names.sort_unstable();
        names.dedup();
        for name in names.iter().filter(|name| *name != "default" && *name != "=") {
            let nodes = self.named_nodes(&self.world.exported(self.file, name));
            if !nodes.is_empty() {
                let (status, to) = resolved_or_ambiguous(nodes, name);
                let status =
                    if export.type_only && status == EdgeStatus::Resolved { EdgeStatus::TypeOnly } else { status };
                self.add(self.file_node(), EdgeKind::Export, (status, to), export.at);
            }
        }
    }

    fn add_heritage_edges(&mut self) {
        for shape in &self.world.facts(self.file).shapes {
            let Some(element) = shape.element else { continue };
            let from = self.origin(Some(element));
            self.infer.restart();
            if let Some((value, _, at)) = &shape.superclass {
                let target = self.superclass(*value);
                self.add(from, EdgeKind::Extends, target, *at);
            }
            self.written_heritage(from, shape);
        }
    }

    fn written_heritage(&mut self, from: GraphNode, shape: &ObjectShape) {
        let all = shape.extends.iter().map(|it| (it, EdgeKind::Extends));
        for ((ty, at), kind) in all.chain(shape.implements.iter().map(|it| (it, EdgeKind::Implements))) {
            let target = self.heritage_type(*ty);
            self.add(from, kind, target, *at);
        }
    }

    fn superclass(&self, value: u32) -> (EdgeStatus, EdgeTarget) {
        let callee = self.infer.expr_callee(self.file, value);
        match callee {
            Callee::Elements(found) => {
                let nodes: Vec<GraphNode> = found.iter().filter_map(|at| self.node(*at)).collect();
                if nodes.is_empty() { unresolved_target("extends") } else { resolved_or_ambiguous(nodes, "extends") }
            }
            other => non_element_target(other, "extends"),
        }
    }

    /// The element of a written type: what its name declares, not what it stands for.
    fn heritage_type(&self, ty: u32) -> (EdgeStatus, EdgeTarget) {
        use crate::script::facts::Type;
        let by_name = |named: &Named| match named {
            Named::Symbol(at) => any_element(self.world, *at, true).and_then(|at| self.node(at)),
            _ => None,
        };
        let declared = match self.world.ty(self.file, ty) {
            Type::Symbol(symbol, _) => {
                let named = self.world.follow_import(Gid { file: self.file, id: *symbol }, &mut Vec::new());
                by_name(&named)
            }
            Type::Member(left, name, _) => match self.world.ty(self.file, *left) {
                Type::Symbol(symbol, _) => match self.infer.symbol_type(Gid { file: self.file, id: *symbol }) {
                    Ty::Module(module) => by_name(&self.world.exported(module, name)),
                    Ty::Space(space) => {
                        let at = self.infer.space_symbol(space, name);
                        at.and_then(|at| any_element(self.world, at, true)).and_then(|at| self.node(at))
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(node) = declared {
            return (EdgeStatus::Resolved, EdgeTarget::Node(node));
        }
        match self.infer.resolve_type(self.file, ty, &Env::default()) {
            Ty::Instance(shape, _) => {
                let element = self.world.shape(shape).and_then(|known| known.element);
                let node = element.and_then(|id| self.node(Gid { file: shape.file, id }));
                node.map_or_else(|| unresolved_target("type"), |node| (EdgeStatus::Resolved, EdgeTarget::Node(node)))
            }
            Ty::External(module) => {
                (EdgeStatus::External, EdgeTarget::External { module: module.to_string(), name: None })
            }
            Ty::Builtin(name, _) => (EdgeStatus::Builtin, EdgeTarget::Builtin(name.to_string())),
            _ => unresolved_target("type"),
        }
    }

    fn add_call_edges(&mut self) {
        // The calls inside come after those around them: from the inside out, each question finds the ones before it
        // answered.
        for call in self.world.facts(self.file).calls.iter().rev() {
            let target = match self.infer.callee(self.file, call.expr) {
                Callee::Nothing => continue,
                Callee::Elements(found) => {
                    let nodes: Vec<GraphNode> = found.iter().filter_map(|at| self.node(*at)).collect();
                    if nodes.is_empty() {
                        unresolved_target(&call.text)
                    } else {
                        resolved_or_ambiguous(nodes, &call.text)
                    }
                }
                other => non_element_target(other, &call.text),
            };
            self.add(self.origin(call.from), EdgeKind::Call, target, call.at);
        }
    }
}

fn unresolved_target(text: &str) -> (EdgeStatus, EdgeTarget) {
    (EdgeStatus::Unresolved, EdgeTarget::Unknown(text.to_owned()))
}

/// One node is proven, several are candidates.
fn resolved_or_ambiguous(mut nodes: Vec<GraphNode>, name: &str) -> (EdgeStatus, EdgeTarget) {
    nodes.sort_unstable();
    nodes.dedup();
    match nodes.as_slice() {
        [node] => (EdgeStatus::Resolved, EdgeTarget::Node(*node)),
        _ => (EdgeStatus::Ambiguous, EdgeTarget::Candidates { name: name.to_owned(), nodes }),
    }
}

fn non_element_target(callee: Callee, text: &str) -> (EdgeStatus, EdgeTarget) {
    match callee {
        Callee::External(module, name) => (EdgeStatus::External, EdgeTarget::External { module, name }),
        Callee::Builtin(name) => (EdgeStatus::Builtin, EdgeTarget::Builtin(name)),
        Callee::Dynamic => (EdgeStatus::Dynamic, EdgeTarget::Unknown(text.to_owned())),
        _ => unresolved_target(text),
    }
}
