//! Every key there is, with the kind of its value.

use serde_json::Value;

use super::architecture::{EXCEPTION_MOST, PATTERN_MOST};
use super::experts::SearchMode;
use super::limits::COUNT_MOST;
use tapps_base::{Error, ErrorCode, Result, nearest};

/// Marks a value that has no JSON form: a date.
pub(super) const DATE: &str = "date";

/// Marks a value that has no JSON form: a whole number of more than 64 bits.
pub(super) const HUGE: &str = "huge";

/// Most characters of a path, as on most systems.
pub const PATH_MOST: usize = 4_096;

/// Most items of a list.
pub const LIST_MOST: usize = 256;

/// Most characters of the name of a preset or contract, and of any other key.
pub const NAME_MOST: usize = 64;

/// Most presets, and most contracts, that one file may define.
pub const PRESETS_MOST: usize = 64;

/// The sections whose tables the project names itself, with what a table of each is called.
pub const NAMED_TABLES: [(&str, &str); 2] = [("gates", "presets"), ("architecture.contracts", "contracts")];

/// Most characters of a glob.
const GLOB_MOST: usize = 512;

/// Most characters of the address of a server.
const ADDRESS_MOST: usize = 2_048;

/// Most characters of a host's name, by the rules of the domain name system.
const HOST_MOST: usize = 253;

/// The largest file that can be asked for, in bytes: 100 MiB. Larger ones are data, and are read into memory as a whole.
const FILE_BYTES_MOST: u64 = 100 << 20;

/// A day in seconds; no request is waited for longer.
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// A year in minutes.
const YEAR_MINUTES: u64 = 366 * 24 * 60;

/// 1 TiB in MiB: more than machines have, and far from where byte counts overflow.
const TEBIBYTE_MB: u64 = 1 << 20;

/// Most calls per second that a limit of workflows can be set to.
const RATE_MOST: u32 = 1_000;

/// Most calls at once that a limit of workflows can be set to.
const BURST_MOST: u64 = 1_000_000;

/// Most comments that a preset can be told to let a change bring.
const SUPPRESSIONS_MOST: u64 = 1_000_000;

/// Most rounds that a hook at the end of a turn can be told to send an agent on.
const HOOK_ROUNDS_MOST: u64 = 20;

/// Most seconds that such a hook can be told to take: agents end their hooks after ten minutes themselves.
const HOOK_SECONDS_MOST: u64 = 600;

/// What a value has to be, with the bounds that are checked when it is read and stand in the JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConfigValueKind {
    Boolean,
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// A number from 0 to the given one.
    Number(u32),
    /// Text of at most so many characters.
    Text(usize),
    /// One of the given words.
    Word(&'static [&'static str]),
    /// A path, relative to the place that sets it.
    Path,
    /// A program: a path, or a bare name looked up on PATH.
    Program,
    /// A list of texts of at most so many characters each.
    List(usize),
    /// Paths, each relative to the place that sets them.
    Paths,
}

impl ConfigValueKind {
    /// The kind in words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Boolean => "true or false".to_owned(),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Number(most) => format!("a number from 0 to {most}"),
            Self::Text(most) => format!("text of at most {most} characters"),
            Self::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or "),
            Self::Path | Self::Program => format!("a path of at most {PATH_MOST} characters"),
            Self::List(most) => format!("a list of texts: at most {LIST_MOST}, each of at most {most} characters"),
            Self::Paths => format!("a list of paths: at most {LIST_MOST}, each of at most {PATH_MOST} characters"),
        }
    }

    fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Boolean => value.is_boolean(),
            Self::Whole(least, most) => value.as_u64().is_some_and(|number| (least..=most).contains(&number)),
            Self::Number(most) => value.as_f64().is_some_and(|number| (0.0..=f64::from(most)).contains(&number)),
            Self::Text(most) => value.as_str().is_some_and(|text| has_at_most(text, most)),
            Self::Word(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Path | Self::Program => value
                .as_str()
                .is_some_and(|path| !path.is_empty() && !path.contains('\0') && has_at_most(path, PATH_MOST)),
            Self::List(most) => Self::all_fit(value, Self::Text(most)),
            Self::Paths => Self::all_fit(value, Self::Path),
        }
    }

    fn all_fit(value: &Value, item: Self) -> bool {
        value.as_array().is_some_and(|items| items.len() <= LIST_MOST && items.iter().all(|one| item.accepts(one)))
    }
}

