//! Which build of the program this is.
//!
//! The digest of the sources is known to the programs only and handed down at their start. Were it compiled in here, every
//! edit would rebuild every crate.

use std::sync::OnceLock;

/// The name of the server and of the main program.
pub const NAME: &str = "tapps-mcp";

/// One sentence about the whole, as clients and registries show it.
pub const DESCRIPTION: &str =
    "One deterministic verdict on code for agents, IDEs and CI, from tools whose bytes are locked and verified";

static SOURCE_DIGEST: OnceLock<&'static str> = OnceLock::new();

/// What a program says that hands nothing down, such as a unit test.
const UNKNOWN: &str = "00000000000000000000000000000000";

/// Tells what the running program was built from; 32 hexadecimal digits. The first call counts.
pub fn set_source_digest(digest: &'static str) {
    let _ = SOURCE_DIGEST.set(digest);
}

/// What the running program was built from, so that what one build caches is never taken for the answer of another.
#[must_use]
pub fn source_digest() -> &'static str {
    SOURCE_DIGEST.get().copied().unwrap_or(UNKNOWN)
}
