//! From a project's bytes to its [`Index`]: find the files, read each, link them, sort.

mod assemble;
mod files;
mod inputs;
mod merge;
mod role;

pub(crate) use files::{counts, language_of};
pub(super) use inputs::sha256_of;
pub(crate) use inputs::surroundings;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cache::{self, Readings};
use super::model::{Index, Lang};
use crate::base::{Result, call::Call};
use crate::guard::Boundary;

/// What a scan looks at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScanOptions {
    /// Only files of these languages; empty means all.
    pub languages: Vec<Lang>,
    /// Globs as in `.gitignore`, relative to the project root, of what is left out.
    pub exclude: Vec<String>,
    /// Reads also what `.gitignore` files name.
    pub include_ignored: bool,
    /// Neither uses nor writes what earlier scans have kept under `.coderef/`.
    pub fresh: bool,
}

/// Reads and links all files of a project. The answer is always for the bytes on disk now.
///
/// A file that is too large, not UTF-8 or not readable is in the index as skipped; one that does not parse is there as
/// broken, with what could be read of it.
///
/// # Errors
/// `cancelled` or `timeout`; `config_error` for a glob that cannot be read; what the walk says about the root.
pub fn scan(boundary: &Boundary, options: &ScanOptions, call: &Call) -> Result<Index> {
    let listed = files::list(boundary, options)?;
    let sources = files::read_all(boundary, &listed.sources, call)?;
    if options.fresh {
        return Ok(assemble::link(boundary, assemble::read_all(sources, &Readings::default(), call)?));
    }
    let key = inputs::key(boundary, &sources, &listed.configs);
    if let Some(index) = cache::index(boundary, &key) {
        return Ok(index);
    }
    let known = cache::readings(boundary);
    let read = assemble::read_all(sources, &known, call)?;
    cache::keep_readings(boundary, &known, &read);
    let beyond = inputs::beyond(boundary, read.iter().map(|(file, _)| file.path.as_str()));
    let index = assemble::link(boundary, read);
    cache::keep_index(boundary, &key, beyond, &index);
    Ok(index)
}
