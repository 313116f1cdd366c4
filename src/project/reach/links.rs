//! Which module imports which, and when.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::manifests::Manifests;
use super::module::{ModuleFacts, ModuleImport};
use super::names::ModuleResolver;

/// When an import is done, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportTiming {
    /// When the module is loaded.
    Runtime,
    /// When a function is called.
    Deferred,
    /// Never: only type checkers see it.
    TypeChecking,
}

/// The imports between the modules of a project.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// By importing file: the files it imports, each with the strongest way it does so.
    pub edges: BTreeMap<String, BTreeMap<String, ImportTiming>>,
}

impl Links {
    /// Resolves the imports of all modules.
    pub(crate) fn from_modules(modules: &HashMap<String, Arc<ModuleFacts>>, manifests: &Manifests) -> Self {
        let names = ModuleResolver::new(modules, manifests);
        let edges = modules.par_iter().map(|(path, module)| (path.clone(), targets(&names, path, module)));
        Self { edges: edges.collect::<Vec<_>>().into_iter().collect() }
    }
}

fn targets(names: &ModuleResolver<'_>, path: &str, module: &ModuleFacts) -> BTreeMap<String, ImportTiming> {
    let mut targets = BTreeMap::new();
    let mut add = |import: &ModuleImport, link: ImportTiming| {
        for target in names.files_named_by(path, import) {
            let known = targets.entry(target).or_insert(link);
            *known = link.min(*known);
        }
    };
    for import in &module.imports {
        add(import, if import.deferred { ImportTiming::Deferred } else { ImportTiming::Runtime });
    }
    module.typed.iter().for_each(|import| add(import, ImportTiming::TypeChecking));
    targets
}
