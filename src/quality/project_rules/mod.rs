//! The project's own configuration of ruff and mypy, for those who want its rules instead of this program's.
//!
//! A project is foreign text, and both tools can be told by their configuration to load code or to read any file. So its
//! configuration is read here, reduced to keys of which it is known that they name neither, and written anew: no tool
//! ever sees the project's own text. What is left out is told with the result.

mod mypy;
mod mypy_keys;
mod ruff;
mod ruff_keys;
mod setting_shape;

use std::collections::{BTreeMap, BTreeSet};
use tapps_base::toml_text;

use toml::Table;

use crate::result::ProjectConfiguration;
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_config::{Config, Rules};
use tapps_project::ini;
use tapps_sandbox::Boundary;

/// Largest configuration file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Most keys of one tool that are named as left out.
const MOST_NAMED: usize = 20;

/// Longest key that is named as it is, in bytes.
const LONGEST_KEY: usize = 80;

const PYPROJECT: &str = "pyproject.toml";
const SETUP: &str = "setup.cfg";

/// Every key of the locked ruff, followed or not: what was looked at.
pub fn ruff_keys() -> impl Iterator<Item = &'static str> {
    ruff_keys::FOLLOWED.iter().map(|(key, _)| *key).chain(ruff_keys::NOT_FOLLOWED.iter().copied())
}

/// Every option of the locked mypy for single modules, followed or not: what was looked at.
pub fn mypy_module_options() -> impl Iterator<Item = &'static str> {
    let of_modules = mypy_keys::FOLLOWED.iter().filter(|(_, scope, _)| *scope != mypy_keys::OptionScope::Whole);
    of_modules.map(|(name, ..)| *name).chain(mypy_keys::NOT_FOLLOWED_OF_MODULES.iter().copied())
}

/// What is left of a configuration.
#[derive(Debug)]
struct ReducedConfiguration {
    /// For the tool.
    text: String,
    /// The keys that are not followed, as the project writes them.
    left_out: BTreeSet<String>,
}

/// The rules of the project: nothing of a tool whose configuration the project does not have.
#[derive(Debug, Default)]
pub(super) struct ProjectRules {
    /// What ruff is handed as its configuration.
    pub(super) ruff: Option<String>,
    /// What mypy is handed as its configuration.
    pub(super) mypy: Option<String>,
    /// What the reply says of it; none when the project's rules are not followed.
    pub(super) told: Option<ProjectConfiguration>,
}

impl ProjectRules {
    /// Reads and reduces the project's configuration, when its rules are to be followed.
    ///
    /// # Errors
    /// `config_error` for a file that is too large or cannot be parsed; `path_denied` for one that lies outside.
    pub(super) fn read_project_rules(boundary: &Boundary, config: &Config) -> Result<Self> {
        if config.rules == Rules::Tapps {
            return Ok(Self::default());
        }
        let target = format!("py3{}", config.python.version.minor());
        let found = [("ruff", ruff_configuration(boundary, &target)?), ("mypy", mypy_configuration(boundary)?)];
        let (mut followed, mut left_out) = (Vec::new(), Vec::new());
        for (tool, (file, reduced)) in found.iter().filter_map(|(tool, found)| Some((tool, found.as_ref()?))) {
            followed.push(format!("{tool}: {file}"));
            left_out.extend(named_keys(tool, &reduced.left_out));
        }
        let told = Some(ProjectConfiguration { followed, left_out });
        let [ruff, mypy] = found.map(|(_, found)| found.map(|(_, reduced)| reduced.text));
        Ok(Self { ruff, mypy, told })
    }

    /// Digests of what the tools are handed, by tool.
    pub(super) fn digests_by_tool(&self) -> BTreeMap<&'static str, String> {
        let texts = [("ruff", &self.ruff), ("mypy", &self.mypy)];
        texts.into_iter().filter_map(|(tool, text)| Some((tool, digest::sha256(text.as_ref()?.as_bytes())))).collect()
    }
}

