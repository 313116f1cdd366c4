//! What each call of a file means.

use super::evaluate::RustEvaluator;
use super::facts::RustValue;
use super::types::RustType;
use crate::model::FileId;
use crate::tree::TreeSitterCall;
use crate::tree::arena::ValueId;
use crate::tree::evaluation::{Evaluation, Evaluator};
use crate::tree::meaning::CalleeMeaning;

impl<'a> Evaluator<'a> for RustEvaluator<'a> {
    type Value = RustValue;
    type Outcome = RustType<'a>;

    fn evaluation(&mut self) -> &mut Evaluation<RustType<'a>> {
        &mut self.evaluation
    }

    fn values(&self, file: FileId) -> &'a [RustValue] {
        self.modules.facts(file).map_or(&[], |facts| &facts.values)
    }

    fn outcome(&mut self, file: FileId, value: &'a RustValue) -> RustType<'a> {
        self.outcome_of_value(file, value)
    }

    fn meaning_of(&mut self, file: FileId, callee: ValueId, _: &TreeSitterCall) -> CalleeMeaning {
        match self.value(file, callee) {
            RustType::Callee(elements, _) => CalleeMeaning::from_elements(elements.to_vec()),
            RustType::Constructor(Some(element), _) => CalleeMeaning::Proven(element),
            RustType::Constructor(None, _) => CalleeMeaning::NoCall,
            RustType::Outside(path) => match path.as_ref() {
                ["Some" | "Ok" | "Err"] => CalleeMeaning::NoCall,
                // A name without a path that is nowhere in the project may come from a macro.
                [_] => CalleeMeaning::Unknown,
                path => {
                    CalleeMeaning::Outside(path.split_last().map_or(String::new(), |(_, before)| before.join("::")))
                }
            },
            RustType::Foreign(_) => CalleeMeaning::Outside("std".to_owned()),
            RustType::Function(..) => CalleeMeaning::Held,
            _ if self.is_variable(file, callee) => CalleeMeaning::Held,
            _ => CalleeMeaning::Unknown,
        }
    }
}

impl RustEvaluator<'_> {
    /// True for a callee that the function itself binds.
    fn is_variable(&self, file: FileId, callee: u32) -> bool {
        let value = self.modules.facts(file).and_then(|facts| facts.values.get(callee as usize));
        !matches!(value, Some(RustValue::Path { .. } | RustValue::Method(..) | RustValue::Associated(..)) | None)
    }
}
