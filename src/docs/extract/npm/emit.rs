//! Which names a package gives out, and what stands behind each.

use std::collections::{BTreeMap, BTreeSet};

use super::package::Files;
use super::scope::{Declaration, Entry, Scope, Target};
use crate::symbol::{Kind, Symbol};
use crate::text::Doc;

/// How many references are followed for one name.
const HOPS: usize = 24;
/// How deep namespaces are looked into.
const DEPTH: usize = 3;

/// A scope with where it stands: the file, and the names of the namespaces around it.
#[derive(Debug, Clone)]
struct Place<'f> {
    file: &'f str,
    around: Vec<&'f Scope>,
    path: Vec<String>,
}

impl<'f> Place<'f> {
    fn scope(&self) -> Option<&'f Scope> {
        self.around.last().copied()
    }

    /// What tells it from every other place.
    fn key(&self) -> String {
        format!("{} {}", self.file, self.path.join("."))
    }

    fn inside(&self, name: &str, scope: &'f Scope) -> Self {
        let mut inner = self.clone();
        inner.around.push(scope);
        inner.path.push(name.to_owned());
        inner
    }
}

/// What a name comes to.
enum Meaning<'f> {
    Entry {
        place: Place<'f>,
        name: String,
        entry: &'f Entry,
    },
    /// All that another file gives out, as one thing.
    Module(Place<'f>),
    Foreign {
        module: String,
        name: Option<String>,
    },
}

type Found<'f> = BTreeMap<(String, Vec<String>, String), (&'f Declaration, BTreeSet<String>)>;

/// Walks what a package gives out.
pub(super) struct Emitter<'f> {
    files: &'f Files,
    found: Found<'f>,
    symbols: Vec<Symbol>,
    /// Namespaces that have been walked under a path.
    walked: BTreeSet<String>,
}

impl<'f> Emitter<'f> {
    pub(super) fn new(files: &'f Files) -> Self {
        Self { files, found: BTreeMap::new(), symbols: Vec::new(), walked: BTreeSet::new() }
    }

    /// Every public symbol, sorted by path.
    pub(super) fn symbols(mut self, name: &str, starts: &BTreeMap<String, String>) -> Vec<Symbol> {
        for (below, file) in starts {
            let module = format!("{name}{below}");
            let Some(place) = self.file(file) else { continue };
            self.symbols.push(plain(&module, Kind::Module, &format!("import … from \"{module}\""), file));
            self.walk(&module, &place, 0);
            let declared = place.scope().map(|scope| &scope.modules);
            for (other, scope) in declared.into_iter().flatten().filter(|(other, _)| !other.starts_with('.')) {
                self.symbols.push(plain(other, Kind::Module, &format!("import … from \"{other}\""), file));
                let inner = place.inside(other, scope);
                self.walk(other, &inner, 0);
            }
        }
        let mut symbols = self.symbols;
        for ((file, ..), (declaration, paths)) in self.found {
            let Some(path) = paths.iter().min_by_key(|path| (path.matches(['.', '/']).count(), path.len())).cloned()
            else {
                continue;
            };
            let mut symbol = of(&path, declaration, &file);
            symbol.aliases = paths.into_iter().filter(|other| *other != path).collect();
            symbols.push(symbol);
            for (member, declared) in &declaration.members {
                symbols.push(of(&format!("{path}.{member}"), declared, &file));
            }
        }
        symbols.sort_by(|a, b| (&a.path, a.kind == Kind::Module).cmp(&(&b.path, b.kind == Kind::Module)));
        symbols.dedup_by(|a, b| a.path == b.path);
        symbols
    }

