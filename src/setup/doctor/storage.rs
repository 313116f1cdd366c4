//! Folders that are kept between runs, and the documentation in them.

use std::path::Path;

use super::report::Finding;
use super::{Patient, finding_from_error};
use tapps_docs::bundle::Shelf;

#[derive(Debug, Clone, Copy)]
pub(super) enum Which {
    Data,
    Cache,
}

pub(super) fn check_storage_folder(patient: &Patient, which: Which) -> Finding {
    let settings = match &patient.settings {
        Ok(settings) => settings,
        Err(error) => return finding_from_error(error),
    };
    let (folder, variable) = match which {
        Which::Data => (&settings.data_dir, "TAPPS_MCP_DATA_DIR"),
        Which::Cache => (&settings.cache_dir, "TAPPS_MCP_CACHE_DIR"),
    };
    match writable(folder) {
        Ok(()) => Finding::ok(format!("{} can be written", folder.display())),
        Err(error) => {
            let remedy = format!("give this user the right to write there, or set {variable} to another folder");
            Finding::failed(format!("{} cannot be written: {error}", folder.display()), remedy)
        }
    }
}

/// The folder itself, or where it would be made.
pub(super) fn writable(folder: &Path) -> std::io::Result<()> {
    let there = folder.ancestors().find(|above| above.symlink_metadata().is_ok()).unwrap_or(folder);
    tempfile::tempfile_in(there).map(drop)
}

pub(super) fn check_bundles(patient: &Patient) -> Finding {
    let shelf = Shelf::new(patient.bundles.clone());
    let listed = shelf.list();
    if listed.is_empty() {
        return Finding::ok("no bundles; documentation comes from the packages that the project has installed");
    }
    let broken: Vec<String> =
        listed.iter().filter_map(|one| shelf.load(one).err().map(|error| format!("{}: {error}", one.file))).collect();
    if broken.is_empty() {
        return Finding::ok(format!("{} bundles, each as its manifest says", listed.len()));
    }
    Finding::failed(
        format!("{} of {} bundles cannot be used", broken.len(), listed.len()),
        "remove these files and build them anew with `tapps-mcp docs bundle build`",
    )
    .with_details(broken)
}
