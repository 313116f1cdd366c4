//! What the values of a file come to: each is looked at once, after those that it is made of, and none too far from where it
//! began.

use std::collections::HashMap;

use super::arena::ValueId;
use super::meaning::CalleeMeaning;
use crate::model::FileId;
use crate::tree::TreeSitterCall;

/// Steps from one thing to the next that are taken.
pub(super) const MOST_STEPS: u32 = 60;

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Evaluation<T> {
    file: Option<FileId>,
    known: HashMap<(FileId, ValueId), T>,
    steps: u32,
}

/// Looks at the values of one file after another, by the rules of a language.
pub(super) trait Evaluator<'a> {
    type Value: 'a;
    /// What a value comes to; by default nothing that is known.
    type Outcome: Clone + Default;

    fn evaluation(&mut self) -> &mut Evaluation<Self::Outcome>;

    /// The values of a file, in the order of their numbers.
    fn values(&self, file: FileId) -> &'a [Self::Value];

    /// What a value of a file comes to, by those that it is made of.
    fn outcome(&mut self, file: FileId, value: &'a Self::Value) -> Self::Outcome;

    /// What the callee of a call means.
    fn meaning_of(&mut self, file: FileId, callee: ValueId, call: &TreeSitterCall) -> CalleeMeaning;

    /// What a call means.
    fn meaning(&mut self, file: FileId, call: &TreeSitterCall) -> CalleeMeaning {
        let Some(callee) = call.callee else { return CalleeMeaning::Unknown };
        self.enter(file);
        self.meaning_of(file, callee, call)
    }

    /// Looks at all values of a file in their order, so that no chain of them is too long; what is known of others is given up.
    fn enter(&mut self, file: FileId) {
        if self.evaluation().file.replace(file) == Some(file) {
            return;
        }
        self.evaluation().known.clear();
        let count = self.values(file).len();
        for value in (0..).take(count) {
            self.value(file, value);
        }
    }

    fn value(&mut self, file: FileId, value: ValueId) -> Self::Outcome {
        let key = (file, value);
        if let Some(known) = self.evaluation().known.get(&key) {
            return known.clone();
        }
        // What is needed for itself is nothing.
        self.evaluation().known.insert(key, Self::Outcome::default());
        let found = match self.values(file).get(value as usize) {
            Some(written) => self.step(|this| this.outcome(file, written)),
            None => Self::Outcome::default(),
        };
        self.evaluation().known.insert(key, found.clone());
        found
    }

    /// Does something unless it is too far from where it began.
    fn step(&mut self, what: impl FnOnce(&mut Self) -> Self::Outcome) -> Self::Outcome {
        if self.evaluation().steps >= MOST_STEPS {
            return Self::Outcome::default();
        }
        self.evaluation().steps += 1;
        let found = what(self);
        self.evaluation().steps -= 1;
        found
    }
}
