//! The statements of all files of a project, kept in memory and below `.coderef/`, and brought up to date before each answer.
//!
//! What is kept of a file counts while its stamp is that of the reading and was old enough then to tell any later change, else by
//! the digest of its bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::left_out::{LeftOut, left_out};
use super::statement::FileStatements;
use crate::cache::{EncodedParsedFile, Readings, STATEMENTS, keep_readings, load_cached_readings};
use crate::engine::{ListedSource, ScanOptions, list_sources, read_source};
use crate::family::read_file_statements;
use crate::model::Language;
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_sandbox::Boundary;
use tapps_sandbox::survey::FileStamp;
use tapps_syntax::stack::{NoStack, on_parsing_threads};

/// Bytes at the beginning of a file among which a licence is looked for.
const HEAD: usize = 3_000;

/// The statements of one file, and what else its text says to a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementReading {
    pub statements: FileStatements,
    pub left_out: Option<LeftOut>,
    /// It begins with a licence, which is not compared.
    pub has_licence: bool,
}

impl StatementReading {
    #[must_use]
    pub fn of_text(path: &str, language: Language, text: &str) -> Self {
        let end = (0..=HEAD.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        let head = text.get(..end).unwrap_or_default().to_ascii_lowercase();
        let left_out = left_out(path, text);
        Self {
            // What is left out is not worth its memory.
            statements: if left_out.is_some() {
                FileStatements::default()
            } else {
                read_file_statements(path, language, text)
            },
            left_out,
            has_licence: ["licensed under", "copyright", "spdx-license"].iter().any(|word| head.contains(word)),
        }
    }
}

/// One file of a project.
#[derive(Debug, Clone)]
pub struct ListedStatements {
    pub path: String,
    pub language: Language,
    pub reading: Arc<StatementReading>,
}

/// What is known of the projects that were asked about last.
#[derive(Debug, Default)]
pub struct StatementMemory {
    kept: Mutex<Option<KeptProject>>,
}

#[derive(Debug)]
struct KeptProject {
    root: PathBuf,
    options: ScanOptions,
    files: BTreeMap<String, KeptFile>,
}

#[derive(Debug, Clone)]
struct KeptFile {
    stamp: Option<FileStamp>,
    sha256: String,
    language: Language,
    reading: Arc<StatementReading>,
}

impl StatementMemory {
    /// The statements of every file within a boundary that can be read, by path, for the bytes on disk now.
    ///
    /// # Errors
    /// As [`crate::engine::scan`].
    pub fn current(&self, boundary: &Boundary, options: &ScanOptions, call: &Call) -> Result<Vec<ListedStatements>> {
        let now = FileStamp::now();
        let listed = list_sources(boundary, options)?.sources;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.take().filter(|kept| kept.root == boundary.root() && kept.options == *options);
        let earlier = match &known {
            None if !options.fresh => load_cached_readings(boundary, STATEMENTS),
            _ => Readings::default(),
        };
        let files = known.as_ref().map(|known| &known.files);
        let read: Result<Vec<Option<(String, KeptFile)>>> = on_parsing_threads(|| {
            let one = |source: &ListedSource| {
                call.check()?;
                let known = files.and_then(|files| files.get(source.path.as_str()));
                Ok(read_again(boundary, source, known, &earlier, now))
            };
            listed.par_iter().map(one).collect()
        })
        .map_err(|NoStack| Error::internal("the system gives no threads to parse on"))?;
        let files: BTreeMap<String, KeptFile> = read?.into_iter().flatten().collect();
        // A process that lives on knows its files itself; the file is for the next one.
        if known.is_none() && !options.fresh {
            keep_statements(boundary, &earlier, &files);
        }
        let answer = files.iter().map(|(path, file)| ListedStatements {
            path: path.clone(),
            language: file.language,
            reading: Arc::clone(&file.reading),
        });
        let answer = answer.collect();
        *kept = Some(KeptProject { root: boundary.root().to_owned(), options: options.clone(), files });
        Ok(answer)
    }
}

/// What a file says now; none when it cannot be read.
fn read_again(
    boundary: &Boundary,
    source: &ListedSource,
    known: Option<&KeptFile>,
    earlier: &Readings,
    now: i128,
) -> Option<(String, KeptFile)> {
    let path = source.path.as_str();
    let stamp = boundary.root().join(path).symlink_metadata().ok().map(|meta| FileStamp::from_metadata(&meta));
    let stamp = stamp.filter(|stamp| stamp.is_settled(now));
    if let Some(known) = known.filter(|known| known.stamp.is_some() && known.stamp == stamp) {
        return Some((path.to_owned(), known.clone()));
    }
    let loaded = read_source(boundary, source);
    let text = loaded.text.ok()?;
    let language = source.language;
    let same = known.filter(|known| known.sha256 == loaded.sha256).map(|known| Arc::clone(&known.reading));
    let decoded = || {
        let bytes = earlier.get(path, language, &loaded.sha256)?;
        postcard::from_bytes(bytes).ok().map(Arc::new)
    };
    let reading = same.or_else(decoded).unwrap_or_else(|| Arc::new(StatementReading::of_text(path, language, &text)));
    Some((path.to_owned(), KeptFile { stamp, sha256: loaded.sha256, language, reading }))
}

fn keep_statements(boundary: &Boundary, earlier: &Readings, files: &BTreeMap<String, KeptFile>) {
    let form = |(path, file): (&String, &KeptFile)| {
        let bytes = match earlier.get(path, file.language, &file.sha256) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => Cow::Owned(postcard::to_stdvec(&*file.reading).ok()?),
        };
        let (path, sha256) = (path.clone(), file.sha256.clone());
        Some(EncodedParsedFile { path, language: file.language, sha256, bytes })
    };
    let forms: Vec<EncodedParsedFile<'_>> = files.iter().filter_map(form).collect();
    keep_readings(boundary, STATEMENTS, earlier, &forms);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_kept_answers_for_the_bytes_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
        let boundary = Boundary::open(folder.path()).unwrap();
        let call = Call::quiet(Duration::from_secs(60));
        let lines = |memory: &StatementMemory| -> Vec<(String, usize)> {
            let files = memory.current(&boundary, &ScanOptions::default(), &call).unwrap();
            files.into_iter().map(|file| (file.path, file.reading.statements.statements.len())).collect()
        };
        write("a.py", "x = 1\ny = 2\n");
        write("b.ts", "// Copyright somebody\nlet x = 1;\n");
        write("c_pb2.py", "x = 1\n");
        let shown = |a: usize| vec![("a.py".to_owned(), a), ("b.ts".to_owned(), 1), ("c_pb2.py".to_owned(), 0)];
        let memory = StatementMemory::default();
        assert_eq!(lines(&memory), shown(2));
        assert!(folder.path().join(".coderef/statements.bin").is_file());
        write("a.py", "x = 1\ny = 2\nz = 3\n");
        assert_eq!(lines(&memory), shown(3));
        assert_eq!(lines(&StatementMemory::default()), shown(3), "another process");
        std::fs::remove_file(folder.path().join("b.ts")).unwrap();
        assert_eq!(lines(&memory).len(), 2);
    }
}
