//! Whose objects a repository reads: its own, and those of alternates inside allowed roots.

use std::fs;
use std::path::{Path, PathBuf};

use tapps_base::{Result, platform};

use super::discovery::{RepositoryLocation, canonical_path, read_bounded, refused_repository};

/// Git follows five as well.
const MAX_DEPTH: usize = 5;
const MAX_FILE: u64 = 1 << 20;

/// Checks that all objects git would find from the repository lie in it or in `allowed`, and returns their folder.
///
/// # Errors
/// `config_error` that names what leads elsewhere.
pub(super) fn checked_objects(location: &RepositoryLocation, allowed: &[PathBuf]) -> Result<PathBuf> {
    let mut allowed = allowed.to_owned();
    allowed.extend([location.git_dir.clone(), location.common_dir.clone()]);
    let objects = location.common_dir.join("objects");
    check_folder(&objects, &allowed, 0)?;
    canonical_path(&objects)?.ok_or_else(|| refused_repository("the git repository has no objects"))
}

fn check_folder(objects: &Path, allowed: &[PathBuf], depth: usize) -> Result<()> {
    let inside = |path: &Path| allowed.iter().any(|root| path.starts_with(root));
    if depth > MAX_DEPTH {
        return Err(borrowed_objects(objects));
    }
    let Some(real) = canonical_path(objects)? else { return Err(borrowed_objects(objects)) };
    if !inside(&real) {
        return Err(borrowed_objects(&real));
    }
    // A link in place of a folder or a pack would lend objects just as well.
    for folder in [real.clone(), real.join("pack"), real.join("info")] {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.filter_map(std::result::Result::ok) {
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if is_link && !canonical_path(&entry.path())?.is_some_and(|target| inside(&target)) {
                return Err(borrowed_objects(&entry.path()));
            }
        }
    }
    for alternate in read_alternates(&real)? {
        check_folder(&alternate, allowed, depth + 1)?;
    }
    Ok(())
}

/// The folders that `info/alternates` names; whether that file is a link out of the repository has been looked at.
fn read_alternates(objects: &Path) -> Result<Vec<PathBuf>> {
    let Some(file) = canonical_path(&objects.join("info/alternates"))? else { return Ok(Vec::new()) };
    let bytes = read_bounded(&file, MAX_FILE)?;
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    lines
        .map(|line| {
            // Git writes a name in quotes only when it holds quotes or control characters.
            if line.starts_with(b"\"") {
                return Err(borrowed_objects(&file));
            }
            platform::name_from_bytes(line).map(|name| objects.join(name)).ok_or_else(|| borrowed_objects(&file))
        })
        .collect()
}

fn borrowed_objects(objects: &Path) -> tapps_base::Error {
    refused_repository(format!("the git repository borrows objects from `{}`, outside of it", objects.display()))
        .hint("run `git repack -a -d` and remove `objects/info/alternates`, or clone with `--dissociate`")
}
