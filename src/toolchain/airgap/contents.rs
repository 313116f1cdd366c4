//! What is in an archive, and under which names.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::lock::is_digest;
use crate::system::{PythonTag, System};
use tapps_base::{Error, ErrorCode, Result};

/// The one folder at the top of an archive.
pub(super) const TOP: &str = "tapps-mcp-airgap";
pub(super) const ABOUT: &str = "about.json";
pub(super) const SUMS: &str = "SHA256SUMS";
pub(super) const SCRIPT: &str = "install.sh";
pub(super) const PROGRAM: &str = "bin/tapps-mcp";
pub(super) const WHEELS: &str = "wheels";
/// Documentation of libraries.
pub(super) const BUNDLES: &str = "bundles";
/// The lock of a project's own tools.
pub(super) const TOOLS: &str = "tapps-mcp.lock";

/// The layout of archives that this program reads and writes.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// What an archive says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirgapManifest {
    pub schema_version: u32,
    /// Version of the program in it.
    pub version: String,
    /// SHA-256 of the lock whose artifacts it holds.
    pub lock_sha256: String,
    pub system: System,
    /// The Python versions whose tools it holds.
    pub pythons: Vec<PythonTag>,
    /// True when it holds Node as well.
    pub node: bool,
    /// The Python version whose locked interpreter it holds, when it holds one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interpreter: Option<PythonTag>,
    /// SHA-256 of the lock of a project's own tools, when it holds them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tools_sha256: Option<String>,
}

/// The digests of an archive's files by their names below [`TOP`].
pub(super) type ChecksumsByName = BTreeMap<String, String>;

/// Writes digests as `sha256sum` reads them.
pub(super) fn sums_to_text(sums: &ChecksumsByName) -> String {
    sums.iter().fold(String::new(), |mut text, (name, sha256)| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{sha256}  {name}");
        text
    })
}

/// Reads digests as `sha256sum` writes them.
///
/// # Errors
/// `corrupted_data` for a line that is no digest and name.
pub(super) fn sums_of_text(text: &str) -> Result<ChecksumsByName> {
    let line = |line: &str| {
        let (sha256, name) = line.split_once("  ").filter(|(sha256, name)| is_digest(sha256) && !name.is_empty())?;
        Some((name.to_owned(), sha256.to_owned()))
    };
    text.lines()
        .map(|text| line(text).ok_or_else(|| damaged_archive_error(format!("{SUMS} has the line `{text}`"))))
        .collect()
}

/// The error for an archive that is not whole.
pub(super) fn damaged_archive_error(what: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::CorruptedData, format!("the archive is damaged: {what}"))
        .hint("copy the archive again, or write it anew with `tapps-mcp airgap export FILE`")
}

/// A name as the registries' files have them.
pub(super) fn is_file_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '!' | '@');
    !name.is_empty() && name.len() <= 200 && !name.starts_with('.') && name.chars().all(allowed)
}

/// What an archive has besides the tools that are always in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArchiveParts {
    pub(super) program: bool,
    pub(super) interpreter: Option<PythonTag>,
    pub(super) node: bool,
    pub(super) tools: bool,
    pub(super) bundles: bool,
}

/// The script that installs from the unpacked archive where no program of this kind is installed yet.
pub(super) fn install_script(parts: ArchiveParts) -> String {
    let what = match parts.program {
        true => {
            "# Puts the program into $PREFIX/bin (~/.local/bin) and the tools into the data folder; needs no network."
        }
        false => "# Puts the tools into the data folder of the tapps-mcp that is installed; needs no network.",
    };
    let mut script = format!(
        r#"#!/bin/sh
{what}
set -eu
cd "$(dirname "$0")"
if command -v sha256sum >/dev/null; then check="sha256sum -c"; else check="shasum -a 256 -c"; fi
$check {SUMS} >/dev/null
"#
    );
    if parts.program {
        script += &format!(
            r#"prefix="${{PREFIX:-$HOME/.local}}"
mkdir -p "$prefix/bin"
cp {PROGRAM} "$prefix/bin/.tapps-mcp.new"
chmod 755 "$prefix/bin/.tapps-mcp.new"
mv -f "$prefix/bin/.tapps-mcp.new" "$prefix/bin/tapps-mcp"
"#
        );
    }
    if parts.bundles {
        script += &format!(
            r#"data="${{TAPPS_MCP_DATA_DIR:-${{XDG_DATA_HOME:-$HOME/.local/share}}/tapps-mcp}}"
mkdir -p "$data/{BUNDLES}"
cp {BUNDLES}/* "$data/{BUNDLES}/"
"#
        );
    }
    let program = if parts.program { "\"$prefix/bin/tapps-mcp\"" } else { "tapps-mcp" };
    let node = if parts.node { " --node" } else { "" };
    let tools = if parts.tools { format!(" --tools {TOOLS}") } else { String::new() };
    let python = parts.interpreter.map_or_else(String::new, |tag| format!(" --interpreter locked --python-tag {tag}"));
    script + &format!("exec {program} --offline toolchain install{python}{node}{tools} --from {WHEELS}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_installs_what_is_in_the_archive() {
        let interpreter = Some(PythonTag::Cp314);
        let all = install_script(ArchiveParts { program: true, interpreter, node: true, tools: true, bundles: true });
        let run = "exec \"$prefix/bin/tapps-mcp\" --offline toolchain install --interpreter locked --python-tag cp314 \
                   --node --tools tapps-mcp.lock --from wheels\n";
        assert!(all.ends_with(run) && all.contains("cp bundles/* \"$data/bundles/\"\n"), "{all}");
        let least = ArchiveParts { program: false, interpreter: None, node: false, tools: false, bundles: false };
        let least = install_script(least);
        assert!(least.ends_with("\nexec tapps-mcp --offline toolchain install --from wheels\n"), "{least}");
        assert!(!least.contains("prefix") && !least.contains("bundles"), "{least}");
    }

    #[test]
    fn sums_survive_a_round_through_text() {
        let sums: ChecksumsByName = [("bin/tapps-mcp", "a"), ("wheels/b.whl", "b")]
            .map(|(name, digit)| (name.to_owned(), digit.repeat(64)))
            .into();
        assert_eq!(sums_of_text(&sums_to_text(&sums)).unwrap(), sums);
        for text in ["abc  name\n", "name\n", &format!("{}  \n", "a".repeat(64)), &format!("{} name\n", "a".repeat(64))]
        {
            assert_eq!(sums_of_text(text).unwrap_err().code(), ErrorCode::CorruptedData, "{text}");
        }
    }
}
