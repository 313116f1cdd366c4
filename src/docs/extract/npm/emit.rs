//! Which names a package gives out, and what stands behind each.

use std::collections::{BTreeMap, BTreeSet};

use super::package::DeclarationFiles;
use super::scope::{Declaration, DeclarationScope, MergedDeclaration, NameTarget};
use crate::symbol::{Symbol, SymbolKind};
use crate::text::Doc;

/// How many references are followed for one name.
const HOPS: usize = 24;
/// How deep namespaces are looked into.
const DEPTH: usize = 3;

/// A scope with where it stands: the file, and the names of the namespaces around it.
#[derive(Debug, Clone)]
struct ScopePosition<'f> {
    file: &'f str,
    around: Vec<&'f DeclarationScope>,
    path: Vec<String>,
}

impl<'f> ScopePosition<'f> {
    fn scope(&self) -> Option<&'f DeclarationScope> {
        self.around.last().copied()
    }

    /// What tells it from every other place.
    fn key(&self) -> String {
        format!("{} {}", self.file, self.path.join("."))
    }

    fn enter_namespace(&self, name: &str, scope: &'f DeclarationScope) -> Self {
        let mut inner = self.clone();
        inner.around.push(scope);
        inner.path.push(name.to_owned());
        inner
    }
}

/// What a name comes to.
enum ResolvedExport<'f> {
    Entry {
        place: ScopePosition<'f>,
        name: String,
        entry: &'f MergedDeclaration,
    },
    /// All that another file gives out, as one thing.
    Module(ScopePosition<'f>),
    Foreign {
        module: String,
        name: Option<String>,
    },
}

type DeclarationsByOrigin<'f> = BTreeMap<(String, Vec<String>, String), (&'f Declaration, BTreeSet<String>)>;

/// Walks what a package gives out.
pub(super) struct Emitter<'f> {
    files: &'f DeclarationFiles,
    found: DeclarationsByOrigin<'f>,
    symbols: Vec<Symbol>,
    /// Namespaces that have been walked under a path.
    walked: BTreeSet<String>,
}

impl<'f> Emitter<'f> {
    pub(super) fn new(files: &'f DeclarationFiles) -> Self {
        Self { files, found: BTreeMap::new(), symbols: Vec::new(), walked: BTreeSet::new() }
    }

    /// Every public symbol, sorted by path.
    pub(super) fn symbols(mut self, name: &str, starts: &BTreeMap<String, String>) -> Vec<Symbol> {
        for (below, file) in starts {
            let module = format!("{name}{below}");
            let Some(place) = self.file(file) else { continue };
            let mut symbol = plain_symbol(&module, SymbolKind::Module, &format!("import … from \"{module}\""), file);
            let mut stars = place.scope().into_iter().flat_map(|scope| &scope.stars);
            let unread = stars.find(|from| self.files.resolve(place.file, from).is_none());
            symbol.open = unread.map(|from| format!("it takes all names of `{from}`, which is not read"));
            self.symbols.push(symbol);
            self.emit_names(&module, &place, 0);
            let declared = place.scope().map(|scope| &scope.modules);
            for (other, scope) in declared.into_iter().flatten().filter(|(other, _)| !other.starts_with('.')) {
                self.symbols.push(plain_symbol(other, SymbolKind::Module, &format!("import … from \"{other}\""), file));
                let inner = place.enter_namespace(other, scope);
                self.emit_names(other, &inner, 0);
            }
        }
        let mut symbols = self.symbols;
        for ((file, ..), (declaration, paths)) in self.found {
            let Some(path) = paths.iter().min_by_key(|path| (path.matches(['.', '/']).count(), path.len())).cloned()
            else {
                continue;
            };
            let mut symbol = symbol_of_declaration(&path, declaration, &file);
            symbol.aliases = paths.into_iter().filter(|other| *other != path).collect();
            symbols.push(symbol);
            for (member, declared) in &declaration.members {
                symbols.push(symbol_of_declaration(&format!("{path}.{member}"), declared, &file));
            }
        }
        symbols.sort_by(|a, b| (&a.path, a.kind == SymbolKind::Module).cmp(&(&b.path, b.kind == SymbolKind::Module)));
        symbols.dedup_by(|a, b| a.path == b.path);
        symbols
    }

