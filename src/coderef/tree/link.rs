//! The edges between files of Rust, Go, Java, C and C++.

use super::callables::Callables;
use super::evaluation::Evaluator as _;
use super::go::{GoEvaluator, GoModules, GoPackages};
use super::imports::TreeSitterImportResolver;
use super::java::{JavaEvaluator, JavaPackages};
use super::meaning::CalleeMeaning;
use super::rust::{RustEvaluator, RustModules};
use super::{Receiver, TreeSitterCall, TreeSitterFacts, TreeSitterImport};
use crate::family;
use crate::family::{Linked, Project};
use crate::model::{
    Edge, EdgeKind, EdgeStatus, EdgeTarget, Element, ElementId, ElementKind, ExportKind, FileId, GraphNode, Language,
    Passage, Taken,
};
use crate::tops::Tops;

/// The edges between the files of this family, and what they take from each other besides.
#[must_use]
pub fn link_tree_sitter_files(project: &Project<'_>) -> Linked {
    let trees = project.facts.iter().any(|facts| matches!(facts, family::LanguageFacts::Tree(_)));
    if !trees {
        return Linked::default();
    }
    let modules = GoModules::new(project);
    let packages = GoPackages::new(project, &modules);
    let (rust_modules, java_packages) = (RustModules::new(project), JavaPackages::new(project));
    let files = TreeSitterImportResolver::new(project, &modules, rust_modules.crates());
    let callables = Callables::new(project);
    let tops = Tops::new(project, |facts| matches!(facts, family::LanguageFacts::Tree(_)));
    let java = JavaEvaluator::new(&java_packages);
    let (go, rust) = (GoEvaluator::new(&packages), RustEvaluator::new(&rust_modules));
    let mut linker = Linker { project, files, callables, tops, go, rust, java, found: Linked::default() };
    for (file, facts) in (0..).map(FileId).zip(project.facts) {
        if let family::LanguageFacts::Tree(facts) = facts {
            linker.link_file(file, facts);
        }
    }
    linker.found
}

struct Linker<'a> {
    project: &'a Project<'a>,
    files: TreeSitterImportResolver<'a>,
    callables: Callables<'a>,
    tops: Tops<'a>,
    go: GoEvaluator<'a>,
    rust: RustEvaluator<'a>,
    java: JavaEvaluator<'a>,
    found: Linked,
}

impl<'a> Linker<'a> {
    fn link_file(&mut self, file: FileId, facts: &TreeSitterFacts) {
        for import in &facts.imports {
            self.link_import(file, import);
        }
        for call in &facts.calls {
            self.link_call(file, call);
        }
        for (local, element) in (0..).zip(self.project.elements_of(file)) {
            if element.export == ExportKind::Named
                && element.parent.is_none()
                && let Some(id) = self.project.element_id(file, local)
            {
                let sites = vec![(element.span.line, element.span.column)];
                let to = EdgeTarget::Node(GraphNode::Element(id));
                let from = GraphNode::File(file);
                self.found.edges.push(Edge { from, kind: EdgeKind::Export, status: EdgeStatus::Resolved, to, sites });
            }
        }
    }

