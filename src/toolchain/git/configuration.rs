//! What of a repository's configuration is obeyed: facts about its format and about how its files are converted, and
//! which branch follows which. None of these keys names a program or a file.

use tapps_base::Result;
use tapps_base::call::Call;

use super::command::{GitCommand, GitInput, split_nul};
use super::discovery::{RepositoryLocation, refused_repository};
use super::object_id::ObjectFormat;

const MAX_FILE: u64 = 1 << 20;

/// What values a key may have.
#[derive(Debug, Clone, Copy)]
enum ValueKind {
    Bool,
    BoolOr(&'static str),
    OneOf(&'static [&'static str]),
}

/// The keys of `[core]` that are carried over as they are.
const CORE: [(&str, ValueKind); 10] = [
    ("core.autocrlf", ValueKind::BoolOr("input")),
    ("core.checkstat", ValueKind::OneOf(&["default", "minimal"])),
    ("core.eol", ValueKind::OneOf(&["lf", "crlf", "native"])),
    ("core.filemode", ValueKind::Bool),
    ("core.ignorecase", ValueKind::Bool),
    ("core.precomposeunicode", ValueKind::Bool),
    ("core.sparsecheckout", ValueKind::Bool),
    ("core.sparsecheckoutcone", ValueKind::Bool),
    ("core.symlinks", ValueKind::Bool),
    ("core.trustctime", ValueKind::Bool),
];

/// Extensions of the repository format that change nothing about what is read here, or that are dealt with.
const EXTENSIONS: [&str; 9] = [
    "compatobjectformat",
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
];

/// Where references are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RefStorage {
    #[default]
    Files,
    Reftable,
}

/// The obeyed part of a repository's configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Configuration {
    pub object_format: ObjectFormat,
    pub ref_storage: RefStorage,
    pub bare: bool,
    /// Only shows that a repository belongs to the working tree that names it.
    pub worktree: Option<String>,
    pub default_branch: Option<String>,
    /// Values of [`CORE`].
    core: Vec<(&'static str, String)>,
    /// `branch.NAME.remote`, `branch.NAME.merge`, `remote.NAME.fetch`: (section, name, key, value).
    branches: Vec<[String; 4]>,
}

impl Configuration {
    /// Reads the files of a repository. Git takes their text apart, from its input and without following includes: that
    /// starts nothing, whatever they say.
    ///
    /// # Errors
    /// `config_error` for text that is no configuration, for values that are none and for formats that are not known.
    pub(super) async fn read_from_repository(
        location: &RepositoryLocation,
        git: &GitCommand,
        call: &Call,
    ) -> Result<Self> {
        let mut entries =
            parse_entries(location.read_own_file(&location.common_dir.join("config"), MAX_FILE)?, git, call).await?;
        if last_value(&entries, "extensions.worktreeconfig")
            .map(|value| parse_boolean("extensions.worktreeConfig", value))
            .transpose()?
            == Some(true)
        {
            let own = location.read_own_file(&location.git_dir.join("config.worktree"), MAX_FILE)?;
            entries.extend(parse_entries(own, git, call).await?);
        }
        Self::from_entries(&entries)
    }

    fn from_entries(entries: &[(String, Option<String>)]) -> Result<Self> {
        check_format(entries)?;
        let mut core = Vec::new();
        for (key, kind) in CORE {
            if let Some(value) = last_value(entries, key) {
                core.push((key, kind.check_value(key, value)?));
            }
        }
        let text = |key: &str| last_value(entries, key).flatten().map(str::to_owned);
        Ok(Self {
            object_format: match text("extensions.objectformat").as_deref() {
                None | Some("sha1") => ObjectFormat::Sha1,
                Some("sha256") => ObjectFormat::Sha256,
                Some(other) => return Err(unknown_value("extensions.objectFormat", other)),
            },
            ref_storage: match text("extensions.refstorage").as_deref() {
                None | Some("files") => RefStorage::Files,
                Some("reftable") => RefStorage::Reftable,
                Some(other) => return Err(unknown_value("extensions.refStorage", other)),
            },
            bare: last_value(entries, "core.bare").map(|value| parse_boolean("core.bare", value)).transpose()?
                == Some(true),
            worktree: text("core.worktree"),
            default_branch: text("init.defaultbranch").filter(|name| is_plain(name)),
            core,
            branches: entries.iter().filter_map(|(key, value)| branch_entry(key, value.as_deref()?)).collect(),
        })
    }

