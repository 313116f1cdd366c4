//! mypy's configuration as a project brings it, and what is left of it.
//!
//! mypy takes any attribute of its options for a key, also `plugins`, which names code, and a dozen that name files. So
//! nothing of the project's text reaches it: options are read by [`super`], looked up in a table, and written anew.
//!
//! No plugin is followed. Of the well-known ones that of Django imports the project's settings, and those of SQLAlchemy
//! and pydantic need these libraries in mypy's own process, where neither is among the locked tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use toml::{Table, Value};

use super::ReducedConfiguration;
use super::mypy_keys::{FOLLOWED, OptionScope, OptionValues};
use tapps_project::ini;

/// The section of the whole, and what the names of modules' sections start with.
const WHOLE: &str = "mypy";
const MODULE: &str = "mypy-";

/// Where mypy keeps its settings in TOML for some modules.
const OVERRIDES: &str = "overrides";

/// Longest name or pattern of a module, in bytes.
const LONGEST_NAME: usize = 300;

/// Most bytes that are written for modules: a list of modules and a list of names can be multiplied in the writing.
const LARGEST: usize = 1 << 20;

/// Most keys that are looked at: those of `[DEFAULT]` count for each section.
const MOST_KEYS: usize = 1 << 20;

/// A value before it is looked at.
enum RawOptionValue<'a> {
    Switch(bool),
    Text(&'a str),
    Names(Vec<&'a str>),
    Other,
}

impl<'a> RawOptionValue<'a> {
    fn of_toml(value: &'a Value) -> Self {
        match value {
            Value::Boolean(on) => Self::Switch(*on),
            Value::String(text) => Self::Text(text),
            Value::Array(items) => {
                items.iter().map(Value::as_str).collect::<Option<_>>().map_or(Self::Other, Self::Names)
            }
            _ => Self::Other,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Switch(on) => Some(*on),
            Self::Text(text) => match text.to_ascii_lowercase().as_str() {
                "1" | "yes" | "true" | "on" => Some(true),
                "0" | "no" | "false" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn into_name_list(self) -> Option<Vec<&'a str>> {
        match self {
            Self::Text(text) => Some(text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()),
            Self::Names(names) => Some(names.into_iter().map(str::trim).collect()),
            _ => None,
        }
    }
}

/// The configuration in `mypy.ini`, `.mypy.ini` or `setup.cfg`.
pub(super) fn reduce_mypy_ini(document: &ini::IniDocument) -> ReducedConfiguration {
    let mut reducer = MypyReducer::default();
    let mut looked_at = 0;
    for section in &document.sections {
        looked_at += document.count_entries(section);
        if looked_at > MOST_KEYS {
            reducer.leave_out(&section.name);
            continue;
        }
        let entries = || document.entries_of(section).map(|(key, value)| (key, RawOptionValue::Text(value)));
        if section.name == WHOLE {
            reducer.whole = reducer.followed_lines(entries(), false);
        } else if let Some(modules) = section.name.strip_prefix(MODULE) {
            let lines = reducer.followed_lines(entries(), true);
            for module in modules.split(',').map(str::trim) {
                // A section takes the place of an earlier one about the same modules.
                if let Some((_, earlier)) = reducer.modules.get_mut(module) {
                    earlier.clear();
                }
                reducer.add_module_section(module, &lines);
            }
        }
    }
    reducer.into_configuration()
}

/// The configuration in `[tool.mypy]` of `pyproject.toml`.
pub(super) fn reduce_mypy_toml(settings: &Table) -> ReducedConfiguration {
    let mut reducer = MypyReducer::default();
    let whole = settings.iter().filter(|(key, _)| *key != OVERRIDES);
    reducer.whole =
        reducer.followed_lines(whole.map(|(key, value)| (key.as_str(), RawOptionValue::of_toml(value))), false);
    match settings.get(OVERRIDES) {
        None => {}
        Some(Value::Array(overrides)) => {
            for one in overrides {
                reducer.take_override(one);
            }
        }
        Some(_) => reducer.leave_out(OVERRIDES),
    }
    reducer.into_configuration()
}

/// What is written for one section.
type OptionLines = Vec<(String, String)>;

#[derive(Default)]
struct MypyReducer {
    whole: OptionLines,
    /// By name, with their place in the file, since among patterns the later one counts.
    modules: BTreeMap<String, (usize, OptionLines)>,
    /// Bytes of all that was added for modules.
    written: usize,
    left_out: BTreeSet<String>,
}

impl MypyReducer {
    fn leave_out(&mut self, key: &str) {
        self.left_out.insert(key.to_owned());
    }

    fn take_override(&mut self, settings: &Value) {
        let modules = match settings.get("module") {
            Some(Value::String(module)) => vec![module.as_str()],
            Some(Value::Array(modules)) => modules.iter().filter_map(Value::as_str).collect(),
            _ => return self.leave_out(OVERRIDES),
        };
        let entries = settings.as_table().into_iter().flatten().filter(|(key, _)| *key != "module");
        let lines =
            self.followed_lines(entries.map(|(key, value)| (key.as_str(), RawOptionValue::of_toml(value))), true);
        for module in modules {
            self.add_module_section(module, &lines);
        }
    }

    /// Adds lines to the section of some modules.
    fn add_module_section(&mut self, module: &str, lines: &OptionLines) {
        let bytes: usize = lines.iter().map(|(key, value)| key.len() + value.len()).sum();
        self.written += bytes + module.len();
        if !is_name(module) || self.written > LARGEST {
            return self.leave_out(&format!("{MODULE}{module}"));
        }
        let place = self.modules.len();
        let (_, section) = self.modules.entry(module.to_owned()).or_insert_with(|| (place, OptionLines::new()));
        for (key, value) in lines {
            section.retain(|(known, _)| known != key);
            section.push((key.clone(), value.clone()));
        }
    }

    /// The lines of a section that are followed.
    fn followed_lines<'g>(
        &mut self,
        entries: impl Iterator<Item = (&'g str, RawOptionValue<'g>)>,
        in_module: bool,
    ) -> OptionLines {
        let mut lines = OptionLines::new();
        for (key, given) in entries {
            let (value, whole) =
                values_of_option(key, in_module).map_or((None, false), |takes| written_value(takes, given));
            if !whole {
                self.leave_out(key);
            }
            lines.extend(value.map(|value| (key.to_owned(), value)));
        }
        lines
    }

    fn into_configuration(self) -> ReducedConfiguration {
        let mut modules: Vec<(String, (usize, OptionLines))> = self.modules.into_iter().collect();
        modules.sort_by_key(|(_, (place, _))| *place);
        let modules = modules.into_iter().map(|(module, (_, lines))| (format!("{MODULE}{module}"), lines));
        let mut text = String::new();
        for (name, lines) in std::iter::once((WHOLE.to_owned(), self.whole)).chain(modules) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "[{name}]");
            for (key, value) in lines {
                let _ = writeln!(text, "{key} = {value}");
            }
        }
        ReducedConfiguration { text, left_out: self.left_out }
    }
}

