//! From the facts of all files to edges, each with the chain that proves it: scope, import, `this` and heritage, or the
//! type of the receiver.

mod builtins;
mod calls;
mod edges;
mod infer;
mod members;
mod project;
mod targets;
mod ty;
mod types;
mod unify;
mod world;

pub use project::link_scripts;
