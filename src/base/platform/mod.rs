//! What each system does in its own way: rights of private files, links, names as bytes, stamps of files.
//!
//! Both halves have the same functions. What a system does not have is told by the type, or by the error of the one function.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
