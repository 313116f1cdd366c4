//! The files that are part of this program.

use super::file::{Knowledge, KnowledgeOrigin};

/// Name and text of each, by name; written by the build script from the folder `knowledge`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/knowledge.rs"));

/// All built-in files. One that could not be read would be missing here, which a test forbids.
pub(super) fn builtin_files() -> impl Iterator<Item = Knowledge> {
    FILES.iter().filter_map(|(name, text)| {
        Knowledge::parse_file(name, &format!("knowledge/{name}.md"), KnowledgeOrigin::BuiltIn, text).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_file_can_be_read() {
        assert_eq!(builtin_files().count(), FILES.len());
        assert!(FILES.is_sorted_by_key(|(name, _)| *name));
    }
}
