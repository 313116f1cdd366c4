//! The project: its boundary, its configuration, the folder that the program remembers things in.

use std::path::Path;

use super::super::surroundings::Base;
use super::report::Finding;
use super::{Patient, finding_from_error};

pub(super) fn check_project_root(patient: &Patient) -> Finding {
    let boundary = match &patient.boundary {
        Ok(boundary) => boundary,
        Err(error) => return finding_from_error(error),
    };
    let root = boundary.root();
    let home = patient.surroundings.folder(Base::Home).and_then(|home| home.canonicalize().ok());
    if root == Path::new("/") || home.as_deref().is_some_and(|home| home.starts_with(root)) {
        let what = format!("the project is {}: everything in it can be read by agents", root.display());
        return Finding::warning(what, "start in the folder of one project, or set TAPPS_MCP_PROJECT_ROOT to it");
    }
    Finding::ok(format!("nothing outside {} is read", root.display()))
}

pub(super) fn check_configuration(patient: &Patient) -> Finding {
    if let Err(skipped) = Patient::require_healthy(&patient.boundary, "the project root") {
        return skipped;
    }
    match &patient.config {
        Err(error) => finding_from_error(error),
        Ok((_, warnings)) if warnings.is_empty() => Finding::ok("every key is known and every value can be used"),
        Ok((_, warnings)) => {
            Finding::warning("something in the configuration has no effect", "see `tapps-mcp config show --origin`")
                .with_details(warnings.iter().cloned())
        }
    }
}

pub(super) fn check_state_folder(patient: &Patient) -> Finding {
    let boundary = match Patient::require_healthy(&patient.boundary, "the project root") {
        Ok(boundary) => boundary,
        Err(skipped) => return skipped,
    };
    match boundary.existing_state_folder() {
        Err(error) => finding_from_error(&error),
        Ok(folder) => {
            // Made when there is something to remember, not for being looked at.
            let folder = folder.unwrap_or_else(|| boundary.root().to_owned());
            match tempfile::tempfile_in(&folder) {
                Ok(_) => Finding::ok(format!("{} can be written", folder.display())),
                Err(error) => Finding::warning(
                    format!("{} cannot be written: {error}", folder.display()),
                    "notes, sessions and the history are not kept; give this user the right to write there",
                ),
            }
        }
    }
}
