//! Finding the configuration files and laying their values over each other.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::document::{self, ConfigFileEntry};
use super::environment;
use super::keys::{self, ConfigKeyPlace};
use super::merge::Merged;
use super::model::Config;
use super::origin::{ConfigOrigin, Origins};
use super::python;
use tapps_base::{Error, ErrorCode, Result, platform};

const OWN_FILE: &str = "tapps-mcp.toml";
const PYPROJECT: &str = "pyproject.toml";

/// The files of a project that configure this program, at its root.
pub const PROJECT_FILES: [&str; 2] = [OWN_FILE, PYPROJECT];

/// Files of settings of a program of the same name that has other keys.
const FOREIGN_FILES: [&str; 2] = [".tapps-mcp.yaml", ".tapps-mcp.yml"];

/// Largest configuration file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// A value given on the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// Dotted, for example `toolchain.offline`.
    pub key: &'static str,
    pub value: Value,
    /// As the user wrote it, for example `--offline`.
    pub flag: &'static str,
}

/// Everything a configuration is made from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Canonical path of the project root.
    pub root: PathBuf,
    /// What relative paths of flags and variables are relative to.
    pub current_dir: PathBuf,
    /// A file named by the user; it takes the place of the project's own.
    pub named_file: Option<PathBuf>,
    /// The file of the person at this machine, whether it exists or not.
    pub user_file: Option<PathBuf>,
    pub environment: BTreeMap<String, String>,
    pub overrides: Vec<Override>,
}

impl Sources {
    /// The sources of this process for a project: its environment, and the user's file below `XDG_CONFIG_HOME`.
    #[must_use]
    pub fn of_process(root: &Path) -> Self {
        let environment: BTreeMap<String, String> =
            std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?))).collect();
        let absolute = |name: &str| environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let user_file = absolute("XDG_CONFIG_HOME")
            .or_else(|| absolute(platform::HOME).map(|home| home.join(".config")))
            .map(|folder| folder.join("tapps-mcp/config.toml"));
        let named_file = environment.get("TAPPS_MCP_CONFIG").filter(|name| !name.is_empty()).map(PathBuf::from);
        let current_dir = std::env::current_dir().unwrap_or_else(|_| root.to_owned());
        Self { root: root.to_owned(), current_dir, named_file, user_file, environment, overrides: Vec::new() }
    }
}

/// A configuration with its history.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    pub config: Config,
    pub origins: Origins,
    /// Things that were ignored and should be known.
    pub warnings: Vec<String>,
}

/// Reads all sources and lays them over each other.
///
/// # Errors
/// `config_error` with file, line and hint; `invalid_argument` for an unknown preset; `file_not_found` when a file named
/// by the user is not there.
pub fn load_config(sources: &Sources) -> Result<Loaded> {
    let mut merged = Merged::default();
    let mut warnings = Vec::new();

    if let Some(path) = &sources.user_file
        && let Some(text) = read_optional_file(path, None)?
    {
        let file = path.display().to_string();
        for entry in document::read_config_entries(&text, &file, &[])?.unwrap_or_default() {
            let origin = ConfigOrigin::User { file: file.clone(), line: entry.line };
            merged.set(&entry.path, entry.value, origin, path.parent().unwrap_or(Path::new("")));
        }
    }

    let pyproject = read_optional_file(&sources.root.join(PYPROJECT), Some(&sources.root))?;
    project_layer(sources, pyproject.as_deref(), &mut merged, &mut warnings)?;
    let foreign = FOREIGN_FILES.iter().filter(|name| sources.root.join(name).is_file());
    warnings.extend(foreign.map(|name| {
        format!("{name} is not read: write its settings into {OWN_FILE} (`tapps-mcp config schema` lists the keys)")
    }));

    let (variables, unused) = environment::read_environment(&sources.environment)?;
    warnings.extend(unused);
    for variable in variables {
        let origin = ConfigOrigin::Environment { variable: variable.name };
        merged.set(variable.key.path, variable.value, origin, &sources.current_dir);
    }

    for given in &sources.overrides {
        if let ConfigKeyPlace::Key(key) = keys::look_up_key(given.key) {
            keys::check_key_value(key, given.key, &given.value, given.flag)?;
        }
        let origin = ConfigOrigin::Flag { flag: given.flag.to_owned() };
        merged.set(given.key, given.value.clone(), origin, &sources.current_dir);
    }

    if !merged.has("python.version")
        && let Some((version, line)) = required_python(pyproject.as_deref())
    {
        let origin = ConfigOrigin::Derived { file: PYPROJECT.to_owned(), line };
        merged.set("python.version", Value::from(version.to_string()), origin, &sources.root);
    }

    let (config, origins) = merged.finish()?;
    Ok(Loaded { config, origins, warnings })
}

