//! Cargo.lock, go.mod, gradle.lockfile, pom.xml.

use super::super::declared;
use super::{LockFileEntry, PackageOrigin, tables, text_of};

/// The highest version of a package comes first: Cargo sorts them the other way round.
pub(in crate::packages) fn cargo_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let one = |package: &toml::Value| {
        let entry = LockFileEntry::new(text_of(package, "name")?, text_of(package, "version")?);
        let entry = entry.with_digests(text_of(package, "checksum").map(|digest| format!("sha256:{digest}")));
        // What has no source is a member of the workspace, or another folder.
        Some(if package.get("source").is_none() { entry.installed_from(PackageOrigin::Folder) } else { entry })
    };
    Ok(tables(text, "package")?.iter().rev().filter_map(one).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
pub(in crate::packages) fn go_mod(text: &str) -> Result<Vec<LockFileEntry>, String> {
    Ok(declared::go_required(text).map(|(name, version)| LockFileEntry::new(name, version)).collect())
}

#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
pub(in crate::packages) fn gradle_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let one = |line: &str| {
        let (name, version) = line.split('=').next()?.rsplit_once(':')?;
        Some(LockFileEntry::new(name, version))
    };
    Ok(lines.filter_map(one).collect())
}

/// The dependencies of a Maven project with an exact version.
pub(in crate::packages) fn parse_pom_versions(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let exact = |version: &str| !version.is_empty() && !version.contains(['$', '[', '(', ',']);
    let dependencies = declared::pom(text)?.into_iter().filter(|(_, version)| exact(version));
    Ok(dependencies.map(|(name, version)| LockFileEntry::new(name, version)).collect())
}
