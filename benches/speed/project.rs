//! A package to measure on: a copy of a published one that may be edited.

use std::path::{Path, PathBuf};

use crate::corpus;

pub(crate) struct Project {
    folder: tempfile::TempDir,
    /// The folder of its modules, relative to the root.
    pub(crate) package: &'static str,
    pub(crate) files: Vec<String>,
}

impl Project {
    pub(crate) fn of(package: &'static str) -> Self {
        Self::of_wheel(package, package)
    }

    /// A package of a wheel, with libraries installed beside it.
    pub(crate) fn beside_libraries(wheel: &str, package: &'static str, libraries: &[&str]) -> Self {
        let project = Self::of_wheel(wheel, package);
        let site = project.path(".venv/lib/python3.13/site-packages");
        libraries.iter().for_each(|library| copy(&corpus::dir(library), &site));
        project
    }

    fn of_wheel(wheel: &str, package: &'static str) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let from = corpus::dir(wheel).join(package);
        copy(&from, &folder.path().join(package));
        std::fs::write(folder.path().join("pyproject.toml"), format!("[project]\nname = \"{package}\"\n")).unwrap();
        let files = corpus::files(&from, "py").iter().map(|file| format!("{package}/{file}")).collect();
        Self { folder, package, files }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Changes a file without changing what it means, another way each time.
    pub(crate) fn edit(&self, file: &str, take: usize) {
        let path = self.path(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("\n# take ").next().unwrap().to_owned();
        std::fs::write(path, format!("{text}\n# take {take}\n")).unwrap();
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
