//! Linking file by file, on all cores. Nothing that is worked out for one file is used for another, so that the answer
//! does not depend on which thread came first.

use rayon::prelude::*;

use super::edges;
use super::world::World;
use crate::family::{LanguageFacts, Linked, Project};

/// The edges between the files of this family, and what they take from each other besides.
#[must_use]
pub fn link_scripts(project: &Project<'_>) -> Linked {
    if !project.facts.iter().any(|facts| matches!(facts, LanguageFacts::Script(_))) {
        return Linked::default();
    }
    let world = World::new(project);
    let files = u32::try_from(project.files.len()).unwrap_or(u32::MAX);
    // Few at once, so that no core is left with a long row of them.
    let parts: Vec<Linked> =
        (0..files).into_par_iter().with_max_len(8).map(|file| edges::of_file(project, &world, file)).collect();
    let problems = Linked { problems: world.problems(), ..Linked::default() };
    parts.into_iter().chain([problems]).collect()
}
