//! radon's four metrics, computed natively: cyclomatic complexity, Halstead, raw counts, maintainability index.
//!
//! The numbers are those of radon 6.0.1 on Python 3.11, quirks included, because a number is only worth comparing
//! when everybody means the same by it.

pub mod halstead;
pub mod maintainability;
pub mod measure;
mod operand;
pub mod raw;

pub use measure::{RadonMetrics, measure_parsed, measure_radon_metrics};
pub use tapps_syntax::python::complexity;
