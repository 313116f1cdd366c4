//! Settings that keep findings from being told: what a change brings of them, and which of its own findings they would hide.

use std::collections::BTreeSet;

use globset::GlobBuilder;
use regex::Regex;
use serde_json::Value;
use tapps_base::finding::Tool;
use tapps_project::settings_values::read_settings;

use super::super::report::ChangeFinding;

/// Something that a setting hides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Silence {
    /// The path of the setting in its file.
    setting: String,
    /// Whose findings: `ruff` or `mypy`.
    tool: &'static str,
    place: HiddenPlace,
    /// The beginning of the codes that are hidden; empty for all.
    code: String,
}

/// Where findings are hidden.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum HiddenPlace {
    Everywhere,
    /// A glob of paths, as ruff reads it.
    Paths(String),
    /// An expression that paths match, as mypy reads it.
    Expression(String),
    /// A module, with `*` for any part.
    Module(String),
}

/// What the head's settings hide that the base's do not.
pub(super) fn new_silences(path: &str, base: Option<&str>, head: Option<&str>) -> Vec<Silence> {
    let read = |text: Option<&str>| -> BTreeSet<Silence> {
        let settings = text.and_then(|text| read_settings(path, text));
        settings.map(|settings| silences_of(path, &settings)).unwrap_or_default()
    };
    let before = read(base);
    read(head).into_iter().filter(|silence| !before.contains(silence)).collect()
}

impl Silence {
    /// Whether it hides a finding. `folder` is that of the file of settings, from where the finding's path counts.
    pub(super) fn hides(&self, folder: &str, file: &str, found: &ChangeFinding) -> bool {
        let tool = match found.finding.tool {
            Tool::Ruff => "ruff",
            Tool::Mypy => "mypy",
            _ => return false,
        };
        let code = found.finding.rule.split_once(':').map_or("", |(_, code)| code);
        let Some(file) = file.strip_prefix(folder) else { return false };
        tool == self.tool && code.starts_with(&self.code) && self.place.holds(file)
    }

    /// What is said of it.
    pub(super) fn describe(&self, file: &str, found: &ChangeFinding) -> String {
        format!(
            "{} hides {} at {file}:{}, which the change brings",
            self.setting, found.finding.rule, found.finding.line
        )
    }
}

impl HiddenPlace {
    fn holds(&self, file: &str) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Paths(glob) => {
                let glob = glob.trim_start_matches("./").trim_end_matches('/');
                let name = file.rsplit('/').next().unwrap_or(file);
                let matches = |glob: &str, text: &str| {
                    GlobBuilder::new(glob).build().is_ok_and(|glob| glob.compile_matcher().is_match(text))
                };
                let is_below = file.strip_prefix(glob).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                is_below || matches(glob, file) || matches(glob, name)
            }
            Self::Expression(expression) => Regex::new(expression).is_ok_and(|one| one.is_match(file)),
            Self::Module(pattern) => {
                let stem = file.strip_suffix(".py").or_else(|| file.strip_suffix(".pyi")).unwrap_or(file);
                let module = stem.strip_suffix("/__init__").unwrap_or(stem).replace('/', ".");
                let inside = module.strip_prefix("src.").unwrap_or(&module);
                let glob = pattern.strip_suffix(".*");
                [module.as_str(), inside].into_iter().any(|module| match glob {
                    Some(parent) => {
                        module == parent || module.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
                    }
                    None => module == pattern || *pattern == "*",
                })
            }
        }
    }
}

fn silences_of(path: &str, settings: &Value) -> BTreeSet<Silence> {
    let mut found = BTreeSet::new();
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "pyproject.toml" => {
            read_ruff("tool.ruff", settings.pointer("/tool/ruff"), &mut found);
            read_mypy("tool.mypy", settings.pointer("/tool/mypy"), &mut found);
        }
        "ruff.toml" | ".ruff.toml" => read_ruff("", Some(settings), &mut found),
        "mypy.ini" | ".mypy.ini" | "setup.cfg" => {
            for (section, values) in settings.as_object().into_iter().flatten() {
                match section.strip_prefix("mypy-") {
                    Some(modules) => {
                        let places = modules.split(',').map(|module| HiddenPlace::Module(module.trim().to_owned()));
                        places.for_each(|place| read_mypy_section(section, values, &place, &mut found));
                    }
                    None if section == "mypy" => read_mypy(section, Some(values), &mut found),
                    None => {}
                }
            }
        }
        _ => {}
    }
    found
}

