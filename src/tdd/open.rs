//! Which repository this process uses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::FileRepository;
use super::memory::MemoryRepository;
use super::repository::Repository;
use tapps_base::{Error, ErrorCode, Result};

/// Where sessions are kept below the project root.
pub(super) const DEFAULT_FOLDER: &str = ".tdd-mcp/sessions";

/// What the environment says about sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `TDD_MCP_SESSION_DIR`: another folder; a relative one is meant from the project root.
    pub session_dir: Option<PathBuf>,
    /// `TDD_MCP_USE_MEMORY_REPOSITORY`: keep sessions in memory only.
    pub memory: bool,
}

impl Environment {
    /// Reads the environment of this process.
    ///
    /// # Errors
    /// `config_error` for a switch that is neither on nor off.
    pub fn of_process() -> Result<Self> {
        let folder = std::env::var_os("TDD_MCP_SESSION_DIR").filter(|folder| !folder.is_empty());
        let memory = std::env::var("TDD_MCP_USE_MEMORY_REPOSITORY").unwrap_or_default();
        Ok(Self { session_dir: folder.map(PathBuf::from), memory: parse_switch(&memory)? })
    }

    /// The repository for the project at `root`.
    #[must_use]
    pub fn open_repository(&self, root: &Path) -> Arc<dyn Repository> {
        if self.memory {
            return Arc::new(MemoryRepository::default());
        }
        match &self.session_dir {
            // Joining an absolute folder gives that folder.
            Some(folder) => Arc::new(FileRepository::new(root.join(folder))),
            None => Arc::new(FileRepository::inside_project(root, Path::new(DEFAULT_FOLDER))),
        }
    }
}

fn parse_switch(word: &str) -> Result<bool> {
    match word.trim().to_ascii_lowercase().as_str() {
        "" | "0" | "false" | "no" | "off" => Ok(false),
        "1" | "true" | "yes" | "on" => Ok(true),
        other => {
            let message = format!("TDD_MCP_USE_MEMORY_REPOSITORY is `{other}`");
            Err(Error::new(ErrorCode::ConfigError, message).hint("set it to true or false, or leave it out"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_on_or_off() {
        for (word, expected) in
            [("", false), ("False", false), ("0", false), ("TRUE", true), (" 1 ", true), ("on", true)]
        {
            assert_eq!(parse_switch(word).unwrap(), expected, "{word}");
        }
        assert_eq!(parse_switch("perhaps").unwrap_err().code(), ErrorCode::ConfigError);
    }

    #[test]
    fn folders_are_meant_from_the_root() {
        let folder = |dir: Option<&str>| {
            let environment = Environment { session_dir: dir.map(PathBuf::from), memory: false };
            format!("{:?}", environment.open_repository(Path::new("/p")))
        };
        assert!(folder(None).contains("\"/p/.tdd-mcp/sessions\""));
        assert!(folder(Some("s")).contains("\"/p/s\""));
        assert!(folder(Some("/s")).contains("\"/s\""));
    }
}
