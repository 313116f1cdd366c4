//! npm packages: declaration files, parsed by oxc.

mod declaration;
mod emit;
mod entry;
mod package;
mod read;
mod scope;

pub use package::{index_installed_package, index_packed_package, is_wanted, npm_symbols};
