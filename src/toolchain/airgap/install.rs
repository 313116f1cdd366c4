//! Installing from an archive: unpacked to a private folder, every file held against its digest, then installed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use tar::{Archive, EntryType};

use super::contents::{
    ABOUT, AirgapManifest, BUNDLES, ChecksumsByName, PROGRAM, SCHEMA_VERSION, SCRIPT, SUMS, TOOLS, TOP, WHEELS,
    damaged_archive_error, is_file_name, sums_of_text,
};
use crate::install::Installed;
use crate::interpreter::InterpreterChoice;
use crate::lock::{EMBEDDED, TreeKind};
use crate::manage;
use crate::own::{self, OwnLock};
use crate::system::System;
use crate::{ToolchainSettings, platform};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, atomic, digest};

/// More than any list of digests or description of an archive has.
const TEXT_LIMIT: u64 = 1 << 20;

/// What was installed.
#[derive(Debug)]
pub struct Unpacked {
    pub about: AirgapManifest,
    /// Where its program is now; none where the archive has no program.
    pub program: Option<PathBuf>,
    /// The tools.
    pub installed: Vec<Installed>,
    /// The project's own tools by name and version.
    pub own: Vec<(String, Installed)>,
    /// How many documentation bundles came along.
    pub bundles: usize,
}

/// Verifies the archive, installs its program below `prefix`, its tools and bundles into the data folder. No network is used.
///
/// # Errors
/// `file_not_found`; `corrupted_data` when a file of it is not as its digest says; `version_unavailable` when it was
/// written by another version or for another system; what installing says.
pub fn install_archive(settings: &ToolchainSettings, archive: &Path, prefix: &Path, call: &Call) -> Result<Unpacked> {
    let file = File::open(archive)
        .map_err(|e| Error::io_or(ErrorCode::FileNotFound, format_args!("cannot read {}", archive.display()), &e))?;
    let folder = tempfile::tempdir().map_err(|e| Error::io("cannot make a temporary folder for the archive", &e))?;
    unpack_archive(file, folder.path(), call)?;
    let about = read_airgap_manifest(folder.path())?;
    let settings = ToolchainSettings {
        from: Some(folder.path().join(WHEELS)),
        offline: true,
        // The tools go where they are kept, whatever is in use now.
        toolchain_dir: None,
        ..settings.clone()
    };
    let settings = match about.interpreter {
        // It is for machines without a Python of their own, whatever is named on this one.
        Some(_) => ToolchainSettings { interpreter: InterpreterChoice::Locked, python: None, ..settings },
        None => settings,
    };
    let request = manage::InstallRequest {
        python: about.interpreter,
        node: about.node,
        when_needed: true,
        ..manage::InstallRequest::default()
    };
    let installed = manage::install_toolchain(&settings, &request, call).and_then(|tools| {
        let locked = |kind: TreeKind| Ok::<_, Error>(settings.lock()?.locked_tree(System::current()?, kind).is_ok());
        for (kind, error) in tools.without {
            // What is published for this system is in every archive.
            if locked(kind)? {
                return Err(error);
            }
        }
        Ok(tools.trees)
    });
    let installed = installed.map_err(|error| {
        if error.code() != ErrorCode::ToolUnavailable {
            return error;
        }
        let tags: Vec<&str> = about.pythons.iter().map(|tag| tag.as_str()).collect();
        error.hint(format!("the archive has tools for {}; export one for this machine's Python", tags.join(", ")))
    })?;
    let kind = installed.first().and_then(|tree| tree.verification.kind.tools());
    let mut own = Vec::new();
    if let (Some(kind), true) = (kind, about.tools_sha256.is_some()) {
        for tool in read_tools(folder.path())?.tools {
            let tree = own::install_tool(&settings, &tool, kind, None, call)?;
            own.push((format!("{} {}", tool.name, tool.version), tree));
        }
    }
    let bundles = install_bundles(&folder.path().join(BUNDLES), &settings.data_dir.join(BUNDLES))?;
    let program = Some(folder.path().join(PROGRAM)).filter(|program| program.is_file());
    let program = program.map(|program| install_program(&program, prefix)).transpose()?;
    Ok(Unpacked { about, program, installed, own, bundles })
}

