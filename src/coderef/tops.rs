//! The elements at the top of files, by name.

use rayon::prelude::*;

use super::family::{LanguageFacts, Project};
use super::model::{ElementId, FileId};

/// Of the files of one family.
pub(super) struct Tops<'a> {
    /// Sorted.
    all: Vec<(FileId, &'a str, ElementId)>,
}

impl<'a> Tops<'a> {
    pub(super) fn new(project: &Project<'a>, wanted: impl Fn(&LanguageFacts) -> bool) -> Self {
        let files = (0..).map(FileId).zip(project.facts);
        let mut all = Vec::new();
        for (file, _) in files.filter(|(_, facts)| wanted(facts)) {
            let own = (0..).zip(project.elements_of(file)).filter(|(_, element)| element.parent.is_none());
            all.extend(
                own.filter_map(|(local, element)| {
                    Some((file, element.name.as_str(), project.element_id(file, local)?))
                }),
            );
        }
        all.par_sort_unstable();
        Self { all }
    }

    /// The elements of a name at the top of a file, in order of position.
    pub(super) fn named(&self, file: FileId, name: &str) -> impl Iterator<Item = ElementId> {
        let from = self.all.partition_point(|(of, each, _)| (*of, *each) < (file, name));
        let all = self.all.iter().skip(from);
        all.take_while(move |(of, each, _)| (*of, *each) == (file, name)).map(|(_, _, id)| *id)
    }
}
