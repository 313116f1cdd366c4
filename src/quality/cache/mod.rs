//! Answers kept between runs: what an analyzer said about the same bytes in the same circumstances.

mod answers;
#[cfg(feature = "remote-cache")]
mod fleet;
mod form;
mod keys;
mod module_files;
mod recall;
mod script_files;
mod stamped_digests;
mod texts;

pub use answers::{AnswerCache, Shared};
pub(super) use form::Native;
pub(super) use keys::{Circumstances, Readings};
pub(crate) use module_files::{ImportableEntry, KnownBy, ModuleFiles, What};
pub(super) use recall::{NativeKeys, Recalled, recall_library_findings};
pub(crate) use script_files::{Packages, is_of_package};
pub(crate) use stamped_digests::{FileDigest, KeptAt, SeenFile, StampedDigests};
pub(super) use texts::Texts;
