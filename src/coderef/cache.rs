//! What a scan leaves under `.coderef/` for the next one: what each file says, and the linked index as a whole.
//!
//! Nothing here is ever believed: a file counts only for the digest of its bytes, the index only for the digest of all
//! bytes it was made from, and both only when their own checksum is right and the same program wrote them.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::engine::sha256_of;
use super::family::Reading;
use super::model::{File, Index, Lang};
use crate::base::{atomic, digest};
use crate::guard::Boundary;

/// Changes with every change of the program.
const PROGRAM: &str = env!("DIGEST_OF_SOURCE");
const READINGS: &str = "readings.bin";
const INDEX: &str = "index.bin";
/// Largest file that is written or read, in bytes.
const MAX_BYTES: usize = 256 * 1024 * 1024;
/// Program and checksum before the content.
const HEADER: usize = 64;

/// What files have said, by path.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Readings(BTreeMap<String, Kept>);

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    language: Lang,
    sha256: String,
    /// The [`Reading`] in its binary form.
    reading: Vec<u8>,
}

impl Readings {
    /// What a file has said, when it had the same bytes.
    pub(super) fn get(&self, path: &str, language: Lang, sha256: &str) -> Option<Reading> {
        let kept = self.0.get(path).filter(|kept| kept.language == language && kept.sha256 == sha256)?;
        postcard::from_bytes(&kept.reading).ok()
    }
}

/// A file that linking has read besides the sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    pub(super) path: String,
    /// `None` when it was not there.
    pub(super) sha256: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Whole {
    key: String,
    beyond: Vec<Input>,
    index: Index,
}

/// The index that was made from exactly these bytes.
pub(super) fn index(boundary: &Boundary, key: &str) -> Option<Index> {
    let whole: Whole = load(boundary, INDEX)?;
    let same = whole.key == key && whole.beyond.iter().all(|it| sha256_of(boundary, &it.path) == it.sha256);
    same.then_some(whole.index)
}

/// What files said in earlier scans.
pub(super) fn readings(boundary: &Boundary) -> Readings {
    load(boundary, READINGS).unwrap_or_default()
}

/// Keeps what files say; those of an earlier scan that this one did not look at stay while they exist.
pub(super) fn keep_readings(boundary: &Boundary, known: &Readings, read: &[(File, Reading)]) {
    let mut kept = Readings::default();
    for (file, reading) in read {
        let same = known.0.get(&file.path).filter(|kept| kept.sha256 == file.sha256 && kept.language == file.language);
        let entry = same.cloned().or_else(|| {
            let reading = postcard::to_stdvec(reading).ok()?;
            Some(Kept { language: file.language, sha256: file.sha256.clone(), reading })
        });
        kept.0.extend(entry.map(|entry| (file.path.clone(), entry)));
    }
    let mut bytes: usize = kept.0.values().map(|kept| kept.reading.len()).sum();
    for (path, entry) in &known.0 {
        bytes += entry.reading.len();
        let there = || boundary.resolve(path).is_ok_and(|path| boundary.kind(&path).is_ok());
        if !kept.0.contains_key(path) && bytes < MAX_BYTES / 2 && there() {
            kept.0.insert(path.clone(), entry.clone());
        }
    }
    store(boundary, READINGS, &kept);
}

/// Keeps the index with what it was made from.
pub(super) fn keep_index(boundary: &Boundary, key: &str, beyond: Vec<Input>, index: &Index) {
    #[derive(Serialize)]
    struct Parts<'i> {
        key: &'i str,
        beyond: Vec<Input>,
        index: &'i Index,
    }
    store(boundary, INDEX, &Parts { key, beyond, index });
}

fn program() -> [u8; 32] {
    digest::sha256_bytes(PROGRAM.as_bytes())
}

fn load<T: DeserializeOwned>(boundary: &Boundary, name: &str) -> Option<T> {
    let path = boundary.resolve(&format!(".coderef/{name}")).ok()?;
    let bytes = boundary.read(&path, MAX_BYTES as u64).ok()?;
    let (header, content) = bytes.split_at_checked(HEADER)?;
    let (written_by, checksum) = header.split_at_checked(32)?;
    let whole = written_by == program() && checksum == digest::sha256_bytes(content);
    if !whole {
        return None;
    }
    postcard::from_bytes(content).ok()
}

