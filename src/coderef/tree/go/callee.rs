//! What each call of a file means.

use super::evaluate::{GoEvaluator, GoType};
use super::facts::GoValue;
use crate::model::FileId;
use crate::tree::arena::ValueId;
use crate::tree::evaluation::{Evaluation, Evaluator};
use crate::tree::meaning::CalleeMeaning;
use crate::tree::{Receiver, TreeSitterCall};

impl<'a> Evaluator<'a> for GoEvaluator<'a> {
    type Value = GoValue;
    type Outcome = GoType<'a>;

    fn evaluation(&mut self) -> &mut Evaluation<GoType<'a>> {
        &mut self.evaluation
    }

    fn values(&self, file: FileId) -> &'a [GoValue] {
        self.packages.facts(file).map_or(&[], |facts| &facts.values)
    }

    fn outcome(&mut self, file: FileId, value: &'a GoValue) -> GoType<'a> {
        self.outcome_of_value(file, value)
    }

    fn meaning_of(&mut self, file: FileId, callee: ValueId, call: &TreeSitterCall) -> CalleeMeaning {
        match self.value(file, callee) {
            GoType::Callee(elements, _) => CalleeMeaning::from_elements(elements.to_vec()),
            GoType::Itself(_) => CalleeMeaning::NoCall,
            GoType::BuiltInFunction(_) | GoType::BuiltIn => CalleeMeaning::BuiltIn,
            GoType::Outside(module) | GoType::OutsidePackage(module) => CalleeMeaning::Outside(module.to_owned()),
            GoType::Unknown if call.receiver == Receiver::Other => CalleeMeaning::Unknown,
            // A bare name is one of the package, which declares no such function.
            _ => CalleeMeaning::Held,
        }
    }
}
