//! What is installed in the project: site-packages and node_modules.

use std::collections::BTreeSet;

use super::Ecosystem;
use crate::versions::normalize_library_name;
use tapps_base::Result;
use tapps_base::digest;
use tapps_sandbox::Boundary;

/// The largest `package.json` that is read, in bytes.
const MANIFEST_MAX: u64 = 4 << 20;

/// The largest RECORD that is read, in bytes.
const RECORD_MAX: u64 = 16 << 20;

/// One installed library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledPackage {
    pub ecosystem: Ecosystem,
    /// As its registry compares it.
    pub library: String,
    pub version: String,
    /// Of Python: the folder that holds `site-packages`' content, relative to the [environment's boundary](
    /// super::environment::PythonEnvironment::boundary); of npm: the package's own, relative to the project.
    pub folder: String,
    /// Of Python: the name of the `dist-info` folder.
    pub info: String,
}

/// Every distribution installed in a folder.
#[must_use]
pub fn installed_distributions(boundary: &Boundary, folder: &str) -> Vec<InstalledPackage> {
    let infos = list_names(boundary, folder).into_iter();
    infos
        .filter_map(|info| {
            let (name, version) = info.strip_suffix(".dist-info")?.split_once('-')?;
            Some(InstalledPackage {
                ecosystem: Ecosystem::PyPi,
                library: normalize_library_name(Ecosystem::PyPi, name),
                version: version.to_owned(),
                folder: folder.to_owned(),
                info: info.clone(),
            })
        })
        .collect()
}

/// The package of a name in `node_modules`.
#[must_use]
pub fn node_package(boundary: &Boundary, name: &str) -> Option<InstalledPackage> {
    let folder = format!("node_modules/{name}");
    let path = boundary.resolve(&format!("{folder}/package.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&boundary.read(&path, MANIFEST_MAX).ok()?).ok()?;
    Some(InstalledPackage {
        ecosystem: Ecosystem::Npm,
        library: name.to_owned(),
        version: manifest.get("version")?.as_str()?.to_owned(),
        folder,
        info: String::new(),
    })
}

/// The names of all packages in `node_modules`.
#[must_use]
pub fn node_names(boundary: &Boundary) -> Vec<String> {
    let mut found = Vec::new();
    for name in list_names(boundary, "node_modules").into_iter().filter(|name| !name.starts_with('.')) {
        if name.starts_with('@') {
            let scoped = list_names(boundary, &format!("node_modules/{name}"));
            found.extend(scoped.into_iter().map(|package| format!("{name}/{package}")));
        } else {
            found.push(name);
        }
    }
    found
}

/// The paths that the RECORD of a distribution names, relative to the folder it is installed in, and its SHA-256.
///
/// # Errors
/// What reading the RECORD says.
pub fn read_record(boundary: &Boundary, install: &InstalledPackage) -> Result<(Vec<String>, String)> {
    let path = boundary.resolve(&format!("{}/{}/RECORD", install.folder, install.info))?;
    let bytes = boundary.read(&path, RECORD_MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    let paths = text.lines().filter_map(|line| {
        // A path with a comma in it is quoted.
        let path = match line.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next()?,
            None => line.split(',').next()?,
        };
        let inside = !path.starts_with(['/', '.']) && !path.contains("..");
        inside.then(|| path.to_owned())
    });
    Ok((paths.collect(), digest::sha256(&bytes)))
}

/// The modules at the top of a distribution, as they are imported.
#[must_use]
pub fn import_names(paths: &[String]) -> BTreeSet<&str> {
    let top = paths.iter().filter_map(|path| match path.split_once('/') {
        Some((folder, _)) if folder.contains('.') => None,
        Some((folder, rest)) => {
            (rest.ends_with(".py") || rest.ends_with(".pyi") || rest.contains(".so")).then_some(folder)
        }
        None => path.strip_suffix(".py"),
    });
    top.filter(|name| !name.starts_with("__pycache__")).collect()
}

fn list_names(boundary: &Boundary, folder: &str) -> Vec<String> {
    boundary.resolve(folder).and_then(|path| boundary.list(&path)).unwrap_or_default()
}
