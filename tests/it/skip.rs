//! Tests that need something of the machine which it may not have.

use std::io::Write as _;

/// Says on the real error stream, which the test harness does not capture, that a test proved nothing here and why.
pub(crate) fn skipped(test: &str, reason: &str) {
    let _ = writeln!(std::io::stderr(), "\nSKIPPED {test}: {reason}");
}