/// Writes a file; a project that cannot be written to is scanned anew each time.
fn store(boundary: &Boundary, name: &str, value: &impl Serialize) {
    let Ok(content) = postcard::to_stdvec(value) else { return };
    if content.len() + HEADER > MAX_BYTES {
        return;
    }
    let mut bytes = Vec::with_capacity(content.len() + HEADER);
    bytes.extend(program());
    bytes.extend(digest::sha256_bytes(&content));
    bytes.extend(content);
    let written = boundary.index_folder().and_then(|folder| atomic::write(&folder.join(name), &bytes));
    if let Err(error) = written {
        tracing::debug!("the scan is not kept: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::base::call::Call;
    use crate::coderef::engine::{ScanOptions, scan};

    fn index_of(boundary: &Boundary, options: &ScanOptions) -> Index {
        scan(boundary, options, &Call::quiet(Duration::from_secs(60))).unwrap()
    }

    #[test]
    fn a_kept_scan_answers_for_the_bytes_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let (kept, fresh) = (ScanOptions::default(), ScanOptions { fresh: true, ..ScanOptions::default() });
        write("a.ts", "import { b } from './b';\nexport function a() { b(); }\n");
        write("b.ts", "export function b() {}\n");
        let first = index_of(&boundary, &kept);
        assert_eq!(index_of(&boundary, &kept), first);
        assert_eq!(index_of(&boundary, &fresh), first);
        let a = first.files.iter().find(|file| file.path == "a.ts").unwrap();
        let kept_reading = readings(&boundary).get("a.ts", Lang::TypeScript, &a.sha256).unwrap();
        assert_eq!(kept_reading.elements.len(), 1, "what a file says is kept");
        assert!(readings(&boundary).get("a.ts", Lang::TypeScript, "other").is_none());
        assert!(load::<Whole>(&boundary, INDEX).is_some_and(|whole| whole.index == first), "the index is kept");

        // The length stays the same, the meaning does not.
        write("b.ts", "export function c() {}\n");
        let second = index_of(&boundary, &kept);
        assert_ne!(second, first);
        assert_eq!(second, index_of(&boundary, &fresh));

        // Configuration counts although it is no source.
        write("tsconfig.json", r#"{ "compilerOptions": { "paths": { "./b": ["./b2.ts"] } } }"#);
        write("b2.ts", "export function b() {}\n");
        assert_eq!(index_of(&boundary, &kept), index_of(&boundary, &fresh));
        assert_eq!(std::fs::read(dir.path().join(".coderef/.gitignore")).unwrap(), b"*\n");
    }

    #[test]
    fn what_is_damaged_or_foreign_is_made_anew() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.ts"), "export const a = () => 1;\n").unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let first = index_of(&boundary, &ScanOptions::default());
        for name in [INDEX, READINGS] {
            let path = dir.path().join(".coderef").join(name);
            let bytes = std::fs::read(&path).unwrap();
            for at in [0, 40, HEADER + 1, bytes.len() - 1] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x40;
                std::fs::write(&path, &damaged).unwrap();
                let unread = load::<Whole>(&boundary, name).is_none() && load::<Readings>(&boundary, name).is_none();
                assert!(unread, "{name} damaged at {at}");
                assert_eq!(index_of(&boundary, &ScanOptions::default()), first, "{name} at {at}");
                std::fs::write(&path, &bytes[..at]).unwrap();
                assert_eq!(index_of(&boundary, &ScanOptions::default()), first, "{name} cut at {at}");
            }
        }
        assert!(load::<Whole>(&boundary, INDEX).is_some(), "it has been written again");
    }

    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(dir.path().join("a.ts"), "export const a = 1;\n").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), dir.path().join(".coderef")).unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        assert_eq!(index_of(&boundary, &ScanOptions::default()).files.len(), 1);
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
