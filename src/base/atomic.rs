//! Whole-file writes that are either wholly there or not there at all, also after a kill.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use super::{Error, Result, platform};

/// Bytes that are handed to the system at once; larger parts go past the buffer.
const BUFFER: usize = 1 << 16;

/// Replaces `path` with `bytes`: temporary file beside it, fsync, rename, fsync of the folder.
///
/// The mode of an existing file is kept; a new file gets the process's default mode.
///
/// # Errors
/// As [`Error::io`], with the path and the system's word, when the folder cannot be written or is full; the old file is then untouched.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_with(path, &[bytes], Lasting::Yes, Access::AsBefore)
}

/// As [`write`](fn@write), for a file that nobody but its owner may read, also when the earlier one could be read by others.
///
/// # Errors
/// As [`write`](fn@write).
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    write_with(path, &[bytes], Lasting::Yes, Access::Owner)
}

/// As [`write_private`], with some parts one after another and without waiting for the disk: after a power cut the file
/// may hold anything, so this is for what is checked when it is read and can be made again.
///
/// # Errors
/// As [`write`](fn@write).
pub fn write_private_parts(path: &Path, parts: &[&[u8]]) -> Result<()> {
    write_with(path, parts, Lasting::No, Access::Owner)
}

/// Whether the bytes are on the disk before the call returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasting {
    Yes,
    No,
}

/// Who may read a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Who could before; of a new file, whom the mask of the process lets.
    AsBefore,
    Owner,
}

fn write_with(path: &Path, parts: &[&[u8]], lasting: Lasting, access: Access) -> Result<()> {
    let mode = match access {
        Access::AsBefore => std::fs::metadata(path).ok().map(|meta| meta.permissions()),
        // Temporary files are made for their owner alone.
        Access::Owner => None,
    };
    let failed = |source: &std::io::Error| Error::io(format_args!("cannot write {}", path.display()), source);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tapps-tmp-");
    if mode.is_none() && access == Access::AsBefore {
        platform::set_usual_mode(&mut builder);
    }
    let mut temporary = builder.tempfile_in(folder).map_err(|e| failed(&e))?;
    let mut buffered = BufWriter::with_capacity(BUFFER, temporary.as_file_mut());
    parts.iter().try_for_each(|part| buffered.write_all(part)).map_err(|e| failed(&e))?;
    buffered.flush().map_err(|e| failed(&e))?;
    drop(buffered);
    if let Some(mode) = mode {
        temporary.as_file().set_permissions(mode).map_err(|e| failed(&e))?;
    }
    if lasting == Lasting::Yes {
        temporary.as_file().sync_all().map_err(|e| failed(&e))?;
    }
    temporary.persist(path).map_err(|e| failed(&e.error))?;
    // The rename itself is durable only once the folder is.
    if lasting == Lasting::Yes
        && let Ok(handle) = File::open(folder)
    {
        handle.sync_all().ok();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_keeps_the_mode() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        write(&path, b"one").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        write_private_parts(&path, &[b"th", b"", b"ree"]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"three");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error_that_names_the_path() {
        let error = write(Path::new("/nonexistent-folder/a"), b"x").unwrap_err();
        assert!(error.message().contains("/nonexistent-folder/a"), "{error}");
    }
}
