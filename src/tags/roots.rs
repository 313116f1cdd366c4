//! Where vaults may be: below the project root, and below the folders that the person at this machine has named.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tapps_base::log_text;
use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::{Boundary, ProjectPath, lexical};

/// The folders that vaults may be in.
#[derive(Debug, Clone)]
pub struct Roots {
    project: Arc<Boundary>,
    configured: Vec<PathBuf>,
}

impl Roots {
    /// The project, and the configured folders whether they exist or not.
    #[must_use]
    pub fn new(project: Arc<Boundary>, configured: Vec<PathBuf>) -> Self {
        Self { project, configured }
    }

    /// The folder at an absolute path, as a boundary of its own.
    ///
    /// # Errors
    /// `invalid_argument` for a relative path or a file; `path_denied` outside the allowed folders; `file_not_found` when
    /// there is nothing at the path.
    pub fn open(&self, root: &str) -> Result<Boundary> {
        self.first_holding_root(root, "root", |boundary, path| boundary.narrowed_to(path))
    }

    /// The allowed folder that a file is in, and its path there.
    ///
    /// # Errors
    /// As [`Roots::open`], without looking whether there is such a file.
    pub fn locate(&self, file: &str) -> Result<(Arc<Boundary>, ProjectPath)> {
        self.first_holding_root(file, "path", |boundary, path| {
            boundary.kind(path).map(|_| (Arc::clone(boundary), path.clone()))
        })
    }

    /// What the first allowed folder that holds `path` says, or the first refusal of those that hold it.
    fn first_holding_root<T>(
        &self,
        path: &str,
        what: &str,
        ask: impl Fn(&Arc<Boundary>, &ProjectPath) -> Result<T>,
    ) -> Result<T> {
        lexical::check_path_text(path)?;
        if !Path::new(path).is_absolute() {
            return Err(Error::invalid(format!("the {what} `{}` is not absolute", log_text(path)))
                .hint("write it from the top, for example /home/me/notes"));
        }
        let mut refusal = None;
        for boundary in self.boundaries() {
            let Ok(inside) = boundary.resolve(path) else { continue };
            match ask(&boundary, &inside) {
                Ok(answer) => return Ok(answer),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        Err(match refusal {
            Some(error) if error.code() != ErrorCode::PathDenied => error,
            _ => self.path_denied_error(path, what),
        })
    }

    fn boundaries(&self) -> impl Iterator<Item = Arc<Boundary>> {
        let configured = self.configured.iter().filter_map(|root| Boundary::open(root).ok().map(Arc::new));
        std::iter::once(Arc::clone(&self.project)).chain(configured)
    }

    fn path_denied_error(&self, path: &str, what: &str) -> Error {
        let allowed: Vec<String> = std::iter::once(self.project.root())
            .chain(self.configured.iter().map(PathBuf::as_path))
            .map(|root| root.display().to_string())
            .collect();
        Error::new(ErrorCode::PathDenied, format!("the {what} `{}` is outside the allowed folders", log_text(path)))
            .hint(format!(
                "allowed: {}; others are named by `roots` under `[tags]` in the user's configuration file or by \
                 TAPPS_MCP_TAGS_ROOTS",
                allowed.join(", ")
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_outside_missing_and_through_links() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        for folder in ["project/sub", "vaults/one", "other"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        std::fs::write(at("vaults/one/a.md"), "#a").unwrap();
        std::os::unix::fs::symlink(at("other"), at("vaults/out")).unwrap();
        std::os::unix::fs::symlink(at("vaults/one"), at("vaults/in")).unwrap();
        let project = Arc::new(Boundary::open(&at("project")).unwrap());
        let roots = Roots::new(project, vec![at("vaults"), at("nowhere")]);
        let code = |path: &str| roots.open(at(path).to_str().unwrap()).map(|_| ()).map_err(|error| error.code());
        assert_eq!(code("project"), Ok(()));
        assert_eq!(code("project/sub"), Ok(()));
        assert_eq!(code("vaults/one"), Ok(()));
        assert_eq!(code("vaults/in"), Ok(()));
        assert_eq!(code("vaults/two"), Err(ErrorCode::FileNotFound));
        assert_eq!(code("vaults/one/a.md"), Err(ErrorCode::InvalidArgument));
        assert_eq!(code("vaults/out"), Err(ErrorCode::PathDenied));
        assert_eq!(code("other"), Err(ErrorCode::PathDenied));
        assert_eq!(code("other/missing"), Err(ErrorCode::PathDenied));
        assert_eq!(code("vaults/../other"), Err(ErrorCode::PathDenied));
        assert_eq!(roots.open("notes").unwrap_err().message(), "the root `notes` is not absolute");
        let (_, path) = roots.locate(at("vaults/in/a.md").to_str().unwrap()).unwrap();
        assert_eq!(path.as_str(), "in/a.md");
        assert_eq!(roots.locate(at("vaults/one/b.md").to_str().unwrap()).unwrap_err().code(), ErrorCode::FileNotFound);
    }
}
