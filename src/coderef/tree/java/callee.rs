//! What each call of a file means.

use super::facts::JavaValue;
use super::members::{JavaEvaluator, JavaKind, takes};
use crate::model::FileId;
use crate::tree::TreeSitterCall;
use crate::tree::arena::ValueId;
use crate::tree::evaluation::{Evaluation, Evaluator};
use crate::tree::meaning::CalleeMeaning;

impl<'a> Evaluator<'a> for JavaEvaluator<'a> {
    type Value = JavaValue;
    type Outcome = JavaKind;

    fn evaluation(&mut self) -> &mut Evaluation<JavaKind> {
        &mut self.evaluation
    }

    fn values(&self, file: FileId) -> &'a [JavaValue] {
        self.packages.facts(file).map_or(&[], |facts| &facts.values)
    }

    fn outcome(&mut self, file: FileId, value: &'a JavaValue) -> JavaKind {
        self.outcome_of_value(file, value)
    }

    fn meaning_of(&mut self, file: FileId, callee: ValueId, _: &TreeSitterCall) -> CalleeMeaning {
        let value = self.packages.facts(file).and_then(|facts| facts.values.get(callee as usize));
        if let Some(JavaValue::New { of, arguments }) = value {
            let of = self.term(file, *of);
            return self.constructor(&of, *arguments);
        }
        let found = self.methods_of_call(file, callee);
        let elements: Vec<_> =
            found.found.iter().filter_map(|(item, method)| self.packages.element(*item, method.element)).collect();
        match elements.as_slice() {
            [] => self.outside(file, value),
            _ => CalleeMeaning::from_elements(elements),
        }
    }
}

impl<'a> JavaEvaluator<'a> {
    fn outside(&mut self, file: FileId, value: Option<&'a JavaValue>) -> CalleeMeaning {
        match value {
            Some(JavaValue::Method { of, .. }) => match self.value(file, *of) {
                JavaKind::Outside(class) => CalleeMeaning::Outside(class.to_string()),
                _ => CalleeMeaning::Unknown,
            },
            _ => CalleeMeaning::Unknown,
        }
    }

    /// The constructor that fits, or the class when it has none of its own.
    fn constructor(&self, of: &JavaKind, arguments: u32) -> CalleeMeaning {
        let item = match of {
            JavaKind::Of(item) => *item,
            JavaKind::Outside(class) => return CalleeMeaning::Outside(class.to_string()),
            _ => return CalleeMeaning::Unknown,
        };
        let Some(declared) = self.packages.declared(item) else { return CalleeMeaning::Unknown };
        if declared.constructors.is_empty() {
            return self.packages.element(item, declared.element).map_or(CalleeMeaning::Unknown, CalleeMeaning::Proven);
        }
        let fits = declared.constructors.iter().filter(|constructor| takes(constructor, arguments));
        CalleeMeaning::from_elements(fits.filter_map(|it| self.packages.element(item, it.element)).collect())
    }
}
