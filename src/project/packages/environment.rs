//! Where the Python packages of a project are installed: in the project, or in an environment that its user names.

use std::path::Path;
use std::sync::Arc;

use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;

use super::installed::{InstalledPackage, installed_distributions};

/// Folders a project's virtual environment is usually called.
const USUAL: [&str; 5] = [".venv", "venv", "env", ".env", "__pypackages__"];

/// The environments of a project.
#[derive(Debug, Clone)]
pub struct PythonEnvironment {
    boundary: Arc<Boundary>,
    /// Folders of environments in the boundary; empty for the boundary itself.
    places: &'static [&'static str],
}

impl PythonEnvironment {
    /// Those that lie in the project.
    #[must_use]
    pub fn of_project(project: Arc<Boundary>) -> Self {
        Self { boundary: project, places: &USUAL }
    }

    /// The one in `folder`, which may lie anywhere: what `sys.prefix` is there.
    ///
    /// # Errors
    /// `config_error` where no packages can be installed.
    pub fn open(folder: &Path) -> Result<Self> {
        let fault = |why: &str| {
            let message = format!("python.environment: {} {why}", folder.display());
            Error::new(ErrorCode::ConfigError, message)
                .hint("name the folder that `python -c 'import sys; print(sys.prefix)'` prints in that environment")
        };
        let boundary = Boundary::open(folder).map_err(|_| fault("cannot be opened"))?;
        let environment = Self { boundary: Arc::new(boundary), places: &[""] };
        if environment.site_packages().is_empty() {
            return Err(fault("has no folder of installed packages"));
        }
        Ok(environment)
    }

    /// True for one that was named, wherever it lies.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.places == [""]
    }

    /// What the folders and packages of the environment are relative to.
    #[must_use]
    pub const fn boundary(&self) -> &Arc<Boundary> {
        &self.boundary
    }

    /// The folders that packages are installed in, those that come first on the path first.
    #[must_use]
    pub fn site_packages(&self) -> Vec<String> {
        let list =
            |folder: &str| self.boundary.resolve(folder).and_then(|path| self.boundary.list(&path)).unwrap_or_default();
        let mut found = Vec::new();
        for place in self.places {
            let below = |rest: &str| if place.is_empty() { rest.to_owned() } else { format!("{place}/{rest}") };
            let lib = below("lib");
            for version in list(&lib).into_iter().filter(|name| name.starts_with("python")) {
                found.push(format!("{lib}/{version}/site-packages"));
                // Debian's name for what its own packages, and administrators, install.
                found.push(format!("{lib}/{version}/dist-packages"));
            }
            found.push(below("Lib/site-packages"));
            for version in list(place).into_iter().filter(|name| name.starts_with("3.")) {
                found.push(below(&format!("{version}/lib")));
            }
        }
        found.retain(|folder| !list(folder).is_empty());
        found
    }

    /// Every distribution that is installed, in the order of the folders.
    pub fn distributions(&self) -> impl Iterator<Item = InstalledPackage> + '_ {
        self.site_packages().into_iter().flat_map(|folder| installed_distributions(&self.boundary, &folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    fn found(environment: &PythonEnvironment) -> Vec<String> {
        environment.distributions().map(|one| format!("{}/{} {}", one.folder, one.library, one.version)).collect()
    }

    #[test]
    fn environments_of_the_project_have_usual_names() {
        let folder = folder_with(&[
            ".venv/lib/python3.12/site-packages/a-1.0.dist-info/RECORD",
            "other/lib/python3.12/site-packages/b-1.0.dist-info/RECORD",
            "lib/python3.12/site-packages/c-1.0.dist-info/RECORD",
        ]);
        let environment = PythonEnvironment::of_project(Arc::new(Boundary::open(folder.path()).unwrap()));
        assert_eq!(found(&environment), [".venv/lib/python3.12/site-packages/a 1.0"]);
    }

    #[test]
    fn a_named_one_is_the_folder_itself() {
        let folder = folder_with(&[
            "lib/python3.12/site-packages/A_b-1.0.dist-info/RECORD",
            "lib/python3/dist-packages/c-2.0.dist-info/RECORD",
            ".venv/lib/python3.12/site-packages/d-1.0.dist-info/RECORD",
        ]);
        let environment = PythonEnvironment::open(folder.path()).unwrap();
        let mut all = found(&environment);
        all.sort();
        assert_eq!(all, ["lib/python3.12/site-packages/a-b 1.0", "lib/python3/dist-packages/c 2.0"]);
        let windows = folder_with(&["Lib/site-packages/e-1.0.dist-info/RECORD"]);
        assert_eq!(found(&PythonEnvironment::open(windows.path()).unwrap()), ["Lib/site-packages/e 1.0"]);
    }

    #[test]
    fn a_folder_that_is_none_is_told() {
        let folder = folder_with(&["a.py"]);
        let told = PythonEnvironment::open(folder.path()).unwrap_err();
        assert_eq!(told.code(), ErrorCode::ConfigError);
        assert!(told.message().ends_with("has no folder of installed packages"), "{}", told.message());
        let gone = PythonEnvironment::open(&folder.path().join("gone")).unwrap_err();
        assert!(gone.message().ends_with("gone cannot be opened"), "{}", gone.message());
    }
}
