//! Documentation packed for machines without a network: one zip file for each library and version.

mod build;
mod lock;
mod manifest;
mod read;
mod shelf;

pub use build::{EXTRACTOR, from_tarball, from_wheel, pack_bundle};
pub use lock::{BundleLock, Locked};
pub use manifest::BundleManifest;
pub use read::{Bundle, open_bundle};
pub use shelf::{BundleListing, Shelf, file_name, read_bundle_file};
