//! Wheels into a tree: files at their places, with their modes, and nothing else.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rayon::prelude::*;

use crate::base::{Error, ErrorCode, Result};

use super::layout;
use super::lock::Artifact;
use super::unix;
use super::wheel::{Sink, Wheel};

/// Unpacks every wheel into `root`, a new folder, in parallel.
///
/// `done` is told of each wheel that is finished. Files get their final modes; folders stay writable until
/// [`seal`] is called.
///
/// # Errors
/// `toolchain_mismatch` naming the wheel and file that is not as locked, or what the file system says.
pub(super) fn unpack_all(
    wheels: &[(&Artifact, PathBuf)],
    root: &Path,
    done: &(dyn Fn(&Artifact) + Sync),
) -> Result<()> {
    let taken = Mutex::new(BTreeSet::new());
    wheels.par_iter().try_for_each(|(artifact, path)| {
        Wheel::open(artifact, path)?.unpack(&mut Tree { root, taken: &taken, artifact })?;
        done(artifact);
        Ok(())
    })
}

/// Takes the write permission from every folder of a tree, the root included.
pub(super) fn seal(root: &Path) -> Result<()> {
    each_folder(root, &|folder| unix::set_mode(folder, layout::MODE_FOLDER), false)
}

/// Removes a tree even where its folders are read-only.
pub(super) fn remove(root: &Path) -> Result<()> {
    // A folder must be writable before what is in it can go; one that cannot be changed fails below, by its name.
    each_folder(root, &|folder| unix::set_mode(folder, 0o755), true).ok();
    fs::remove_dir_all(root).map_err(|e| Error::io(format_args!("cannot remove {}", root.display()), &e))
}

fn each_folder(folder: &Path, act: &dyn Fn(&Path) -> std::io::Result<()>, before: bool) -> Result<()> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot change {}", folder.display()), e);
    if before {
        act(folder).map_err(|e| failed(&e))?;
    }
    for entry in fs::read_dir(folder).map_err(|e| failed(&e))? {
        let entry = entry.map_err(|e| failed(&e))?;
        if entry.file_type().map_err(|e| failed(&e))?.is_dir() {
            each_folder(&entry.path(), act, before)?;
        }
    }
    if before { Ok(()) } else { act(folder).map_err(|e| failed(&e)) }
}

struct Tree<'a> {
    root: &'a Path,
    /// Places of all wheels, folded, so that no two of them meet anywhere.
    taken: &'a Mutex<BTreeSet<String>>,
    artifact: &'a Artifact,
}

impl Sink for Tree<'_> {
    fn open(&mut self, place: &str) -> Result<Box<dyn Write>> {
        let fresh = self.taken.lock().is_ok_and(|mut taken| taken.insert(layout::folded(place)));
        if !fresh {
            return Err(Error::new(
                ErrorCode::ToolchainMismatch,
                format!("{} puts a file at `{place}`, where there is one already", self.artifact.file),
            ));
        }
        let path = self.root.join(place);
        let failed = |e: &std::io::Error| Error::io(format_args!("cannot write {}", path.display()), e);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| failed(&e))?;
        }
        let file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(|e| failed(&e))?;
        // The mode set on an open file is free of the process's umask, and the file stays writable through `file`.
        unix::set_mode_of(&file, layout::mode_of(place)).map_err(|e| failed(&e))?;
        Ok(Box::new(file))
    }
}
