//! Python packages: modules and stubs, parsed and never imported.

mod class;
mod compiled;
mod dunder_all;
mod export;
mod inherit;
mod instance;
mod lazy;
mod module;
mod package;
mod read;
mod runtime;
mod signature;
#[cfg(test)]
mod testing;

pub use package::{is_wanted, python_symbols, symbols_and_guides};
