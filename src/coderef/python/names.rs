//! What a name means where it is used, and what a module's members are.

use std::rc::Rc;

use super::builtins;
use super::facts::{Binding, PythonFacts, PythonImport, PythonImportForm, ScopeKind};
use super::modules::ModuleLookup;
use super::types::{Def, MOST_BINDINGS, Ty, Types};
use super::word::PythonName;
use crate::model::{ElementId, FileId};

/// Re-exports that are followed.
const LONGEST_CHAIN: u32 = 16;

impl<'a> Types<'a> {
    /// What a name means at an offset in a block; `u32::MAX` stands for any time after the module has run.
    pub(super) fn lookup(&self, (file, scope): Def, name: &str, at: u32, block: u32) -> Vec<Ty> {
        let Some(facts) = self.facts(file) else { return vec![Ty::Unknown] };
        let (mut current, mut direct) = (scope, at != u32::MAX);
        while let Some(found) = facts.scopes.get(current as usize) {
            let visible = current == scope || found.kind != ScopeKind::Class;
            let global = current != 0 && !found.globals.is_empty() && found.globals.contains(&PythonName::from(name));
            if let Some(bindings) = found.names.get(name).filter(|_| visible && !global) {
                if !direct {
                    return self
                        .types_of_name((file, current), name, false, || lasting_bindings(found.block, bindings))
                        .to_vec();
                }
                let seen = visible_bindings(facts, bindings, at, block);
                if !seen.is_empty() || found.kind == ScopeKind::Function {
                    let seen = if seen.is_empty() { bindings.iter().collect() } else { seen };
                    return self.any_of(file, &seen);
                }
            }
            if current == 0 {
                break;
            }
            direct &= found.kind != ScopeKind::Function;
            current = found.parent;
        }
        let starred = self.star_imported_types(file, name);
        if !starred.is_empty() {
            return starred;
        }
        vec![if builtins::is_builtin(name) { Ty::Builtin(name.to_owned()) } else { Ty::Unknown }]
    }

    /// What a star import of a file brings under a name; empty when none does.
    fn star_imported_types(&self, file: FileId, name: &str) -> Vec<Ty> {
        for from in self.star_imported_files(file).iter().filter(|from| self.star_import_offers(**from, name)) {
            let found = self.with_depth_limit(|| self.member_of_file(*from, name));
            if found != [Ty::Unknown] {
                return found;
            }
        }
        Vec::new()
    }

    /// The files of the project that a file takes everything from, in order; found once, since every name that is
    /// bound nowhere else may come from them.
    fn star_imported_files(&self, file: FileId) -> Rc<[FileId]> {
        if let Some(known) = self.stars.borrow().get(&file) {
            return Rc::clone(known);
        }
        let imports = self.facts(file).map(|facts| facts.imports.as_slice()).unwrap_or_default();
        let stars = imports.iter().filter(|import| import.form == PythonImportForm::Star && import.scope == 0);
        let files = stars.filter_map(|import| match self.imported_module(file, import) {
            ModuleLookup::File(from) => Some(from),
            _ => None,
        });
        let files: Rc<[FileId]> = files.collect();
        self.stars.borrow_mut().insert(file, Rc::clone(&files));
        files
    }

    /// True when a star import of a module brings the name.
    fn star_import_offers(&self, file: FileId, name: &str) -> bool {
        match self.facts(file).and_then(|facts| facts.all.as_ref()) {
            Some(all) => all.binary_search_by(|each| each.as_str().cmp(name)).is_ok(),
            None => !name.starts_with('_'),
        }
    }

    /// The module that an import names.
    pub(super) fn imported_module(&self, file: FileId, import: &PythonImport) -> ModuleLookup {
        if import.level == 0 {
            self.modules.resolve_absolute(file, &import.module)
        } else {
            self.modules.resolve_relative(file, import.level, &import.module)
        }
    }

    /// What a name bound by an import means.
    pub(super) fn imported_types(&self, file: FileId, import: u32, name: u32) -> Vec<Ty> {
        let import = self.facts(file).and_then(|facts| facts.imports.get(import as usize));
        let Some((import, name)) = import.and_then(|import| Some((import, import.names.get(name as usize)?))) else {
            return vec![Ty::Unknown];
        };
        if import.form == PythonImportForm::Plain {
            let module = if name.renamed { &import.module } else { &name.bound };
            return vec![match self.modules.resolve_absolute(file, module) {
                ModuleLookup::File(id) => Ty::Module(id),
                ModuleLookup::Namespace(folder) => Ty::Namespace(folder),
                ModuleLookup::Missing => Ty::Unknown,
                ModuleLookup::Outside => match self.modules.resolve_absolute(file, &import.module) {
                    // The top of a namespace package is a folder like any other.
                    ModuleLookup::File(_) => Ty::Namespace(self.top_of(file, &import.module)),
                    _ => Ty::Outside(module.clone(), String::new()),
                },
            }];
        }
        match self.imported_module(file, import) {
            ModuleLookup::File(id) => self.member(&Ty::Module(id), &name.name),
            ModuleLookup::Namespace(folder) => self.member(&Ty::Namespace(folder), &name.name),
            ModuleLookup::Missing => vec![Ty::Unknown],
            ModuleLookup::Outside => vec![Ty::Outside(import.module.clone(), name.name.clone())],
        }
    }

