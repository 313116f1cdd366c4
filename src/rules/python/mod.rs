//! What can be said about a Python file from its text alone: syntax, metrics, blocks and the native rules.

pub mod analyze;
pub mod blocks;
pub mod metrics;
pub mod rules;
pub mod syntax;

pub use analyze::{analyze_python, parses};
pub use ruff_python_ast::PythonVersion;
pub use tapps_syntax::python::{depth, lines};

/// The parser's name for a configured version.
#[must_use]
pub fn to_parser_version(version: tapps_config::PythonVersion) -> ruff_python_ast::PythonVersion {
    ruff_python_ast::PythonVersion { major: 3, minor: version.minor() }
}
