//! The project root, held open, and the one way from a caller's text to a path below it.

use std::borrow::Cow;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::lexical;
use super::path::ProjectPath;
use super::windows_path;
use tapps_base::{Error, ErrorCode, Result, platform};

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    File,
    Folder,
    /// A device, FIFO or socket.
    Special,
}

/// The folder that nothing leads out of.
#[derive(Debug)]
pub struct Boundary {
    /// Canonical.
    root: PathBuf,
    /// As it was given, made absolute; callers may spell absolute paths this way.
    given: PathBuf,
    pub(super) dir: Dir,
}

impl Boundary {
    /// Opens the project root; it is resolved once and held from then on.
    ///
    /// # Errors
    /// `config_error` when there is no such folder or it cannot be opened.
    pub fn open(root: &Path) -> Result<Self> {
        let fault = |why: std::io::Error| {
            let what = format_args!("the project root {} cannot be opened", root.display());
            Error::io_or(ErrorCode::ConfigError, what, &why).hint("set TAPPS_MCP_PROJECT_ROOT to an existing folder")
        };
        let given = std::path::absolute(root).map_err(fault)?;
        let canonical = root.canonicalize().map_err(fault)?;
        let dir = Dir::open_ambient_dir(&canonical, ambient_authority()).map_err(fault)?;
        Ok(Self { root: canonical, given, dir })
    }

    /// Opens the root named by `TAPPS_MCP_PROJECT_ROOT`, or the working directory.
    ///
    /// # Errors
    /// As [`Boundary::open`].
    pub fn of_process() -> Result<Self> {
        let named = std::env::var_os("TAPPS_MCP_PROJECT_ROOT").filter(|name| !name.is_empty());
        Self::open(&named.map_or_else(|| PathBuf::from("."), PathBuf::from))
    }

    /// A folder inside as a boundary of its own.
    ///
    /// # Errors
    /// `file_not_found` or `path_denied`; `invalid_argument` when it is not a folder.
    pub fn narrowed_to(&self, folder: &ProjectPath) -> Result<Self> {
        if self.kind(folder)? != PathKind::Folder {
            return Err(Error::invalid(format!("`{folder}` is not a folder")).hint("name a folder"));
        }
        let dir = self.with_path_beneath(folder, |at| self.dir.open_dir(at))?;
        let given = self.root.join(folder.as_str());
        let root = given.canonicalize().map_err(|error| self.path_error(folder, &error))?;
        if root.starts_with(&self.root) {
            Ok(Self { root, given, dir })
        } else {
            Err(lexical::project_path_denied(folder.as_str(), "leads out of the project"))
        }
    }

    /// The canonical path of the root. For places of our own below it and for messages, never for opening user files.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root itself as a path, for walking the whole project.
    #[must_use]
    pub fn root_as_project_path(&self) -> ProjectPath {
        ProjectPath::root()
    }

    /// Checks a path that came from a caller: relative to the root, or absolute and below it.
    ///
    /// What is there is not looked at; reading it is what enforces the boundary.
    ///
    /// # Errors
    /// `path_denied` for a path that leads out or tries to; `invalid_argument` for one that cannot be a path.
    pub fn resolve(&self, path: &str) -> Result<ProjectPath> {
        let path = if cfg!(windows) { windows_path::normalized(path)? } else { Cow::Borrowed(path) };
        let path = path.as_ref();
        lexical::check_path_text(path)?;
        if !lexical::is_absolute(path) {
            return Ok(ProjectPath::from_components(&lexical::components(path)?));
        }
        let absolute = Path::new(path);
        let below = |root: &Path| absolute.strip_prefix(root).ok().map(Path::to_owned);
        let relative = below(&self.root)
            .or_else(|| below(&self.given))
            .or_else(|| absolute.canonicalize().ok()?.strip_prefix(&self.root).ok().map(Path::to_owned))
            .and_then(|relative| relative.to_str().map(|text| text.replace(MAIN_SEPARATOR_STR, "/")));
        match relative.as_deref() {
            None => Err(lexical::project_path_denied(path, "is outside the project")),
            Some("") => Ok(ProjectPath::root()),
            Some(relative) => Ok(ProjectPath::from_components(&lexical::components(relative)?)),
        }
    }

    /// What stands at a path, following links inside the project.
    ///
    /// # Errors
    /// `file_not_found` or `path_denied`.
    pub fn kind(&self, path: &ProjectPath) -> Result<PathKind> {
        let meta = self.with_path_beneath(path, |at| self.dir.metadata(at))?;
        Ok(match (meta.is_file(), meta.is_dir()) {
            (true, _) => PathKind::File,
            (_, true) => PathKind::Folder,
            _ => PathKind::Special,
        })
    }

    /// Does `work` at a path beneath the handle. When a link with an absolute target stops it and that target is inside,
    /// `work` is done once more at the target: still beneath the handle, so a link exchanged meanwhile gains nothing.
    pub(super) fn with_path_beneath<T>(
        &self,
        path: &ProjectPath,
        work: impl Fn(&Path) -> std::io::Result<T>,
    ) -> Result<T> {
        let plain = Path::new(path.as_str());
        let first = match work(plain) {
            Err(error) if is_escape(&error) => error,
            other => return other.map_err(|error| self.path_error(path, &error)),
        };
        let inside = self.root.join(plain).canonicalize().ok();
        match inside.as_deref().and_then(|real| real.strip_prefix(&self.root).ok()) {
            Some(real) => {
                let real = if real.as_os_str().is_empty() { Path::new(".") } else { real };
                work(real).map_err(|error| self.path_error(path, &error))
            }
            None => Err(self.path_error(path, &first)),
        }
    }

    /// The typed error for what the system said about a path.
    pub(super) fn path_error(&self, path: &ProjectPath, error: &std::io::Error) -> Error {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => self.missing_path_error(path),
            _ if is_escape(error) => lexical::project_path_denied(path.as_str(), "leads out of the project"),
            ErrorKind::PermissionDenied => {
                Error::new(ErrorCode::PathDenied, format!("the path `{path}` may not be read: {error}"))
                    .hint("give this user the right to read it")
            }
            _ if platform::is_link_error(error) => {
                Error::new(ErrorCode::PathDenied, format!("the path `{path}` is a link that leads to itself"))
                    .hint("remove the link")
            }
            ErrorKind::InvalidFilename => Error::invalid(format!("the path `{path}` is too long for this system")),
            _ => Error::io(format_args!("cannot read {path}"), error),
        }
    }
}

/// True for the error of an open that would have left the handle's folder; the system itself never says it this way.
fn is_escape(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
