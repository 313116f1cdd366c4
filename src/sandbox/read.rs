//! Reading user files: beneath the handle, regular files only, bounded.

use std::io::Read as _;
use std::path::Path;

use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::boundary::Boundary;
use super::lexical;
use super::path::ProjectPath;
use super::{platform, state};
use tapps_base::{Error, Result, digest};

impl Boundary {
    /// The bytes of a file of at most `max` bytes.
    ///
    /// # Errors
    /// `file_not_found` with the nearest names; `path_denied` for what leads out of the project or is a device, FIFO or
    /// socket; `invalid_argument` for a folder or a file that is too large.
    pub fn read(&self, path: &ProjectPath, max: u64) -> Result<Vec<u8>> {
        let (file, meta) = self.open_regular_file(path)?;
        let too_large = |bytes: u64| {
            Error::invalid(format!("`{path}` has {bytes} bytes, more than the {max} that are read"))
                .hint("raise `limits.max_file_bytes` or leave the file out")
        };
        if meta.len() > max {
            return Err(too_large(meta.len()));
        }
        if state::is_private(path) {
            self.tighten_own_file(path, &file, &meta);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or_default());
        // The file may grow while it is read.
        file.take(max.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| self.path_error(path, &error))?;
        let length = bytes.len() as u64;
        if length > max { Err(too_large(length)) } else { Ok(bytes) }
    }

    /// At most so many bytes of the beginning of a file; of one that is large as well.
    ///
    /// # Errors
    /// As [`Boundary::read`].
    pub fn read_beginning(&self, path: &ProjectPath, most: u64) -> Result<Vec<u8>> {
        let (file, _) = self.open_regular_file(path)?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map_err(|error| self.path_error(path, &error))?;
        Ok(bytes)
    }

    fn open_regular_file(&self, path: &ProjectPath) -> Result<(File, Metadata)> {
        let file = self.with_path_beneath(path, |at| open_without_blocking(&self.dir, at))?;
        let meta = file.metadata().map_err(|error| self.path_error(path, &error))?;
        if meta.is_dir() {
            return Err(Error::invalid(format!("`{path}` is a folder")).hint("name a file in it"));
        }
        if !meta.is_file() {
            return Err(
                lexical::project_path_denied(path.as_str(), "is not a regular file").hint("name a regular file")
            );
        }
        Ok((file, meta))
    }

    /// True when something is at the path. Of many places that are looked at and mostly hold nothing, this says so at once;
    /// [`Boundary::read`] explains each with the names around it.
    #[must_use]
    pub fn is_there(&self, path: &ProjectPath) -> bool {
        self.dir.symlink_metadata(Path::new(path.as_str())).is_ok()
    }

    /// SHA-256 of a file in lower-case hex.
    ///
    /// # Errors
    /// As [`Boundary::read`].
    pub fn sha256(&self, path: &ProjectPath, max: u64) -> Result<String> {
        Ok(digest::sha256(&self.read(path, max)?))
    }
}

/// Opens for reading without ever waiting for the other end of a FIFO, and without taking a terminal.
pub(super) fn open_without_blocking(dir: &Dir, at: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    platform::set_no_waiting(&mut options);
    dir.open_with(at, &options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_read_of_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "0123456789").unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        let boundary = Boundary::open(folder.path()).unwrap();
        let beginning = |path: &str, most| boundary.read_beginning(&boundary.resolve(path).unwrap(), most);
        assert_eq!(beginning("a", 4).unwrap(), b"0123");
        assert_eq!(beginning("a", 40).unwrap(), b"0123456789");
        assert_eq!(beginning("b", 4).unwrap_err().code(), tapps_base::ErrorCode::InvalidArgument);
    }

    #[test]
    fn what_is_there_is_seen_and_nothing_outside_is() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(inside.path().join("a")).unwrap();
        std::fs::write(inside.path().join("a/b"), "x").unwrap();
        std::fs::write(outside.path().join("c"), "x").unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("out")).unwrap();
        let boundary = Boundary::open(inside.path()).unwrap();
        let there = |path: &str| boundary.is_there(&boundary.resolve(path).unwrap());
        assert_eq!(["a", "a/b", "a/c", "d", "d/e"].map(there), [true, true, false, false, false]);
        assert!(boundary.resolve("out/c").map_or(true, |path| !boundary.is_there(&path)), "a link that leads out");
    }
}