    fn top_of(&self, file: FileId, module: &str) -> String {
        let ModuleLookup::File(id) = self.modules.resolve_absolute(file, module) else { return String::new() };
        let path = self.project.files.get(id.0 as usize).map_or("", |file| file.path.as_str());
        let depth = module.matches('.').count();
        let stem = path.trim_end_matches("/__init__.py").trim_end_matches(".py");
        let mut folder = stem;
        for _ in 0..depth {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        folder.to_owned()
    }

    /// A member of a module or namespace of the project.
    pub(super) fn member(&self, module: &Ty, name: &str) -> Vec<Ty> {
        match module {
            Ty::Module(file) => self.with_depth_limit(|| self.member_of_file(*file, name)),
            Ty::Namespace(folder) => vec![module_ty(self.modules.in_namespace(folder, name))],
            _ => vec![Ty::Unknown],
        }
    }

    fn member_of_file(&self, file: FileId, name: &str) -> Vec<Ty> {
        let Some(facts) = self.facts(file) else { return vec![Ty::Unknown] };
        let module = facts.scopes.first();
        if let Some((scope, bindings)) = module.and_then(|scope| Some((scope, scope.names.get(name)?))) {
            let found = self.types_of_name((file, 0), name, false, || lasting_bindings(scope.block, bindings));
            if *found != [Ty::Unknown] {
                return found.to_vec();
            }
        }
        let starred = self.star_imported_types(file, name);
        if !starred.is_empty() {
            return starred;
        }
        vec![module_ty(self.modules.lookup_in_package(file, name))]
    }

    /// The elements that a module's member is, through re-exports.
    pub(super) fn member_elements(&self, file: FileId, name: &str) -> Vec<ElementId> {
        let mut found = Vec::new();
        self.collect_member_elements(file, name, LONGEST_CHAIN, &mut found);
        found.sort();
        found.dedup();
        found
    }

    fn collect_member_elements(&self, file: FileId, name: &str, left: u32, found: &mut Vec<ElementId>) {
        let Some((left, facts)) = left.checked_sub(1).zip(self.facts(file)) else { return };
        let before = found.len();
        found.extend(self.tops.named(file, name));
        if found.len() > before {
            return;
        }
        let bindings = facts.scopes.first().and_then(|scope| scope.names.get(name));
        for binding in bindings.into_iter().flatten() {
            let super::facts::Bound::Import(import, position) = binding.to else { continue };
            let import = facts.imports.get(import as usize);
            let imported = import.and_then(|import| Some((import, import.names.get(position as usize)?)));
            if let Some((import, imported)) = imported
                && let ModuleLookup::File(from) = self.imported_module(file, import)
                && import.form == PythonImportForm::From
            {
                self.collect_member_elements(from, &imported.name, left, found);
            }
        }
        if found.len() == before {
            for from in self.star_imported_files(file).iter().filter(|from| self.star_import_offers(**from, name)) {
                self.collect_member_elements(*from, name, left, found);
            }
        }
    }
}

fn module_ty(found: ModuleLookup) -> Ty {
    match found {
        ModuleLookup::File(id) => Ty::Module(id),
        ModuleLookup::Namespace(folder) => Ty::Namespace(folder),
        ModuleLookup::Missing | ModuleLookup::Outside => Ty::Unknown,
    }
}

/// A block and those around it, from the inside.
fn enclosing_blocks(facts: &PythonFacts, block: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(block), |block| {
        facts.blocks.get(*block as usize).copied().filter(|around| around != block)
    })
}

/// True when `outer` is `inner` or one of the blocks around it.
fn encloses(facts: &PythonFacts, outer: u32, inner: u32) -> bool {
    enclosing_blocks(facts, inner).any(|block| block == outer)
}

/// The bindings that can hold once a scope has run: the last that always runs, and all after it.
pub(super) fn lasting_bindings(block: u32, bindings: &[Binding]) -> Vec<&Binding> {
    let last = bindings.iter().rposition(|binding| binding.place.block == block);
    bindings.iter().skip(last.unwrap_or_default()).collect()
}

/// The bindings that a use can see: the last one before it that has surely run, all between, and those that an
/// earlier round of a loop may have made. Of more than [`MOST_BINDINGS`], not all.
fn visible_bindings<'b>(facts: &PythonFacts, bindings: &'b [Binding], at: u32, block: u32) -> Vec<&'b Binding> {
    let (before, after) = bindings.split_at(bindings.partition_point(|binding| binding.place.at <= at));
    let near = before.get(before.len().saturating_sub(MOST_BINDINGS + 1)..).unwrap_or_default();
    let sure = near.iter().rposition(|binding| encloses(facts, binding.place.block, block));
    let hidden = sure.and_then(|at| near.get(at));
    let in_same_round = |around: u32| hidden.is_some_and(|hidden| encloses(facts, around, hidden.place.block));
    let rounds: Vec<u32> = enclosing_blocks(facts, block)
        .filter(|around| facts.loops.binary_search(around).is_ok() && !in_same_round(*around))
        .collect();
    let after = if rounds.is_empty() { &[] } else { after };
    let again = |binding: &&Binding| rounds.iter().any(|around| encloses(facts, *around, binding.place.block));
    let again = after.iter().filter(again).take(MOST_BINDINGS);
    near.iter().skip(sure.unwrap_or_default()).chain(again).collect()
}
