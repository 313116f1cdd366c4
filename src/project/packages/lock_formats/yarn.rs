//! yarn.lock: the format of yarn 1 and the one of later versions differ in a colon after each key.

use std::cmp::Reverse;

use super::{LockFileEntry, PackageOrigin, is_plain_version};

/// An entry whose lines are being read: what the project calls it, what it was asked for as, what is known so far.
struct Open<'t> {
    name: &'t str,
    range: &'t str,
    version: Option<&'t str>,
    digest: Option<&'t str>,
}

/// Of several versions of a package the highest comes first.
pub(in crate::packages) fn yarn_lock(text: &str) -> Result<Vec<LockFileEntry>, String> {
    let mut found = Vec::new();
    let mut open: Option<Open<'_>> = None;
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') || line == ":" {
            continue;
        }
        if !line.starts_with(char::is_whitespace) {
            found.extend(open.take().and_then(finish_entry));
            // A very long key stands by itself, with the colon on the next line.
            let key = line.strip_prefix("? ").or_else(|| line.strip_suffix(':'));
            let key = key.ok_or_else(|| format!("line {}: it is no entry of a lock file", at + 1))?;
            open = first_descriptor(key).map(|(name, range)| Open { name, range, version: None, digest: None });
        } else if let (Some(open), Some((key, value))) = (&mut open, field(line)) {
            match key {
                "version" => open.version = Some(value),
                "integrity" | "checksum" => open.digest = Some(value),
                _ => {}
            }
        }
    }
    found.extend(open.take().and_then(finish_entry));
    let rank = |entry: &LockFileEntry| Reverse(semver::Version::parse(&entry.version).ok());
    found.sort_by_key(|entry| (entry.alias.clone().unwrap_or_else(|| entry.name.clone()), rank(entry)));
    Ok(found)
}

/// `  version "1.0.0"` or `  version: 1.0.0`; what stands deeper belongs to something else.
fn field(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
    let (key, value) = line.split_once(' ')?;
    Some((key.trim_end_matches(':'), value.trim().trim_matches('"')))
}

/// The first of `"@a/b@^1.0, @a/b@^1.2"`, as name and range.
fn first_descriptor(key: &str) -> Option<(&str, &str)> {
    let first = key.trim_matches('"').split(',').next()?.trim().trim_matches('"');
    let at = first.get(1..)?.find('@')? + 1;
    Some((first.get(..at)?, first.get(at + 1..)?))
}

fn finish_entry(open: Open<'_>) -> Option<LockFileEntry> {
    let version = open.version.filter(|version| is_plain_version(version) && *version != "0.0.0-use.local")?;
    // `old@npm:zod@^3` is zod, known as old.
    let real = open.range.strip_prefix("npm:").and_then(first_descriptor).map_or(open.name, |(name, _)| name);
    let folder = ["workspace:", "portal:", "link:", "file:"].iter().any(|kind| open.range.starts_with(kind));
    let origin = if folder { PackageOrigin::Folder } else { PackageOrigin::Published };
    Some(LockFileEntry::new(real, version).known_as(open.name).installed_from(origin).with_digests(open.digest))
}
