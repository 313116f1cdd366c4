//! npm packages: declaration files, parsed by oxc.

mod declaration;
mod emit;
mod entry;
mod package;
mod read;
mod scope;

pub use package::{installed, is_wanted, packed, symbols};
