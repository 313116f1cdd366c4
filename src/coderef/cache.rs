//! What a scan leaves under `.coderef/` for the next one: what each file says, and the linked index as a whole.
//!
//! Nothing here is ever believed: a file counts only for the digest of its bytes, the index only for the digest of all
//! bytes it was made from, and both only when their own checksum is right and the same program wrote them.

mod readings;

pub(super) use readings::{EncodedParsedFile, READINGS, Readings, STATEMENTS, keep_readings, load_cached_readings};

use serde::{Deserialize, Serialize};

use super::engine::sha256_of;
use super::model::CodebaseIndex;
use tapps_base::{atomic, digest, program};
use tapps_sandbox::Boundary;

const INDEX: &str = "index.bin";
/// Largest file that is written or read, in bytes.
const MAX_BYTES: usize = 256 * 1024 * 1024;
/// Program and checksum before the content.
const HEADER: usize = 64;

/// A file that linking has read besides the sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    pub(super) path: String,
    /// `None` when it was not there.
    pub(super) sha256: Option<String>,
}

/// A kept index with what it was made from.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Whole {
    key: String,
    beyond: Vec<Input>,
    index: CodebaseIndex,
}

impl Whole {
    /// The index, when it was made from exactly these bytes.
    pub(super) fn index_if_current(self, boundary: &Boundary, key: &str) -> Option<CodebaseIndex> {
        let same = self.key == key && self.beyond.iter().all(|it| sha256_of(boundary, &it.path) == it.sha256);
        same.then_some(self.index)
    }
}

/// What the last scan has kept, whatever it was made from.
pub(super) fn load_cached_index(boundary: &Boundary) -> Option<Whole> {
    postcard::from_bytes(load_cache_file(boundary, INDEX)?.get(HEADER..)?).ok()
}

/// Keeps the index with what it was made from.
pub(super) fn keep_index(boundary: &Boundary, key: &str, beyond: Vec<Input>, index: &CodebaseIndex) {
    #[derive(Serialize)]
    struct Parts<'i> {
        key: &'i str,
        beyond: Vec<Input>,
        index: &'i CodebaseIndex,
    }
    if let Ok(content) = postcard::to_stdvec(&Parts { key, beyond, index }) {
        write_cache_file(boundary, INDEX, &[&content]);
    }
}

fn program_digest() -> [u8; 32] {
    digest::sha256_bytes(program::source_digest().as_bytes())
}

/// A whole file, header included, when this program wrote it and it is as it was written.
fn load_cache_file(boundary: &Boundary, name: &str) -> Option<Vec<u8>> {
    let path = boundary.resolve(&format!(".coderef/{name}")).ok()?;
    let bytes = boundary.read(&path, MAX_BYTES as u64).ok()?;
    let (header, content) = bytes.split_at_checked(HEADER)?;
    let (written_by, checksum) = header.split_at_checked(32)?;
    let whole = written_by == program_digest() && checksum == digest::sha256_bytes(content);
    whole.then_some(bytes)
}

/// Writes a file; a project that cannot be written to is scanned anew each time.
fn write_cache_file(boundary: &Boundary, name: &str, content: &[&[u8]]) {
    if content.iter().map(|part| part.len()).sum::<usize>() + HEADER > MAX_BYTES {
        return;
    }
    let (program, checksum) = (program_digest(), digest::sha256_parts(content));
    let parts = [&[&program[..], &checksum[..]], content].concat();
    let written = boundary.index_folder().and_then(|folder| atomic::write_private_parts(&folder.join(name), &parts));
    if let Err(error) = written {
        tracing::debug!("the scan is not kept: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{ScanOptions, scan};
    use crate::family::ParsedFile;
    use crate::model::Language;
    use tapps_base::call::Call;

    fn index_of(boundary: &Boundary, options: &ScanOptions) -> CodebaseIndex {
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
        let kept_readings = load_cached_readings(&boundary, READINGS);
        let reading =
            kept_readings.get("a.ts", Language::TypeScript, &a.sha256).and_then(ParsedFile::from_form).unwrap();
        assert_eq!(reading.elements.len(), 1, "what a file says is kept");
        assert!(kept_readings.get("a.ts", Language::TypeScript, "other").is_none());
        assert!(kept_readings.get("a.ts", Language::Tsx, &a.sha256).is_none());
        assert!(load_cached_index(&boundary).is_some_and(|whole| whole.index == first), "the index is kept");

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
                assert!(load_cache_file(&boundary, name).is_none(), "{name} damaged at {at}");
                assert_eq!(index_of(&boundary, &ScanOptions::default()), first, "{name} at {at}");
                std::fs::write(&path, &bytes[..at]).unwrap();
                assert_eq!(index_of(&boundary, &ScanOptions::default()), first, "{name} cut at {at}");
            }
        }
        assert!(load_cached_index(&boundary).is_some(), "it has been written again");
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
