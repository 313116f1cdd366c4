//! What is installed in the project: site-packages and node_modules.

use std::collections::BTreeSet;

use crate::extract::python;
use crate::symbol::{FORMAT, LibraryIndex};
use crate::tree::{FILE_MAX, Installed};
use crate::versions::normalize_library_name;
use tapps_base::Result;
use tapps_base::digest;
use tapps_project::packages::Ecosystem;
use tapps_sandbox::Boundary;

/// Folders a project's virtual environment is usually called.
const ENVIRONMENTS: [&str; 5] = [".venv", "venv", "env", ".env", "__pypackages__"];

/// The largest RECORD that is read, in bytes.
const RECORD_MAX: u64 = 16 << 20;

/// One installed library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Install {
    pub(super) ecosystem: Ecosystem,
    /// As its registry compares it.
    pub(super) library: String,
    pub(super) version: String,
    /// Of Python: the folder that holds `site-packages`' content; of npm: the package's own. Relative to the project.
    pub(super) folder: String,
    /// Of Python: the name of the `dist-info` folder.
    pub(super) info: String,
}

/// The folders of the project that Python packages are installed in.
pub(super) fn site_packages(boundary: &Boundary) -> Vec<String> {
    let mut found = Vec::new();
    for environment in ENVIRONMENTS {
        let lib = format!("{environment}/lib");
        for version in list_names(boundary, &lib).into_iter().filter(|name| name.starts_with("python")) {
            found.push(format!("{lib}/{version}/site-packages"));
        }
        found.push(format!("{environment}/Lib/site-packages"));
        for version in list_names(boundary, environment).into_iter().filter(|name| name.starts_with("3.")) {
            found.push(format!("{environment}/{version}/lib"));
        }
    }
    found.retain(|folder| !list_names(boundary, folder).is_empty());
    found
}

/// Every distribution installed in a folder.
pub(super) fn installed_distributions(boundary: &Boundary, folder: &str) -> Vec<Install> {
    let infos = list_names(boundary, folder).into_iter();
    infos
        .filter_map(|info| {
            let (name, version) = info.strip_suffix(".dist-info")?.split_once('-')?;
            Some(Install {
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
pub(super) fn node_package(boundary: &Boundary, name: &str) -> Option<Install> {
    let folder = format!("node_modules/{name}");
    let path = boundary.resolve(&format!("{folder}/package.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&boundary.read(&path, FILE_MAX).ok()?).ok()?;
    Some(Install {
        ecosystem: Ecosystem::Npm,
        library: name.to_owned(),
        version: manifest.get("version")?.as_str()?.to_owned(),
        folder,
        info: String::new(),
    })
}

/// The names of all packages in `node_modules`.
pub(super) fn node_names(boundary: &Boundary) -> Vec<String> {
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
pub(super) fn read_record(boundary: &Boundary, install: &Install) -> Result<(Vec<String>, String)> {
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
pub(super) fn import_names(paths: &[String]) -> BTreeSet<&str> {
    let top = paths.iter().filter_map(|path| match path.split_once('/') {
        Some((folder, _)) if folder.contains('.') => None,
        Some((folder, rest)) => {
            (rest.ends_with(".py") || rest.ends_with(".pyi") || rest.contains(".so")).then_some(folder)
        }
        None => path.strip_suffix(".py"),
    });
    top.filter(|name| !name.starts_with("__pycache__")).collect()
}

/// Reads the API and the texts of an installed distribution.
///
/// # Errors
/// What extraction says.
pub(super) fn extract_python(
    boundary: &Boundary,
    install: &Install,
    files: Vec<String>,
    record: &str,
) -> Result<LibraryIndex> {
    let wanted = files.into_iter().filter(|path| python::is_wanted(path)).collect();
    let tree = Installed::new(boundary, &install.folder, wanted);
    let (symbols, guides) = python::symbols_and_guides(&tree)?;
    Ok(LibraryIndex {
        format: FORMAT,
        ecosystem: install.ecosystem,
        library: install.library.clone(),
        version: install.version.clone(),
        source_sha256: record.to_owned(),
        symbols,
        guides,
    })
}

fn list_names(boundary: &Boundary, folder: &str) -> Vec<String> {
    boundary.resolve(folder).and_then(|path| boundary.list(&path)).unwrap_or_default()
}
