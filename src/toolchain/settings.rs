//! Where things are and what is allowed; the environment is read in one function.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Warmth;
use super::interpreter::InterpreterChoice;
use super::lock::Lock;
use super::system::PythonTag;
use tapps_base::platform::HOME;
use tapps_base::{Error, ErrorCode, Result};

/// Everything the toolchain needs to know about its surroundings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolchainSettings {
    /// Installed toolchains live in `toolchains/<digest>` below it.
    pub data_dir: PathBuf,
    /// Fetched artifacts and scratch folders live below it.
    pub cache_dir: PathBuf,
    /// Use this tree as it is, read-only, and never install.
    pub toolchain_dir: Option<PathBuf>,
    /// Use this interpreter or fail.
    pub python: Option<PathBuf>,
    /// Whose CPython the tools run on, where none is named.
    pub interpreter: InterpreterChoice,
    /// A lock of interpreters in place of the program's own.
    pub interpreter_lock: Option<PathBuf>,
    /// The Python that the project says it is written for: an older interpreter cannot read it. None when the project
    /// says nothing, or is for one that is older than all the tools run on.
    pub python_target: Option<PythonTag>,
    /// What starts Node where a system has no loader at its usual place.
    pub node_loader: Option<NodeLoader>,
    /// The versions that pyenv's shims are to start (`PYENV_VERSION`), when not those of its own file.
    pub shim_versions: Option<OsString>,
    /// Where programs are looked for: the value of `PATH`.
    pub search_path: OsString,
    /// A folder that holds the artifacts; asked before the cache and the package client.
    pub from: Option<PathBuf>,
    /// Install missing tools without being asked.
    pub auto_install: bool,
    /// Never ask the package client.
    pub offline: bool,
    /// Run tools that are not as locked; results then say `verified: false`.
    pub allow_unverified: bool,
    /// Another lock than the one this program was built with, for comparing the two.
    pub lock: Option<Arc<Lock>>,
    /// Which bytes of the tools are read when they are verified.
    pub byte_check: ByteCheck,
    /// Whether tools that are slow to start are kept warm.
    pub warmth: Warmth,
    /// The program that has the hidden mode of [`super::watch`]; without one nothing is watched.
    pub helper: Option<PathBuf>,
}

/// A dynamic loader, and where it finds the libraries of a program that was built for another kind of system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeLoader {
    pub program: PathBuf,
    /// Folders with colons between them; empty for those that the loader knows by itself.
    pub libraries: OsString,
}

/// Which bytes of the tools are read when they are verified. Every path, mode and size is looked at in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ByteCheck {
    /// All of them.
    #[default]
    Always,
    /// Those of files that are not as they were when they were last read, by device, inode, size, mode and times.
    WhereChanged,
}

impl ToolchainSettings {
    /// The settings of this process's environment.
    ///
    /// `helper` is the path of this program (`std::env::current_exe()`).
    ///
    /// # Errors
    /// `config_error` when neither `HOME` nor the variables that replace it are set.
    pub fn from_env(helper: Option<PathBuf>) -> Result<Self> {
        Self::from_lookup(helper, |name| std::env::var_os(name))
    }

