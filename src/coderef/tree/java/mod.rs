//! Java: what calls mean, by the rules of packages, of types and of overloads.

mod callee;
mod facts;
#[cfg(test)]
mod hostile_tests;
mod members;
mod packages;
mod read;
#[cfg(test)]
mod tests;
mod walk;

pub(super) use facts::JavaFacts;
pub(super) use members::JavaEvaluator;
pub(super) use packages::JavaPackages;
pub(super) use read::read_java_facts;
