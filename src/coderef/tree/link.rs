//! The edges between files of Rust, Go, Java, C and C++.

use std::collections::HashMap;

use super::imports::Files;
use super::{Call, Facts, Import, Receiver};
use crate::coderef::family::{self, Linked, Project};
use crate::coderef::model::{
    Edge, EdgeKind, Element, ElementId, Export, FileId, Kind, Lang, Node, Status, Taken, Target,
};

/// Elements of one name that are listed as what a call may mean.
const MOST_CANDIDATES: usize = 10;

/// The edges between the files of this family, and what they take from each other besides.
#[must_use]
pub fn link(project: &Project<'_>) -> Linked {
    let trees = project.facts.iter().any(|facts| matches!(facts, family::Facts::Tree(_)));
    if !trees {
        return Linked::default();
    }
    let mut linker = Linker { project, files: Files::new(project), named: named(project), found: Linked::default() };
    for (file, facts) in (0..).map(FileId).zip(project.facts) {
        if let family::Facts::Tree(facts) = facts {
            linker.file(file, facts);
        }
    }
    linker.found
}

/// C and C++ call each other.
fn dialect(language: Lang) -> Lang {
    if language == Lang::Cpp { Lang::C } else { language }
}

type Named<'a> = HashMap<(Lang, &'a str), Vec<ElementId>>;

fn named<'a>(project: &Project<'a>) -> Named<'a> {
    let mut named: Named<'a> = HashMap::new();
    for (id, element) in (0..).map(ElementId).zip(project.elements) {
        let language = project.files.get(element.file.0 as usize).map(|file| dialect(file.language));
        let callable = matches!(element.kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Class);
        if let Some(language) = language.filter(|_| callable) {
            named.entry((language, &element.name)).or_default().push(id);
        }
    }
    named
}

struct Linker<'a> {
    project: &'a Project<'a>,
    files: Files<'a>,
    named: Named<'a>,
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
        let elements = (0..).zip(self.project.elements_of(file));
        let mut same = elements.filter(|(_, element)| element.name == name && element.parent.is_none());
        match (same.next(), same.next()) {
            (Some((local, _)), None) => self.project.element_id(file, local),
            _ => None,
        }
    }

    fn call(&mut self, file: FileId, call: &Call) {
        let language = self.project.files.get(file.0 as usize).map_or(Lang::C, |file| dialect(file.language));
        let from = call.element.and_then(|local| self.project.element_id(file, local));
        let same = self.named.get(&(language, call.name.as_str())).map(Vec::as_slice).unwrap_or_default();
        let (status, to) = match self.proven(file, call, from, same) {
            Some(id) => (Status::Resolved, Target::Node(Node::Element(id))),
            None => {
                let fits = |id: &&ElementId| self.fits(**id, &call.receiver);
                let nodes: Vec<Node> = same.iter().filter(fits).copied().map(Node::Element).collect();
                if nodes.is_empty() || nodes.len() > MOST_CANDIDATES {
                    (Status::Unresolved, Target::Unknown(call.name.clone()))
                } else {
                    (Status::Ambiguous, Target::Candidates { name: call.name.clone(), nodes })
                }
            }
        };
        let from = from.map_or(Node::File(file), Node::Element);
        self.found.edges.push(Edge { from, kind: EdgeKind::Call, status, to, sites: vec![(call.line, call.column)] });
    }

    fn element(&self, id: ElementId) -> Option<&'a Element> {
        self.project.elements.get(id.0 as usize)
    }

    fn fits(&self, id: ElementId, receiver: &Receiver) -> bool {
        let Some(element) = self.element(id) else { return false };
        match receiver {
            Receiver::None => matches!(element.kind, Kind::Function | Kind::Class),
            Receiver::Own => element.kind == Kind::Method,
            Receiver::Other => !matches!(element.kind, Kind::Class),
        }
    }

    /// The one function of this file that a bare call means, or the one method of the type at hand.
    fn proven(&self, file: FileId, call: &Call, from: Option<ElementId>, same: &[ElementId]) -> Option<ElementId> {
        let mut fitting = same.iter().copied().filter(|id| {
            let Some(element) = self.element(*id).filter(|element| element.file == file) else { return false };
            match call.receiver {
                Receiver::None => element.kind == Kind::Function && self.sees(from, element),
                Receiver::Own => {
                    let holder = from.and_then(|id| self.holder(id));
                    element.kind == Kind::Method && element.parent.is_some() && element.parent == holder
                }
                Receiver::Other => false,
            }
        });
        let one = fitting.next()?;
        fitting.next().is_none().then_some(one)
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

    /// True for a function of the file or module that the call is in.
    fn sees(&self, from: Option<ElementId>, element: &Element) -> bool {
        let mut holders = Vec::new();
        let mut at = from;
        while let Some(id) = at {
            at = self.element(id).and_then(|element| element.parent);
            holders.push(id);
        }
        element.parent.is_none_or(|parent| holders.contains(&parent))
    }
}