    /// The text of the configuration file for a folder that takes the place of the repository's.
    pub(super) fn to_text(&self) -> String {
        let version = u8::from(self.object_format != ObjectFormat::Sha1 || self.ref_storage != RefStorage::Files);
        let mut text = format!(
            "[core]\n\trepositoryformatversion = {version}\n\tbare = false\n\tfsmonitor = false\n\
             \thooksPath = /dev/null\n\tattributesFile = /dev/null\n\texcludesFile = /dev/null\n\
             \tuntrackedCache = false\n\tquotePath = false\n\tsafecrlf = false\n\
             \tprotectNTFS = false\n\tprotectHFS = false\n"
        );
        for (key, value) in &self.core {
            text.push_str(&format!("\t{} = {value}\n", key.trim_start_matches("core.")));
        }
        if version > 0 {
            text.push_str(&format!("[extensions]\n\tobjectFormat = {}\n", self.object_format.as_str()));
        }
        if self.ref_storage == RefStorage::Reftable {
            text.push_str("\trefStorage = reftable\n");
        }
        for [section, name, key, value] in &self.branches {
            text.push_str(&format!("[{section} {}]\n\t{key} = {}\n", quoted_value(name), quoted_value(value)));
        }
        text
    }
}

/// Refuses a repository whose format this program does not know: git would read it in another way.
fn check_format(entries: &[(String, Option<String>)]) -> Result<()> {
    let version = last_value(entries, "core.repositoryformatversion").flatten().unwrap_or("0");
    match version {
        "0" => return Ok(()),
        "1" => {}
        other => return Err(unknown_value("core.repositoryFormatVersion", other)),
    }
    for (key, _) in entries {
        if let Some(name) = key.strip_prefix("extensions.")
            && !EXTENSIONS.contains(&name)
        {
            return Err(unknown_value("extensions", name));
        }
    }
    Ok(())
}

impl ValueKind {
    fn check_value(self, key: &str, value: Option<&str>) -> Result<String> {
        match (self, value) {
            (Self::BoolOr(word), Some(value)) if value == word => Ok(value.to_owned()),
            (Self::OneOf(words), Some(value)) if words.contains(&value) => Ok(value.to_owned()),
            (Self::OneOf(_), value) => Err(unknown_value(key, value.unwrap_or_default())),
            (Self::Bool | Self::BoolOr(_), value) => parse_boolean(key, value).map(|value| value.to_string()),
        }
    }
}

/// The entries of one file; names of sections and keys are in lower case.
async fn parse_entries(file: Option<Vec<u8>>, git: &GitCommand, call: &Call) -> Result<Vec<(String, Option<String>)>> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let args = ["config", "--file", "-", "--no-includes", "--null", "--list"];
    let finished = git.run(&args, GitInput::from_stdin(file), call).await?;
    if !finished.status.success() {
        return Err(refused_repository("the configuration of the git repository cannot be read")
            .hint("run `git config --list --local` to see where"));
    }
    let entries = split_nul(&finished.stdout).filter_map(|entry| std::str::from_utf8(entry).ok());
    Ok(entries
        .map(|entry| match entry.split_once('\n') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (entry.to_owned(), None),
        })
        .collect())
}

fn last_value<'a>(entries: &'a [(String, Option<String>)], key: &str) -> Option<Option<&'a str>> {
    entries.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.as_deref())
}

