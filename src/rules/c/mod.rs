//! C and C++: parse errors, functions with their complexity, a maintainability index, and native rules.
//!
//! Both are one language here: the grammar of C++ knows what that of C knows, under the same names. What is known is what the
//! tree of one file shows, before the preprocessor has seen it.

mod calls;
mod context;
mod language;
pub mod rules;
mod scopes;

pub use language::analyze_c;