    fn file(&self, path: &str) -> Option<ScopePosition<'f>> {
        let (file, scope) = self.files.scopes.get_key_value(path)?;
        Some(ScopePosition { file, around: vec![scope], path: Vec::new() })
    }

    fn emit_names(&mut self, prefix: &str, place: &ScopePosition<'f>, depth: usize) {
        if depth > DEPTH || !self.walked.insert(prefix.to_owned()) {
            return;
        }
        for name in self.exported_names(place, &mut BTreeSet::new()) {
            let Some(meaning) = self.resolve_fresh(place, &name, HOPS) else { continue };
            let path = format!("{prefix}.{name}");
            match meaning {
                ResolvedExport::Entry { place, name: own, entry } => {
                    if let Some(declaration) = &entry.declaration {
                        let key = (place.file.to_owned(), place.path.clone(), own.clone());
                        self.found.entry(key).or_insert_with(|| (declaration, BTreeSet::new())).1.insert(path.clone());
                    }
                    if let Some(namespace) = &entry.namespace {
                        self.emit_names(&path, &place.enter_namespace(&own, namespace), depth + 1);
                    }
                }
                ResolvedExport::Module(inner) => {
                    let signature = format!("namespace {name}");
                    self.symbols.push(plain_symbol(&path, SymbolKind::Namespace, &signature, inner.file));
                    self.emit_names(&path, &inner, depth + 1);
                }
                ResolvedExport::Foreign { module, name: own } => {
                    let signature = match own {
                        Some(own) => format!("import {{ {own} }} from \"{module}\""),
                        None => format!("import * as {name} from \"{module}\""),
                    };
                    self.symbols.push(plain_symbol(&path, SymbolKind::Reexport, &signature, place.file));
                }
            }
        }
    }

    /// The names that a module or namespace gives out; `seen` are the modules looked at already.
    fn exported_names(&self, place: &ScopePosition<'f>, seen: &mut BTreeSet<String>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let Some(scope) = place.scope().filter(|_| seen.insert(place.key())) else { return names };
        if let Some(equals) = &scope.equals {
            return match self.resolve_local_path(place, equals, HOPS) {
                Some(ResolvedExport::Entry { place, name, entry }) => {
                    // The thing itself is what a default import gets.
                    names.insert("default".to_owned());
                    let inner = entry.namespace.as_ref().map(|namespace| place.enter_namespace(&name, namespace));
                    names.extend(inner.into_iter().flat_map(|inner| self.exported_names(&inner, seen)));
                    names
                }
                Some(ResolvedExport::Module(other)) => self.exported_names(&other, seen),
                _ => names,
            };
        }
        names.extend(scope.exports.keys().cloned());
        let own = scope.locals.iter().filter(|(_, entry)| entry.exported || !scope.explicit);
        names.extend(own.map(|(name, _)| name.clone()));
        for module in &scope.stars {
            let Some(other) = self.files.resolve(place.file, module).and_then(|path| self.file(path)) else { continue };
            // Nobody's default is passed on.
            names.extend(self.exported_names(&other, seen).into_iter().filter(|name| name != "default"));
        }
        names
    }

    /// What one of these names stands for; `seen` are the modules looked at already.
    fn resolve_export(
        &self,
        place: &ScopePosition<'f>,
        name: &str,
        hops: usize,
        seen: &mut BTreeSet<String>,
    ) -> Option<ResolvedExport<'f>> {
        let left = hops.checked_sub(1)?;
        let scope = place.scope().filter(|_| seen.insert(place.key()))?;
        if let Some(equals) = &scope.equals {
            return match self.resolve_local_path(place, equals, left)? {
                ResolvedExport::Entry { place, name: own, entry } => {
                    let inner = entry.namespace.as_ref().map(|namespace| place.enter_namespace(&own, namespace));
                    let found = inner.and_then(|inner| self.resolve_export(&inner, name, left, seen));
                    found.or_else(|| (name == "default").then_some(ResolvedExport::Entry { place, name: own, entry }))
                }
                ResolvedExport::Module(other) => self.resolve_export(&other, name, left, seen),
                ResolvedExport::Foreign { .. } => None,
            };
        }
        if let Some(target) = scope.exports.get(name) {
            return self.follow_target(place, name, target, left);
        }
        if let Some((own, entry)) = scope.locals.get_key_value(name)
            && (entry.exported || !scope.explicit)
        {
            return Some(ResolvedExport::Entry { place: place.clone(), name: own.clone(), entry });
        }
        scope.stars.iter().find_map(|module| {
            let other = self.file(self.files.resolve(place.file, module)?)?;
            self.resolve_export(&other, name, left, seen)
        })
    }

    fn resolve_fresh(&self, place: &ScopePosition<'f>, name: &str, hops: usize) -> Option<ResolvedExport<'f>> {
        self.resolve_export(place, name, hops, &mut BTreeSet::new())
    }

    fn follow_target(
        &self,
        place: &ScopePosition<'f>,
        name: &str,
        target: &NameTarget,
        hops: usize,
    ) -> Option<ResolvedExport<'f>> {
        let left = hops.checked_sub(1)?;
        match target {
            NameTarget::Local(path) if path[..] == [name.to_owned()] => self.resolve_in_scopes(place, name, left),
            NameTarget::Local(path) => self.resolve_local_path(place, path, left),
            NameTarget::Module(module) => match self.files.resolve(place.file, module) {
                Some(path) => self.file(path).map(ResolvedExport::Module),
                None => Some(ResolvedExport::Foreign { module: module.clone(), name: None }),
            },
            NameTarget::From { module, name } => match self.files.resolve(place.file, module) {
                Some(path) => self.resolve_fresh(&self.file(path)?, name, left),
                None => Some(ResolvedExport::Foreign { module: module.clone(), name: Some(name.clone()) }),
            },
        }
    }

    /// A name in a scope or in one around it.
    fn resolve_in_scopes(&self, place: &ScopePosition<'f>, name: &str, hops: usize) -> Option<ResolvedExport<'f>> {
        let mut here = place.clone();
        while let Some(scope) = here.scope() {
            if let Some((own, entry)) = scope.locals.get_key_value(name) {
                return Some(ResolvedExport::Entry { place: here.clone(), name: own.clone(), entry });
            }
            if let Some(target) = scope.imports.get(name) {
                return self.follow_target(&here, name, &as_elsewhere(target, name), hops);
            }
            here.around.pop();
            here.path.pop();
        }
        None
    }

    fn resolve_local_path(
        &self,
        place: &ScopePosition<'f>,
        path: &[String],
        hops: usize,
    ) -> Option<ResolvedExport<'f>> {
        let (first, rest) = path.split_first()?;
        let mut meaning = self.resolve_in_scopes(place, first, hops)?;
        for part in rest {
            meaning = match meaning {
                ResolvedExport::Entry { place, name, entry } => {
                    let inner = place.enter_namespace(&name, entry.namespace.as_ref()?);
                    self.resolve_fresh(&inner, part, hops.checked_sub(1)?)?
                }
                ResolvedExport::Module(other) => self.resolve_fresh(&other, part, hops.checked_sub(1)?)?,
                ResolvedExport::Foreign { module, .. } => ResolvedExport::Foreign { module, name: Some(part.clone()) },
            };
        }
        Some(meaning)
    }
}

/// `import a = a.b` would otherwise be taken for the import itself.
fn as_elsewhere(target: &NameTarget, name: &str) -> NameTarget {
    match target {
        NameTarget::Local(path) if path[..] == [name.to_owned()] => NameTarget::Local(Vec::new()),
        other => other.clone(),
    }
}

fn symbol_of_declaration(path: &str, declaration: &Declaration, file: &str) -> Symbol {
    let Doc { line, since, deprecated, example, details } = declaration.doc.clone();
    Symbol {
        path: path.to_owned(),
        kind: declaration.kind,
        signature: declaration.signature.clone(),
        overloads: declaration.overloads.clone(),
        doc: line,
        since,
        deprecated,
        example,
        details,
        aliases: Vec::new(),
        open: declaration.open.map(str::to_owned),
        file: file.to_owned(),
        line: declaration.line,
    }
}

fn plain_symbol(path: &str, kind: SymbolKind, signature: &str, file: &str) -> Symbol {
    let declaration = Declaration {
        kind,
        signature: signature.to_owned(),
        overloads: Vec::new(),
        doc: Doc::default(),
        line: 1,
        members: BTreeMap::new(),
        open: None,
    };
    symbol_of_declaration(path, &declaration, file)
}
