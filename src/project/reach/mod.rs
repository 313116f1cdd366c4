//! Which modules the tests reach by importing them, directly or through others.
//!
//! This says nothing about which lines a test runs; it is what can be known where no coverage data exists. A test file
//! only counts when it has a test with an assertion.

mod asserts;
mod c;
mod cache;
mod crates;
mod go;
mod graph;
mod headers;
mod java;
mod java_classes;
mod links;
mod manifests;
mod module;
mod names;
mod python;
mod role;
mod rust;
mod script;
mod shell;

pub(crate) use cache::{CachedModule, Earlier, ModuleCache, ReadAhead, read_module};
pub use graph::{Distance, Reach, ReachedBy};
pub use links::{ImportTiming, Links};
pub(crate) use manifests::{ManifestCache, Manifests};
pub(crate) use module::ModuleFacts;
pub use role::is_test_code;
