//! Stacks for what recurses over syntax trees. A stack overflow cannot be caught, so whoever parses says first how much
//! the nesting of the text may need, and runs where there is that much.

use std::cell::Cell;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Bytes of stack of a thread of the pool: enough for every file that people write, and for most that programs write.
/// Only what is used of it is ever backed by memory.
pub const USUAL_STACK: usize = 272 << 20;

/// The system gives no thread with the stack that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoStack;

thread_local! {
    /// Bytes of stack that this thread was made with, as far as it was made here.
    static STACK: Cell<usize> = const { Cell::new(0) };
}

/// Runs `work` with at least so many bytes of stack: here, when this thread has them, else on a thread of its own.
///
/// # Errors
/// When the system gives no such thread.
pub fn on_fitting_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, NoStack> {
    if STACK.get() >= bytes {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let work = || {
            STACK.set(bytes);
            work()
        };
        let builder = std::thread::Builder::new().name("deep-syntax".to_owned()).stack_size(bytes);
        let thread = builder.spawn_scoped(scope, work).map_err(|_| NoStack)?;
        thread.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs `work`, which parses many files side by side, on threads with [`USUAL_STACK`]: most files are then parsed without
/// a thread of their own. On a thread of such a pool it runs where it is.
///
/// # Errors
/// When the system gives no threads.
pub fn on_parsing_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, NoStack> {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    if STACK.get() >= USUAL_STACK && rayon::current_thread_index().is_some() {
        return Ok(work());
    }
    pool_of(&POOL, "syntax", 0).map(|pool| pool.install(work)).ok_or(NoStack)
}

/// Runs `work` as [`on_parsing_threads`], and leaves one core to a program that is waited for. Where the system gives no
/// threads, it runs here.
pub fn on_spare_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let spare = rayon::current_num_threads().saturating_sub(1).max(1);
    match pool_of(&POOL, "spare", spare) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// A pool of so many threads, or of one for each core.
fn pool_of<'p>(place: &'p OnceLock<Option<ThreadPool>>, name: &'static str, threads: usize) -> Option<&'p ThreadPool> {
    let pool = place.get_or_init(|| {
        let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(USUAL_STACK);
        let builder = builder.thread_name(move |n| format!("{name}-{n}"));
        builder.start_handler(|_| STACK.set(USUAL_STACK)).build().ok()
    });
    pool.as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::current;

    /// Uses at least as many bytes of stack as asked for.
    fn fill(bytes: usize) -> usize {
        let block = std::hint::black_box([1_u8; 4096]);
        let rest = if bytes > block.len() { fill(bytes - block.len()) } else { 0 };
        rest + usize::from(block[0])
    }

    #[test]
    fn a_thread_is_made_only_where_there_is_too_little_stack() {
        let id = || current().id();
        let outer = on_fitting_stack(64 << 20, || {
            assert!(fill(8 << 20) > 0);
            (id(), on_fitting_stack(64 << 20, id), on_fitting_stack(65 << 20, id))
        });
        let (there, same, other) = outer.unwrap();
        assert_ne!(there, id());
        assert_eq!(same, Ok(there));
        assert_ne!(other.unwrap(), there);
    }

    #[test]
    fn threads_of_the_pool_have_the_usual_stack() {
        let here = || (current().id(), on_fitting_stack(USUAL_STACK, || current().id()));
        let (pool, inner) = on_parsing_threads(here).unwrap();
        assert_eq!(inner, Ok(pool));
    }

    #[test]
    fn what_parses_on_a_spare_thread_stays_there() {
        let here = || current().name().unwrap_or_default().to_owned();
        let (spare, parsing) = on_spare_threads(|| (here(), on_parsing_threads(here)));
        assert!(spare.starts_with("spare-"), "{spare}");
        assert_eq!(parsing, Ok(spare));
    }

    #[test]
    fn a_panic_goes_on_outside() {
        let caught = std::panic::catch_unwind(|| on_fitting_stack(1 << 20, || panic!("inside")));
        assert_eq!(caught.unwrap_err().downcast_ref::<&str>(), Some(&"inside"));
    }
}
