//! All scripts of a scan with their modules resolved.

use std::collections::HashMap;

use crate::family;
use crate::family::Project;
use crate::model::{FileId, IndexProblem};
use crate::script::facts::{
    Declaration, Expr, ExprId, Function, ObjectShape, ScriptExport, ScriptExportTarget, ScriptFacts, Symbol, Type,
    TypeId,
};
use crate::script::resolve::{ResolvedSpecifier, Resolver};

/// Something of a file: the file and the position in one of its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Gid {
    pub(super) file: u32,
    pub(super) id: u32,
}

/// What an imported or exported name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    Symbol(Gid),
    Expr(Gid),
    /// The module itself, as an object.
    Module(u32),
    External(String, Option<String>),
    Builtin(String, Option<String>),
    /// Several modules that `export *` give the same name.
    Several(Vec<Named>),
    Nothing,
}

static NOTHING: std::sync::LazyLock<ScriptFacts> = std::sync::LazyLock::new(ScriptFacts::default);

pub(super) struct World<'p> {
    facts: Vec<&'p ScriptFacts>,
    /// Of each file, what each of its imports names.
    pub(super) modules: Vec<Vec<ResolvedSpecifier>>,
    exports: Vec<HashMap<&'p str, &'p ScriptExport>>,
    stars: Vec<Vec<u32>>,
    problems: Vec<IndexProblem>,
}

