//! Known vulnerabilities of locked packages, from a database on this machine in OSV's format. Nothing is asked of the network.

mod database;
mod maven;
mod osv;
mod scan;
mod severity;
pub(crate) mod version;

pub use database::Database;
pub use scan::{DependencyScan, VulnerabilitySeverity, Vulnerable, scan_dependencies};
