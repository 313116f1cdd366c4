//! How much an attack could gain.

use super::known::Role;
use super::libraries::{self, Library};
use super::{Judged, Shown};

/// Most files named as evidence.
const SHOWN: usize = 8;

/// `high` for what handles identities, money or keys, `standard` for what serves requests, else `basic`.
pub(super) fn judge(libraries: &[Library], docker: &[Shown]) -> Judged {
    let used: Vec<Library> = libraries.iter().filter(|library| !library.development).cloned().collect();
    let judged = |value: &str, found: Vec<Shown>| {
        let evidence = found.iter().take(SHOWN).map(|shown| format!("{} ({})", shown.name, shown.evidence)).collect();
        Judged { value: value.to_owned(), evidence }
    };
    let sensitive = libraries::with_role(&used, &[Role::Sensitive]);
    if !sensitive.is_empty() {
        return judged("high", sensitive);
    }
    let web = libraries::with_role(&used, &[Role::Web]);
    if !web.is_empty() {
        return judged("standard", web);
    }
    if docker.is_empty() { judged("basic", Vec::new()) } else { judged("standard", docker.to_vec()) }
}