fn has_at_most(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_none()
}

/// One key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConfigKey {
    /// Dotted; `*` stands for the name of a preset or contract.
    pub path: &'static str,
    pub kind: ConfigValueKind,
    /// True when the project's own file may set it. A project is somebody else's text: it must not choose the programs
    /// that run on this machine or who may talk to its server.
    pub by_project: bool,
}

const fn project_key(path: &'static str, kind: ConfigValueKind) -> ConfigKey {
    ConfigKey { path, kind, by_project: true }
}

const fn machine_key(path: &'static str, kind: ConfigValueKind) -> ConfigKey {
    ConfigKey { path, kind, by_project: false }
}

/// All keys, in the order of presentation.
pub const KEYS: &[ConfigKey] = &[
    project_key("preset", ConfigValueKind::Text(NAME_MOST)),
    project_key("rules", ConfigValueKind::Word(&["tapps", "project"])),
    project_key("types", ConfigValueKind::Word(&["locked", "none"])),
    project_key("exclude", ConfigValueKind::List(GLOB_MOST)),
    project_key("adaptive", ConfigValueKind::Boolean),
    project_key("weights.complexity", ConfigValueKind::Number(1)),
    project_key("weights.security", ConfigValueKind::Number(1)),
    project_key("weights.maintainability", ConfigValueKind::Number(1)),
    project_key("weights.test_coverage", ConfigValueKind::Number(1)),
    project_key("weights.performance", ConfigValueKind::Number(1)),
    project_key("weights.structure", ConfigValueKind::Number(1)),
    project_key("weights.devex", ConfigValueKind::Number(1)),
    project_key("gates.*.extends", ConfigValueKind::Text(NAME_MOST)),
    project_key("gates.*.overall", ConfigValueKind::Number(100)),
    project_key("gates.*.security", ConfigValueKind::Number(10)),
    project_key("gates.*.security_findings", ConfigValueKind::Word(&["medium", "high", "off"])),
    project_key("gates.*.maintainability", ConfigValueKind::Number(10)),
    project_key("gates.*.reproducible", ConfigValueKind::Boolean),
    project_key("gates.*.coverage", ConfigValueKind::Number(100)),
    project_key("gates.*.new_suppressions", ConfigValueKind::Whole(0, SUPPRESSIONS_MOST)),
    project_key("architecture.type_imports", ConfigValueKind::Boolean),
    project_key("architecture.tests", ConfigValueKind::Boolean),
    project_key(
        "architecture.contracts.*.kind",
        ConfigValueKind::Word(&["layers", "independence", "forbidden", "protected", "public", "acyclic"]),
    ),
    project_key("architecture.contracts.*.layers", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.containers", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.exhaustive", ConfigValueKind::Boolean),
    project_key("architecture.contracts.*.modules", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.from", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.to", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.packages", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.importers", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.interface", ConfigValueKind::List(PATTERN_MOST)),
    project_key("architecture.contracts.*.indirect", ConfigValueKind::Boolean),
    project_key("architecture.contracts.*.siblings", ConfigValueKind::Boolean),
    project_key("architecture.contracts.*.type_imports", ConfigValueKind::Boolean),
    project_key("architecture.contracts.*.except", ConfigValueKind::List(EXCEPTION_MOST)),
    project_key("gates.*.duplication", ConfigValueKind::Number(100)),
    project_key("gates.*.limits.overall", ConfigValueKind::Number(100)),
    project_key("gates.*.limits.security", ConfigValueKind::Number(10)),
    project_key("gates.*.limits.maintainability", ConfigValueKind::Number(10)),
    project_key("gates.*.limits.coverage", ConfigValueKind::Number(100)),
    project_key("gates.*.limits.duplication", ConfigValueKind::Number(100)),
    project_key("gates.*.limits.new_suppressions", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.new_findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.cognitive_complexity", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.cyclomatic_complexity", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.function_length", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.nesting", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.parameters", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.suppressions", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.contract_breaches", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.critical_findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.high_findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.medium_findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.low_findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("gates.*.limits.project_findings", ConfigValueKind::Number(COUNT_MOST)),
    project_key("python.version", ConfigValueKind::Text(NAME_MOST)),
    machine_key("python.environment", ConfigValueKind::Path),
    machine_key("toolchain.python", ConfigValueKind::Program),
    machine_key("toolchain.interpreter", ConfigValueKind::Word(&["host", "locked"])),
    machine_key("toolchain.interpreter_lock", ConfigValueKind::Path),
    project_key("toolchain.metrics", ConfigValueKind::Word(&["native", "radon"])),
    project_key("toolchain.workers", ConfigValueKind::Word(&["auto", "off"])),
    machine_key("toolchain.allow_unverified", ConfigValueKind::Boolean),
    project_key("toolchain.offline", ConfigValueKind::Boolean),
    machine_key("toolchain.data_dir", ConfigValueKind::Path),
    machine_key("toolchain.cache_dir", ConfigValueKind::Path),
    machine_key("toolchain.dir", ConfigValueKind::Path),
    project_key("security.engine", ConfigValueKind::Word(&["native", "bandit"])),
    project_key("cache.enabled", ConfigValueKind::Boolean),
    machine_key("cache.max_mb", ConfigValueKind::Whole(1, TEBIBYTE_MB)),
    machine_key("cache.remote", ConfigValueKind::Text(ADDRESS_MOST)),
    machine_key("cache.remote_writes", ConfigValueKind::Boolean),
    project_key("server.toolsets", ConfigValueKind::List(NAME_MOST)),
    project_key("server.tools", ConfigValueKind::List(NAME_MOST)),
    project_key("server.exclude_tools", ConfigValueKind::List(NAME_MOST)),
    project_key("server.read_only", ConfigValueKind::Boolean),
    project_key("server.text", ConfigValueKind::Word(&["full", "brief"])),
    machine_key("server.http_allowed_hosts", ConfigValueKind::List(HOST_MOST)),
    machine_key("server.http_requests_per_minute", ConfigValueKind::Whole(0, BURST_MOST)),
    project_key("change.tolerance", ConfigValueKind::Number(100)),
    project_key("change.allow", ConfigValueKind::List(GLOB_MOST)),
    project_key("hooks.rounds", ConfigValueKind::Whole(1, HOOK_ROUNDS_MOST)),
    project_key("hooks.deadline_seconds", ConfigValueKind::Whole(1, HOOK_SECONDS_MOST)),
    project_key("limits.max_file_bytes", ConfigValueKind::Whole(1, FILE_BYTES_MOST)),
    project_key("limits.deadline_seconds", ConfigValueKind::Whole(1, DAY_SECONDS)),
    project_key("limits.memory_mb", ConfigValueKind::Whole(64, TEBIBYTE_MB)),
    project_key("coverage.files", ConfigValueKind::List(PATH_MOST)),
    project_key("coverage.require", ConfigValueKind::Boolean),
    project_key("advisories.files", ConfigValueKind::List(PATH_MOST)),
    machine_key("advisories.shared", ConfigValueKind::Path),
    machine_key("tags.roots", ConfigValueKind::Paths),
    project_key("workflow.token_minutes", ConfigValueKind::Whole(1, YEAR_MINUTES)),
    project_key("workflow.task_rate", ConfigValueKind::Number(RATE_MOST)),
    project_key("workflow.task_burst", ConfigValueKind::Whole(1, BURST_MOST)),
    project_key("workflow.agent_rate", ConfigValueKind::Number(RATE_MOST)),
    project_key("workflow.agent_burst", ConfigValueKind::Whole(1, BURST_MOST)),
    project_key("workflow.stall_minutes", ConfigValueKind::Whole(1, YEAR_MINUTES)),
    machine_key("docs.context7", ConfigValueKind::Boolean),
    machine_key("docs.context7_url", ConfigValueKind::Text(ADDRESS_MOST)),
    machine_key("docs.cache_mb", ConfigValueKind::Whole(1, TEBIBYTE_MB)),
    project_key("experts.search", ConfigValueKind::Word(SearchMode::NAMES)),
    machine_key("experts.model", ConfigValueKind::Path),
];

/// What stands at a dotted path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConfigKeyPlace {
    Key(&'static ConfigKey),
    /// A table with keys below it.
    Section,
    Unknown,
}

/// Looks a dotted path up.
#[must_use]
pub fn look_up_key(path: &str) -> ConfigKeyPlace {
    let parts: Vec<&str> = path.split('.').collect();
    let fits = |key: &ConfigKey| {
        let mut pattern = key.path.split('.');
        parts.iter().all(|part| pattern.next().is_some_and(|segment| segment == "*" || segment == *part))
    };
    match KEYS.iter().find(|key| fits(key)) {
        Some(key) if key.path.split('.').count() == parts.len() => ConfigKeyPlace::Key(key),
        Some(_) => ConfigKeyPlace::Section,
        None => ConfigKeyPlace::Unknown,
    }
}

/// Checks a value against its key. `place` says where it was written, for the message.
///
/// # Errors
/// `config_error` naming the key, what it must be and what was found.
pub fn check_key_value(key: &ConfigKey, path: &str, value: &Value, place: &str) -> Result<()> {
    if key.kind.accepts(value) {
        return Ok(());
    }
    let expected = key.kind.describe();
    let found = describe_value(value);
    let error = Error::new(ErrorCode::ConfigError, format!("{place}: `{path}` must be {expected}, found {found}"));
    Err(match (key.kind, value.as_str()) {
        (ConfigValueKind::Word(words), Some(word)) => error.hint(nearest::hint(word, words.iter().copied())),
        _ => error.hint(format!("set `{path}` to {expected}, or remove it")),
    })
}

/// The error for a path that is no key.
#[must_use]
pub fn unknown_key_error(path: &str, place: &str) -> Error {
    let (parent, word) = path.rsplit_once('.').unwrap_or(("", path));
    // A right name at a wrong place is a commoner mistake than a typo.
    let elsewhere: Vec<&str> =
        KEYS.iter().map(|key| key.path).filter(|known| known.rsplit('.').next() == Some(word)).take(3).collect();
    let hint = if elsewhere.is_empty() {
        let siblings = siblings(parent);
        nearest::hint(word, siblings.iter().copied())
    } else {
        format!("did you mean `{}`?", elsewhere.join("` or `"))
    };
    Error::new(ErrorCode::ConfigError, format!("{place}: unknown key `{path}`")).hint(hint)
}

/// The names that may stand directly below a section.
fn siblings(parent: &str) -> Vec<&'static str> {
    let depth = if parent.is_empty() { 0 } else { parent.split('.').count() };
    let mut names: Vec<&str> = Vec::new();
    for key in KEYS {
        let mut segments = key.path.split('.');
        let below = parent.split('.').take(depth).all(|part| segments.next().is_some_and(|s| s == "*" || s == part));
        if let (true, Some(name)) = (below, segments.next())
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// A value in words, for messages: its kind, and the value itself when it is short.
#[must_use]
pub fn describe_value(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.len() <= 60 => format!("{text:?}"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(marked) if marked.contains_key(DATE) => "a date".to_owned(),
        Value::Object(marked) if marked.contains_key(HUGE) => "a number beyond all bounds".to_owned(),
        Value::Object(_) => "a table".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        assert!(
            matches!(look_up_key("toolchain.offline"), ConfigKeyPlace::Key(key) if key.kind == ConfigValueKind::Boolean)
        );
        assert!(
            matches!(look_up_key("gates.team.coverage"), ConfigKeyPlace::Key(key) if key.path == "gates.*.coverage")
        );
        for section in
            ["weights", "gates", "gates.team", "architecture.contracts", "architecture.contracts.floors", "limits"]
        {
            assert_eq!(look_up_key(section), ConfigKeyPlace::Section, "{section}");
        }
        for unknown in ["", "weight", "weights.speed", "gates.team.x", "preset.x", "gates.a.b.c"] {
            assert_eq!(look_up_key(unknown), ConfigKeyPlace::Unknown, "{unknown}");
        }
    }

    #[test]
    fn hints_for_unknown_keys() {
        for (path, hint) in [
            ("prest", "did you mean preset?"),
            ("offline", "did you mean `toolchain.offline`?"),
            ("toolchain.ofline", "did you mean offline?"),
            ("gates.team.overal", "did you mean overall or coverage?"),
            ("limits.qqq", "known: max_file_bytes, deadline_seconds, memory_mb"),
        ] {
            let error = unknown_key_error(path, "f:1");
            assert_eq!(error.body().hint.as_deref(), Some(hint), "{path}");
            assert_eq!(error.message(), format!("f:1: unknown key `{path}`"));
        }
    }

    #[test]
    fn every_key_holds_its_own_bounds() {
        let long = |length: usize| Value::from("x".repeat(length));
        for key in KEYS {
            let beyond: Vec<Value> = match key.kind {
                ConfigValueKind::Boolean | ConfigValueKind::Word(_) => vec![Value::from(1), long(1)],
                ConfigValueKind::Whole(least, most) => {
                    assert!(least <= most && most <= 1 << 40, "{}", key.path);
                    vec![least.saturating_sub(1).into(), (most + 1).into(), u64::MAX.into(), Value::from(-1)]
                        .into_iter()
                        .filter(|value| value.as_u64() != Some(least))
                        .collect()
                }
                ConfigValueKind::Number(most) => {
                    vec![(f64::from(most) * 1.01).into(), f64::MAX.into(), Value::from(-0.01)]
                }
                ConfigValueKind::Text(most) => vec![long(most + 1)],
                ConfigValueKind::Path | ConfigValueKind::Program => {
                    vec![long(PATH_MOST + 1), long(0), Value::from("a\0b")]
                }
                ConfigValueKind::List(most) => vec![vec![long(most + 1)].into(), vec![long(1); LIST_MOST + 1].into()],
                ConfigValueKind::Paths => vec![vec![long(PATH_MOST + 1)].into(), vec![long(1); LIST_MOST + 1].into()],
            };
            for value in beyond {
                let error = check_key_value(key, key.path, &value, "f:1").unwrap_err();
                assert!(error.message().starts_with(&format!("f:1: `{}` must be ", key.path)), "{error}");
                assert!(error.body().hint.is_some() && error.message().len() < 300, "{error}");
            }
        }
    }

    #[test]
    fn the_table_and_the_schema_name_the_same_keys() {
        let schema: Value = serde_json::from_str(&super::super::Config::json_schema().unwrap()).unwrap();
        let mut found = Vec::new();
        collect(&schema, &schema, "", &mut found);
        let mut expected: Vec<String> = KEYS.iter().map(|key| key.path.to_owned()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }

    fn collect(root: &Value, node: &Value, prefix: &str, found: &mut Vec<String>) {
        let node = match node["$ref"].as_str() {
            Some(reference) => &root["$defs"][reference.rsplit('/').next().unwrap()],
            None => node,
        };
        let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") };
        if let Some(properties) = node["properties"].as_object() {
            for (name, child) in properties {
                collect(root, child, &join(name), found);
            }
        } else if node["additionalProperties"].is_object() {
            collect(root, &node["additionalProperties"], &join("*"), found);
        } else {
            found.push(prefix.to_owned());
        }
    }
}
