//! How much an attack could gain.

use super::known::LibraryRole;
use super::libraries::{self, ProjectLibrary};
use super::{Judged, ProfileEvidence};

/// Most files named as evidence.
const SHOWN: usize = 8;

/// `high` for what handles identities, money or keys, `standard` for what serves requests, else `basic`.
pub(super) fn judge_security_level(libraries: &[ProjectLibrary], docker: &[ProfileEvidence]) -> Judged {
    let used: Vec<ProjectLibrary> = libraries.iter().filter(|library| !library.development).cloned().collect();
    let judged = |value: &str, found: Vec<ProfileEvidence>| {
        let evidence = found.iter().take(SHOWN).map(|shown| format!("{} ({})", shown.name, shown.evidence)).collect();
        Judged { value: value.to_owned(), evidence }
    };
    let sensitive = libraries::with_role(&used, &[LibraryRole::Sensitive]);
    if !sensitive.is_empty() {
        return judged("high", sensitive);
    }
    let web = libraries::with_role(&used, &[LibraryRole::Web]);
    if !web.is_empty() {
        return judged("standard", web);
    }
    if docker.is_empty() { judged("basic", Vec::new()) } else { judged("standard", docker.to_vec()) }
}
