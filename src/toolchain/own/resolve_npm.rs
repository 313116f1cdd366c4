//! What an npm package asks for, as npm itself works it out; each package is then fetched by its name and version.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::resolve::{Fetched, ToolRequest, describe_file, unavailable};
use crate::ToolchainSettings;
use crate::lock::{AnyPython, ArtifactKind, PythonTags, TreeKind};
use crate::system::System;
use crate::{npm_package, published, unpack};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

/// How long npm may think about what belongs together.
const TIME: Duration = Duration::from_secs(5 * 60);

/// npm's own lock.
#[derive(Debug, Deserialize)]
struct PackageLock {
    packages: BTreeMap<String, Locked>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Locked {
    name: Option<String>,
    #[serde(default)]
    version: String,
    integrity: Option<String>,
    #[serde(default)]
    os: Vec<String>,
    #[serde(default)]
    cpu: Vec<String>,
    #[serde(default)]
    libc: Vec<String>,
    /// It comes inside of another package.
    #[serde(default)]
    in_bundle: bool,
}

impl Locked {
    fn is_for(&self, system: System) -> bool {
        let (os, cpu) = system.node_names();
        is_among(&self.os, os) && is_among(&self.cpu, cpu) && (os != "linux" || is_among(&self.libc, "glibc"))
    }
}

/// npm's way to name machines: those that are named, or all but those that are named with an exclamation mark.
fn is_among(list: &[String], word: &str) -> bool {
    let (not, named): (Vec<&String>, Vec<&String>) = list.iter().partition(|one| one.starts_with('!'));
    !not.iter().any(|one| one.trim_start_matches('!') == word)
        && (named.is_empty() || named.iter().any(|one| *one == word))
}

pub(super) fn fetch_packages(
    settings: &ToolchainSettings,
    request: &ToolRequest,
    systems: &[System],
    folder: &Path,
    call: &Call,
) -> Result<Fetched> {
    let lock = resolve(settings, request, folder, call)?;
    let mut found =
        Fetched { trees: systems.iter().map(|system| (*system, TreeKind::Node)).collect(), ..Fetched::default() };
    let total = lock.packages.len() as u64;
    for (done, (place, locked)) in (0..).zip(&lock.packages) {
        call.progress.report("lock", done, total);
        let needed: Vec<System> = systems.iter().copied().filter(|system| locked.is_for(*system)).collect();
        if place.is_empty() || needed.is_empty() || locked.in_bundle {
            continue;
        }
        let name = locked.name.as_deref().or_else(|| Some(place.rsplit_once("node_modules/")?.1)).unwrap_or_default();
        call.progress.note(&format!("fetching {name}"));
        let path = published::fetch_npm_package(settings, (name, &locked.version), folder, call)?;
        let unreadable = |e: &std::io::Error| Error::io(format_args!("cannot read {}", path.display()), e);
        let integrity = npm_package::integrity_of(&path).map_err(|e| unreadable(&e))?;
        // What npm resolved and what it fetched are one package.
        if locked.integrity.as_ref().is_some_and(|known| known.starts_with("sha512-") && *known != integrity) {
            let what = format!("{name} {} was fetched with other bytes than npm resolved", locked.version);
            return Err(Error::new(ErrorCode::ToolchainMismatch, what));
        }
        let mut artifact = describe_file(&path, (name, &locked.version), ArtifactKind::Npm)?;
        artifact.integrity = Some(integrity);
        artifact.place = Some(place.clone());
        artifact.systems = needed;
        artifact.python = PythonTags::Any(AnyPython::Any);
        let record = unpack::read_record(&artifact, &path)?;
        artifact.record_sha256 = digest::sha256(&record);
        let key = (artifact.file.clone(), artifact.place.clone());
        found.records.insert(key.clone(), record);
        found.artifacts.insert(key, artifact);
    }
    call.progress.report("lock", total, total);
    Ok(found)
}

/// Lets npm work out what belongs together, and run nothing of it.
fn resolve(settings: &ToolchainSettings, request: &ToolRequest, folder: &Path, call: &Call) -> Result<PackageLock> {
    let program = settings.find_program("npm").ok_or_else(|| unavailable(request, "`npm` was not found"))?;
    let work = folder.join("resolve");
    std::fs::create_dir(&work).map_err(|e| Error::io(format_args!("cannot make {}", work.display()), &e))?;
    let mut args: Vec<OsString> =
        ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
            .map(Into::into)
            .into();
    args.push(format!("{}@{}", request.name, request.version).into());
    let finished = published::ask_npm(settings, (program, args), &work, TIME, call)?;
    if !finished.status.success() {
        return Err(unavailable(request, &format!("npm failed: {}", finished.last_errors(3))));
    }
    let text = std::fs::read_to_string(work.join("package-lock.json"))
        .map_err(|_| unavailable(request, "npm left no package-lock.json"))?;
    serde_json::from_str(&text).map_err(|e| unavailable(request, &format!("npm's lock cannot be read: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_named_and_excluded_as_npm_does() {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        for (words, expected) in
            [(&[][..], true), (&["linux"], true), (&["darwin"], false), (&["!linux"], false), (&["!darwin"], true)]
        {
            assert_eq!(is_among(&list(words), "linux"), expected, "{words:?}");
        }
    }
}