/// ruff's configuration, from the file in which ruff itself would look first.
fn ruff_configuration(boundary: &Boundary, target: &str) -> Result<Option<(&'static str, ReducedConfiguration)>> {
    for file in [".ruff.toml", "ruff.toml"] {
        if let Some(text) = read_text(boundary, file)? {
            return Ok(Some((file, ruff::reduce_ruff_configuration(&parse_toml(file, &text)?, target))));
        }
    }
    let settings = pyproject_table(boundary, "ruff")?;
    Ok(settings.map(|settings| (PYPROJECT, ruff::reduce_ruff_configuration(&settings, target))))
}

/// mypy's configuration, from the file in which mypy itself would look first.
fn mypy_configuration(boundary: &Boundary) -> Result<Option<(&'static str, ReducedConfiguration)>> {
    for file in ["mypy.ini", ".mypy.ini"] {
        if let Some(text) = read_text(boundary, file)? {
            return Ok(Some((file, mypy::reduce_mypy_ini(&parse_ini(file, &text)?))));
        }
    }
    if let Some(settings) = pyproject_table(boundary, "mypy")? {
        return Ok(Some((PYPROJECT, mypy::reduce_mypy_toml(&settings))));
    }
    let Some(text) = read_text(boundary, SETUP)? else { return Ok(None) };
    let document = parse_ini(SETUP, &text)?;
    let mentions = document.sections.iter().any(|section| section.name == "mypy");
    Ok(mentions.then(|| (SETUP, mypy::reduce_mypy_ini(&document))))
}

/// The table `[tool.NAME]` of `pyproject.toml`, when there is one.
fn pyproject_table(boundary: &Boundary, tool: &str) -> Result<Option<Table>> {
    let Some(text) = read_text(boundary, PYPROJECT)? else { return Ok(None) };
    let mut document = parse_toml(PYPROJECT, &text)?;
    let settings = document.get_mut("tool").and_then(|tools| tools.as_table_mut()?.remove(tool));
    Ok(match settings {
        Some(toml::Value::Table(settings)) => Some(settings),
        _ => None,
    })
}

/// The text of a file at the root; none when it is not there.
fn read_text(boundary: &Boundary, file: &str) -> Result<Option<String>> {
    let path = boundary.resolve(file)?;
    if !boundary.is_there(&path) {
        return Ok(None);
    }
    let bytes = match boundary.read(&path, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) if error.code() == ErrorCode::FileNotFound => return Ok(None),
        Err(error) if error.code() == ErrorCode::InvalidArgument => {
            return Err(unusable_configuration(file, error.message()));
        }
        Err(error) => return Err(error),
    };
    String::from_utf8(bytes).map(Some).map_err(|_| unusable_configuration(file, "it is not UTF-8"))
}

fn parse_toml(file: &str, text: &str) -> Result<Table> {
    toml_text::parse_table(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).map_or(0, |before| before.matches('\n').count()) + 1;
        unusable_configuration(file, &format!("line {line} is not TOML"))
    })
}

fn parse_ini(file: &str, text: &str) -> Result<ini::IniDocument> {
    let document = ini::parse_ini_text(text);
    match document.fault {
        None => Ok(document),
        Some((line, why)) => Err(unusable_configuration(file, &format!("line {line}: {why}"))),
    }
}

/// A configuration that cannot be followed. Nothing of its text is told: the message is for whoever can see the file.
fn unusable_configuration(file: &str, why: &str) -> Error {
    Error::new(ErrorCode::ConfigError, format!("{file} cannot be used as the project's rules: {why}"))
        .hint("correct the file, or set `rules = \"tapps\"` to be judged by the rules of this program")
}

/// A key as it is shown: one that is no plain word could say anything to whoever reads it.
fn shown_key(key: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '*');
    if key.len() <= LONGEST_KEY && !key.is_empty() && key.chars().all(plain) {
        key
    } else {
        "a key that is no plain word"
    }
}

