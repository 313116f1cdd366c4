//! Linking file by file, on all cores. Nothing that is worked out for one file is used for another, so that the answer
//! does not depend on which thread came first.

use rayon::prelude::*;

use super::edges;
use super::world::World;
use crate::coderef::family::{Facts, Project};
use crate::coderef::model::Edge;

/// The edges between the files of this family.
#[must_use]
pub fn link(project: &Project<'_>) -> Vec<Edge> {
    if !project.facts.iter().any(|facts| matches!(facts, Facts::Script(_))) {
        return Vec::new();
    }
    let world = World::new(project);
    let files = u32::try_from(project.files.len()).unwrap_or(u32::MAX);
    (0..files).into_par_iter().flat_map_iter(|file| edges::of_file(project, &world, file)).collect()
}
