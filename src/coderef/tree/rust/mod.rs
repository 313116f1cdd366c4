//! Rust: what calls mean, by the rules of modules, of types and of traits.

mod callee;
mod evaluate;
mod facts;
#[cfg(test)]
mod hostile_tests;
mod items;
mod lookup;
mod methods;
mod modules;
mod patterns;
mod read;
mod standard;
mod terms;
#[cfg(test)]
mod tests;
mod types;
mod uses;
mod walk;

pub(super) use evaluate::RustEvaluator;
pub(super) use facts::RustFacts;
pub(super) use modules::RustModules;
pub(super) use read::read_rust_facts;