/// A value as it is written, as far as it fits, and whether all of it does.
fn written_value(takes: OptionValues, given: RawOptionValue<'_>) -> (Option<String>, bool) {
    let value = match takes {
        OptionValues::Switch => given.as_boolean().map(|on| if on { "True" } else { "False" }.to_owned()),
        OptionValues::Word(words) => match given {
            RawOptionValue::Text(text) if words.contains(&text) => Some(text.to_owned()),
            _ => None,
        },
        OptionValues::Names => return written_list(given, is_name),
        OptionValues::Words(words) => return written_list(given, |name| words.contains(&name)),
    };
    let whole = value.is_some();
    (value, whole)
}

/// A list as mypy reads it, of those names that fit; none when it is no list or nothing fits.
fn written_list(given: RawOptionValue<'_>, fits: impl Fn(&str) -> bool) -> (Option<String>, bool) {
    let Some(names) = given.into_name_list() else { return (None, false) };
    let kept: Vec<&str> = names.iter().copied().filter(|name| fits(name)).collect();
    let whole = kept.len() == names.len();
    ((whole || !kept.is_empty()).then(|| kept.join(", ")), whole)
}

/// What a key takes, when it is followed there: the name of an option, or of its opposite as mypy forms it.
fn values_of_option(key: &str, in_module: bool) -> Option<OptionValues> {
    let followed = |name: &str| {
        let (_, scope, takes) = FOLLOWED.iter().find(|(option, _, _)| *option == name)?;
        let here = match scope {
            OptionScope::Whole => !in_module,
            OptionScope::Modules => true,
            OptionScope::ModulesOnly => in_module,
        };
        here.then_some(*takes)
    };
    let switch = |name: &str| followed(name).filter(|takes| *takes == OptionValues::Switch && name != "strict");
    followed(key)
        .or_else(|| switch(key.strip_prefix("no_")?))
        .or_else(|| key.starts_with("allow").then(|| switch(&format!("dis{key}")))?)
        .or_else(|| key.starts_with("disallow").then(|| switch(key.get(3..)?))?)
}

