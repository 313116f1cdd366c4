//! Numbers files and elements and links them.

use std::borrow::Cow;

use rayon::prelude::*;

use super::files::LoadedSource;
use super::{merge, role};
use crate::cache::{EncodedParsedFile, Readings};
use crate::family;
use crate::family::{FileRole, LanguageFacts, ParsedFile, Project};
use crate::model::{CodebaseIndex, Element, ElementId, FileId, Parse, SourceFile};
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_sandbox::Boundary;
use tapps_syntax::stack::{NoStack, on_parsing_threads};

/// Files that a core takes at once: few, so that none is left with a long row of them while the others have nothing to do.
const FILES_AT_ONCE: usize = 8;

/// A file that has been read, and what of it is to be kept.
pub(super) type ParsedSource<'k> = ((SourceFile, ParsedFile), Option<EncodedParsedFile<'k>>);

/// Reads every source, on all cores; what is known from an earlier scan is not read again. Without `known`, nothing is
/// going to be kept either.
pub(super) fn read_all<'k>(
    sources: Vec<LoadedSource>,
    known: Option<&'k Readings>,
    call: &Call,
) -> Result<Vec<ParsedSource<'k>>> {
    let read = sources.into_par_iter().with_max_len(FILES_AT_ONCE).map(|source| {
        call.check()?;
        let (reading, bytes) = match &source.text {
            Ok(text) => known
                .and_then(|known| known.get(&source.path, source.language, &source.sha256))
                .and_then(|form| Some((ParsedFile::from_form(form)?, Some(Cow::Borrowed(form)))))
                .unwrap_or_else(|| {
                    let reading = family::parse_source_file(&source.path, source.language, text);
                    let form = known.and_then(|_| reading.to_form());
                    (reading, form.map(Cow::Owned))
                }),
            Err(reason) => (skipped_file(reason), None),
        };
        let form = bytes.map(|bytes| EncodedParsedFile {
            path: source.path.clone(),
            language: source.language,
            sha256: source.sha256.clone(),
            bytes,
        });
        Ok(((file_of(source, &reading), reading), form))
    });
    let read = on_parsing_threads(|| read.collect());
    let read = read.map_err(|NoStack| Error::internal("the system gives no threads to parse on"))?;
    call.check()?;
    read
}

fn skipped_file(reason: &str) -> ParsedFile {
    let parse = Parse::Skipped { reason: reason.to_owned() };
    ParsedFile { parse, lines: 0, role: FileRole::default(), elements: Vec::new(), facts: LanguageFacts::None }
}

fn file_of(source: LoadedSource, reading: &ParsedFile) -> SourceFile {
    let test = reading.role.test || role::is_test_path(&source.path);
    SourceFile {
        test,
        cases: test && reading.role.cases,
        runs: reading.role.runs,
        path: source.path,
        language: source.language,
        sha256: source.sha256,
        lines: reading.lines,
        parse: reading.parse.clone(),
    }
}

/// Numbers everything and links it.
pub(super) fn link_index(boundary: &Boundary, read: Vec<(SourceFile, ParsedFile)>) -> CodebaseIndex {
    let mut files = Vec::with_capacity(read.len());
    let mut facts = Vec::with_capacity(read.len());
    let mut elements = Vec::new();
    let mut first = vec![0];
    for (number, (file, reading)) in (0..).zip(read) {
        let offset = first.last().copied().unwrap_or_default();
        elements.extend(reading.elements.into_iter().map(|element| renumber_element(element, FileId(number), offset)));
        first.push(u32::try_from(elements.len()).unwrap_or(u32::MAX));
        files.push(file);
        facts.push(reading.facts);
    }
    let mut found =
        family::link_languages(&Project { boundary, files: &files, elements: &elements, facts: &facts, first: &first });
    let linked = std::mem::take(&mut found.edges);
    // Giving back all that the files said takes as long as sorting what became of it.
    let forget = || facts.into_par_iter().for_each(drop);
    let (edges, ()) = rayon::join(|| merge::merge_edges(linked, &files, &elements), forget);
    found.taken.par_sort_unstable();
    found.taken.dedup();
    found.passages.par_sort_unstable();
    found.passages.dedup();
    found.problems.sort_unstable();
    found.problems.dedup();
    CodebaseIndex { files, elements, edges, taken: found.taken, passages: found.passages, problems: found.problems }
}

fn renumber_element(mut element: Element, file: FileId, offset: u32) -> Element {
    element.file = file;
    element.parent = element.parent.map(|ElementId(local)| ElementId(offset + local));
    element
}