/// Copies the bundles of an archive, each whole or not at all, and tells how many there are.
fn install_bundles(from: &Path, to: &Path) -> Result<usize> {
    let unreadable = |e: std::io::Error| Error::io(format_args!("cannot read {}", from.display()), &e);
    if !from.is_dir() {
        return Ok(0);
    }
    fs::create_dir_all(to).map_err(|e| Error::io(format_args!("cannot make {}", to.display()), &e))?;
    let mut count = 0;
    for entry in fs::read_dir(from).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        atomic::write(&to.join(entry.file_name()), &fs::read(entry.path()).map_err(unreadable)?)?;
        count += 1;
    }
    Ok(count)
}

/// Unpacks into `folder` and holds every file against its digest.
fn unpack_archive(archive: impl Read, folder: &Path, call: &Call) -> Result<()> {
    let mut archive = Archive::new(archive);
    let mut sums: Option<ChecksumsByName> = None;
    let mut seen = BTreeSet::new();
    for entry in archive.entries().map_err(damaged_archive_error)? {
        call.check()?;
        let mut entry = entry.map_err(damaged_archive_error)?;
        let name = name_of(&entry.path().map_err(damaged_archive_error)?)?;
        if entry.header().entry_type() != EntryType::Regular {
            return Err(damaged_archive_error(format!("{name} is not a plain file")));
        }
        let Some(known) = &sums else {
            if name != SUMS {
                return Err(damaged_archive_error(format!("it begins with {name} instead of {SUMS}")));
            }
            let mut text = String::new();
            entry.by_ref().take(TEXT_LIMIT).read_to_string(&mut text).map_err(damaged_archive_error)?;
            sums = Some(sums_of_text(&text)?);
            continue;
        };
        let expected = known.get(&name).ok_or_else(|| damaged_archive_error(format!("{name} is not in {SUMS}")))?;
        if !seen.insert(name.clone()) {
            return Err(damaged_archive_error(format!("{name} is in it twice")));
        }
        let path = folder.join(&name);
        copy_archive_entry(&mut entry, &path)?;
        let (sha256, _) = File::open(&path).and_then(digest::sha256_reader).map_err(damaged_archive_error)?;
        if sha256 != *expected {
            return Err(damaged_archive_error(format!("{name} does not have the digest that {SUMS} says")));
        }
    }
    let missing = sums.iter().flatten().map(|(name, _)| name).find(|name| !seen.contains(*name));
    match (sums.is_some(), missing) {
        (false, _) => Err(damaged_archive_error("it is empty")),
        (true, Some(name)) => Err(damaged_archive_error(format!("{name} is missing"))),
        (true, None) => Ok(()),
    }
}

fn copy_archive_entry(entry: &mut impl Read, path: &Path) -> Result<()> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot unpack {}", path.display()), e);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| failed(&e))?;
    }
    let mut file = File::create_new(path).map_err(|e| failed(&e))?;
    std::io::copy(entry, &mut file).map_err(|e| failed(&e))?;
    Ok(())
}

/// The name of an entry below the archive's one folder: one of the known ones, or a plain file among wheels or bundles.
fn name_of(path: &Path) -> Result<String> {
    let shown = path.display().to_string().escape_debug().to_string();
    let strange = || damaged_archive_error(format!("it has an entry `{shown}`"));
    let below = path.strip_prefix(TOP).map_err(|_| strange())?;
    if !below.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(strange());
    }
    let name = below.to_str().ok_or_else(strange)?;
    let listed = name.split_once('/').filter(|(folder, _)| [WHEELS, BUNDLES].contains(folder));
    let known =
        [ABOUT, SUMS, SCRIPT, PROGRAM, TOOLS].contains(&name) || listed.is_some_and(|(_, file)| is_file_name(file));
    if known { Ok(name.to_owned()) } else { Err(strange()) }
}

/// What the archive says about itself, when it is one for this program and machine.
fn read_airgap_manifest(folder: &Path) -> Result<AirgapManifest> {
    let text = fs::read_to_string(folder.join(ABOUT)).map_err(|e| damaged_archive_error(format!("{ABOUT}: {e}")))?;
    let about: AirgapManifest =
        serde_json::from_str(&text).map_err(|e| damaged_archive_error(format!("{ABOUT}: {e}")))?;
    let unusable = |message: String| {
        Error::new(ErrorCode::VersionUnavailable, message).hint("unpack it with tar and run the install.sh in it")
    };
    if about.schema_version != SCHEMA_VERSION || about.lock_sha256 != digest::sha256(EMBEDDED.as_bytes()) {
        let other = &about.version;
        return Err(unusable(format!("the archive has the tools of version {other}, which are not those of this one")));
    }
    let system = System::current()?;
    if about.system != system {
        return Err(unusable(format!("the archive is for {}, and this machine is {system}", about.system)));
    }
    Ok(about)
}

