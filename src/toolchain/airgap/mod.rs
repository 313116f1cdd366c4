//! The whole product in one archive, for machines without a network: written on one machine, installed on another.
//!
//! The archive is a plain tar, so that a machine with nothing but a shell can begin: unpack it and run `install.sh`.

mod contents;
mod export;
mod install;

pub use contents::AirgapManifest;
pub use export::{AirgapExportRequest, ExportedArchive, export_archive};
pub use install::{Unpacked, install_archive};
