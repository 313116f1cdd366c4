//! What each file said by itself, in one cache file for each kind of reading: a table of contents, then the readings one after another, so that one is decoded only
//! when it is asked for and the others pass from scan to scan as they are.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{HEADER, MAX_BYTES, load_cache_file, write_cache_file};
use crate::model::Language;
use tapps_sandbox::Boundary;

/// The cache file of what linking needs of each file.
pub(crate) const READINGS: &str = "readings.bin";
/// The cache file of the statements of each file.
pub(crate) const STATEMENTS: &str = "statements.bin";

/// What files have said, by path.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    bytes: Vec<u8>,
    places: BTreeMap<String, CachedParseLocation>,
}

#[derive(Debug)]
struct CachedParseLocation {
    language: Language,
    sha256: String,
    at: Range<usize>,
}

/// A line of the table of contents.
#[derive(Debug, Serialize, Deserialize)]
struct CacheContentsEntry<'l> {
    path: Cow<'l, str>,
    language: Language,
    sha256: Cow<'l, str>,
    length: usize,
}

/// A file's reading in its binary form.
#[derive(Debug)]
pub(crate) struct EncodedParsedFile<'k> {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) sha256: String,
    /// Borrowed when it comes from an earlier scan.
    pub(crate) bytes: Cow<'k, [u8]>,
}

impl Readings {
    /// The form of what a file has said, when it had the same bytes.
    pub(crate) fn get(&self, path: &str, language: Language, sha256: &str) -> Option<&[u8]> {
        let kept = self.places.get(path).filter(|kept| kept.language == language && kept.sha256 == sha256)?;
        self.bytes.get(kept.at.clone())
    }

    fn from_cache_bytes(bytes: Vec<u8>) -> Option<Self> {
        let (lines, rest) = postcard::take_from_bytes::<Vec<CacheContentsEntry<'_>>>(bytes.get(HEADER..)?).ok()?;
        let mut from = bytes.len() - rest.len();
        let mut places = BTreeMap::new();
        for line in lines {
            let to = from.checked_add(line.length).filter(|to| *to <= bytes.len())?;
            let kept = CachedParseLocation { language: line.language, sha256: line.sha256.into_owned(), at: from..to };
            places.insert(line.path.into_owned(), kept);
            from = to;
        }
        Some(Self { bytes, places })
    }
}

/// What files said in earlier scans.
pub(crate) fn load_cached_readings(boundary: &Boundary, name: &str) -> Readings {
    load_cache_file(boundary, name).and_then(Readings::from_cache_bytes).unwrap_or_default()
}

/// Keeps what files say; those of an earlier scan that this one did not look at stay while they exist.
pub(crate) fn keep_readings(boundary: &Boundary, name: &str, known: &Readings, forms: &[EncodedParsedFile<'_>]) {
    let mut all: BTreeMap<&str, (CacheContentsEntry<'_>, &[u8])> = BTreeMap::new();
    for form in forms {
        all.insert(&form.path, (contents_entry(&form.path, form.language, &form.sha256, &form.bytes), &form.bytes));
    }
    let mut bytes: usize = forms.iter().map(|form| form.bytes.len()).sum();
    let same = forms.iter().all(|form| matches!(form.bytes, Cow::Borrowed(_)));
    for (path, kept) in &known.places {
        let there = || boundary.resolve(path).is_ok_and(|path| boundary.is_there(&path));
        let Some(reading) = known.bytes.get(kept.at.clone()).filter(|_| !all.contains_key(path.as_str())) else {
            continue;
        };
        if bytes + reading.len() < MAX_BYTES / 2 && there() {
            bytes += reading.len();
            all.insert(path, (contents_entry(path, kept.language, &kept.sha256, reading), reading));
        }
    }
    if same && all.len() == known.places.len() {
        return;
    }
    let (lines, mut parts): (Vec<CacheContentsEntry<'_>>, Vec<&[u8]>) = all.into_values().unzip();
    if let Ok(contents) = postcard::to_stdvec(&lines) {
        parts.insert(0, &contents);
        write_cache_file(boundary, name, &parts);
    }
}

fn contents_entry<'l>(path: &'l str, language: Language, sha256: &'l str, bytes: &[u8]) -> CacheContentsEntry<'l> {
    CacheContentsEntry { path: path.into(), language, sha256: sha256.into(), length: bytes.len() }
}