/// The lock of the project's own tools.
fn read_tools(folder: &Path) -> Result<OwnLock> {
    let text = fs::read_to_string(folder.join(TOOLS)).map_err(|e| damaged_archive_error(format!("{TOOLS}: {e}")))?;
    OwnLock::parse(&text)
}

/// Copies the program below `prefix`, whole or not at all.
fn install_program(program: &Path, prefix: &Path) -> Result<PathBuf> {
    let folder = prefix.join("bin");
    let target = folder.join("tapps-mcp");
    let unwritable = |e: &std::io::Error| {
        Error::new(ErrorCode::ConfigError, format!("cannot write {}: {e}", target.display()))
            .hint("name a folder that can be written with --prefix")
    };
    fs::create_dir_all(&folder).map_err(|e| unwritable(&e))?;
    let bytes = fs::read(program).map_err(|e| unwritable(&e))?;
    // This very program may be the one that is replaced; a rename leaves the running one alone.
    atomic::write(&target, &bytes)?;
    platform::set_mode(&target, 0o755).map_err(|e| unwritable(&e))?;
    Ok(target)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tar::{Builder, Header};

    use super::super::contents::sums_to_text;
    use super::*;

    /// An archive of the given entries, each with its type.
    fn archive(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
        let mut archive = Builder::new(Vec::new());
        for (name, kind, content) in entries {
            let mut header = Header::new_ustar();
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            // Written directly: the library's own way refuses names that leave the folder.
            let field = &mut header.as_ustar_mut().unwrap().name;
            field[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, content.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> Result<BTreeSet<String>> {
        let folder = tempfile::tempdir().unwrap();
        unpack_archive(bytes, folder.path(), &Call::quiet(Duration::from_secs(60)))?;
        let names = fs::read_dir(folder.path()).unwrap();
        Ok(names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect())
    }

    #[test]
    fn a_whole_archive_is_unpacked_and_any_other_is_refused() {
        use EntryType::{Regular, Symlink};
        let sums = |names: &[(&str, &str)]| {
            let digest = |(name, text): &(&str, &str)| ((*name).to_owned(), digest::sha256(text.as_bytes()));
            sums_to_text(&names.iter().map(digest).collect())
        };
        let both = sums(&[("about.json", "{}"), ("wheels/a.whl", "a")]);
        let first = ("tapps-mcp-airgap/SHA256SUMS", Regular, both.as_str());
        let about = ("tapps-mcp-airgap/about.json", Regular, "{}");
        let wheel = ("tapps-mcp-airgap/wheels/a.whl", Regular, "a");
        let whole = unpacked(&archive(&[first, about, wheel])).unwrap();
        assert_eq!(whole, BTreeSet::from(["about.json".to_owned(), "wheels".to_owned()]));
        for (entries, said) in [
            (vec![], "it is empty"),
            (vec![about, first, wheel], "it begins with about.json"),
            (vec![first, about], "wheels/a.whl is missing"),
            (vec![first, about, wheel, wheel], "is in it twice"),
            (vec![first, about, ("tapps-mcp-airgap/wheels/a.whl", Regular, "b")], "does not have the digest"),
            (vec![first, ("tapps-mcp-airgap/wheels/b.whl", Regular, "b")], "is not in SHA256SUMS"),
            (vec![first, ("tapps-mcp-airgap/../about.json", Regular, "{}")], "it has an entry"),
            (vec![first, ("/etc/about.json", Regular, "{}")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/wheels/x/a.whl", Regular, "a")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/bundles/a+b.docs.zip", Regular, "a")], "is not in SHA256SUMS"),
            (vec![first, ("tapps-mcp-airgap/bundles/../a", Regular, "a")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/others/a", Regular, "a")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/wheels/.", Regular, "a")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/wheels/", Regular, "a")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/wheels/.a.whl", Regular, "a")], "it has an entry"),
            (vec![first, ("tapps-mcp-airgap/about.json", Symlink, "")], "is not a plain file"),
        ] {
            let error = unpacked(&archive(&entries)).unwrap_err();
            assert_eq!(error.code(), ErrorCode::CorruptedData, "{said}: {error}");
            assert!(error.message().contains(said), "{said}: {error}");
        }
        let mut torn = archive(&[first, about, wheel]);
        torn.truncate(1100);
        assert_eq!(unpacked(&torn).unwrap_err().code(), ErrorCode::CorruptedData);
    }
}
