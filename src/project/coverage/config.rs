//! The exclusion patterns that a project gives coverage.py.

use regex::Regex;
use tapps_base::toml_text;

use super::exclude;
use crate::files::ProjectFiles;
use crate::ini;
use tapps_base::{Error, ErrorCode, Result};

const MAX: u64 = 1 << 20;

/// The patterns in force: those of the first configuration file with coverage settings, or the defaults.
///
/// # Errors
/// `config_error` for a file that cannot be parsed or a pattern that cannot be used.
pub(super) fn load_exclusion_regex(files: &ProjectFiles) -> Result<Option<Regex>> {
    let mut settings = CoverageExclusionSettings::default();
    for (file, prefix) in [(".coveragerc", ""), ("setup.cfg", "coverage:"), ("tox.ini", "coverage:")] {
        if let Some(text) = read_config_text(files, file)
            && let Some(found) = CoverageExclusionSettings::of_ini(&text, prefix)
        {
            settings = found;
            return settings.compile();
        }
    }
    if let Some(text) = read_config_text(files, "pyproject.toml") {
        settings = CoverageExclusionSettings::of_toml(&text)?.unwrap_or_default();
    }
    settings.compile()
}

fn read_config_text(files: &ProjectFiles, path: &str) -> Option<String> {
    files.read(path, MAX).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}

#[derive(Debug, Default, PartialEq, Eq)]
struct CoverageExclusionSettings {
    /// Instead of the defaults.
    lines: Option<Vec<String>>,
    /// Besides them.
    also: Vec<String>,
}

impl CoverageExclusionSettings {
    fn of_ini(text: &str, prefix: &str) -> Option<Self> {
        let sections = ini::parse_ini_text(text).sections;
        let mine = |name: &str| if prefix.is_empty() { true } else { name.starts_with(prefix) };
        if !sections.iter().any(|section| mine(&section.name)) {
            return None;
        }
        let report = sections.iter().find(|section| section.name == format!("{prefix}report"));
        let list = |key: &str| {
            let value = report?.get(key)?;
            Some(value.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>())
        };
        Some(Self { lines: list("exclude_lines"), also: list("exclude_also").unwrap_or_default() })
    }

    fn of_toml(text: &str) -> Result<Option<Self>> {
        let wrong = |e: toml::de::Error| {
            Error::new(ErrorCode::ConfigError, format!("cannot parse pyproject.toml: {}", e.message()))
        };
        let document = toml_text::parse_table(text).map_err(wrong)?;
        let Some(coverage) = document.get("tool").and_then(|tool| tool.get("coverage")) else { return Ok(None) };
        let list = |key: &str| match coverage.get("report").and_then(|report| report.get(key)) {
            Some(toml::Value::Array(items)) => {
                Some(items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect::<Vec<_>>())
            }
            Some(toml::Value::String(item)) => Some(item.lines().map(str::to_owned).collect()),
            _ => None,
        };
        Ok(Some(Self { lines: list("exclude_lines"), also: list("exclude_also").unwrap_or_default() }))
    }

    fn compile(&self) -> Result<Option<Regex>> {
        let mut patterns: Vec<&str> = match &self.lines {
            Some(lines) => lines.iter().map(String::as_str).collect(),
            None => exclude::DEFAULT.to_vec(),
        };
        patterns.extend(self.also.iter().map(String::as_str));
        exclude::compile_exclusion_patterns(&patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_kinds_of_file() {
        let ini = "[run]\nbranch = true\n[report]\nexclude_also =\n    def __repr__\n    raise NotImplementedError\n";
        let also = vec!["def __repr__".to_owned(), "raise NotImplementedError".to_owned()];
        assert_eq!(CoverageExclusionSettings::of_ini(ini, ""), Some(CoverageExclusionSettings { lines: None, also }));
        assert_eq!(CoverageExclusionSettings::of_ini("[metadata]\nname = x\n", "coverage:"), None);
        let toml = "[tool.coverage.report]\nexclude_lines = ['a', 'b']\n";
        let lines = Some(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(
            CoverageExclusionSettings::of_toml(toml).unwrap(),
            Some(CoverageExclusionSettings { lines, also: Vec::new() })
        );
        assert_eq!(CoverageExclusionSettings::of_toml("[tool.ruff]\n").unwrap(), None);
    }

    #[test]
    fn a_pattern_that_cannot_be_used_is_named() {
        let settings = CoverageExclusionSettings { lines: None, also: vec!["(?<=x)y".to_owned()] };
        assert!(settings.compile().unwrap_err().message().contains("(?<=x)y"));
    }
}