    fn link_import(&mut self, file: FileId, import: &TreeSitterImport) {
        let (files, member) = self.files.resolve_import(file, import);
        let one = match (member, files.as_slice()) {
            (Some(member), [one]) => self.member(*one, &member),
            _ => None,
        };
        let mut add = |status, to| {
            let sites = vec![(import.line, import.column)];
            self.found.edges.push(Edge { from: GraphNode::File(file), kind: EdgeKind::Import, status, to, sites });
        };
        if files.is_empty() {
            let own = import.form == super::TreeSitterImportForm::Module
                || ["crate", "self", "super"]
                    .iter()
                    .any(|word| import.name.strip_prefix(word).is_some_and(|rest| rest.starts_with("::")));
            return if own || import.form == super::TreeSitterImportForm::Quoted {
                add(EdgeStatus::Unresolved, EdgeTarget::Unknown(import.name.clone()));
            } else {
                add(EdgeStatus::External, EdgeTarget::External { module: import.name.clone(), name: None });
            };
        }
        for found in &files {
            add(EdgeStatus::Resolved, EdgeTarget::Node(GraphNode::File(*found)));
        }
        if import.form == super::TreeSitterImportForm::Module {
            let declared =
                |through: &FileId| Passage { by: file, through: *through, site: (import.line, import.column) };
            self.found.passages.extend(files.iter().map(declared));
        }
        if let Some(id) = one {
            add(EdgeStatus::Resolved, EdgeTarget::Node(GraphNode::Element(id)));
        } else {
            let whole = files.iter().map(|from| Taken { by: file, from: *from, name: None, type_only: false });
            self.found.taken.extend(whole);
        }
    }

    /// The one element at the top of a file that has this name.
    fn member(&self, file: FileId, name: &str) -> Option<ElementId> {
        let mut same = self.tops.named(file, name);
        let first = same.next()?;
        same.next().is_none().then_some(first)
    }

    fn link_call(&mut self, file: FileId, call: &TreeSitterCall) {
        let language = self.project.files.get(file.0 as usize).map_or(Language::C, |file| file.language);
        let from = call.element.and_then(|local| self.project.element_id(file, local));
        let meaning = match language {
            Language::Go => self.go.meaning(file, call),
            Language::Rust => self.rust.meaning(file, call),
            Language::Java => self.java.meaning(file, call),
            _ => self.proven_callee(file, call, from).map_or(CalleeMeaning::Unknown, CalleeMeaning::Proven),
        };
        let Some((status, to)) = self.target(language, call, meaning) else { return };
        let from = from.map_or(GraphNode::File(file), GraphNode::Element);
        self.found.edges.push(Edge { from, kind: EdgeKind::Call, status, to, sites: vec![(call.line, call.column)] });
    }

    /// Where a call of some meaning leads; nowhere when it is none.
    fn target(
        &self,
        language: Language,
        call: &TreeSitterCall,
        meaning: CalleeMeaning,
    ) -> Option<(EdgeStatus, EdgeTarget)> {
        let name = || call.name.clone();
        let any_of = |some: &[ElementId]| {
            let nodes = some.iter().copied().map(GraphNode::Element).collect();
            (EdgeStatus::Ambiguous, EdgeTarget::Candidates { name: name(), nodes })
        };
        Some(match meaning {
            CalleeMeaning::Proven(id) => (EdgeStatus::Resolved, EdgeTarget::Node(GraphNode::Element(id))),
            CalleeMeaning::OneOf(some) => any_of(&some),
            CalleeMeaning::Outside(module) => {
                (EdgeStatus::External, EdgeTarget::External { module, name: Some(name()) })
            }
            CalleeMeaning::BuiltIn => (EdgeStatus::Builtin, EdgeTarget::Builtin(name())),
            CalleeMeaning::NoCall => return None,
            CalleeMeaning::Held => (EdgeStatus::Unresolved, EdgeTarget::Unknown(name())),
            CalleeMeaning::Unknown => match self.callables.candidates(language, call.receiver, &call.name) {
                [] => (EdgeStatus::Unresolved, EdgeTarget::Unknown(name())),
                some => any_of(some),
            },
        })
    }

