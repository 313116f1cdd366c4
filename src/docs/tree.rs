//! The files of one package, wherever they lie: installed in the project or packed in an archive.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use flate2::read::GzDecoder;
use tar::EntryType;
use zip::ZipArchive;

use tapps_base::{Error, ErrorCode, Result};
use tapps_sandbox::Boundary;

/// The largest file that is read, in bytes.
pub const FILE_MAX: u64 = 4 << 20;
/// An archive with more entries than this is refused.
const ENTRIES_MAX: usize = 60_000;
/// An archive that holds more text than this is refused, in bytes.
const TOTAL_MAX: u64 = 512 << 20;

/// Files that can be listed and read.
pub trait Tree: Sync {
    /// Paths relative to the package's root folder, with `/`, sorted.
    fn files(&self) -> &[String];

    /// The bytes of one of these files.
    ///
    /// # Errors
    /// `file_not_found`, or what reading says.
    fn read(&self, path: &str) -> Result<Vec<u8>>;

    /// The text of a file; `None` when it is missing, too large or no UTF-8.
    fn text(&self, path: &str) -> Option<String> {
        let text = String::from_utf8(self.read(path).ok()?).ok()?;
        Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

/// Files below a folder of the project.
#[derive(Debug)]
pub struct Installed<'b> {
    boundary: &'b Boundary,
    /// Relative to the project; empty for the project itself.
    folder: String,
    files: Vec<String>,
}

impl<'b> Installed<'b> {
    /// The named files below `folder`.
    #[must_use]
    pub fn new(boundary: &'b Boundary, folder: &str, mut files: Vec<String>) -> Self {
        files.sort();
        files.dedup();
        Self { boundary, folder: folder.to_owned(), files }
    }
}

impl Tree for Installed<'_> {
    fn files(&self) -> &[String] {
        &self.files
    }

    fn read(&self, path: &str) -> Result<Vec<u8>> {
        let whole = if self.folder.is_empty() { path.to_owned() } else { format!("{}/{path}", self.folder) };
        self.boundary.read(&self.boundary.resolve(&whole)?, FILE_MAX)
    }
}

/// Files held in memory.
#[derive(Debug, Default)]
pub struct Packed {
    names: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
    /// Bytes that came out of the archive.
    unpacked: u64,
}

impl Packed {
    /// Reads the wanted files of a wheel.
    ///
    /// # Errors
    /// `corrupted_data` for what is no zip archive, is cut short, or is out of all proportion.
    pub fn wheel(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Result<Self> {
        let broken = |why: &dyn std::fmt::Display| corrupted(&format!("the wheel cannot be read: {why}"));
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > ENTRIES_MAX {
            return Err(broken(&format_args!("it has {} entries", archive.len())));
        }
        let mut packed = Self::default();
        for at in 0..archive.len() {
            let entry = archive.by_index(at).map_err(|error| broken(&error))?;
            let name = entry.name().map_err(|_| broken(&"a name is no text"))?.into_owned();
            if leads_out(&name) {
                return Err(broken(&format_args!("it has an entry `{}`, which leads out of it", name.escape_debug())));
            }
            if entry.is_dir() || !wanted(&name) {
                continue;
            }
            packed.unpack(name, entry).map_err(|why| broken(&why))?;
        }
        packed.names = packed.files.keys().cloned().collect();
        Ok(packed)
    }

    /// Reads the wanted files of an npm package as its registry has it; what stands above all of them, usually
    /// `package/`, is taken off their paths.
    ///
    /// # Errors
    /// As [`Packed::wheel`], for what is no compressed tar archive.
    pub fn tarball(bytes: &[u8], wanted: &dyn Fn(&str) -> bool) -> Result<Self> {
        let broken = |why: &dyn std::fmt::Display| corrupted(&format!("the npm package cannot be read: {why}"));
        let mut archive = tar::Archive::new(GzDecoder::new(bytes).take(TOTAL_MAX));
        let mut packed = Self::default();
        for (at, entry) in archive.entries().map_err(|error| broken(&error))?.enumerate() {
            let entry = entry.map_err(|error| broken(&error))?;
            if at >= ENTRIES_MAX {
                return Err(broken(&format_args!("it has more than {ENTRIES_MAX} entries")));
            }
            let name = String::from_utf8(entry.path_bytes().into_owned()).map_err(|_| broken(&"a name is no text"))?;
            if leads_out(&name) {
                return Err(broken(&format_args!("it has an entry `{}`, which leads out of it", name.escape_debug())));
            }
            let Some((_, path)) = name.split_once('/').filter(|(_, path)| wanted(path)) else { continue };
            // Links lead nowhere in an archive that is never unpacked.
            if entry.header().entry_type() != EntryType::Regular {
                continue;
            }
            let path = path.to_owned();
            packed.unpack(path, entry).map_err(|why| broken(&why))?;
        }
        packed.names = packed.files.keys().cloned().collect();
        Ok(packed)
    }

    /// Takes a file out of the archive, and keeps it unless it is too large.
    fn unpack(&mut self, name: String, entry: impl Read) -> std::io::Result<()> {
        let mut content = Vec::new();
        entry.take(FILE_MAX + 1).read_to_end(&mut content)?;
        let size = content.len() as u64;
        self.unpacked = self.unpacked.saturating_add(size);
        if self.unpacked > TOTAL_MAX {
            return Err(std::io::Error::other("it unpacks to more than 512 MiB"));
        }
        if size <= FILE_MAX {
            self.files.insert(name, content);
        }
        Ok(())
    }

    /// Files that are there already.
    #[must_use]
    pub fn from_files(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self { names: files.keys().cloned().collect(), files, unpacked: 0 }
    }
}

impl Tree for Packed {
    fn files(&self) -> &[String] {
        &self.names
    }

