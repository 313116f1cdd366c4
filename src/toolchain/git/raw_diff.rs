//! What `git diff --raw -z` says.

use tapps_base::Result;

use super::command::split_nul;
use super::object_id::ObjectId;
use super::tree::{is_inside, not_understood, outside_name};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeStatus {
    Added,
    Modified,
    Deleted,
    Renamed,
    /// A new file that is much like one that the change touches. It has nothing in the base.
    Copied,
    /// It was a file and is a link, or the other way round.
    TypeChanged,
}

/// A file that differs between two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitFileChange {
    /// Relative to the top of the working tree, with forward slashes; of a deleted file where it was.
    pub path: String,
    /// Where a renamed file was, and what a copied one was made from.
    pub old_path: Option<String>,
    pub status: ChangeStatus,
    /// By git's measure, in percent; for renamed and copied files.
    pub similarity: Option<u8>,
    /// The mode in the base; zero for an added and for a copied file.
    pub old_mode: u32,
    /// The mode now; zero for a deleted file.
    pub mode: u32,
    /// The blob in the base; none for an added and for a copied file.
    pub old_id: Option<ObjectId>,
    /// The blob now; none for a deleted file and for one that is only in the working tree.
    pub id: Option<ObjectId>,
    /// The file passes through a filter program that was not run: its bytes were compared with what git stores, and
    /// may differ only by the filter.
    pub filtered: bool,
}

/// The changes in git's order. Files whose name is not UTF-8 are left out: they cannot be paths of this program.
///
/// # Errors
/// `degraded_result` for output of another form; `corrupted_data` for a name that leads out of the tree.
pub(super) fn parse_raw_diff(output: &[u8]) -> Result<Vec<GitFileChange>> {
    let mut parts = split_nul(output);
    let mut changes = Vec::new();
    while let Some(header) = parts.next() {
        let mut change =
            std::str::from_utf8(header).ok().and_then(parse_header).ok_or_else(|| not_understood("diff"))?;
        let mut path = || parts.next().ok_or_else(|| not_understood("diff"));
        let has_origin = matches!(change.status, ChangeStatus::Renamed | ChangeStatus::Copied);
        let old = if has_origin { Some(path()?) } else { None };
        let (new, old) = (std::str::from_utf8(path()?), old.map(std::str::from_utf8).transpose());
        let (Ok(new), Ok(old)) = (new, old) else { continue };
        for path in old.iter().chain([&new]) {
            if !is_inside(path) {
                return Err(outside_name(path));
            }
        }
        if change.status == ChangeStatus::Copied {
            (change.old_mode, change.old_id) = (0, None);
        }
        change.path = new.to_owned();
        change.old_path = old.map(str::to_owned);
        changes.push(change);
    }
    Ok(changes)
}

/// `:MODE MODE ID ID STATUS`; the paths are not in it.
fn parse_header(header: &str) -> Option<GitFileChange> {
    let parts: Vec<&str> = header.strip_prefix(':')?.split(' ').collect();
    let [old_mode, mode, old_id, id, status] = parts.as_slice() else { return None };
    let object = |id: &str| ObjectId::parse(id).map(|id| (!id.is_null()).then_some(id));
    let (letter, score) = status.split_at_checked(1)?;
    Some(GitFileChange {
        path: String::new(),
        old_path: None,
        status: match letter {
            "A" => ChangeStatus::Added,
            "M" => ChangeStatus::Modified,
            "D" => ChangeStatus::Deleted,
            "R" => ChangeStatus::Renamed,
            "C" => ChangeStatus::Copied,
            "T" => ChangeStatus::TypeChanged,
            _ => return None,
        },
        similarity: score.parse().ok(),
        old_mode: u32::from_str_radix(old_mode, 8).ok()?,
        mode: u32::from_str_radix(mode, 8).ok()?,
        old_id: object(old_id)?,
        id: object(id)?,
        filtered: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_and_copies_have_two_paths_and_a_measure() {
        let (a, b, null) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let output = format!(
            ":100644 100755 {a} {b} R087\0old name\0new\0:100644 100644 {a} {null} M\0m\0:000000 100644 {null} {b} A\0n\0:100644 100644 {a} {b} C050\0m\0o\0"
        );
        let changes = parse_raw_diff(output.as_bytes()).unwrap();
        let short: Vec<_> = changes
            .iter()
            .map(|change| (change.status, change.old_path.as_deref(), change.path.as_str(), change.similarity))
            .collect();
        assert_eq!(
            short,
            [
                (ChangeStatus::Renamed, Some("old name"), "new", Some(87)),
                (ChangeStatus::Modified, None, "m", None),
                (ChangeStatus::Added, None, "n", None),
                (ChangeStatus::Copied, Some("m"), "o", Some(50)),
            ]
        );
        assert_eq!((changes[0].old_mode, changes[0].mode), (0o100_644, 0o100_755));
        assert_eq!((changes[1].id.as_ref(), changes[2].old_id.as_ref()), (None, None));
        assert_eq!((changes[3].old_mode, changes[3].old_id.as_ref()), (0, None), "the base has no such file");
        assert!(parse_raw_diff(b"").unwrap().is_empty());
    }

    #[test]
    fn names_that_lead_out_and_broken_output_are_errors() {
        let (a, null) = ("a".repeat(40), "0".repeat(40));
        let out = format!(":100644 000000 {a} {null} D\0../x\0");
        assert_eq!(parse_raw_diff(out.as_bytes()).unwrap_err().message(), "the git repository has a file named `../x`");
        for broken in [format!(":100644 000000 {a} {null} D\0"), format!(":100644 {a} {null} D\0x\0"), "x\0".to_owned()]
        {
            assert!(parse_raw_diff(broken.as_bytes()).is_err(), "{broken:?}");
        }
    }
}
