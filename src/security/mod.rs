//! Secrets and security findings.
