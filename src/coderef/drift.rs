//! What has become of the elements of a saved index: unchanged, moved, renamed, missing, added, ambiguous.
//!
//! Bodies are compared by their hash, never times of files: a file that was only touched has not drifted.

mod compare;
pub mod saved;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use compare::compare_with_saved_index;
pub use saved::{SavedElement, SavedIndex, read_saved_index, write_saved_index};

/// Similarity of two names from which one may be the new name of the other, unless the caller says otherwise.
pub const THRESHOLD: f64 = 0.7;

/// What has become of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriftStatus {
    /// At the same lines, whether or not its body has changed.
    Unchanged,
    /// The same name at another line or in another file.
    Moved,
    Renamed,
    /// Nothing in the code resembles it.
    Missing,
    /// In the code and not in the index.
    Added,
    /// Several elements may be it.
    Ambiguous,
}

/// One element that has drifted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drift {
    pub status: DriftStatus,
    /// As the saved index has it; of an added element, as it is now.
    pub reference: String,
    pub old_line: Option<u32>,
    pub new_line: Option<u32>,
    pub old_name: Option<String>,
    pub new_name: Option<String>,
    /// True when the body is not what it was; it says nothing of missing and added elements.
    pub body_changed: bool,
    /// References to what it is now, or may be, best first.
    pub suggestions: Vec<String>,
    /// How sure the status is, from 0 to 1.
    pub confidence: f64,
    /// True when the saved reference can be replaced without looking.
    pub auto_fixable: bool,
}

/// All that has drifted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DriftReport {
    /// Elements of the saved index.
    pub total: usize,
    pub counts: BTreeMap<DriftStatus, usize>,
    /// Unchanged elements with another body.
    pub edited: usize,
    /// Share of the saved elements that are not unchanged, in percent.
    pub percent: f64,
    /// Everything but unchanged elements, by reference.
    pub drifted: Vec<Drift>,
}
