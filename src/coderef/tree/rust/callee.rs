//! What each call of a file means.

use super::evaluate::RustEvaluator;
use super::facts::RustValue;
use super::modules::RustModules;
use super::types::RustType;
use crate::model::FileId;
use crate::tree::TreeSitterCall;
use crate::tree::meaning::CalleeMeaning;

#[derive(Debug)]
pub(in crate::tree) struct RustCallees<'a> {
    modules: &'a RustModules<'a>,
    evaluator: RustEvaluator<'a>,
    file: Option<FileId>,
}

impl<'a> RustCallees<'a> {
    pub(in crate::tree) fn new(modules: &'a RustModules<'a>) -> Self {
        Self { modules, evaluator: RustEvaluator::new(modules), file: None }
    }

    pub(in crate::tree) fn meaning(&mut self, file: FileId, call: &TreeSitterCall) -> CalleeMeaning {
        let Some(callee) = call.callee else { return CalleeMeaning::Unknown };
        if self.file.replace(file) != Some(file) {
            self.evaluator.begin_file(file);
        }
        match self.evaluator.value(file, callee) {
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

    /// True for a callee that the function itself binds.
    fn is_variable(&self, file: FileId, callee: u32) -> bool {
        let value = self.modules.facts(file).and_then(|facts| facts.values.get(callee as usize));
        !matches!(value, Some(RustValue::Path { .. } | RustValue::Method(..) | RustValue::Associated(..)) | None)
    }
}
