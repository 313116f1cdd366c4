//! An analyzer's answer for one file: measured, or the reason why not.

/// What an analyzer has to say about one file.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<T> {
    Measured(T),
    /// The analyzer should have answered and could not: the tool and the reason.
    Failed {
        tool: &'static str,
        reason: String,
    },
    /// The analyzer was not meant to run in this mode or for this language.
    Skipped {
        tool: &'static str,
        reason: &'static str,
    },
}

impl<T> Outcome<T> {
    /// The measurement, when there is one.
    #[must_use]
    pub fn measured(&self) -> Option<&T> {
        match self {
            Self::Measured(value) => Some(value),
            _ => None,
        }
    }

    /// The tool and the reason, when there is no measurement.
    #[must_use]
    pub fn absence(&self) -> Option<(&'static str, String)> {
        match self {
            Self::Measured(_) => None,
            Self::Failed { tool, reason } => Some((tool, reason.clone())),
            Self::Skipped { tool, reason } => Some((tool, (*reason).to_owned())),
        }
    }

    /// True when the analyzer should have answered and could not.
    #[must_use]
    pub const fn failed(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}
