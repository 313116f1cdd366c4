//! The types of wheels that lie in the project: `wheelhouse`, where `pip wheel` and `pip download` put them.

use std::collections::HashMap;
use std::io::{Cursor, Read as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use zip::ZipArchive;

use super::package::{Brings, MOST_FILE_BYTES, TypeFiles, TypePaths};
use crate::cache::FileDigest;
use tapps_base::digest;
use tapps_project::packages::Ecosystem;
use tapps_sandbox::Boundary;
use tapps_sandbox::survey::FileStamp;

/// The folder of wheels.
pub(super) const FOLDER: &str = "wheelhouse";
/// Most wheels that are looked at.
const MOST_WHEELS: usize = 5_000;
/// The largest wheel that is read, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// Why a wheel of which nothing can be read is left out.
const BROKEN: &str = "the wheel cannot be unpacked";
/// Most bytes of all files of one wheel that are read.
const MOST_READ: u64 = 256 << 20;

/// A wheel by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WheelName {
    /// Relative to the project.
    pub(super) path: String,
    pub(super) library: String,
    pub(super) version: String,
    stamp: FileStamp,
    /// Whether any later change has another stamp.
    settled: bool,
}

/// What is in a wheel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WheelContent {
    pub(super) sha256: String,
    pub(super) brings: Brings,
}

/// Reads the wheels of one project; remembers what it has read.
#[derive(Debug, Default)]
pub(super) struct WheelReader {
    known: Mutex<HashMap<String, (FileStamp, Arc<WheelContent>)>>,
}

/// The wheels that lie in a project, sorted by name.
pub(super) fn list_wheels(boundary: &Boundary) -> Vec<WheelName> {
    let began = FileStamp::now();
    let Ok(folder) = boundary.resolve(FOLDER) else { return Vec::new() };
    if !boundary.is_there(&folder) {
        return Vec::new();
    }
    let names = boundary.list(&folder).unwrap_or_default().into_iter();
    let one = |name: String| {
        let mut parts = name.strip_suffix(".whl")?.split('-');
        let (library, version) = (parts.next()?, parts.next()?);
        let (library, version) = (Ecosystem::PyPi.normalize_name(library), version.to_owned());
        let path = format!("{FOLDER}/{name}");
        let stamp = FileStamp::of_regular_file(&boundary.root().join(&path))?;
        Some(WheelName { path, library, version, stamp, settled: stamp.is_settled(began) })
    };
    names.filter_map(one).take(MOST_WHEELS).collect()
}

/// Changes with the wheels that are there.
pub(super) fn digest_of_names(wheels: &[WheelName]) -> String {
    let line = |wheel: &WheelName| format!("{} {:?}\n", wheel.path, wheel.stamp.parts());
    digest::sha256(wheels.iter().map(line).collect::<String>().as_bytes())
}

impl WheelReader {
    /// What is in some wheels; one that cannot be read is passed over.
    pub(super) fn read_contents(&self, boundary: &Boundary, wheels: &[&WheelName]) -> Vec<Option<Arc<WheelContent>>> {
        wheels.par_iter().map(|wheel| self.content_of(boundary, wheel)).collect()
    }

    fn content_of(&self, boundary: &Boundary, wheel: &WheelName) -> Option<Arc<WheelContent>> {
        if let Some((stamp, content)) = self.lock_known().get(&wheel.path)
            && *stamp == wheel.stamp
        {
            return Some(Arc::clone(content));
        }
        let bytes = read_wheel(boundary, &wheel.path)?;
        let sha256 = digest::sha256(&bytes);
        let brings = content_of_wheel(&bytes).unwrap_or_else(Brings::Unusable);
        let content = Arc::new(WheelContent { sha256, brings });
        if wheel.settled {
            self.lock_known().insert(wheel.path.clone(), (wheel.stamp, Arc::clone(&content)));
        }
        Some(content)
    }

    fn lock_known(&self) -> MutexGuard<'_, HashMap<String, (FileStamp, Arc<WheelContent>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_wheel(boundary: &Boundary, path: &str) -> Option<Vec<u8>> {
    boundary.resolve(path).and_then(|path| boundary.read(&path, MOST_BYTES)).ok()
}

/// The bytes of some files of the wheel at `path`, as long as it has this digest.
pub(super) fn files_of_wheel(boundary: &Boundary, path: &str, sha256: &str) -> Option<HashMap<String, Vec<u8>>> {
    let bytes = read_wheel(boundary, path).filter(|bytes| digest::sha256(bytes) == sha256)?;
    read_types(&bytes).ok().map(|files| files.into_iter().collect())
}

