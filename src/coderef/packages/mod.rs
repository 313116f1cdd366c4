//! Where the packages of a project lie, by what their manifests say.

mod go_modules;
mod rust_crates;

pub use go_modules::GoModulePaths;
pub use rust_crates::RustCrates;

use tapps_sandbox::Boundary;

use crate::tree::paths::join;

/// Bytes of a manifest that are read.
const MOST_BYTES: u64 = 1 << 20;

/// A manifest: the folder where it lies, and its text.
pub type Manifest<'f> = (&'f str, String);

/// The manifests of one name in some folders, as far as they can be read.
pub fn read_manifests<'f>(
    boundary: &Boundary,
    name: &str,
    folders: impl IntoIterator<Item = &'f str>,
) -> Vec<Manifest<'f>> {
    let read = |folder: &'f str| {
        let path = boundary.resolve(&join(folder, name)).ok().filter(|path| boundary.is_there(path))?;
        Some((folder, String::from_utf8(boundary.read(&path, MOST_BYTES).ok()?).ok()?))
    };
    folders.into_iter().filter_map(read).collect()
}

/// The folders that a file lies in, the nearest first and the root of the project, which is the empty one, last.
pub(crate) fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let parent = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    std::iter::successors(Some(parent(path)), move |end| (*end > 0).then(|| path.get(..*end).map_or(0, parent)))
        .filter_map(|end| path.get(..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_go_up_to_the_root() {
        assert_eq!(folders_above("a/b/c.rs").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(folders_above("c.rs").collect::<Vec<_>>(), [""]);
    }
}
