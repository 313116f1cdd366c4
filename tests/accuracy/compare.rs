//! Our call edges beside what the TypeScript checker says, call by call.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// What the checker says of a source tree.
#[derive(Debug, Deserialize)]
pub(crate) struct Truth {
    pub(crate) calls: Vec<Call>,
}

/// A place: file, line, column.
pub(crate) type Place = (String, u32, u32);

/// One call.
#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    pub(crate) at: Place,
    pub(crate) text: String,
    /// Where the names of its targets stand, inside the tree.
    pub(crate) targets: Vec<Place>,
    pub(crate) kinds: Vec<String>,
    /// It calls a function, method or class of the tree.
    pub(crate) concrete: bool,
}

/// What a comparison counts.
#[derive(Debug, Default)]
pub(crate) struct Score {
    pub(crate) calls: usize,
    /// Calls that we resolve to an element.
    pub(crate) claimed: usize,
    /// Of these, those that the checker agrees on.
    pub(crate) agreed: usize,
    /// Calls to functions, methods and classes of the tree.
    pub(crate) concrete: usize,
    /// Of these, those that we resolve to the same.
    pub(crate) found: usize,
    pub(crate) wrong: Vec<String>,
    pub(crate) missed: Vec<String>,
}

impl Score {
    pub(crate) fn precision(&self) -> f64 {
        ratio(self.agreed, self.claimed)
    }

    pub(crate) fn recall(&self) -> f64 {
        ratio(self.found, self.concrete)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of calls are small")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Compares; `ours` holds for each call the place of the name of what it is resolved to.
pub(crate) fn compare(truth: &Truth, ours: &BTreeMap<Place, BTreeSet<Place>>) -> Score {
    let mut score = Score { calls: truth.calls.len(), ..Score::default() };
    for call in &truth.calls {
        let claim = ours.get(&call.at);
        let agrees = claim.is_some_and(|claim| claim.iter().any(|target| call.targets.contains(target)));
        score.claimed += usize::from(claim.is_some());
        score.agreed += usize::from(agrees);
        score.concrete += usize::from(call.concrete);
        score.found += usize::from(call.concrete && agrees);
        let told = || {
            format!("{}:{}:{} {} -> {:?} {:?}", call.at.0, call.at.1, call.at.2, call.text, call.kinds, call.targets)
        };
        if claim.is_some() && !agrees {
            score.wrong.push(format!("{} ours {:?}", told(), claim));
        }
        if call.concrete && !agrees {
            score.missed.push(told());
        }
    }
    score
}
