//! Go: what calls mean, by the rules of packages and of types.

mod callee;
mod declare;
mod evaluate;
mod facts;
#[cfg(test)]
mod hostile_tests;
mod imports;
mod members;
mod modules;
mod packages;
mod read;
mod terms;
#[cfg(test)]
mod tests;
mod walk;

pub(super) use evaluate::GoEvaluator;
pub(super) use facts::GoFacts;
pub(super) use modules::GoModules;
pub(super) use packages::GoPackages;
pub(super) use read::read_go_facts;