    fn element(&self, id: ElementId) -> Option<&'a Element> {
        self.project.elements.get(id.0 as usize)
    }

    /// The one function of this file that a bare call means, or the one method of the type at hand.
    fn proven_callee(&self, file: FileId, call: &TreeSitterCall, from: Option<ElementId>) -> Option<ElementId> {
        match call.receiver {
            Receiver::None => {
                let around = std::iter::successors(from, |id| self.element(*id)?.parent).map(GraphNode::Element);
                self.callables.only(around.chain([GraphNode::File(file)]), ElementKind::Function, &call.name)
            }
            Receiver::Own => {
                let holder = from.and_then(|id| self.holder(id)).map(GraphNode::Element);
                self.callables.only(holder.into_iter(), ElementKind::Method, &call.name)
            }
            Receiver::Other => None,
        }
    }

    /// The type that the code of an element is in.
    fn holder(&self, id: ElementId) -> Option<ElementId> {
        let mut at = self.element(id)?;
        loop {
            let parent = at.parent?;
            let holder = self.element(parent)?;
            if matches!(
                holder.kind,
                ElementKind::Class | ElementKind::Enum | ElementKind::Interface | ElementKind::Type
            ) {
                return Some(parent);
            }
            at = holder;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::Graph;
    use crate::impact::{ImpactRequest, Operation, analyze_element_impact};
    use crate::sample_links::index_of_project;

    /// What changing an element touches for certain, how much is uncertain, and the tests that reach it.
    fn impact(files: &[(&str, &str)], element: &str) -> (Vec<String>, usize, Vec<String>) {
        let index = index_of_project(files);
        let operation = Operation::Modify;
        let request = ImpactRequest { element: element.to_owned(), operation, max_depth: None, limit: None };
        let report = analyze_element_impact(&Graph::new(&index), &request).unwrap();
        let certain = report.dependents.iter().filter(|dependent| dependent.status == "resolved");
        let names = certain.map(|dependent| format!("{}:{}", dependent.place.file, dependent.place.name)).collect();
        (names, report.uncertain, report.tests)
    }

    #[test]
    fn what_a_change_touches_crosses_files_of_each_language() {
        let go = impact(
            &[
                ("go.mod", "module example.org/app\n"),
                ("store/s.go", "package store\n\ntype Store struct{}\n\nfunc (s *Store) Save() {}\n"),
                (
                    "other/o.go",
                    "package other\n\ntype Other struct{}\n\nfunc (o *Other) Save() {}\n\nfunc F(o *Other) { o.Save() }\n",
                ),
                (
                    "main.go",
                    "package main\n\nimport \"example.org/app/store\"\n\nfunc run(s *store.Store) { s.Save() }\n\nfunc main() { run(nil) }\n",
                ),
                ("main_test.go", "package main\n\nfunc TestRun(t T) { run(nil) }\n"),
            ],
            "Store.Save",
        );
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(go, (named(&["main.go:run", "main.go:main"]), 0, named(&["main_test.go"])));
        let rust = impact(
            &[
                ("src/lib.rs", "mod store;\nmod other;\npub use store::Store;\npub fn run(s: &Store) { s.save(); }\n"),
                (
                    "src/store.rs",
                    "pub struct Store;\nimpl Store { pub fn save(&self) {} pub fn new() -> Self { Store } }\n",
                ),
                (
                    "src/other.rs",
                    "pub struct Other;\nimpl Other { pub fn save(&self) {} }\npub fn f(o: &Other) { o.save(); }\n",
                ),
                ("Cargo.toml", "[package]\nname = \"app\"\n"),
                ("tests/it.rs", "#[test]\nfn works() { app::run(&app::Store::new()); }\n"),
            ],
            "Store.save",
        );
        assert_eq!(rust, (named(&["src/lib.rs:run"]), 0, named(&["tests/it.rs"])));
        let java = impact(
            &[
                ("src/a/Store.java", "package a;\npublic class Store { public void save() {} }\n"),
                ("src/b/Other.java", "package b;\npublic class Other { public void save() {} }\n"),
                (
                    "src/b/Main.java",
                    "package b;\nimport a.Store;\nclass Main { void run(Store s, Other o) { s.save(); } void go(Other o) { o.save(); } }\n",
                ),
            ],
            "Store.save",
        );
        assert_eq!(java, (named(&["src/b/Main.java:Main.run"]), 0, Vec::new()));
    }
}
