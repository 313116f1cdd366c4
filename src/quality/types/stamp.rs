//! What a result says of the types of libraries that mypy read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The types of libraries that mypy read: those of the packages that the project has locked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LibraryTypesStamp {
    /// SHA-256 over the paths and bytes of all files that could be read; equal digests mean equal findings.
    pub digest: String,
    /// Packages whose types are from the very wheel that the lock names.
    pub locked: usize,
    /// Packages whose types are those of the environment, where the version that the lock names is installed.
    pub as_installed: usize,
    /// Locked packages of which no types are there.
    pub without: usize,
    /// Packages whose types were left out, and why: above all those that are installed in another version than the lock names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Most packages that are named as left out.
const MOST_NAMED: usize = 20;

/// The first of what was left out, and how much more there is.
pub(super) fn name_within_bounds(mut left_out: Vec<String>) -> Vec<String> {
    let more = left_out.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        left_out.truncate(MOST_NAMED);
        left_out.push(format!("and {more} more"));
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_named_within_bounds() {
        let many = |count: usize| name_within_bounds((0..count).map(|n| n.to_string()).collect());
        assert_eq!(many(20).len(), 20);
        assert_eq!((many(25).len(), many(25).pop().unwrap().as_str()), (21, "and 5 more"));
    }
}
