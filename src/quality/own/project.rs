//! The tools of one project: what its lock holds, with the description of each.

use super::description::Description;
use super::shipped;
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_sandbox::Boundary;
use tapps_toolchain::own::{FILE, OwnLock, OwnTool};

/// The folder of the descriptions.
pub const TOOLS_FOLDER: &str = ".tapps-mcp/tools";

/// Largest lock, in bytes.
const LARGEST_LOCK: u64 = 16 << 20;
/// Largest description, in bytes.
const LARGEST_DESCRIPTION: u64 = 256 << 10;

/// Every tool that is locked, in the order of the lock. What is not locked is not here, whatever is described.
#[derive(Debug, Default)]
pub struct OwnTools {
    pub tools: Vec<(OwnTool, Description)>,
}

/// Where the description of a package's tool is.
#[must_use]
pub fn description_path(tool: &OwnTool) -> String {
    format!("{TOOLS_FOLDER}/{}.toml", tool.file_stem())
}

/// Where the settings are that a description takes from a file.
#[must_use]
pub fn settings_path(description: &Description) -> Option<String> {
    Some(format!("{TOOLS_FOLDER}/{}", description.settings_source()?))
}

impl OwnTools {
    /// Reads what a project has locked.
    ///
    /// # Errors
    /// `corrupted_data` for a lock that is not whole, `config_error` for a description that is missing or cannot be used.
    pub fn read(boundary: &Boundary) -> Result<Self> {
        let Some(text) = read_text(boundary, FILE, LARGEST_LOCK)? else { return Ok(Self::default()) };
        let lock = OwnLock::parse(&text)?;
        let mut tools: Vec<(OwnTool, Description)> = Vec::new();
        for tool in lock.tools {
            let file = description_path(&tool);
            let lacks = |file: &str, hint: &str| {
                Error::new(ErrorCode::ConfigError, format!("{} is locked, and there is no {file}", tool.name))
                    .hint(hint)
            };
            let mut description = match read_text(boundary, &file, LARGEST_DESCRIPTION)? {
                Some(text) => Description::parse(&file, &text)?,
                None => shipped::description(&tool.name)
                    .ok_or_else(|| lacks(&file, "write down how it is called; docs/own-tools.md shows how"))??,
            };
            if let Some(source) = settings_path(&description) {
                let text = read_text(boundary, &source, LARGEST_DESCRIPTION)?
                    .ok_or_else(|| lacks(&source, "write the tool's settings into it, or remove the tool"))?;
                description = description.with_settings(text)?;
            }
            if tools.iter().any(|(_, other)| other.name() == description.name()) {
                let what = format!("{file}: there is another tool that is called `{}`", description.name());
                return Err(Error::new(ErrorCode::ConfigError, what).hint("give one of them another `name`"));
            }
            tools.push((tool, description));
        }
        Ok(Self { tools })
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Whether any of them is asked about a file.
    #[must_use]
    pub fn read_file(&self, path: &str) -> bool {
        self.tools.iter().any(|(_, description)| description.reads(path))
    }

    /// Digest over all that is locked and described.
    ///
    /// # Errors
    /// `internal` when it has no canonical form, which cannot happen.
    pub fn digest(&self) -> Result<String> {
        let mut parts = Vec::new();
        for (tool, description) in &self.tools {
            parts.push((tool.digest()?, description.digest().to_owned()));
        }
        digest::of_json(&parts)
    }
}

fn read_text(boundary: &Boundary, file: &str, most: u64) -> Result<Option<String>> {
    let path = boundary.resolve(file)?;
    let bytes = match boundary.read(&path, most) {
        Ok(bytes) => bytes,
        Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| Error::new(ErrorCode::ConfigError, format!("{file} is not UTF-8")))
}