    fn read(&self, path: &str) -> Result<Vec<u8>> {
        let missing = || Error::new(ErrorCode::FileNotFound, format!("the package has no file `{path}`"));
        self.files.get(path).cloned().ok_or_else(missing)
    }
}

/// Whether a path in an archive would lead out of the folder it is unpacked to.
fn leads_out(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|part| part == "..") || path.contains('\0')
}

fn corrupted(message: &str) -> Error {
    Error::new(ErrorCode::CorruptedData, message).hint("fetch the file again")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn tarball(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, bytes) in entries {
            let mut header = tar::Header::new_old();
            // Written as it is: the library itself refuses what leads out.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(bytes.len() as u64);
            header.set_entry_type(EntryType::Regular);
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&builder.into_inner().unwrap()).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn a_wheel_that_leads_out_or_is_out_of_proportion_is_refused() {
        let zipped = |entries: &[(&str, &[u8])]| {
            let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for (name, bytes) in entries {
                zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
                zip.write_all(bytes).unwrap();
            }
            zip.finish().unwrap().into_inner()
        };
        for name in ["demo/../../x.py", "/etc/x.py", "..\\x.py"] {
            let error = Packed::wheel(&zipped(&[("demo/a.py", b"a = 1"), (name, b"x")]), &|_| true).unwrap_err();
            assert_eq!(error.code(), ErrorCode::CorruptedData);
            assert!(error.message().contains("leads out of it"), "{name}: {error}");
        }
        let most = usize::try_from(FILE_MAX).unwrap();
        let large = zipped(&[("demo/large.py", &vec![b' '; most + 1]), ("demo/small.py", b"s")]);
        assert_eq!(Packed::wheel(&large, &|_| true).unwrap().files(), ["demo/small.py"]);
        // What nobody wants to read is not even unpacked.
        assert!(Packed::wheel(&large, &|_| false).unwrap().files().is_empty());
    }

    #[test]
    fn the_files_of_an_npm_package_stand_below_its_top() {
        let bytes = tarball(&[("package/package.json", b"{}"), ("package/lib/a.d.ts", b"x"), ("package/b.js", b"y")]);
        let packed = Packed::tarball(&bytes, &|path| !path.ends_with(".js")).unwrap();
        assert_eq!(packed.files(), ["lib/a.d.ts", "package.json"]);
        assert_eq!(packed.text("lib/a.d.ts").as_deref(), Some("x"));
        assert_eq!(packed.read("b.js").unwrap_err().code(), ErrorCode::FileNotFound);
    }

    #[test]
    fn what_leads_out_is_cut_short_or_is_no_archive_is_refused() {
        let said = |bytes: &[u8]| Packed::tarball(bytes, &|_| true).unwrap_err().message().to_owned();
        for name in ["package/../../x", "/etc/passwd", "..\\x"] {
            assert!(said(&tarball(&[(name, b"x")])).contains("leads out of it"), "{name}");
        }
        let whole = tarball(&[("package/package.json", &[b'x'; 5_000])]);
        assert!(said(&whole[..whole.len() / 2]).starts_with("the npm package cannot be read:"));
        assert!(said(b"no archive").starts_with("the npm package cannot be read:"));
        let most = usize::try_from(FILE_MAX).unwrap();
        let large = tarball(&[("package/large.d.ts", &vec![b' '; most + 1]), ("package/small.d.ts", b"s")]);
        assert_eq!(Packed::tarball(&large, &|_| true).unwrap().files(), ["small.d.ts"]);
    }
}
