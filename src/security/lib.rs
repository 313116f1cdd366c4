//! Secrets in any text file, and what bandit says about Python, both with CWE and OWASP categories.

pub mod bandit;
pub mod owasp;
pub mod secrets;

pub use secrets::{redact, rules};
