//! Everything that an index depends on, as one digest: the bytes of the sources and of the configuration around them.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::files::LoadedSource;
use crate::cache::Input;
use crate::model::{Family, SourceFile};
use crate::script;
use tapps_base::digest;
use tapps_sandbox::{Boundary, ProjectPath};

/// Largest configuration file that counts, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Names that are looked for in every folder above a source, also where version control ignores them.
const NAMES: &[&str] = &["package.json", "tsconfig.json", "jsconfig.json"];

/// The digest of all sources and of the configuration known before linking.
pub(super) fn inputs_digest(boundary: &Boundary, sources: &[LoadedSource], configs: &[ProjectPath]) -> String {
    let mut text = String::new();
    for source in sources {
        let readable = source.text.is_ok();
        text.push_str(&format!("{}\0{:?}\0{readable}\0{}\n", source.path, source.language, source.sha256));
    }
    let above: BTreeSet<&str> = sources.iter().flat_map(|source| script::ancestors(&source.path)).collect();
    let mut paths: BTreeSet<String> = configs.iter().map(|path| path.as_str().to_owned()).collect();
    paths.extend(
        above.iter().flat_map(|folder| NAMES.iter().filter_map(|name| script::join_within_project(folder, name))),
    );
    let paths: Vec<String> = paths.into_iter().collect();
    let digests: Vec<Option<String>> = paths.par_iter().map(|path| sha256_of(boundary, path)).collect();
    for (path, sha256) in paths.iter().zip(digests) {
        if let Some(sha256) = sha256 {
            text.push_str(&format!("{path}\0{sha256}\n"));
        }
    }
    digest::sha256(text.as_bytes())
}

/// What linking reads besides, with the digests it has now.
pub(super) fn linking_inputs<'f>(boundary: &Boundary, paths: impl Iterator<Item = &'f str>) -> Vec<Input> {
    let files = script::script_configuration_files(boundary, paths);
    files.into_iter().map(|path| Input { sha256: sha256_of(boundary, &path), path }).collect()
}

/// Configuration that an index of these files depends on, also where version control ignores it; not all of it has to
/// be there.
pub fn surrounding_config_paths(boundary: &Boundary, files: &[SourceFile]) -> Vec<String> {
    let is_script = |file: &&SourceFile| matches!(file.language.family(), Family::Script | Family::ScriptInMarkup);
    let scripts = || files.iter().filter(is_script).map(|file| file.path.as_str());
    let above: BTreeSet<&str> = scripts().flat_map(script::ancestors).collect();
    let mut paths: Vec<String> = above
        .iter()
        .flat_map(|folder| NAMES.iter().filter_map(|name| script::join_within_project(folder, name)))
        .collect();
    paths.extend(script::script_configuration_files(boundary, scripts()));
    paths
}

/// The digest of a file, when it is there.
pub(crate) fn sha256_of(boundary: &Boundary, path: &str) -> Option<String> {
    let path = boundary.resolve(path).ok().filter(|path| boundary.is_there(path))?;
    boundary.sha256(&path, MAX_BYTES).ok()
}
