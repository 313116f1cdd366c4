//! Secrets in the raw bytes of any text file, whatever its language.
//!
//! One pass of an automaton over the bytes finds the places where a secret may begin: literal token prefixes and words
//! such as `password`. Only there the slower, bounded checks run, so that the cost stays linear in the size of the file.

mod allow;
mod assignment;
pub mod checksum;
mod engine;
mod file;
mod mask;
mod measure;
mod name;
mod placeholder;
mod providers;
mod redact;
mod scan;
mod secret;

pub use mask::{MaskedSource, mask_text};
pub use redact::redact;
pub use scan::scan_for_secrets;

tapps_base::declare_rules! {
    families;
    judge,
    jwt,
    pem,
    url,
}

/// Every rule about secrets.
pub fn rules() -> impl Iterator<Item = &'static tapps_base::rule::Rule> {
    providers::FAMILIES.iter().chain(FAMILIES).copied().flatten()
}
