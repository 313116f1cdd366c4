//! The parsers as the look at a project enters them: what cannot be parsed is opaque, whatever the reason.

use oxc_ast::ast::Program;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::Parsed;
use tapps_base::language::ScoredLanguage;
use tapps_base::{Error, Result};
use tapps_syntax::python::parse::parse_python;
use tapps_syntax::script::dialect;
use tapps_syntax::script::parse::{Brackets, Unparsed, parse_script};
use tapps_syntax::stack::{self, NoStack};

/// Runs `work`, which parses many files side by side, with one thread a core.
///
/// # Errors
/// `internal` when the system gives no threads.
pub fn on_parsing_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    stack::on_parsing_threads(work).map_err(|NoStack| Error::internal("the system gives no threads to parse on"))
}

/// Hands the syntax tree of a Python text to `read`, or gives `None` when it has errors or nests too deeply.
pub fn read_python<T: Send>(text: &str, read: impl FnOnce(&Parsed<ModModule>) -> T + Send) -> Option<T> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let valid = |parsed: &Parsed<ModModule>| parsed.has_valid_syntax().then(|| read(parsed));
    parse_python(text, PythonVersion::latest(), valid).ok().flatten()
}

/// Hands the syntax tree of a script to `read`, or gives `None` when it cannot be parsed or nests too deeply. A file with
/// errors is read as far as the parser can make sense of it.
pub fn read_script<T: Send>(path: &str, text: &str, mut read: impl FnMut(&Program<'_>) -> T + Send) -> Option<T> {
    ScoredLanguage::of_path(path).filter(|language| language.is_script())?;
    let read = parse_script(text, &dialect::candidate_source_types(path), Brackets::AsNodes, |tree| {
        let parsed = tree.parsed;
        let found = (!parsed.panicked).then(|| read(&parsed.program));
        match found {
            Some(found) if !parsed.diagnostics.has_errors() => Ok(found),
            found => Err(found),
        }
    });
    match read {
        Ok(found) => Some(found),
        Err(Unparsed::Rejected(found)) => found.into_iter().flatten().next(),
        Err(Unparsed::TooDeep(_) | Unparsed::NoStack) => None,
    }
}
