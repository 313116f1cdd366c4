//! The edges between files of Rust, Go, Java, C and C++.

use super::callables::Callables;
use super::imports::Files;
use super::{Call, Facts, Import, Receiver};
use crate::family;
use crate::family::{Linked, Project};
use crate::model::{Edge, EdgeKind, Element, ElementId, Export, FileId, Kind, Language, Node, Status, Taken, Target};
use crate::tops::Tops;

/// The edges between the files of this family, and what they take from each other besides.
#[must_use]
pub fn link(project: &Project<'_>) -> Linked {
    let trees = project.facts.iter().any(|facts| matches!(facts, family::Facts::Tree(_)));
    if !trees {
        return Linked::default();
    }
    let (files, callables) = (Files::new(project), Callables::new(project));
    let tops = Tops::new(project, |facts| matches!(facts, family::Facts::Tree(_)));
    let mut linker = Linker { project, files, callables, tops, found: Linked::default() };
    for (file, facts) in (0..).map(FileId).zip(project.facts) {
        if let family::Facts::Tree(facts) = facts {
            linker.file(file, facts);
        }
    }
    linker.found
}

struct Linker<'a> {
    project: &'a Project<'a>,
    files: Files<'a>,
    callables: Callables<'a>,
    tops: Tops<'a>,
    found: Linked,
}

impl<'a> Linker<'a> {
    fn file(&mut self, file: FileId, facts: &Facts) {
        for import in &facts.imports {
            self.import(file, import);
        }
        for call in &facts.calls {
            self.call(file, call);
        }
        for (local, element) in (0..).zip(self.project.elements_of(file)) {
            if element.export == Export::Named
                && element.parent.is_none()
                && let Some(id) = self.project.element_id(file, local)
            {
                let sites = vec![(element.span.line, element.span.column)];
                let to = Target::Node(Node::Element(id));
                let from = Node::File(file);
                self.found.edges.push(Edge { from, kind: EdgeKind::Export, status: Status::Resolved, to, sites });
            }
        }
    }

    fn import(&mut self, file: FileId, import: &Import) {
        let (files, member) = self.files.find(file, import);
        let one = match (member, files.as_slice()) {
            (Some(member), [one]) => self.member(*one, &member),
            _ => None,
        };
        let mut add = |status, to| {
            let sites = vec![(import.line, import.column)];
            self.found.edges.push(Edge { from: Node::File(file), kind: EdgeKind::Import, status, to, sites });
        };
        if files.is_empty() {
            let own = import.form == super::Form::Module
                || ["crate", "self", "super"]
                    .iter()
                    .any(|word| import.name.strip_prefix(word).is_some_and(|rest| rest.starts_with("::")));
            return if own || import.form == super::Form::Quoted {
                add(Status::Unresolved, Target::Unknown(import.name.clone()));
            } else {
                add(Status::External, Target::External { module: import.name.clone(), name: None });
            };
        }
        for found in &files {
            add(Status::Resolved, Target::Node(Node::File(*found)));
        }
        if let Some(id) = one {
            add(Status::Resolved, Target::Node(Node::Element(id)));
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

    fn call(&mut self, file: FileId, call: &Call) {
        let language = self.project.files.get(file.0 as usize).map_or(Language::C, |file| file.language);
        let from = call.element.and_then(|local| self.project.element_id(file, local));
        let candidates = || self.callables.candidates(language, call.receiver, &call.name);
        let (status, to) = match self.proven(file, call, from) {
            Some(id) => (Status::Resolved, Target::Node(Node::Element(id))),
            None => match candidates() {
                [] => (Status::Unresolved, Target::Unknown(call.name.clone())),
                some => {
                    let nodes = some.iter().copied().map(Node::Element).collect();
                    (Status::Ambiguous, Target::Candidates { name: call.name.clone(), nodes })
                }
            },
        };
        let from = from.map_or(Node::File(file), Node::Element);
        self.found.edges.push(Edge { from, kind: EdgeKind::Call, status, to, sites: vec![(call.line, call.column)] });
    }

    fn element(&self, id: ElementId) -> Option<&'a Element> {
        self.project.elements.get(id.0 as usize)
    }

    /// The one function of this file that a bare call means, or the one method of the type at hand.
    fn proven(&self, file: FileId, call: &Call, from: Option<ElementId>) -> Option<ElementId> {
        match call.receiver {
            Receiver::None => {
                let around = std::iter::successors(from, |id| self.element(*id)?.parent).map(Node::Element);
                self.callables.only(around.chain([Node::File(file)]), Kind::Function, &call.name)
            }
            Receiver::Own => {
                let holder = from.and_then(|id| self.holder(id)).map(Node::Element);
                self.callables.only(holder.into_iter(), Kind::Method, &call.name)
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
            if matches!(holder.kind, Kind::Class | Kind::Enum | Kind::Interface | Kind::Type) {
                return Some(parent);
            }
            at = holder;
        }
    }
}