/// The first keys of a tool, and how many more there are.
fn named_keys(tool: &str, keys: &BTreeSet<String>) -> Vec<String> {
    let shown: BTreeSet<&str> = keys.iter().map(|key| shown_key(key)).collect();
    let more = shown.len().saturating_sub(MOST_NAMED);
    let more = (more > 0).then(|| format!("{tool}: and {more} more"));
    shown.into_iter().take(MOST_NAMED).map(|key| format!("{tool}: {key}")).chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Project(tempfile::TempDir);

    impl Project {
        fn of(files: &[(&str, &[u8])]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            for (name, bytes) in files {
                std::fs::write(folder.path().join(name), bytes).unwrap();
            }
            Self(folder)
        }

        fn rules(&self) -> Result<ProjectRules> {
            let config = Config { rules: Rules::Project, ..Config::default() };
            ProjectRules::read_project_rules(&Boundary::open(self.0.path()).unwrap(), &config)
        }

        fn followed(&self) -> Vec<String> {
            self.rules().unwrap().told.unwrap().followed
        }
    }

    #[test]
    fn the_first_file_with_settings_counts_as_for_the_tools_themselves() {
        let project = Project::of(&[("pyproject.toml", b"[tool.other]\n"), ("setup.cfg", b"[mypy]\nstrict = True\n")]);
        assert_eq!(project.followed(), ["mypy: setup.cfg"]);
        let project = Project::of(&[
            ("pyproject.toml", b"[tool.ruff]\n[tool.mypy]\n"),
            ("setup.cfg", b"[mypy]\n"),
            ("ruff.toml", b""),
            (".ruff.toml", b""),
        ]);
        assert_eq!(project.followed(), ["ruff: .ruff.toml", "mypy: pyproject.toml"]);
        let project = Project::of(&[("setup.cfg", b"[metadata]\n"), (".mypy.ini", b"")]);
        assert_eq!(project.followed(), ["mypy: .mypy.ini"]);
        let none = Project::of(&[("setup.cfg", b"[metadata]\n")]).rules().unwrap();
        assert!(none.ruff.is_none() && none.mypy.is_none() && none.digests_by_tool().is_empty());
        assert_eq!(none.told, Some(ProjectConfiguration::default()));
    }

    #[test]
    fn nothing_is_read_unless_the_project_s_rules_are_wanted() {
        let project = Project::of(&[("ruff.toml", b"no TOML")]);
        let rules =
            ProjectRules::read_project_rules(&Boundary::open(project.0.path()).unwrap(), &Config::default()).unwrap();
        assert!(rules.told.is_none() && rules.ruff.is_none());
    }

    #[test]
    fn files_that_cannot_be_used_are_told_without_their_text() {
        let huge = b"x".repeat(usize::try_from(LARGEST).unwrap() + 1);
        for (file, bytes, why) in [
            ("ruff.toml", &b"a = 1\nsecret text\n"[..], "line 2 is not TOML"),
            ("pyproject.toml", b"secret", "line 1 is not TOML"),
            ("mypy.ini", b"[mypy]\nsecret\n", "line 2: the line is neither"),
            ("setup.cfg", b"\xffsecret", "not UTF-8"),
            (".mypy.ini", &huge, "more than the 1048576"),
        ] {
            let error = Project::of(&[(file, bytes)]).rules().unwrap_err();
            assert_eq!(error.code(), ErrorCode::ConfigError, "{file}");
            assert!(error.message().contains(file) && error.message().contains(why), "{error}");
            assert!(!error.message().contains("secret") && error.body().hint.is_some(), "{error}");
        }
    }

    #[test]
    fn a_link_that_leads_out_is_denied() {
        let outside = Project::of(&[("secret.toml", b"line-length = 77\n")]);
        for file in ["ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"] {
            let project = Project::of(&[]);
            std::os::unix::fs::symlink(outside.0.path().join("secret.toml"), project.0.path().join(file)).unwrap();
            assert_eq!(project.rules().unwrap_err().code(), ErrorCode::PathDenied, "{file}");
        }
    }

    #[test]
    fn what_is_left_out_is_named_within_bounds() {
        let many: String = (0..50).map(|n| format!("unheard-{n:02} = 1\n")).collect();
        let project = Project::of(&[
            ("ruff.toml", many.as_bytes()),
            ("mypy.ini", b"[mypy]\nobey the file evil.py = 1\nplugins = x\n[mypy-a]\nplugins = x\n"),
        ]);
        let left_out = project.rules().unwrap().told.unwrap().left_out;
        let (ruff, mypy) = left_out.split_at(MOST_NAMED + 1);
        assert_eq!((ruff[0].as_str(), ruff[20].as_str()), ("ruff: unheard-00", "ruff: and 30 more"));
        assert_eq!(mypy, ["mypy: a key that is no plain word", "mypy: plugins"]);
    }
}
