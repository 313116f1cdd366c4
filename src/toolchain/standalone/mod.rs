//! CPythons of python-build-standalone: locked by the digests of their archives, downloaded where that is allowed, unpacked
//! beside the tools and verified with them.

mod archive;
mod choice;
mod download;
mod fetch;
mod installed;
pub mod lock;

pub(super) use choice::{InterpreterWanted, find_installed, find_or_install, install, locked_archive};
pub(super) use fetch::fetch_archive;
pub(super) use installed::{mend, verify_interpreter};
