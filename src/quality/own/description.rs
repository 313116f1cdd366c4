//! What a project says of a tool of its own: how it is called, how its answer reads, what its rules mean.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::json_output::JsonPath;
use super::meaning::Meanings;
use super::output::{OutputForm, OutputReader};
use tapps_base::{Error, ErrorCode, Result, digest, nearest};
use tapps_rules::suppression::{OwnForm, OwnForms};
use tapps_toolchain::System;
use tapps_toolchain::own::Entry;

/// Largest description, in bytes.
const LARGEST: usize = 256 << 10;
/// Most patterns, arguments, rules and exit codes of one description.
const MOST: usize = 512;
/// Longest pattern or argument.
const LONGEST: usize = 2_000;
/// Most seconds that one run may take.
const MOST_SECONDS: u64 = 600;

/// The keys of each table, by its name.
const KEYS: [(&str, &[&str]); 7] = [
    ("", &["name", "run", "config", "output", "rules", "suppressions"]),
    ("suppressions", &["pattern", "scope"]),
    (
        "run",
        &["program", "module", "script", "args", "files", "exclude", "findings", "clean", "seconds", "alone", "needs"],
    ),
    ("config", &["file", "text", "from"]),
    ("output", &["format", "stream", "pattern", "code", "items", "fields", "failed"]),
    ("output.fields", &["path", "line", "column", "end_line", "code", "message"]),
    ("rules", &["code", "category", "severity", "cost"]),
];

/// A description that can be used.
#[derive(Debug)]
pub struct Description {
    pub(super) name: String,
    pub(super) run: ToolCommand,
    pub(super) config: Option<ToolSettingsFile>,
    pub(super) reader: OutputReader,
    pub(crate) meanings: Meanings,
    /// Comments by which the tool is told to say nothing.
    pub(super) silences: OwnForms,
    files: GlobSet,
    exclude: GlobSet,
    digest: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct Written {
    name: String,
    run: ToolCommand,
    config: Option<ToolSettingsFile>,
    output: OutputForm,
    rules: Meanings,
    #[serde(default)]
    suppressions: Vec<OwnForm>,
}

/// How the tool is called.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct ToolCommand {
    program: Option<String>,
    module: Option<String>,
    script: Option<String>,
    pub(super) args: Vec<String>,
    files: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    /// Exit codes that mean findings.
    pub(super) findings: Vec<i32>,
    /// Exit codes that mean that all is well.
    #[serde(default = "only_zero")]
    pub(super) clean: Vec<i32>,
    #[serde(default = "a_minute")]
    pub(super) seconds: u64,
    /// Each file is asked about alone.
    #[serde(default)]
    pub(super) alone: bool,
    /// Programs of the system that it starts.
    #[serde(default)]
    pub(super) needs: Vec<String>,
}

/// A file that is written beside the files under judgement.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct ToolSettingsFile {
    pub(super) file: String,
    #[serde(default)]
    pub(super) text: String,
    /// The file beside the description that has the text.
    from: Option<String>,
}

fn only_zero() -> Vec<i32> {
    vec![0]
}

const fn a_minute() -> u64 {
    60
}

