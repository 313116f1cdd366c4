//! What each system does in its own way around files and processes; both halves have the same functions.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(super) use unix::*;
#[cfg(windows)]
pub(super) use windows::*;

/// How a process ended that did not end by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Death {
    /// By its own doing: a stack that overflowed, an assertion, a wrong address.
    Crash,
    /// At its limit of CPU time.
    OutOfTime,
    /// By somebody else's signal, of this number.
    FromOutside(i32),
}
