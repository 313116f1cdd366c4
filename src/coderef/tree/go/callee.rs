//! What each call of a file means.

use super::evaluate::{GoEvaluator, GoType};
use super::packages::GoPackages;
use crate::model::FileId;
use crate::tree::meaning::CalleeMeaning;
use crate::tree::{Receiver, TreeSitterCall};

#[derive(Debug)]
pub(in crate::tree) struct GoCallees<'a> {
    evaluator: GoEvaluator<'a>,
    file: Option<FileId>,
}

impl<'a> GoCallees<'a> {
    pub(in crate::tree) fn new(packages: &'a GoPackages<'a>) -> Self {
        Self { evaluator: GoEvaluator::new(packages), file: None }
    }

    pub(in crate::tree) fn meaning(&mut self, file: FileId, call: &TreeSitterCall) -> CalleeMeaning {
        let Some(callee) = call.callee else { return CalleeMeaning::Unknown };
        if self.file.replace(file) != Some(file) {
            self.evaluator.begin_file(file);
        }
        match self.evaluator.value(file, callee) {
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
