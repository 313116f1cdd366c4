//! Unpacking the archive of a CPython: files and links below one folder, and nothing that leads out of it.
//!
//! The digest of the whole archive is for the caller to check, before anything of it is read.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Read, Write as _};
use std::path::Path;

use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};
use tar::{Archive, EntryType};

use super::lock::InterpreterArchive;
use crate::layout::{self, MODE_FILE, MODE_PROGRAM};
use crate::manifest::{ExpectedFile, TreeManifest};
use crate::platform;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

/// An archive that unpacks to more than this is refused.
const MOST_BYTES: u64 = 1 << 30;
/// And one with more files and links.
const MOST_FILES: usize = 100_000;
/// The one folder at the top of an archive.
const TOP: &str = "python/";

/// Unpacks an archive into `root`, a new folder, and tells what is there then. Folders stay writable.
///
/// # Errors
/// `toolchain_mismatch` for what is not such an archive or could leave the folder, what the file system says, `cancelled`,
/// `timeout`.
pub(super) fn unpack_interpreter(
    archive: &InterpreterArchive,
    path: &Path,
    root: &Path,
    call: &Call,
) -> Result<TreeManifest> {
    let file = File::open(path).map_err(|e| Error::io(format_args!("cannot read {}", path.display()), &e))?;
    let mut entries = Archive::new(GzDecoder::new(BufReader::new(file)).take(MOST_BYTES));
    let mut tree = Unpacking { archive, root, found: TreeManifest::default() };
    let unreadable = |e: std::io::Error| tree_refusal(archive, format_args!("cannot be unpacked: {e}"));
    for entry in entries.entries().map_err(unreadable)? {
        call.check()?;
        let mut entry = entry.map_err(unreadable)?;
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader || kind == EntryType::Directory {
            continue;
        }
        let Some(name) = tree.checked_name(&entry.path_bytes())? else { continue };
        match kind {
            EntryType::Regular => {
                let runs = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
                tree.add_file(name, &mut entry, runs)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name_bytes().map(|bytes| bytes.into_owned()).unwrap_or_default();
                tree.add_link(name, &target)?;
            }
            _ => return Err(tree_refusal(archive, format_args!("holds `{name}`, which is neither file nor link"))),
        }
    }
    tree.make_links()?;
    match tree.found.files.get(&archive.program()) {
        Some(program) if program.mode == MODE_PROGRAM => Ok(tree.found),
        _ => Err(tree_refusal(archive, format_args!("has no program {}", archive.program()))),
    }
}

struct Unpacking<'a> {
    archive: &'a InterpreterArchive,
    root: &'a Path,
    found: TreeManifest,
}

