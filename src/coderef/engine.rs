//! From a project's bytes to its [`CodebaseIndex`]: find the files, read each, link them, sort.

mod assemble;
mod files;
mod inputs;
mod merge;
mod role;

pub use files::is_scan_input;
pub(super) use files::{ListedSource, left_out, list_sources, read_source};
pub(super) use inputs::sha256_of;
pub use inputs::surrounding_config_paths;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cache;
use super::model::{CodebaseIndex, Language};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_sandbox::Boundary;

/// What a scan looks at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScanOptions {
    /// Only files of these languages; empty means all.
    pub languages: Vec<Language>,
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
pub fn scan(boundary: &Boundary, options: &ScanOptions, call: &Call) -> Result<CodebaseIndex> {
    scan_and(boundary, options, call, |_| ()).map(|(index, ())| index)
}

/// A scan, and what is made of it: the work is done while the index is being kept for the next scan.
///
/// # Errors
/// As [`scan`].
pub fn scan_and<T: Send>(
    boundary: &Boundary,
    options: &ScanOptions,
    call: &Call,
    work: impl FnOnce(&CodebaseIndex) -> T + Send,
) -> Result<(CodebaseIndex, T)> {
    let sources = || -> Result<_> {
        let listed = files::list_sources(boundary, options)?;
        Ok((files::read_all(boundary, &listed.sources, call)?, listed.configs))
    };
    if options.fresh {
        let (sources, _) = sources()?;
        let read = assemble::read_all(sources, None, call)?;
        let index = assemble::link_index(boundary, read.into_iter().map(|(read, _)| read).collect());
        let made = work(&index);
        return Ok((index, made));
    }
    // Most questions are asked when nothing has changed: what is kept is taken up while it is found out.
    let keyed = || -> Result<_> {
        let (sources, configs) = sources()?;
        let key = inputs::inputs_digest(boundary, &sources, &configs);
        Ok((sources, key))
    };
    let (keyed, whole) = rayon::join(keyed, || cache::load_cached_index(boundary));
    let (sources, key) = keyed?;
    if let Some(index) = whole.and_then(|whole| whole.index_if_current(boundary, &key)) {
        let made = work(&index);
        return Ok((index, made));
    }
    let known = cache::load_cached_readings(boundary, cache::READINGS);
    let (read, forms): (Vec<_>, Vec<_>) = assemble::read_all(sources, Some(&known), call)?.into_iter().unzip();
    let beyond = inputs::linking_inputs(boundary, read.iter().map(|(file, _)| file.path.as_str()));
    let keep_readings = || {
        let forms: Vec<_> = forms.into_iter().flatten().collect();
        cache::keep_readings(boundary, cache::READINGS, &known, &forms);
    };
    let (index, ()) = rayon::join(|| assemble::link_index(boundary, read), keep_readings);
    let (made, ()) = rayon::join(|| work(&index), || cache::keep_index(boundary, &key, beyond, &index));
    Ok((index, made))
}
