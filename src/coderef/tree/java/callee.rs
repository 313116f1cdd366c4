//! What each call of a file means.

use super::facts::JavaValue;
use super::members::{JavaEvaluator, JavaKind, takes};
use super::packages::JavaPackages;
use crate::model::FileId;
use crate::tree::TreeSitterCall;
use crate::tree::meaning::Meaning;

#[derive(Debug)]
pub(in crate::tree) struct JavaCallees<'a> {
    packages: &'a JavaPackages<'a>,
    evaluator: JavaEvaluator<'a>,
    file: Option<FileId>,
}

impl<'a> JavaCallees<'a> {
    pub(in crate::tree) fn new(packages: &'a JavaPackages<'a>) -> Self {
        Self { packages, evaluator: JavaEvaluator::new(packages), file: None }
    }

    pub(in crate::tree) fn meaning(&mut self, file: FileId, call: &TreeSitterCall) -> Meaning {
        let Some(callee) = call.callee else { return Meaning::Unknown };
        if self.file.replace(file) != Some(file) {
            self.evaluator.begin_file(file);
        }
        let value = self.packages.facts(file).and_then(|facts| facts.values.get(callee as usize));
        if let Some(JavaValue::New { of, arguments }) = value {
            let of = self.evaluator.term(file, *of);
            return self.constructor(&of, *arguments);
        }
        let found = self.evaluator.methods_of_call(file, callee);
        let elements: Vec<_> =
            found.found.iter().filter_map(|(item, method)| self.packages.element(*item, method.element)).collect();
        match elements.as_slice() {
            [] => self.outside(file, value),
            _ => Meaning::from_elements(elements),
        }
    }

    fn outside(&mut self, file: FileId, value: Option<&'a JavaValue>) -> Meaning {
        match value {
            Some(JavaValue::Method { of, .. }) => match self.evaluator.value(file, *of) {
                JavaKind::Outside(class) => Meaning::Outside(class.to_string()),
                _ => Meaning::Unknown,
            },
            _ => Meaning::Unknown,
        }
    }

    /// The constructor that fits, or the class when it has none of its own.
    fn constructor(&self, of: &JavaKind, arguments: u32) -> Meaning {
        let item = match of {
            JavaKind::Of(item) => *item,
            JavaKind::Outside(class) => return Meaning::Outside(class.to_string()),
            _ => return Meaning::Unknown,
        };
        let Some(declared) = self.packages.declared(item) else { return Meaning::Unknown };
        if declared.constructors.is_empty() {
            return self.packages.element(item, declared.element).map_or(Meaning::Unknown, Meaning::Proven);
        }
        let fits = declared.constructors.iter().filter(|constructor| takes(constructor, arguments));
        Meaning::from_elements(fits.filter_map(|it| self.packages.element(item, it.element)).collect())
    }
}
