//! Reading what is installed in the project.

use crate::extract::python;
use crate::symbol::{FORMAT, LibraryIndex};
use crate::tree::Installed;
use tapps_base::Result;
use tapps_project::packages::installed::InstalledPackage;
use tapps_sandbox::Boundary;

/// Reads the API and the texts of an installed distribution.
///
/// # Errors
/// What extraction says.
pub(super) fn extract_python(
    boundary: &Boundary,
    install: &InstalledPackage,
    files: Vec<String>,
    record: &str,
) -> Result<LibraryIndex> {
    let wanted = files.into_iter().filter(|path| python::is_wanted(path)).collect();
    let tree = Installed::new(boundary, &install.folder, wanted);
    let (symbols, guides) = python::symbols_and_guides(&tree)?;
    Ok(LibraryIndex {
        format: FORMAT,
        ecosystem: install.ecosystem,
        library: install.library.clone(),
        version: install.version.clone(),
        source_sha256: record.to_owned(),
        symbols,
        guides,
    })
}