impl Unpacking<'_> {
    /// The name of an entry; none for byte code, which every release can make anew and which is no source.
    fn checked_name(&self, bytes: &[u8]) -> Result<Option<String>> {
        let refused = |what: &str| tree_refusal(self.archive, format_args!("has a file name that {what}"));
        let name = std::str::from_utf8(bytes).map_err(|_| refused("is not text"))?;
        if layout::is_bytecode(name) {
            return Ok(None);
        }
        layout::check_file_name(name).map_err(|error| tree_refusal(self.archive, error.message()))?;
        if !name.starts_with(TOP) {
            return Err(refused(&format!("is not below {TOP}: `{name}`")));
        }
        if self.found.files.len() + self.found.links.len() >= MOST_FILES {
            return Err(tree_refusal(self.archive, format_args!("has more than {MOST_FILES} files")));
        }
        Ok(Some(name.to_owned()))
    }

    fn add_file(&mut self, name: String, content: &mut impl Read, runs: bool) -> Result<()> {
        let path = self.root.join(&name);
        let mode = if runs { MODE_PROGRAM } else { MODE_FILE };
        let mut out = self.create(&path, &name)?;
        let unwritten = |e: &std::io::Error| Error::io(format_args!("cannot write {}", path.display()), e);
        platform::set_mode_of(&out, mode).map_err(|e| unwritten(&e))?;
        let (mut hasher, mut size) = (Sha256::new(), 0);
        let mut buffer = vec![0_u8; 128 << 10];
        loop {
            let read = content.read(&mut buffer);
            let read = read.map_err(|e| tree_refusal(self.archive, format_args!("ends within `{name}`: {e}")))?;
            let chunk = buffer.get(..read).unwrap_or_default();
            if chunk.is_empty() {
                break;
            }
            hasher.update(chunk);
            size += chunk.len() as u64;
            out.write_all(chunk).map_err(|e| unwritten(&e))?;
        }
        let file = ExpectedFile { mode, size, sha256: digest::hex(&hasher.finalize()) };
        self.found.files.insert(name, file);
        Ok(())
    }

    fn create(&self, path: &Path, name: &str) -> Result<File> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| self.unplaced(name, &e))?;
        }
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| self.unplaced(name, &e))
    }

    /// A place that is taken is a fault of the archive; every other failure is the machine's.
    fn unplaced(&self, name: &str, error: &std::io::Error) -> Error {
        use std::io::ErrorKind::{AlreadyExists, NotADirectory};
        if matches!(error.kind(), AlreadyExists | NotADirectory) {
            return tree_refusal(self.archive, format_args!("puts `{name}` where there is something already"));
        }
        Error::io(format_args!("cannot write {}", self.root.join(name).display()), error)
    }

    fn add_link(&mut self, name: String, target: &[u8]) -> Result<()> {
        let target = std::str::from_utf8(target).ok().filter(|target| stays_inside(&name, target));
        let Some(target) = target else {
            return Err(tree_refusal(self.archive, format_args!("has a link `{name}` that leads out of it")));
        };
        let target = target.to_owned();
        match self.found.links.insert(name.clone(), target) {
            None => Ok(()),
            Some(_) => Err(tree_refusal(self.archive, format_args!("puts `{name}` where there is something already"))),
        }
    }

    /// Makes the links when all files are there, so that none is written through one of them.
    fn make_links(&self) -> Result<()> {
        let links: &BTreeMap<String, String> = &self.found.links;
        for (name, target) in links {
            let path = self.root.join(name);
            let mut above = Path::new(name).ancestors().skip(1).filter_map(Path::to_str);
            if above.any(|folder| links.contains_key(folder)) {
                return Err(tree_refusal(self.archive, format_args!("puts `{name}` behind a link")));
            }
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|e| self.unplaced(name, &e))?;
            }
            tapps_base::platform::symlink(Path::new(target), &path).map_err(|e| self.unplaced(name, &e))?;
        }
        Ok(())
    }
}

/// True when a link of that name leads to something below the archive's own folder, step by step.
fn stays_inside(name: &str, target: &str) -> bool {
    if target.is_empty() || target.starts_with('/') || target.contains('\\') || target.chars().any(char::is_control) {
        return false;
    }
    // Steps upwards come first: after a name that is itself a link they would lead elsewhere than they say.
    let up = target.split('/').take_while(|part| *part == "..").count();
    let rest = target.split('/').skip(up).all(|part| part != "..");
    // The link's own folders, without the one at the top.
    rest && up + 2 <= name.split('/').count()
}

fn tree_refusal(archive: &InterpreterArchive, what: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::ToolchainMismatch, format!("{} {what}", archive.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_below_the_folder_that_the_archive_has() {
        for (name, target) in [
            ("python/bin/python3", "python3.14"),
            ("python/share/man/man1/python.1", "python3.14.1"),
            ("python/lib/libpython3.so", "../lib/libpython3.14.so.1.0"),
            ("python/share/terminfo/a/b", "../../../bin/python3"),
            ("python/share/terminfo/a/b", "../c"),
        ] {
            assert!(stays_inside(name, target), "{name} -> {target}");
        }
        for (name, target) in [
            ("python/bin/python3", "/usr/bin/python3"),
            ("python/bin/python3", "../../x"),
            ("python/bin/python3", "../../../etc/passwd"),
            ("python/x", ".."),
            ("python/bin/python3", "a/../../../x"),
            ("python/bin/python3", "a/../b"),
            ("python/bin/python3", "./../../x"),
            ("python/bin/python3", ""),
            ("python/bin/python3", "..\\..\\x"),
        ] {
            assert!(!stays_inside(name, target), "{name} -> {target}");
        }
    }
}