fn read_ruff(at: &str, settings: Option<&Value>, found: &mut BTreeSet<Silence>) {
    let Some(settings) = settings else { return };
    let mut add = |setting: String, place: HiddenPlace, code: &str| {
        found.insert(Silence { setting, tool: "ruff", place, code: code.to_owned() });
    };
    let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    for key in ["exclude", "extend-exclude"] {
        for pattern in texts(settings.get(key)).chain(texts(settings.pointer(&format!("/lint/{key}")))) {
            add(below(key), HiddenPlace::Paths(pattern.to_owned()), "");
        }
    }
    for (table, values) in [("", Some(settings)), ("lint.", settings.get("lint"))] {
        for key in ["ignore", "extend-ignore"] {
            for code in texts(values.and_then(|values| values.get(key))) {
                add(below(&format!("{table}{key}")), HiddenPlace::Everywhere, all_or(code));
            }
        }
        for key in ["per-file-ignores", "extend-per-file-ignores"] {
            let entries = values.and_then(|values| values.get(key)?.as_object());
            for (pattern, codes) in entries.into_iter().flatten() {
                for code in texts(Some(codes)) {
                    add(below(&format!("{table}{key}")), HiddenPlace::Paths(pattern.clone()), all_or(code));
                }
            }
        }
    }
}

/// `ALL` stands for every code.
fn all_or(code: &str) -> &str {
    if code == "ALL" { "" } else { code }
}

fn read_mypy(at: &str, settings: Option<&Value>, found: &mut BTreeSet<Silence>) {
    let Some(settings) = settings else { return };
    read_mypy_section(at, settings, &HiddenPlace::Everywhere, found);
    for expression in texts(settings.get("exclude")) {
        let place = HiddenPlace::Expression(expression.to_owned());
        found.insert(Silence { setting: format!("{at}.exclude"), tool: "mypy", place, code: String::new() });
    }
    for table in settings.get("overrides").and_then(Value::as_array).into_iter().flatten() {
        for module in texts(table.get("module")) {
            read_mypy_section(&format!("{at}.overrides"), table, &HiddenPlace::Module(module.to_owned()), found);
        }
    }
}

fn read_mypy_section(at: &str, values: &Value, place: &HiddenPlace, found: &mut BTreeSet<Silence>) {
    let is_set = |key: &str| match values.get(key) {
        Some(Value::Bool(set)) => *set,
        Some(Value::String(text)) => matches!(text.to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "on"),
        _ => false,
    };
    let mut add = |key: &str, code: &str| {
        let setting = format!("{at}.{key}");
        found.insert(Silence { setting, tool: "mypy", place: place.clone(), code: code.to_owned() });
    };
    if is_set("ignore_errors") {
        add("ignore_errors", "");
    }
    for code in texts(values.get("disable_error_code")).flat_map(|text| text.split([',', '\n'])) {
        let code = code.trim();
        if !code.is_empty() {
            add("disable_error_code", code);
        }
    }
}

/// A text, or the texts of a list.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let (one, many) = match value {
        Some(Value::String(text)) => (Some(text.as_str()), &[][..]),
        Some(Value::Array(items)) => (None, items.as_slice()),
        _ => (None, &[][..]),
    };
    one.into_iter().chain(many.iter().filter_map(Value::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_change_hides_is_told_from_what_was_hidden() {
        let base = "[tool.ruff.lint.per-file-ignores]\n'tests/*' = ['S101']\n";
        let head = "[tool.ruff.lint.per-file-ignores]\n'tests/*' = ['S101']\n'shop/*.py' = ['S307', 'ALL']\n[[tool.mypy.overrides]]\nmodule = ['shop.a']\nignore_errors = true\n";
        let told: Vec<String> = new_silences("pyproject.toml", Some(base), Some(head))
            .into_iter()
            .map(|one| format!("{} {} {:?} {}", one.setting, one.tool, one.place, one.code))
            .collect();
        assert_eq!(
            told,
            [
                "tool.mypy.overrides.ignore_errors mypy Module(\"shop.a\") ",
                "tool.ruff.lint.per-file-ignores ruff Paths(\"shop/*.py\") ",
                "tool.ruff.lint.per-file-ignores ruff Paths(\"shop/*.py\") S307",
            ]
        );
        assert_eq!(new_silences("pyproject.toml", Some(head), Some(base)), Vec::new());
    }

    #[test]
    fn places_are_read_as_the_tools_read_them() {
        assert!(HiddenPlace::Module("shop.*".to_owned()).holds("src/shop/a.py"));
        assert!(HiddenPlace::Module("shop".to_owned()).holds("shop/__init__.py"));
        assert!(!HiddenPlace::Module("shop".to_owned()).holds("shop/a.py"));
        assert!(HiddenPlace::Paths("shop/*.py".to_owned()).holds("shop/a.py"));
        assert!(HiddenPlace::Paths("__init__.py".to_owned()).holds("shop/__init__.py"));
        assert!(HiddenPlace::Paths("shop".to_owned()).holds("shop/deep/a.py"));
        assert!(!HiddenPlace::Paths("tests/*".to_owned()).holds("shop/a.py"));
    }
}
