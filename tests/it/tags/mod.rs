//! Tags of markdown notes, from single notes to whole vaults and every face.

mod batch;
mod faces;
mod golden;
mod kill;
mod properties;
mod vault;