impl<'p> World<'p> {
    pub(super) fn new(project: &Project<'p>) -> Self {
        let facts: Vec<&'p ScriptFacts> = project
            .facts
            .iter()
            .map(|facts| match facts {
                family::LanguageFacts::Script(facts) => &**facts,
                _ => &*NOTHING,
            })
            .collect();
        let is_script = |id: usize| matches!(project.facts.get(id), Some(family::LanguageFacts::Script(_)));
        let scripts = project.files.iter().enumerate().filter(|(id, _)| is_script(*id));
        let scripts = scripts.map(|(id, file)| (file.path.as_str(), FileId(u32::try_from(id).unwrap_or(u32::MAX))));
        let resolver = Resolver::new(project.boundary, scripts);
        let modules = project.files.iter().zip(&facts).map(|(file, facts)| {
            let mut known: HashMap<&str, ResolvedSpecifier> = HashMap::new();
            let resolve = |import: &'p crate::script::facts::ScriptImport| match &import.specifier {
                Some(name) => known.entry(name).or_insert_with(|| resolver.resolve(&file.path, name)).clone(),
                None => ResolvedSpecifier::Missing(String::new()),
            };
            facts.imports.iter().map(resolve).collect()
        });
        let modules = modules.collect();
        let exports = facts.iter().map(|facts| named_exports(facts)).collect();
        let stars = facts.iter().map(|facts| star_exports(facts)).collect();
        Self { facts, modules, exports, stars, problems: resolver.into_problems() }
    }

    /// Configuration that could not be used.
    pub(super) fn problems(&self) -> Vec<IndexProblem> {
        self.problems.clone()
    }

    pub(super) fn facts(&self, file: u32) -> &'p ScriptFacts {
        self.facts.get(file as usize).copied().unwrap_or(&NOTHING)
    }

    pub(super) fn symbol(&self, at: Gid) -> Option<&'p Symbol> {
        self.facts(at.file).symbols.get(at.id as usize)
    }

    pub(super) fn shape(&self, at: Gid) -> Option<&'p ObjectShape> {
        self.facts(at.file).shapes.get(at.id as usize)
    }

    pub(super) fn function(&self, at: Gid) -> Option<&'p Function> {
        self.facts(at.file).functions.get(at.id as usize)
    }

    pub(super) fn expr(&self, file: u32, id: ExprId) -> &'p Expr {
        self.facts(file).exprs.get(id as usize).unwrap_or(&Expr::Unknown)
    }

    pub(super) fn ty(&self, file: u32, id: TypeId) -> &'p Type {
        self.facts(file).types.get(id as usize).unwrap_or(&Type::Unknown)
    }

    /// The module that an import of a file names.
    pub(super) fn module(&self, file: u32, import: u32) -> Option<&ResolvedSpecifier> {
        self.modules.get(file as usize)?.get(import as usize)
    }

    /// What a name of an import stands for, through all re-exports.
    pub(super) fn imported(&self, file: u32, import: u32, name: &str) -> Named {
        self.imported_seen(file, import, name, &mut Vec::new())
    }

    fn imported_seen(&self, file: u32, import: u32, name: &str, seen: &mut Vec<(u32, String)>) -> Named {
        let member = (name != "*" && name != "=").then(|| name.to_owned());
        match self.module(file, import) {
            Some(ResolvedSpecifier::File(FileId(target))) => match name {
                "*" => Named::Module(*target),
                "=" => match self.exported_seen(*target, "=", seen) {
                    Named::Nothing => Named::Module(*target),
                    found => found,
                },
                _ => self.exported_seen(*target, name, seen),
            },
            Some(ResolvedSpecifier::External(module)) => Named::External(module.clone(), member),
            Some(ResolvedSpecifier::Builtin(module)) => Named::Builtin(module.clone(), member),
            Some(ResolvedSpecifier::Missing(_)) | None => Named::Nothing,
        }
    }

    /// What a file exports under a name.
    pub(super) fn exported(&self, file: u32, name: &str) -> Named {
        self.exported_seen(file, name, &mut Vec::new())
    }

    fn exported_seen(&self, file: u32, name: &str, seen: &mut Vec<(u32, String)>) -> Named {
        if seen.iter().any(|(known, of)| *known == file && of == name) {
            return Named::Nothing;
        }
        seen.push((file, name.to_owned()));
        let own = self.exports.get(file as usize).and_then(|exports| exports.get(name));
        if let Some(export) = own {
            return match &export.what {
                ScriptExportTarget::Symbol(id) => self.follow_import(Gid { file, id: *id }, seen),
                ScriptExportTarget::Expr(id) => Named::Expr(Gid { file, id: *id }),
                ScriptExportTarget::From(import, name) => self.imported_seen(file, *import, name, seen),
                ScriptExportTarget::All(_) => Named::Nothing,
            };
        }
        if name == "default" {
            // `import x from` a CommonJS module is what the module sets as its exports.
            return self.exports.get(file as usize).and_then(|exports| exports.get("=")).map_or(Named::Nothing, |it| {
                match &it.what {
                    ScriptExportTarget::Expr(id) => Named::Expr(Gid { file, id: *id }),
                    ScriptExportTarget::Symbol(id) => self.follow_import(Gid { file, id: *id }, seen),
                    _ => Named::Nothing,
                }
            });
        }
        let mut found: Vec<Named> = Vec::new();
        for &import in self.stars.get(file as usize).into_iter().flatten() {
            let named = match self.module(file, import) {
                Some(ResolvedSpecifier::File(FileId(target))) => self.exported_seen(*target, name, seen),
                _ => Named::Nothing,
            };
            if named != Named::Nothing && !found.contains(&named) {
                found.push(named);
            }
        }
        match found.len() {
            0 => Named::Nothing,
            1 => found.remove(0),
            _ => Named::Several(found),
        }
    }

    /// A symbol, or what it imports when it is an import itself.
    pub(super) fn follow_import(&self, at: Gid, seen: &mut Vec<(u32, String)>) -> Named {
        match self.symbol(at).map(|symbol| symbol.declarations.as_slice()) {
            Some([Declaration::Import(import, name)]) => self.imported_seen(at.file, *import, name, seen),
            _ => Named::Symbol(at),
        }
    }

    /// The names that a file exports, its own first.
    pub(super) fn export_names(&self, file: u32) -> Vec<String> {
        let (mut names, mut open, mut seen) = (Vec::new(), vec![file], vec![file]);
        while let Some(file) = open.pop() {
            names.extend(self.facts(file).exports.iter().filter(|it| !it.name.is_empty()).map(|it| it.name.clone()));
            for &import in self.stars.get(file as usize).into_iter().flatten() {
                if let Some(ResolvedSpecifier::File(FileId(target))) = self.module(file, import)
                    && !seen.contains(target)
                {
                    seen.push(*target);
                    open.push(*target);
                }
            }
        }
        names
    }
}

fn named_exports(facts: &ScriptFacts) -> HashMap<&str, &ScriptExport> {
    let mut found: HashMap<&str, &ScriptExport> = HashMap::new();
    for export in facts.exports.iter().filter(|export| !export.name.is_empty()) {
        // `exports.a = undefined` and overloads come first; a later one with a value counts for expressions.
        let replaces = matches!(export.what, ScriptExportTarget::Expr(id) if id != 0);
        if replaces || !found.contains_key(export.name.as_str()) {
            found.insert(&export.name, export);
        }
    }
    found
}

fn star_exports(facts: &ScriptFacts) -> Vec<u32> {
    facts
        .exports
        .iter()
        .filter_map(|export| match export.what {
            ScriptExportTarget::All(import) => Some(import),
            _ => None,
        })
        .collect()
}
