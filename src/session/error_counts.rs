//! Why calls could not do their work: error codes in four classes that call for different answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tapps_base::ErrorCode;

tapps_base::wire_enum! {
    /// What a class of errors calls for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum ErrorClass {
        /// The caller, or whoever configures the project, asks differently.
        Validation = "validation",
        /// The caller waits.
        RateLimit = "rate_limit",
        /// It took too long, was given up, or somebody else held a lock.
        Stall = "stall",
        /// Something is missing or broken on this machine, in its files, or in this program.
        System = "system",
    }
}

impl ErrorClass {
    /// The class of a code.
    #[must_use]
    pub const fn of_code(code: ErrorCode) -> Self {
        match code {
            ErrorCode::InvalidArgument
            | ErrorCode::FileNotFound
            | ErrorCode::PathDenied
            | ErrorCode::ConfigError
            | ErrorCode::UnsupportedLanguage
            | ErrorCode::VersionUnavailable
            | ErrorCode::InvalidSession
            | ErrorCode::TokenInvalid
            | ErrorCode::TokenExpired
            | ErrorCode::Conflict => Self::Validation,
            ErrorCode::RateLimited => Self::RateLimit,
            ErrorCode::Timeout | ErrorCode::Cancelled | ErrorCode::SessionLocked => Self::Stall,
            ErrorCode::ToolUnavailable
            | ErrorCode::ApiUnavailable
            | ErrorCode::DegradedResult
            | ErrorCode::ToolchainMismatch
            | ErrorCode::CorruptedData
            | ErrorCode::ResourceExhausted
            | ErrorCode::Internal => Self::System,
        }
    }
}

/// How many calls ended with an error of each class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorCounts {
    pub validation: u64,
    pub rate_limit: u64,
    pub stall: u64,
    pub system: u64,
    /// Of calls that were logged before codes were.
    #[serde(default, skip_serializing_if = "tapps_base::is_default")]
    pub unknown: u64,
    /// By error code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub codes: BTreeMap<String, u64>,
}

impl ErrorCounts {
    /// The number of a class.
    #[must_use]
    pub const fn of_class(&self, class: ErrorClass) -> u64 {
        match class {
            ErrorClass::Validation => self.validation,
            ErrorClass::RateLimit => self.rate_limit,
            ErrorClass::Stall => self.stall,
            ErrorClass::System => self.system,
        }
    }

    /// Counts a call that could not do its work, by the word of its code, if there is one.
    pub(super) fn count_error(&mut self, word: Option<&str>) {
        let class = word.and_then(ErrorCode::from_word).map(ErrorClass::of_code);
        let counter = match class {
            Some(ErrorClass::Validation) => &mut self.validation,
            Some(ErrorClass::RateLimit) => &mut self.rate_limit,
            Some(ErrorClass::Stall) => &mut self.stall,
            Some(ErrorClass::System) => &mut self.system,
            None => &mut self.unknown,
        };
        *counter += 1;
        if let Some(word) = word {
            *self.codes.entry(word.to_owned()).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_counted_in_their_classes() {
        let mut counts = ErrorCounts::default();
        let words = ["invalid_argument", "file_not_found", "rate_limited", "timeout", "internal", "invalid_argument"];
        words.iter().for_each(|word| counts.count_error(Some(word)));
        counts.count_error(None);
        let numbers: Vec<u64> = ErrorClass::ALL.iter().map(|class| counts.of_class(*class)).collect();
        assert_eq!((numbers, counts.unknown), (vec![3, 1, 1, 1], 1));
        assert_eq!((counts.codes["invalid_argument"], counts.codes.len()), (2, 5));
    }

    #[test]
    fn every_code_has_a_class() {
        let of = |class| ErrorCode::ALL.iter().filter(|code| ErrorClass::of_code(**code) == class).count();
        let sizes: Vec<usize> = ErrorClass::ALL.into_iter().map(of).collect();
        assert_eq!(sizes, [10, 1, 3, 7]);
    }
}
