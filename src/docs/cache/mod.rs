//! Answers of a service, kept on disk: one file each, checked when read, the ones not used for longest going first.
//!
//! An answer that has become stale is given at once and fetched anew behind the caller's back.

mod entry;
mod folder;
mod lifetime;
mod revalidate;
#[cfg(test)]
pub(super) mod testing;

pub use entry::{CachedAnswer, DocsCacheKey};
pub use folder::{DocsCache, DocsCacheSummary, Verified};
pub use lifetime::{VolatilityClass, class_of};
pub use revalidate::{Revalidating, Served};