impl Description {
    /// Reads the text of a description; `file` is what messages call it.
    ///
    /// # Errors
    /// `config_error` naming the key that cannot be used, with the nearest known one.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let unusable = |why: String| Error::new(ErrorCode::ConfigError, format!("{file}: {why}"));
        if text.len() > LARGEST {
            return Err(unusable(format!("it has more than {LARGEST} bytes")));
        }
        let table: Table = toml::from_str(text).map_err(|e| unusable(e.message().to_owned()))?;
        check_keys(&table, "").map_err(|(why, hint)| unusable(why).hint(hint))?;
        let written: Written =
            Value::Table(table).try_into().map_err(|e: toml::de::Error| unusable(e.message().to_owned()))?;
        Self::of_written(written).map_err(|why| unusable(why).hint("docs/own-tools.md says what each key means"))
    }

    fn of_written(written: Written) -> std::result::Result<Self, String> {
        let digest = digest::of_json(&written).map_err(|e| e.message().to_owned())?;
        let Written { name, run, config, output, rules, suppressions } = written;
        if !is_name(&name) {
            return Err(format!("`name` is `{name}`, and may have small letters, digits and dashes"));
        }
        run.check(config.is_some())?;
        if let Some(settings) = &config {
            settings.check()?;
        }
        rules.check()?;
        let (files, exclude) = (glob_set(&run.files)?, glob_set(&run.exclude)?);
        let (reader, silences) = (OutputReader::new(output)?, OwnForms::new(&suppressions)?);
        Ok(Self { reader, name, run, config, meanings: rules, silences, files, exclude, digest })
    }

    /// What findings of the tool begin with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the tool is asked about a file of the project.
    #[must_use]
    pub fn reads(&self, path: &str) -> bool {
        self.files.is_match(path) && !self.exclude.is_match(path)
    }

    /// Digest over everything that it says.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The file beside the description that has the tool's settings.
    #[must_use]
    pub fn settings_source(&self) -> Option<&str> {
        self.config.as_ref()?.from.as_deref()
    }

    /// The same with the text of that file.
    pub(super) fn with_settings(mut self, text: String) -> Result<Self> {
        self.digest = digest::of_json(&(&self.digest, &text))?;
        if let Some(config) = &mut self.config {
            config.text = text;
        }
        Ok(self)
    }

    /// What is started on a system.
    #[must_use]
    pub fn entry(&self, system: System) -> Entry {
        let (os, cpu) = system.node_names();
        let place = |path: &str| path.replace("{platform}", &format!("{os}-{cpu}"));
        match (&self.run.program, &self.run.module, &self.run.script) {
            (_, Some(module), _) => Entry::Module(module.clone()),
            (_, _, Some(script)) => Entry::Script(place(script)),
            (program, ..) => Entry::Program(place(program.as_deref().unwrap_or_default())),
        }
    }

    /// Whether it is a script for Node.
    #[must_use]
    pub const fn runs_on_node(&self) -> bool {
        self.run.script.is_some()
    }

    /// Whether the interpreter has a say in its answers.
    #[must_use]
    pub const fn is_interpreted(&self) -> bool {
        self.run.module.is_some()
    }
}

impl ToolCommand {
    fn check(&self, configured: bool) -> std::result::Result<(), String> {
        let starts: Vec<&String> = [&self.program, &self.module, &self.script].into_iter().flatten().collect();
        let [start] = starts.as_slice() else {
            return Err("`run` needs exactly one of `program`, `module` and `script`".to_owned());
        };
        if !is_plain_path(&start.replace("{platform}", "x")) {
            return Err(format!("`run` starts `{start}`, which is no path inside the tool"));
        }
        if self.args.iter().filter(|arg| *arg == "{files}").count() != 1 {
            return Err("`run.args` needs the argument \"{files}\" once, where the names of the files go".to_owned());
        }
        if !configured && self.args.iter().any(|arg| arg.contains("{config}")) {
            return Err("`run.args` names {config}, and there is no `config`".to_owned());
        }
        let texts = [&self.args, &self.files, &self.exclude];
        if texts
            .iter()
            .any(|list| list.len() > MOST || list.iter().any(|text| text.len() > LONGEST || text.contains('\0')))
        {
            return Err(format!("`run` has more than {MOST} entries in a list, or one longer than {LONGEST} bytes"));
        }
        if self.files.is_empty() {
            return Err("`run.files` is empty, so the tool would be asked about nothing".to_owned());
        }
        if self.clean.is_empty() || self.clean.len() + self.findings.len() > MOST {
            return Err("`run.clean` and `run.findings` need a handful of exit codes".to_owned());
        }
        if let Some(name) = self.needs.iter().find(|name| !is_plain_path(name) || name.contains('/')) {
            return Err(format!("`run.needs` names `{name}`, which is no plain name of a program"));
        }
        if self.seconds == 0 || self.seconds > MOST_SECONDS {
            return Err(format!("`run.seconds` is {}, and may be 1 to {MOST_SECONDS}", self.seconds));
        }
        Ok(())
    }
}

impl ToolSettingsFile {
    fn check(&self) -> std::result::Result<(), String> {
        for (key, file) in [("file", Some(&self.file)), ("from", self.from.as_ref())] {
            if let Some(file) = file.filter(|file| !is_plain_path(file) || file.contains('/')) {
                return Err(format!("`config.{key}` is `{file}`, which is no plain file name"));
            }
        }
        if self.from.is_some() && !self.text.is_empty() {
            return Err("`config` has `text` and `from`, and one of them decides".to_owned());
        }
        Ok(())
    }
}

