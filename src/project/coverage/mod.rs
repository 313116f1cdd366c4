//! Real coverage data: found, read, matched with the project's files and held against what those files contain now.
//!
//! Cobertura XML, coverage.py's JSON, lcov tracefiles, istanbul's JSON, JaCoCo's XML, the JSON of llvm-cov, profiles of Go and the data file of coverage.py are
//! read. The last has no executable lines; they are worked out from the source by the rules in [`executable`], which give the
//! same sets as `coverage json`.

mod cobertura;
mod config;
mod exclude;
pub mod executable;
mod gcov;
mod go_profile;
mod jacoco;
mod json;
mod judge;
mod lcov;
mod llvm_cov;
mod load;
mod logical;
mod mapping;
mod record;
mod sqlite;

pub use judge::{FileCoverage, Lookup};
pub(crate) use load::Reports;
pub use load::{CoverageReportProblem, ProjectCoverage};
pub use record::{CoverageFormat, CoverageOrigin};
