//! Python packages: modules and stubs, parsed and never imported.

mod class;
mod dunder_all;
mod export;
mod module;
mod package;
mod read;
mod signature;

pub use package::{distribution, is_wanted, symbols};