/// Fails for a key that does not exist: what is wrong, and what may be meant.
fn check_keys(table: &Table, at: &str) -> std::result::Result<(), (String, String)> {
    let known = KEYS.iter().find(|(name, _)| *name == at).map_or(&[][..], |(_, keys)| keys);
    for (key, value) in table {
        let place = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        if !known.contains(&key.as_str()) {
            return Err((format!("there is no key `{place}`"), nearest::hint(key, known.iter().copied())));
        }
        if !KEYS.iter().any(|(name, _)| *name == place) {
            continue;
        }
        match value {
            Value::Table(inner) => check_keys(inner, &place)?,
            Value::Array(list) => {
                for inner in list.iter().filter_map(Value::as_table) {
                    check_keys(inner, &place)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn glob_set(patterns: &[String]) -> std::result::Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(|e| format!("the pattern `{pattern}` cannot be used: {}", e.kind()))?);
    }
    set.build().map_err(|e| format!("the patterns cannot be used: {e}"))
}

/// Names of this program's own families of rules are taken.
fn is_name(name: &str) -> bool {
    let taken = ["own"].contains(&name) || tapps_base::finding::Tool::ALL.iter().any(|tool| tool.as_str() == name);
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 40
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !taken
}

fn is_plain_path(path: &str) -> bool {
    !path.is_empty()
        && path.len() < 300
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
        && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._@+-".contains(&b))
}

/// A path into JSON, checked when the description is read.
pub(super) fn json_path(text: &str) -> std::result::Result<JsonPath, String> {
    JsonPath::parse(text).ok_or_else(|| format!("`{text}` is no path to a value of JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
name = "probe"
[run]
program = "bin/probe"
args = ["--", "{files}"]
files = ["**/*.sh"]
findings = [1]
[output]
format = "line"
pattern = '^(?P<path>[^:]+):(?P<line>\d+): (?P<message>.*)$'
code = "x"
[[rules]]
code = "*"
category = "maintainability"
severity = "low"
cost = 100
"#;

    fn error(from: &str, to: &str) -> Error {
        let text = GOOD.replace(from, to);
        assert_ne!(text, GOOD, "{from}");
        let error = Description::parse("probe.toml", &text).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError, "{error}");
        error
    }

    #[test]
    fn a_good_one_says_what_it_reads() {
        let description = Description::parse("probe.toml", GOOD).unwrap();
        assert!(description.reads("a/b.sh") && description.reads("c.sh") && !description.reads("c.py"));
        assert_eq!(description.entry(System::X86_64Linux), Entry::Program("bin/probe".to_owned()));
        let other = Description::parse("probe.toml", &GOOD.replace("cost = 100", "cost = 101")).unwrap();
        assert_ne!(description.digest(), other.digest());
    }

    #[test]
    fn an_unknown_key_is_named_with_the_nearest() {
        for (from, to, said, near) in [
            ("program =", "progam =", "there is no key `run.progam`", "program"),
            ("[run]", "nam = 1\n[run]", "there is no key `nam`", "name"),
            ("severity", "severty", "there is no key `rules.severty`", "severity"),
            ("format", "fromat", "there is no key `output.fromat`", "format"),
        ] {
            let error = error(from, to);
            assert!(error.message().ends_with(said), "{error}");
            assert!(error.body().hint.as_deref().unwrap().contains(near), "{error:?}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (from, to) in [
            ("\"probe\"", "\"ruff\""),
            ("\"probe\"", "\"../x\""),
            ("bin/probe", "../../bin/sh"),
            ("bin/probe", "/bin/sh"),
            ("\"{files}\"", "\"x\""),
            ("\"--\"", "\"{config}\""),
            ("**/*.sh", "a{b"),
            ("[\"**/*.sh\"]", "[]"),
            ("findings = [1]", "findings = [1]\nseconds = 0"),
            ("findings = [1]", "findings = [1]\nseconds = 100000"),
            ("findings = [1]", "findings = [1]\nneeds = [\"/bin/sh\"]"),
            ("[output]", "[config]\nfile = \"a\"\nfrom = \"../a\"\n[output]"),
            ("[output]", "[config]\nfile = \"a\"\nfrom = \"b\"\ntext = \"c\"\n[output]"),
            ("[[rules]]", "[[suppressions]]\npattern = \"(\"\nscope = \"line\"\n[[rules]]"),
            ("[[rules]]", "[[suppressions]]\npattern = \"x\"\nscope = \"page\"\n[[rules]]"),
            ("cost = 100", "cost = nan"),
            ("cost = 100", "cost = -1"),
            ("cost = 100", "cost = 10001"),
            ("cost = 100", "cost = 1e400"),
            ("code = \"*\"", "code = \"SC*\""),
            ("category = \"maintainability\"", "category = \"beauty\""),
            ("(?P<line>", "(?P<lin>"),
            (r"\d+", r"(\d{1000}){1000}"),
            ("format = \"line\"", "format = \"xml\""),
        ] {
            error(from, to);
        }
    }
}