fn content_of_wheel(bytes: &[u8]) -> Result<Brings, String> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| BROKEN)?;
    let names = names_in(&archive);
    let paths = TypePaths::among_paths(names.iter().filter_map(|name| installed_path(name)))?;
    if paths.files.is_empty() {
        return Ok(Brings::NoTypes(paths.tops));
    }
    let one = |(path, bytes): (String, Vec<u8>)| (path, FileDigest::of_bytes(&bytes));
    Ok(Brings::Types(read_types(bytes)?.into_iter().map(one).collect::<TypeFiles>()))
}

/// The names of all files of a wheel; those that are no text name nothing that can be imported.
fn names_in(archive: &ZipArchive<Cursor<&[u8]>>) -> Vec<String> {
    archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect()
}

fn read_types(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| BROKEN)?;
    let names = names_in(&archive);
    let wanted = TypePaths::among_paths(names.iter().filter_map(|name| installed_path(name)))?.files;
    let (mut files, mut all) = (Vec::new(), 0);
    for name in &names {
        let Some(path) =
            installed_path(name).filter(|path| wanted.binary_search_by(|one| one.as_str().cmp(path)).is_ok())
        else {
            continue;
        };
        let entry = archive.by_name(name).map_err(|_| BROKEN)?;
        let mut content = Vec::new();
        // What a wheel says of the size of a file need not be true.
        entry.take(MOST_FILE_BYTES + 1).read_to_end(&mut content).map_err(|_| BROKEN)?;
        all += content.len() as u64;
        if content.len() as u64 > MOST_FILE_BYTES {
            return Err(format!("a file of it has more than {MOST_FILE_BYTES} bytes"));
        }
        if all > MOST_READ {
            return Err(format!("its files have more than {MOST_READ} bytes"));
        }
        files.push((path.to_owned(), content));
    }
    files.sort();
    files.dedup_by(|later, first| later.0 == first.0);
    Ok(files)
}

/// Where a file of a wheel is put: what is in the folder of data for modules is moved beside them.
fn installed_path(name: &str) -> Option<&str> {
    match name.split_once(".data/") {
        Some((top, rest)) if !top.contains('/') => {
            rest.strip_prefix("purelib/").or_else(|| rest.strip_prefix("platlib/"))
        }
        _ => Some(name),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::io::Write as _;
    use std::path::Path;

    /// Writes a wheel and gives its digest.
    pub(in crate::types) fn wheel(root: &Path, name: &str, files: &[(&str, &str)]) -> String {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, text) in files {
            writer.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        let bytes = writer.finish().unwrap().into_inner();
        std::fs::create_dir_all(root.join(FOLDER)).unwrap();
        std::fs::write(root.join(FOLDER).join(name), &bytes).unwrap();
        digest::sha256(&bytes)
    }

    #[test]
    fn wheels_are_read_by_name_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("a/__init__.py", "x = 1\n"),
            ("a-1.0.data/purelib/a/py.typed", ""),
            ("a/x.so", ""),
            ("a-1.0.dist-info/RECORD", ""),
        ];
        let sha256 = wheel(folder.path(), "A_b-1.0-py3-none-any.whl", &files);
        std::fs::write(folder.path().join(FOLDER).join("broken-2.whl"), "no archive").unwrap();
        std::fs::write(folder.path().join(FOLDER).join("note.txt"), "").unwrap();
        let boundary = Boundary::open(folder.path()).unwrap();
        let wheels = list_wheels(&boundary);
        let named: Vec<(&str, &str)> = wheels.iter().map(|one| (one.library.as_str(), one.version.as_str())).collect();
        assert_eq!(named, [("a-b", "1.0"), ("broken", "2")]);
        let read = WheelReader::default().read_contents(&boundary, &wheels.iter().collect::<Vec<_>>());
        let [first, second] = read.as_slice() else { panic!() };
        let first = first.as_ref().unwrap();
        let Brings::Types(found) = &first.brings else { panic!() };
        assert_eq!(
            (first.sha256.as_str(), found.keys().cloned().collect::<Vec<_>>()),
            (sha256.as_str(), vec!["a/__init__.py".to_owned(), "a/py.typed".to_owned()])
        );
        assert_eq!(second.as_ref().unwrap().brings, Brings::Unusable(BROKEN.to_owned()));
        assert_eq!(files_of_wheel(&boundary, &wheels[0].path, &sha256).unwrap()["a/__init__.py"], b"x = 1\n");
        assert_eq!(files_of_wheel(&boundary, &wheels[0].path, "other"), None);
    }
}
