//! What the syntax of files shows, collected in one pass over them.

use rayon::prelude::*;

use super::{python_syntax, script_syntax};
use crate::model::{CodebaseIndex, FileId, Language, Parse};
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_sandbox::Boundary;
use tapps_syntax::stack::{NoStack, on_parsing_threads};

/// Bytes of a file that is looked at.
const MOST_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FactKind {
    /// A handler that does nothing with the error.
    SwallowedError,
    /// A handler for every error there is.
    BroadHandler,
    /// Waiting inside a loop.
    AwaitInLoop,
    /// `app.get("/path", handler)`.
    Route,
    /// `app.use(handler)`.
    Middleware,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) file: FileId,
    pub(super) kind: FactKind,
    pub(super) line: u32,
    pub(super) end_line: u32,
    pub(super) detail: Option<String>,
}

/// The facts of all files.
pub(super) fn read_syntax_facts(boundary: &Boundary, index: &CodebaseIndex, call: &Call) -> Result<Vec<Fact>> {
    let numbered: Vec<_> = (0..).map(FileId).zip(&index.files).collect();
    let read = numbered.into_par_iter().map(|(id, file)| {
        call.check()?;
        let path = boundary.resolve(&file.path)?;
        // What cannot be read shows nothing.
        let bytes = boundary.read(&path, MOST_BYTES).ok();
        let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return Ok(Vec::new());
        };
        Ok(match file.language {
            _ if file.parse != Parse::Whole => Vec::new(),
            Language::Python => python_syntax::python_syntax_facts(id, &text),
            Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Jsx => {
                script_syntax::script_syntax_facts(id, &file.path, &text)
            }
            _ => Vec::new(),
        })
    });
    let read = on_parsing_threads(|| read.collect::<Result<Vec<Vec<Fact>>>>());
    let read = read.map_err(|NoStack| Error::internal("the system gives no threads to parse on"))??;
    Ok(read.into_iter().flatten().collect())
}