    fn file(&self, path: &str) -> Option<Place<'f>> {
        let (file, scope) = self.files.scopes.get_key_value(path)?;
        Some(Place { file, around: vec![scope], path: Vec::new() })
    }

    fn walk(&mut self, prefix: &str, place: &Place<'f>, depth: usize) {
        if depth > DEPTH || !self.walked.insert(prefix.to_owned()) {
            return;
        }
        for name in self.names(place, &mut BTreeSet::new()) {
            let Some(meaning) = self.one(place, &name, HOPS) else { continue };
            let path = format!("{prefix}.{name}");
            match meaning {
                Meaning::Entry { place, name: own, entry } => {
                    if let Some(declaration) = &entry.declaration {
                        let key = (place.file.to_owned(), place.path.clone(), own.clone());
                        self.found.entry(key).or_insert_with(|| (declaration, BTreeSet::new())).1.insert(path.clone());
                    }
                    if let Some(namespace) = &entry.namespace {
                        self.walk(&path, &place.inside(&own, namespace), depth + 1);
                    }
                }
                Meaning::Module(inner) => {
                    let signature = format!("namespace {name}");
                    self.symbols.push(plain(&path, Kind::Namespace, &signature, inner.file));
                    self.walk(&path, &inner, depth + 1);
                }
                Meaning::Foreign { module, name: own } => {
                    let signature = match own {
                        Some(own) => format!("import {{ {own} }} from \"{module}\""),
                        None => format!("import * as {name} from \"{module}\""),
                    };
                    self.symbols.push(plain(&path, Kind::Reexport, &signature, place.file));
                }
            }
        }
    }

    /// The names that a module or namespace gives out; `seen` are the modules looked at already.
    fn names(&self, place: &Place<'f>, seen: &mut BTreeSet<String>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let Some(scope) = place.scope().filter(|_| seen.insert(place.key())) else { return names };
        if let Some(equals) = &scope.equals {
            return match self.local(place, equals, HOPS) {
                Some(Meaning::Entry { place, name, entry }) => {
                    // The thing itself is what a default import gets.
                    names.insert("default".to_owned());
                    let inner = entry.namespace.as_ref().map(|namespace| place.inside(&name, namespace));
                    names.extend(inner.into_iter().flat_map(|inner| self.names(&inner, seen)));
                    names
                }
                Some(Meaning::Module(other)) => self.names(&other, seen),
                _ => names,
            };
        }
        names.extend(scope.exports.keys().cloned());
        let own = scope.locals.iter().filter(|(_, entry)| entry.exported || !scope.explicit);
        names.extend(own.map(|(name, _)| name.clone()));
        for module in &scope.stars {
            let Some(other) = self.files.resolve(place.file, module).and_then(|path| self.file(path)) else { continue };
            // Nobody's default is passed on.
            names.extend(self.names(&other, seen).into_iter().filter(|name| name != "default"));
        }
        names
    }

    /// What one of these names stands for; `seen` are the modules looked at already.
    fn find(&self, place: &Place<'f>, name: &str, hops: usize, seen: &mut BTreeSet<String>) -> Option<Meaning<'f>> {
        let left = hops.checked_sub(1)?;
        let scope = place.scope().filter(|_| seen.insert(place.key()))?;
        if let Some(equals) = &scope.equals {
            return match self.local(place, equals, left)? {
                Meaning::Entry { place, name: own, entry } => {
                    let inner = entry.namespace.as_ref().map(|namespace| place.inside(&own, namespace));
                    let found = inner.and_then(|inner| self.find(&inner, name, left, seen));
                    found.or_else(|| (name == "default").then_some(Meaning::Entry { place, name: own, entry }))
                }
                Meaning::Module(other) => self.find(&other, name, left, seen),
                Meaning::Foreign { .. } => None,
            };
        }
        if let Some(target) = scope.exports.get(name) {
            return self.follow(place, name, target, left);
        }
        if let Some((own, entry)) = scope.locals.get_key_value(name)
            && (entry.exported || !scope.explicit)
        {
            return Some(Meaning::Entry { place: place.clone(), name: own.clone(), entry });
        }
        scope.stars.iter().find_map(|module| {
            let other = self.file(self.files.resolve(place.file, module)?)?;
            self.find(&other, name, left, seen)
        })
    }

    fn one(&self, place: &Place<'f>, name: &str, hops: usize) -> Option<Meaning<'f>> {
        self.find(place, name, hops, &mut BTreeSet::new())
    }

    fn follow(&self, place: &Place<'f>, name: &str, target: &Target, hops: usize) -> Option<Meaning<'f>> {
        let left = hops.checked_sub(1)?;
        match target {
            Target::Local(path) if path[..] == [name.to_owned()] => self.own(place, name, left),
            Target::Local(path) => self.local(place, path, left),
            Target::Module(module) => match self.files.resolve(place.file, module) {
                Some(path) => self.file(path).map(Meaning::Module),
                None => Some(Meaning::Foreign { module: module.clone(), name: None }),
            },
            Target::From { module, name } => match self.files.resolve(place.file, module) {
                Some(path) => self.one(&self.file(path)?, name, left),
                None => Some(Meaning::Foreign { module: module.clone(), name: Some(name.clone()) }),
            },
        }
    }

    /// A name in a scope or in one around it.
    fn own(&self, place: &Place<'f>, name: &str, hops: usize) -> Option<Meaning<'f>> {
        let mut here = place.clone();
        while let Some(scope) = here.scope() {
            if let Some((own, entry)) = scope.locals.get_key_value(name) {
                return Some(Meaning::Entry { place: here.clone(), name: own.clone(), entry });
            }
            if let Some(target) = scope.imports.get(name) {
                return self.follow(&here, name, &as_elsewhere(target, name), hops);
            }
            here.around.pop();
            here.path.pop();
        }
        None
    }

    fn local(&self, place: &Place<'f>, path: &[String], hops: usize) -> Option<Meaning<'f>> {
        let (first, rest) = path.split_first()?;
        let mut meaning = self.own(place, first, hops)?;
        for part in rest {
            meaning = match meaning {
                Meaning::Entry { place, name, entry } => {
                    let inner = place.inside(&name, entry.namespace.as_ref()?);
                    self.one(&inner, part, hops.checked_sub(1)?)?
                }
                Meaning::Module(other) => self.one(&other, part, hops.checked_sub(1)?)?,
                Meaning::Foreign { module, .. } => Meaning::Foreign { module, name: Some(part.clone()) },
            };
        }
        Some(meaning)
    }
}

/// `import a = a.b` would otherwise be taken for the import itself.
fn as_elsewhere(target: &Target, name: &str) -> Target {
    match target {
        Target::Local(path) if path[..] == [name.to_owned()] => Target::Local(Vec::new()),
        other => other.clone(),
    }
}

fn of(path: &str, declaration: &Declaration, file: &str) -> Symbol {
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
        file: file.to_owned(),
        line: declaration.line,
    }
}

fn plain(path: &str, kind: Kind, signature: &str, file: &str) -> Symbol {
    let declaration = Declaration {
        kind,
        signature: signature.to_owned(),
        overloads: Vec::new(),
        doc: Doc::default(),
        line: 1,
        members: BTreeMap::new(),
    };
    of(path, &declaration, file)
}
