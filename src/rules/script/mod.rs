//! TypeScript, TSX, JavaScript and JSX: parse errors, blocks with ESLint's complexity, and native rules.
//!
//! There is no maintainability index for scripts: its constants were fitted to other languages, no tool in this field
//! states one to compare with, and it mostly measures size. What it would stand for is said by rules instead: block
//! size, nesting, complexity, density of `any`.

mod analyze;
mod blocks;
mod connections;
mod context;
mod expressions;
mod facts;
mod flow;
mod globals;
mod markup;
mod names;
mod options;
mod origins;
mod react;
pub mod rules;
pub mod syntax;
mod untrusted;
mod waiting;

pub use analyze::analyze_script;
pub use connections::Connections;
pub use waiting::Functions;