/// The name of a module, a package, a constant, or a pattern of such names; nothing that could end a line or a section.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | '-');
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::super::mypy_keys::{NOT_FOLLOWED_OF_MODULES, REVIEWED};
    use super::*;
    use tapps_toolchain::Lock;

    fn ini(text: &str) -> (String, Vec<String>) {
        let reduced = reduce_mypy_ini(&ini::parse_ini_text(text));
        (reduced.text, reduced.left_out.into_iter().collect())
    }

    fn toml(text: &str) -> (String, Vec<String>) {
        let reduced = reduce_mypy_toml(&text.parse().unwrap());
        (reduced.text, reduced.left_out.into_iter().collect())
    }

    #[test]
    fn keys_and_sections_cannot_be_multiplied_without_end() {
        let keys: String = (0..2_000).map(|n| format!("k{n} = 1\n")).collect();
        let sections: String = (0..2_000).map(|n| format!("[mypy-m{n}]\nignore_errors = True\n")).collect();
        let (text, left_out) = ini(&format!("[DEFAULT]\n{keys}[mypy]\n{sections}"));
        assert!(text.contains("[mypy-m500]") && !text.contains("[mypy-m1500]"));
        assert!(left_out.contains(&"mypy-m1500".to_owned()));
    }

    #[test]
    fn the_locked_mypy_is_the_one_whose_options_were_looked_at() {
        let lock = Lock::embedded().unwrap();
        let versions: Vec<&str> =
            lock.artifacts.iter().filter(|one| one.name == "mypy").map(|one| one.version.as_str()).collect();
        assert!(!versions.is_empty());
        assert!(versions.iter().all(|version| *version == REVIEWED), "look through mypy's options again: {versions:?}");
    }

    #[test]
    fn options_are_in_order_and_once() {
        assert!(FOLLOWED.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NOT_FOLLOWED_OF_MODULES.iter().all(|name| FOLLOWED.iter().all(|(followed, ..)| followed != name)));
    }

    #[test]
    fn every_way_to_name_a_plugin_is_left_out() {
        for text in [
            "[mypy]\nplugins = ./evil.py\n",
            "[mypy]\nPlugins = ./evil.py\n",
            "[mypy]\nplugins: ./evil.py\n",
            "[mypy]\nplugins = ./evil.py:plugin\n",
            "[DEFAULT]\nplugins = ./evil.py\n[mypy]\n",
            "[mypy]\nplugins =\n    pydantic.mypy,\n    ./evil.py\n",
            "[mypy]\nplugins = evil\n",
            "  [mypy]\r\n  PLUGINS\t:\r\n\t\t./evil.py\r\n",
        ] {
            assert_eq!(ini(text), ("[mypy]\n".to_owned(), vec!["plugins".to_owned()]), "{text:?}");
        }
        assert_eq!(toml("plugins = ['./evil.py']\n"), ("[mypy]\n".to_owned(), vec!["plugins".to_owned()]));
    }

    #[test]
    fn nothing_that_names_code_or_a_file_is_followed() {
        for key in [
            "plugins",
            "python_executable",
            "custom_typeshed_dir",
            "custom_typing_module",
            "mypy_path",
            "files",
            "exclude",
            "packages",
            "modules",
            "cache_dir",
            "sqlite_cache",
            "junit_xml",
            "html_report",
            "linecount_report",
            "any_exprs_report",
            "quickstart_file",
            "package_root",
            "shadow_file",
            "cache_map",
            "num_workers",
            "pdb",
            "install_types",
            "config_file",
            "timing_stats",
            "line_checking_stats",
            "mypyc_annotation_file",
            "bazel",
            "no_plugins",
            "allow_plugins",
            "x_plugins",
            "python_version",
            "platform",
            "follow_imports",
            "no_strict",
        ] {
            assert_eq!(ini(&format!("[mypy]\n{key} = True\n")).1, [key]);
            let in_module = ini(&format!("[mypy-a.*]\n{key} = /etc/passwd\n"));
            assert_eq!(in_module, ("[mypy]\n[mypy-a.*]\n".to_owned(), vec![key.to_owned()]));
        }
    }

    #[test]
    fn what_is_safe_is_written_anew() {
        let (text, left_out) = ini(
            "[mypy]\nStrict: yes\nno_implicit_optional = on\nallow_untyped_defs = False\ndisallow_redefinition = 1\n\
             always_true = A,\n  B\n[mypy-a.*, b]\nignore_missing_imports = True\nfollow_imports = skip\n[other]\nx = 1\n",
        );
        let expected = "[mypy]\nstrict = True\nno_implicit_optional = True\nallow_untyped_defs = False\n\
                        disallow_redefinition = True\nalways_true = A, B\n[mypy-a.*]\nignore_missing_imports = True\n\
                        follow_imports = skip\n[mypy-b]\nignore_missing_imports = True\nfollow_imports = skip\n";
        assert_eq!((text.as_str(), left_out), (expected, vec![]));
        let (text, left_out) = toml(
            "strict = true\nwarn_return_any = 'off'\n[[overrides]]\nmodule = ['a.*', 'b']\ndisallow_untyped_defs = false\n\
             [[overrides]]\nmodule = 'b'\nignore_errors = true\nplugins = ['x']\n",
        );
        let expected = "[mypy]\nstrict = True\nwarn_return_any = False\n[mypy-a.*]\ndisallow_untyped_defs = False\n\
                        [mypy-b]\ndisallow_untyped_defs = False\nignore_errors = True\n";
        assert_eq!((text.as_str(), left_out), (expected, vec!["plugins".to_owned()]));
    }

    #[test]
    fn sections_that_would_be_written_a_thousandfold_are_left_out() {
        let modules: Vec<String> = (0..2_000).map(|n| format!("m{n}")).collect();
        let names: Vec<String> = (0..20_000).map(|n| format!("NAME_{n}")).collect();
        let text = format!("[mypy-{}]\nalways_true = {}\n", modules.join(","), names.join(","));
        let reduced = reduce_mypy_ini(&ini::parse_ini_text(&text));
        assert!(reduced.text.len() < 2 * LARGEST, "{}", reduced.text.len());
        assert!(reduced.left_out.contains("mypy-m1999"));
    }

    #[test]
    fn a_later_section_about_the_same_module_takes_the_place_of_the_earlier_one() {
        let (text, _) = ini("[mypy-a,b]\nignore_errors = True\n[mypy-a]\nstrict_optional = False\n");
        assert_eq!(text, "[mypy]\n[mypy-a]\nstrict_optional = False\n[mypy-b]\nignore_errors = True\n");
    }

    #[test]
    fn no_value_and_no_name_can_write_a_line_of_its_own() {
        let (text, left_out) = ini("[mypy]\nalways_true = A\n  plugins = ./evil.py\nstrict = True\n  plugins = x\n");
        assert_eq!((text.as_str(), left_out.len()), ("[mypy]\n", 2));
        let (text, left_out) = toml(
            "always_true = ['A\\nplugins = x', 'B']\n[[overrides]]\nmodule = \"a]\\nplugins = x\\n[b\"\nignore_errors = true\n",
        );
        assert_eq!((text.as_str(), left_out.len()), ("[mypy]\nalways_true = B\n", 2));
    }

    #[test]
    fn codes_of_plugins_are_left_out_since_mypy_would_end_at_them() {
        let (text, left_out) = ini("[mypy]\nenable_error_code = redundant-expr, pydantic-field\n");
        assert_eq!(text, "[mypy]\nenable_error_code = redundant-expr\n");
        assert_eq!(left_out, ["enable_error_code"]);
        assert_eq!(ini("[mypy]\ndisable_error_code = pydantic-field\n").0, "[mypy]\n");
        assert_eq!(ini("[mypy]\ndisable_error_code =\n"), ("[mypy]\ndisable_error_code = \n".to_owned(), vec![]));
    }
}
