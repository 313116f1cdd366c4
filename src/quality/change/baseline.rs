//! The baseline of a change: that of the base counts, whatever the change makes of the file.

use super::sides::Sides;
use crate::baseline::Baseline;
use crate::engine::Engine;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};
use tapps_toolchain::git::{ObjectId, Repository};

/// Where a baseline lies in a repository.
pub(super) fn baseline_place(engine: &Engine, prefix: &str, path: &str) -> Result<String> {
    Ok(format!("{prefix}{}", engine.boundary.resolve(path)?.as_str()))
}

/// The base's version of a baseline, with a note where the base has none and the change brings it.
///
/// # Errors
/// `config_error` for a baseline that cannot be read, and where neither side has the file.
pub(super) async fn base_baseline(
    repository: &Repository,
    sides: &Sides,
    place: &str,
    call: &Call,
) -> Result<(Option<Baseline>, Option<String>)> {
    let Some(id) = find_blob(repository, &sides.base_tree, place, call).await? else {
        let head_tree = sides.head_tree(repository, call).await?;
        if find_blob(repository, &head_tree, place, call).await?.is_none() {
            return Err(Error::new(
                ErrorCode::ConfigError,
                format!("neither side of the change has a baseline {place}"),
            )
            .hint("name the file from the project's root, or commit it first: the base's version counts"));
        }
        return Ok((None, Some(format!("the base has no {place}, so nothing is forgiven by it yet"))));
    };
    let blobs = repository.read_blobs(&[id], u64::MAX, call).await?;
    let bytes = blobs.into_iter().flatten().next().unwrap_or_default();
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::new(ErrorCode::ConfigError, format!("the baseline {place} is not UTF-8")))?;
    Ok((Some(Baseline::parse(&text)?), None))
}

async fn find_blob(repository: &Repository, tree: &ObjectId, place: &str, call: &Call) -> Result<Option<ObjectId>> {
    let files = repository.tree_files(tree, call).await?;
    Ok(files.into_iter().find(|file| file.path == place).map(|file| file.id))
}