/// The file the user named, or the project's own; never two.
fn project_layer(
    sources: &Sources,
    pyproject: Option<&str>,
    merged: &mut Merged,
    warnings: &mut Vec<String>,
) -> Result<()> {
    let (file, found, base, trusted) = if let Some(named) = &sources.named_file {
        let path = sources.current_dir.join(named);
        let file = named.display().to_string();
        let Some(text) = read_optional_file(&path, None)? else {
            return Err(Error::new(ErrorCode::FileNotFound, format!("the configuration file {file} does not exist"))
                .hint("correct the path, or leave it out to use the project's own configuration"));
        };
        let inside: &[&str] =
            if path.file_name().is_some_and(|n| n == PYPROJECT) { &["tool", "tapps-mcp"] } else { &[] };
        let found = document::read_config_entries(&text, &file, inside)?;
        (file, found, path.parent().unwrap_or(&sources.current_dir).to_owned(), true)
    } else {
        let own = read_optional_file(&sources.root.join(OWN_FILE), Some(&sources.root))?;
        let own = own.map(|text| document::read_config_entries(&text, OWN_FILE, &[])).transpose()?.flatten();
        let table = pyproject_entries(pyproject, warnings)?;
        let (file, found) = match (own, table) {
            (Some(_), Some(_)) => {
                let message = format!("both {OWN_FILE} and [tool.tapps-mcp] in {PYPROJECT} configure this project");
                return Err(Error::new(ErrorCode::ConfigError, message).hint("keep one of the two"));
            }
            (Some(own), None) => (OWN_FILE, Some(own)),
            (None, table) => (PYPROJECT, table),
        };
        (file.to_owned(), found, sources.root.clone(), false)
    };
    for ConfigFileEntry { path, value, line } in found.unwrap_or_default() {
        if let (ConfigKeyPlace::Key(key), false) = (keys::look_up_key(&path), trusted)
            && !key.by_project
        {
            let message = format!("{file}:{line}: `{path}` cannot be set by a project");
            return Err(Error::new(ErrorCode::ConfigError, message)
                .hint(format!("it decides what runs on this machine: set it {}", other_places_hint(key))));
        }
        merged.set(&path, value, ConfigOrigin::Project { file: file.clone(), line }, &base);
    }
    Ok(())
}

fn other_places_hint(key: &keys::ConfigKey) -> String {
    let variable = environment::variable_for_key(key).map(|name| format!(", through {name}")).unwrap_or_default();
    format!("in the user's configuration file{variable} or on the command line")
}

/// The project's table in `pyproject.toml`. A broken `pyproject.toml` that never speaks of this program is not its business.
fn pyproject_entries(pyproject: Option<&str>, warnings: &mut Vec<String>) -> Result<Option<Vec<ConfigFileEntry>>> {
    let Some(text) = pyproject else { return Ok(None) };
    match document::read_config_entries(text, PYPROJECT, &["tool", "tapps-mcp"]) {
        Err(error) if !text.contains("tapps-mcp") => {
            warnings.push(error.message().to_owned());
            Ok(None)
        }
        other => other,
    }
}

fn required_python(pyproject: Option<&str>) -> Option<(python::PythonVersion, u32)> {
    let (specifier, line) = document::text_at(pyproject?, PYPROJECT, &["project", "requires-python"]).ok()??;
    python::oldest_admitted(&specifier).map(|version| (version, line))
}

/// The text of a file, or `None` when there is none. A file below `within` may not be a link that leads out of it.
fn read_optional_file(path: &Path, within: Option<&Path>) -> Result<Option<String>> {
    let fault = |what: &str| Error::new(ErrorCode::ConfigError, format!("{} {what}", path.display()));
    let unread =
        |e: &std::io::Error| Error::io_or(ErrorCode::ConfigError, format_args!("{} cannot be read", path.display()), e);
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(e) => return Err(unread(&e)),
    };
    if !meta.is_file() {
        return Err(fault("is not a regular file"));
    }
    if let Some(root) = within {
        let real = path.canonicalize().map_err(|e| unread(&e))?;
        if !real.starts_with(root) {
            return Err(fault("leads out of the project").hint("replace the link by the file itself"));
        }
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| unread(&e))?;
    match file.take(MAX_BYTES + 1).read_to_string(&mut text) {
        Ok(read) if read as u64 > MAX_BYTES => {
            Err(fault("is larger than 1 MiB").hint("shorten it: no configuration needs as much"))
        }
        Ok(_) => Ok(Some(text.trim_start_matches('\u{feff}').to_owned())),
        Err(e) => Err(unread(&e)),
    }
}
