//! Folders and files of the program that nobody but their owner may look into, whatever mask the process has.
//!
//! What is there already with wider rights loses them when it is opened. Rights that cannot be taken away, because somebody
//! else owns the file, are no reason to fail: it is theirs anyway.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::platform;

/// Rights of a folder.
pub const FOLDER_MODE: u32 = 0o700;
/// Rights of a file.
pub const FILE_MODE: u32 = 0o600;

/// Makes a folder, and those above it that are missing.
///
/// # Errors
/// What the system says when it cannot be made.
pub fn folder(path: &Path) -> io::Result<()> {
    missing_folder(path)?;
    tighten(path, FOLDER_MODE);
    Ok(())
}

/// As [`folder`], but one that is there stays as it is.
///
/// # Errors
/// As [`folder`].
pub fn missing_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    platform::set_folder_mode(&mut builder, FOLDER_MODE);
    builder.create(path)
}

/// Opens a file for reading and writing, made when it is not there; a link is not followed.
///
/// # Errors
/// What the system says when it cannot be opened.
pub fn file(path: &Path) -> io::Result<File> {
    file_with(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))
}

/// Why something in the place of a file is not opened; a [`Error`](super::Error) made from it has the code `path_denied`.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("it is a link or no plain file")]
pub struct NotPlain;

/// True when a file was not opened because something else stands in its place.
#[must_use]
pub fn is_not_plain(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<NotPlain>())
}

/// As [`file`](fn@file), opened in the way that `options` say. A link in the place of a file could lead out of the project, and a
/// pipe would be waited for; both may come with a repository that was cloned.
///
/// # Errors
/// As [`file`](fn@file); [`NotPlain`] for anything that is no plain file.
pub fn file_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, NotPlain);
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(refused());
    }
    // A link that was put there after the look is not followed either.
    platform::set_careful_open(options, FILE_MODE);
    let file = options.open(path).map_err(|error| if platform::is_link_error(&error) { refused() } else { error })?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(refused());
    }
    // By the handle: the name may stand for another file by now.
    if platform::is_wider(&meta, FILE_MODE) {
        platform::restrict_file(&file, FILE_MODE).ok();
    }
    Ok(file)
}

/// Makes the files of a database ready to be opened: SQLite gives those that it makes beside it the rights of the first.
///
/// # Errors
/// As [`file`](fn@file).
pub fn database(path: &Path) -> io::Result<()> {
    // One that is there is not opened: closing it would end the locks that SQLite has on it in this process.
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        tighten(path, FILE_MODE);
    } else {
        file(path)?;
    }
    for ending in ["-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let beside = PathBuf::from(name);
        if fs::symlink_metadata(&beside).is_ok_and(|meta| meta.is_file()) {
            tighten(&beside, FILE_MODE);
        }
    }
    Ok(())
}

fn tighten(path: &Path, mode: u32) {
    if fs::metadata(path).is_ok_and(|meta| platform::is_wider(&meta, mode)) {
        platform::restrict_path(path, mode).ok();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_and_what_was_wider_is_for_the_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (outer, inner) = (dir.path().join("a"), dir.path().join("a/b"));
        folder(&inner).unwrap();
        assert_eq!((mode(&outer), mode(&inner)), (0o700, 0o700));
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).unwrap();
        missing_folder(&inner).unwrap();
        assert_eq!(mode(&inner), 0o755);
        folder(&inner).unwrap();
        assert_eq!(mode(&inner), 0o700);

        let (kept, wal) = (inner.join("x.db"), inner.join("x.db-wal"));
        fs::write(&kept, "content").unwrap();
        fs::write(&wal, "").unwrap();
        for path in [&kept, &wal] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        }
        database(&kept).unwrap();
        assert_eq!((mode(&kept), mode(&wal)), (0o600, 0o600));
        assert_eq!(fs::read(&kept).unwrap(), b"content");

        let link = inner.join("link");
        std::os::unix::fs::symlink(&kept, &link).unwrap();
        assert!(file(&link).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn links_folders_and_pipes_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "untouched").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nothing"), at("dangling")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
        for name in ["link", "dangling", "folder", "pipe"] {
            let mut options = OpenOptions::new();
            let error = file_with(&at(name), options.read(true).write(true).create(true)).unwrap_err();
            assert!(is_not_plain(&error), "{name}: {error}");
            let error = crate::Error::io("cannot open it", &error);
            assert_eq!(error.code(), crate::ErrorCode::PathDenied, "{name}");
            assert!(error.body().hint.is_some(), "{name}");
        }
        assert!(!at("nothing").exists());
        assert_eq!(std::fs::read_to_string(at("file")).unwrap(), "untouched");
        assert!(file_with(&at("file"), OpenOptions::new().read(true)).is_ok());
    }
}
