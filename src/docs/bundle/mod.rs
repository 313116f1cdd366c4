//! Documentation packed for machines without a network: one zip file for each library and version.

mod build;
mod lock;
mod manifest;
mod read;
mod shelf;

pub use build::{EXTRACTOR, from_tarball, from_wheel, pack};
pub use lock::{BundleLock, Locked};
pub use manifest::Manifest;
pub use read::{Bundle, open};
pub use shelf::{Listed, Shelf, file_name, read};