/// A truth value by git's rules: a key without a value is true, an empty value is false.
fn parse_boolean(key: &str, value: Option<&str>) -> Result<bool> {
    let Some(value) = value else { return Ok(true) };
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" | "" => Ok(false),
        number => number.parse::<i64>().map(|number| number != 0).map_err(|_| unknown_value(key, value)),
    }
}

/// An entry about branches: which one another follows, and under which names those of a remote are kept.
fn branch_entry(key: &str, value: &str) -> Option<[String; 4]> {
    let (section, rest) = key.split_once('.')?;
    let (name, key) = rest.rsplit_once('.')?;
    let wanted = matches!((section, key), ("branch", "remote" | "merge") | ("remote", "fetch"));
    (wanted && is_plain(name) && is_plain(value)).then(|| [section, name, key, value].map(str::to_owned))
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

fn quoted_value(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn unknown_value(key: &str, value: &str) -> tapps_base::Error {
    refused_repository(format!(
        "the git repository has `{key}` set to `{}`, which is not known here",
        value.escape_default()
    ))
    .hint("run `git config --list --local --show-origin` to see where")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[(&str, Option<&str>)]) -> Result<Configuration> {
        let entries: Vec<_> =
            entries.iter().map(|(key, value)| ((*key).to_owned(), value.map(str::to_owned))).collect();
        Configuration::from_entries(&entries)
    }

    #[test]
    fn only_known_keys_are_carried_over_and_the_last_value_holds() {
        let text = read(&[
            ("core.autocrlf", Some("true")),
            ("core.autocrlf", Some("input")),
            ("core.filemode", None),
            ("core.sshcommand", Some("evil")),
            ("filter.x.clean", Some("evil")),
            ("remote.origin.uploadpack", Some("evil")),
            ("remote.origin.fetch", Some("+refs/heads/*:refs/remotes/origin/*")),
            ("branch.a\"b.c.merge", Some("refs/heads/main")),
            ("branch.x.merge", Some("refs/heads/a\n[core]\n\tpager = evil")),
        ])
        .unwrap()
        .to_text();
        assert!(!text.contains("evil"), "{text}");
        assert!(text.contains("\tautocrlf = input\n\tfilemode = true\n"), "{text}");
        assert!(!text.contains("autocrlf = true"), "{text}");
        assert!(text.contains("[branch \"a\\\"b.c\"]\n\tmerge = \"refs/heads/main\"\n"), "{text}");
        assert!(text.contains("[remote \"origin\"]\n\tfetch = \"+refs/heads/*:refs/remotes/origin/*\"\n"), "{text}");
        assert!(!text.contains("[extensions]"), "{text}");
    }

    #[test]
    fn formats_that_are_not_known_are_refused() {
        for entries in [
            [("core.repositoryformatversion", Some("2")), ("core.bare", None)],
            [("core.repositoryformatversion", Some("1")), ("extensions.future", Some("true"))],
            [("core.repositoryformatversion", Some("1")), ("extensions.objectformat", Some("sha3"))],
            [("core.repositoryformatversion", Some("0")), ("core.autocrlf", Some("/bin/evil"))],
            [("core.repositoryformatversion", Some("0")), ("core.eol", Some("cr"))],
        ] {
            assert!(read(&entries).unwrap_err().message().ends_with("which is not known here"), "{entries:?}");
        }
        let sha256 = [("core.repositoryformatversion", Some("1")), ("extensions.objectformat", Some("sha256"))];
        let read = read(&sha256).unwrap();
        assert_eq!(read.object_format, ObjectFormat::Sha256);
        assert!(read.to_text().contains("repositoryformatversion = 1"));
    }

    #[test]
    fn truth_is_what_git_takes_for_it() {
        for (value, truth) in
            [(None, true), (Some("On"), true), (Some("2"), true), (Some(""), false), (Some("0"), false)]
        {
            assert_eq!(parse_boolean("k", value).unwrap(), truth, "{value:?}");
        }
        assert!(parse_boolean("k", Some("maybe")).is_err());
    }
}