    /// As [`ToolchainSettings::from_env`], with another way to look a variable up.
    ///
    /// # Errors
    /// As [`ToolchainSettings::from_env`].
    pub fn from_lookup(helper: Option<PathBuf>, lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let get = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let path = |name: &str| get(name).map(PathBuf::from);
        let folder = |own: &str, xdg: &str, below_home: &str| -> Result<PathBuf> {
            if let Some(own) = path(own) {
                return Ok(own);
            }
            // The XDG rules: a relative path in these variables is to be ignored.
            if let Some(xdg) = path(xdg).filter(|xdg| xdg.is_absolute()) {
                return Ok(xdg.join("tapps-mcp"));
            }
            let home = path(HOME).ok_or_else(|| {
                let message = format!("there is no folder to keep the tools in: {HOME} is not set");
                Error::new(ErrorCode::ConfigError, message).hint(format!("set {own} to a folder that can be written"))
            })?;
            Ok(home.join(below_home).join("tapps-mcp"))
        };
        Ok(Self {
            data_dir: folder("TAPPS_MCP_DATA_DIR", "XDG_DATA_HOME", ".local/share")?,
            cache_dir: folder("TAPPS_MCP_CACHE_DIR", "XDG_CACHE_HOME", ".cache")?,
            toolchain_dir: path("TAPPS_MCP_TOOLCHAIN_DIR"),
            python: path("TAPPS_MCP_PYTHON"),
            interpreter: InterpreterChoice::Host,
            interpreter_lock: None,
            python_target: None,
            node_loader: path("TAPPS_MCP_NODE_LOADER")
                .map(|program| NodeLoader { program, libraries: get("TAPPS_MCP_NODE_LIBRARIES").unwrap_or_default() }),
            shim_versions: get("PYENV_VERSION"),
            search_path: get("PATH").unwrap_or_default(),
            from: None,
            auto_install: true,
            offline: get("TAPPS_MCP_OFFLINE").is_some_and(|value| value != "0" && value != "false"),
            allow_unverified: false,
            byte_check: ByteCheck::Always,
            warmth: Warmth::Off,
            lock: None,
            helper,
        })
    }

    /// The lock that tools are held against.
    ///
    /// # Errors
    /// As [`Lock::embedded`].
    pub(super) fn lock(&self) -> Result<&Lock> {
        Lock::or_embedded(self.lock.as_deref())
    }

    /// The folder of the installed toolchains.
    pub(super) fn toolchains(&self) -> PathBuf {
        self.data_dir.join("toolchains")
    }

    /// The first file of that name on the search path that can be run.
    pub(super) fn find_program(&self, name: &str) -> Option<PathBuf> {
        which::which_in(name, Some(&self.search_path), Path::new("/")).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(vars: &[(&str, &str)]) -> Result<ToolchainSettings> {
        ToolchainSettings::from_lookup(None, |name| {
            vars.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn nodes_loader_is_named_with_its_libraries_or_not_at_all() {
        let loader = |vars: &[(&str, &str)]| with(&[&[("HOME", "/h")], vars].concat()).unwrap().node_loader;
        assert_eq!(loader(&[("TAPPS_MCP_NODE_LIBRARIES", "/lib")]), None);
        let named = loader(&[("TAPPS_MCP_NODE_LOADER", "/ld.so"), ("TAPPS_MCP_NODE_LIBRARIES", "/a:/b")]).unwrap();
        assert_eq!((named.program, named.libraries), (PathBuf::from("/ld.so"), OsString::from("/a:/b")));
    }

    #[test]
    fn own_variables_come_before_xdg_and_home() {
        let home = with(&[("HOME", "/h"), ("PATH", "/bin")]).unwrap();
        assert_eq!(home.data_dir, Path::new("/h/.local/share/tapps-mcp"));
        assert_eq!(home.cache_dir, Path::new("/h/.cache/tapps-mcp"));
        assert_eq!(home.search_path, "/bin");
        assert!(home.auto_install && !home.offline);
        let xdg = with(&[("HOME", "/h"), ("XDG_DATA_HOME", "/x"), ("XDG_CACHE_HOME", "relative")]).unwrap();
        assert_eq!(xdg.data_dir, Path::new("/x/tapps-mcp"));
        assert_eq!(xdg.cache_dir, Path::new("/h/.cache/tapps-mcp"));
        let own =
            with(&[("TAPPS_MCP_DATA_DIR", "/d"), ("TAPPS_MCP_CACHE_DIR", "/c"), ("TAPPS_MCP_OFFLINE", "1")]).unwrap();
        assert_eq!((own.data_dir.as_path(), own.cache_dir.as_path()), (Path::new("/d"), Path::new("/c")));
        assert!(own.offline);
    }

    #[test]
    fn without_a_home_the_error_names_the_variable_to_set() {
        let error = with(&[("PATH", "/bin"), ("HOME", "")]).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        assert!(error.body().hint.as_deref().unwrap().contains("TAPPS_MCP_DATA_DIR"));
    }
}
