//! What stands between a caller and the machine: the project boundary.
//!
//! A path that came from a caller exists only as [`ProjectPath`], and only [`Boundary`] opens what it names: beneath a
//! handle on the project folder, so that no link leads out, also when it is exchanged between check and use.

pub mod boundary;
mod folder;
pub mod lexical;
mod missing;
pub mod path;
pub mod read;
mod remove;
pub mod state;
pub mod survey;
#[cfg(unix)]
mod unix;
pub mod walk;
#[cfg(windows)]
mod windows;
mod windows_path;
pub mod write;

pub use boundary::{Boundary, PathKind};
pub use path::ProjectPath;
#[cfg(unix)]
use unix as platform;
pub use walk::{Exclusion, VENV_MARKER, WalkOptions, is_passed_over};
#[cfg(windows)]
use windows as platform;
