//! What can be called, by name. A generated file may have a hundred thousand of one name, so that of no name more are
//! kept than change an answer.

use std::collections::HashMap;

use super::Receiver;
use crate::family::{LanguageFacts, Project};
use crate::model::{ElementId, ElementKind, GraphNode, Language};

/// Elements of one name that are listed as what a call may mean.
const MOST_CANDIDATES: usize = 10;

pub(super) struct Callables<'a> {
    /// Of a language, what fits a receiver: one more than are listed.
    anywhere: HashMap<(Language, Receiver, &'a str), Vec<ElementId>>,
    /// In a file or an element, of a kind: the first, and whether it is the only one.
    within: HashMap<(GraphNode, ElementKind, &'a str), (ElementId, bool)>,
}

impl<'a> Callables<'a> {
    pub(super) fn new(project: &Project<'a>) -> Self {
        let (mut anywhere, mut within) = (HashMap::<_, Vec<_>>::new(), HashMap::new());
        for (id, element) in (0..).map(ElementId).zip(project.elements) {
            let at = element.file.0 as usize;
            let Some((file, LanguageFacts::Tree(_))) = project.files.get(at).zip(project.facts.get(at)) else {
                continue;
            };
            if !matches!(
                element.kind,
                ElementKind::Function | ElementKind::Method | ElementKind::Constructor | ElementKind::Class
            ) {
                continue;
            }
            let name = element.name.as_str();
            for receiver in
                [Receiver::None, Receiver::Own, Receiver::Other].into_iter().filter(|it| fits(element.kind, *it))
            {
                let same = anywhere.entry((dialect(file.language), receiver, name)).or_default();
                if same.len() <= MOST_CANDIDATES {
                    same.push(id);
                }
            }
            let holder = element.parent.map_or(GraphNode::File(element.file), GraphNode::Element);
            within.entry((holder, element.kind, name)).and_modify(|(_, only)| *only = false).or_insert((id, true));
        }
        Self { anywhere, within }
    }

    /// What a call may mean, as far as its name tells; nothing when that is too much.
    pub(super) fn candidates<'b>(&'b self, language: Language, receiver: Receiver, name: &'b str) -> &'b [ElementId] {
        let same = self.anywhere.get(&(dialect(language), receiver, name)).map(Vec::as_slice).unwrap_or_default();
        if same.len() > MOST_CANDIDATES { &[] } else { same }
    }

    /// The only one of a kind and name in any of some places.
    pub(super) fn only(
        &self,
        places: impl Iterator<Item = GraphNode>,
        kind: ElementKind,
        name: &str,
    ) -> Option<ElementId> {
        let mut found = places.filter_map(|place| self.within.get(&(place, kind, name)));
        match (found.next(), found.next()) {
            (Some((id, true)), None) => Some(*id),
            _ => None,
        }
    }
}

/// C and C++ call each other.
fn dialect(language: Language) -> Language {
    if language == Language::Cpp { Language::C } else { language }
}

fn fits(kind: ElementKind, receiver: Receiver) -> bool {
    match receiver {
        Receiver::None => matches!(kind, ElementKind::Function | ElementKind::Class),
        Receiver::Own => kind == ElementKind::Method,
        Receiver::Other => kind != ElementKind::Class,
    }
}
