//! Threads with stacks that fit the parsers, and the parsers behind one guarded entrance each.

use std::sync::OnceLock;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::Parser;
use oxc_span::SourceType;
use rayon::{ThreadPool, ThreadPoolBuilder};
use ruff_python_ast::ModModule;
use ruff_python_parser::{Parsed, parse_module};

use super::nesting;
use tapps_base::language::Language;
use tapps_base::{Error, Result};

/// Bytes of stack a thread; only touched pages are ever backed by memory.
const STACK: usize = 128 << 20;

/// Runs `work` where parsing up to [`nesting::LIMIT`] levels cannot overflow the stack, with one thread a core.
///
/// # Errors
/// `internal` when the system gives no threads.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        ThreadPoolBuilder::new().stack_size(STACK).thread_name(|n| format!("project-{n}")).build().ok()
    });
    pool.as_ref()
        .map(|pool| pool.install(work))
        .ok_or_else(|| Error::internal("the system gives no threads to parse on"))
}

/// The syntax tree of a Python text, or `None` when it has errors or nests too deeply. Call it on a deep stack.
pub fn python(text: &str) -> Option<Parsed<ModModule>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !nesting::is_safe(Language::Python, text) {
        return None;
    }
    parse_module(text).ok()
}

/// Hands the syntax tree of a script to `read`, or gives `None` when it cannot be parsed or nests too deeply.
/// Call it on a deep stack.
pub fn script<T>(path: &str, text: &str, read: impl FnOnce(&Program<'_>) -> T) -> Option<T> {
    let language = Language::of_path(path).filter(|language| language.is_script())?;
    if !nesting::is_safe(language, text) {
        return None;
    }
    let kind = SourceType::from_path(path).ok()?;
    // JSX in `.js` files is common and costs nothing to allow.
    let kind = if language == Language::JavaScript { kind.with_jsx(true) } else { kind };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, kind).parse();
    (!parsed.panicked).then(|| read(&parsed.program))
}
