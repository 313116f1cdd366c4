//! Which names a package offers to its users, and what stands behind each.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::class::is_public;
use super::inherit::{ClassKey, InheritedPaths};
use super::module::{All, Bound, DocumentedModule, PythonItem};
use crate::symbol::{Symbol, SymbolKind};

/// How many imports are followed for one name.
pub(super) const HOPS: usize = 24;

/// All modules of a distribution.
#[derive(Debug)]
pub(super) struct Modules {
    pub(super) modules: BTreeMap<String, DocumentedModule>,
    /// The first parts of their names: what begins otherwise belongs to another distribution.
    roots: BTreeSet<String>,
    /// What is known by now of the value of their `__all__`.
    listed: RefCell<BTreeMap<String, Option<BTreeSet<String>>>>,
}

/// What a name comes to.
pub(super) enum ResolvedPythonName<'m> {
    Item {
        module: &'m str,
        file: &'m str,
        name: &'m str,
        item: &'m PythonItem,
    },
    Module,
    Foreign {
        module: &'m str,
        name: Option<&'m str>,
    },
    /// A name of a compiled module, if it has it.
    Compiled {
        module: &'m str,
        name: String,
    },
    Unknown,
}

impl Modules {
    pub(super) fn new(modules: BTreeMap<String, DocumentedModule>) -> Self {
        let roots = modules.keys().filter_map(|name| name.split('.').next()).map(str::to_owned).collect();
        Self { modules, roots, listed: RefCell::default() }
    }

    /// Every public symbol, sorted by path.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        // Every definition once, with all paths that lead to it.
        let mut found: BTreeMap<(&str, &str), (ModuleDefinition<'_>, BTreeSet<String>)> = BTreeMap::new();
        let mut symbols = Vec::new();
        for (module, content) in self.modules.iter().filter(|(name, _)| is_public_module(name)) {
            let symbol = of_module(module, content);
            symbols.push(Symbol { open: self.why_module_is_open(content), ..symbol });
            let listed = self.all_of(module, HOPS).is_some();
            for name in self.public_names(module, content) {
                match self.resolve(module, &name, HOPS) {
                    ResolvedPythonName::Item { module: home, file, name: own, item } => {
                        let entry = found.entry((home, own));
                        let (_, paths) = entry.or_insert_with(|| (ModuleDefinition { file, item }, BTreeSet::new()));
                        paths.insert(format!("{module}.{name}"));
                    }
                    ResolvedPythonName::Foreign { module: from, name: Some(own) } => {
                        symbols.push(reexport_symbol(module, &name, from, own, content));
                    }
                    ResolvedPythonName::Compiled { module: from, name: own } => {
                        symbols.push(reexport_symbol(module, &name, from, &own, content));
                    }
                    // Named by `__all__`, made while the module is imported.
                    ResolvedPythonName::Unknown if listed => symbols.push(unknown_symbol_of(module, &name, content)),
                    _ => {}
                }
            }
        }
        let mut inherited = InheritedPaths::new();
        let told: BTreeMap<ClassKey<'_>, String> =
            found.iter().filter_map(|(key, (_, paths))| Some((*key, told_path(paths)?))).collect();
        for (key, (definition, paths)) in found {
            if let Some(path) = told.get(&key) {
                self.emit_definition((key.0, path), &definition, paths, &mut inherited, &mut symbols);
            }
        }
        emit_inherited(inherited, &told, &mut symbols);
        // Where a module and what it is named after share a path, the thing in it is what people mean.
        symbols.sort_by(|a, b| (&a.path, a.kind == SymbolKind::Module).cmp(&(&b.path, b.kind == SymbolKind::Module)));
        symbols.dedup_by(|a, b| a.path == b.path);
        symbols
    }

    /// Why a module may have names that are not listed.
    fn why_module_is_open(&self, content: &DocumentedModule) -> Option<String> {
        if content.open {
            return Some("it has `__getattr__`".to_owned());
        }
        if content.stub {
            return Some("a stub is read of it, which may leave names out".to_owned());
        }
        if content.makes_names {
            return Some("it makes names by computing them".to_owned());
        }
        if content.compiled {
            return Some("it is compiled, and nothing beside it tells what it has".to_owned());
        }
        let unread = self.unread_star(content, HOPS, &mut BTreeSet::new())?;
        Some(format!("it takes all names of `{unread}`, which is not read"))
    }

    /// A module that is not read and whose names a module has all, over others too.
    fn unread_star<'m>(
        &'m self,
        content: &'m DocumentedModule,
        hops: usize,
        seen: &mut BTreeSet<&'m str>,
    ) -> Option<&'m str> {
        let left = hops.checked_sub(1)?;
        content.stars.iter().find_map(|from| match self.modules.get(from) {
            Some(module) if !module.compiled => {
                seen.insert(from).then(|| self.unread_star(module, left, seen)).flatten()
            }
            _ => Some(from.as_str()),
        })
    }

    /// The names a module offers.
    fn public_names(&self, module: &str, content: &DocumentedModule) -> BTreeSet<String> {
        if let Some(names) = self.all_of(module, HOPS) {
            return names.into_iter().filter(|name| is_public(name)).collect();
        }
        let mut names: BTreeSet<String> = content
            .names
            .iter()
            .filter(|(name, bound)| is_public(name) && self.is_offered(module, content, bound))
            .map(|(name, _)| name.clone())
            .collect();
        if content.package || content.names.is_empty() {
            let mut seen = BTreeSet::new();
            for from in &content.stars {
                self.collect_star_imported(from, HOPS, &mut seen, &mut names);
            }
        }
        names
    }

    /// Whether a name of a module without `__all__` is meant for its users.
    fn is_offered(&self, module: &str, content: &DocumentedModule, bound: &Bound) -> bool {
        match bound {
            Bound::Here(item) => !item.typing,
            Bound::Import(import) if import.typing => false,
            Bound::Import(import) if import.explicit => true,
            Bound::Import(import) => {
                let Some(name) = &import.name else { return false };
                content.package && !content.stub && self.is_own(&import.module) && {
                    !self.modules.contains_key(&format!("{}.{name}", import.module)) || {
                        // A module and a thing in its parent may share a name.
                        matches!(self.resolve(module, name, HOPS), ResolvedPythonName::Item { .. })
                    }
                }
            }
        }
    }

    /// Adds the names that `from module import *` brings; modules may take over each other's in circles.
    fn collect_star_imported<'m>(
        &'m self,
        module: &'m str,
        hops: usize,
        seen: &mut BTreeSet<&'m str>,
        names: &mut BTreeSet<String>,
    ) {
        let Some((content, left)) = self.modules.get(module).zip(hops.checked_sub(1)) else { return };
        if !seen.insert(module) {
            return;
        }
        if let Some(all) = self.all_of(module, left) {
            return names.extend(all);
        }
        let own = content.names.iter().filter(|(name, bound)| is_public(name) && !bound.is_typing_only());
        let visible = own.filter(|(_, bound)| match bound {
            Bound::Here(_) => true,
            Bound::Import(import) if content.stub => import.explicit,
            Bound::Import(import) => import.name.is_some() && self.is_own(&import.module),
        });
        names.extend(visible.map(|(name, _)| name.clone()));
        for from in &content.stars {
            self.collect_star_imported(from, left, seen, names);
        }
    }

    /// The value of a module's `__all__`; `None` without one.
    fn all_of(&self, module: &str, hops: usize) -> Option<BTreeSet<String>> {
        if let Some(known) = self.listed.borrow().get(module) {
            return known.clone();
        }
        let content = self.modules.get(module)?;
        let left = hops.checked_sub(1)?;
        // Who asks in the meantime goes round in a circle.
        self.listed.borrow_mut().insert(module.to_owned(), None);
        let names = self.follow_all(content, left);
        self.listed.borrow_mut().insert(module.to_owned(), names.clone());
        names
    }

    fn follow_all(&self, content: &DocumentedModule, left: usize) -> Option<BTreeSet<String>> {
        let Some(steps) = &content.all else {
            // It is asked for like any other name that the module lacks.
            return content.forwards.iter().find_map(|from| self.all_of(from, left));
        };
        let mut names = BTreeSet::new();
        for step in steps {
            match step {
                All::Names(more) => names.extend(more.iter().cloned()),
                All::Of(other) => names.extend(self.all_of(other, left).unwrap_or_default()),
                All::Without(name) => {
                    names.remove(name);
                }
            }
        }
        Some(names)
    }

    fn is_own(&self, module: &str) -> bool {
        module.split('.').next().is_some_and(|root| self.roots.contains(root))
    }

    /// What a name in a module stands for.
    pub(super) fn resolve<'m>(&'m self, module: &str, name: &str, hops: usize) -> ResolvedPythonName<'m> {
        self.resolve_unasked(module, name, hops, &mut BTreeSet::new())
    }

    /// The same, where modules that were asked for a name before are not asked again.
    fn resolve_unasked<'m: 'n, 'n>(
        &'m self,
        module: &str,
        name: &'n str,
        hops: usize,
        asked: &mut BTreeSet<(&'m str, &'n str)>,
    ) -> ResolvedPythonName<'m> {
        let Some(((key, content), left)) = self.modules.get_key_value(module).zip(hops.checked_sub(1)) else {
            return ResolvedPythonName::Unknown;
        };
        match content.names.get_key_value(name) {
            Some((own, Bound::Here(item))) => {
                ResolvedPythonName::Item { module: key, file: &content.file, name: own, item }
            }
            Some((_, Bound::Import(import))) => match &import.name {
                None if self.is_own(&import.module) => ResolvedPythonName::Module,
                None => ResolvedPythonName::Foreign { module: &import.module, name: None },
                Some(own) if !self.is_own(&import.module) => {
                    ResolvedPythonName::Foreign { module: &import.module, name: Some(own) }
                }
                Some(own) => match self.resolve_unasked(&import.module, own, left, asked) {
                    ResolvedPythonName::Unknown if self.modules.contains_key(&format!("{}.{own}", import.module)) => {
                        ResolvedPythonName::Module
                    }
                    meaning => meaning,
                },
            },
            None if !asked.insert((key, name)) => ResolvedPythonName::Unknown,
            None => {
                let all = content.stars.iter().rev().chain(&content.typing_stars).chain(&content.forwards);
                // What is compiled may have any name, so that it has one only where nothing else does.
                let of_compiled = || ResolvedPythonName::Compiled { module: key, name: name.to_owned() };
                let mut otherwise = content.compiled.then(of_compiled);
                for from in all {
                    match self.resolve_unasked(from, name, left, asked) {
                        ResolvedPythonName::Unknown => {}
                        meaning @ ResolvedPythonName::Compiled { .. } => otherwise = otherwise.or(Some(meaning)),
                        meaning => return meaning,
                    }
                }
                if self.modules.contains_key(&format!("{module}.{name}")) {
                    return ResolvedPythonName::Module;
                }
                otherwise.unwrap_or(ResolvedPythonName::Unknown)
            }
        }
    }

    fn emit_definition<'m>(
        &'m self,
        (home, path): (&str, &str),
        definition: &ModuleDefinition<'m>,
        paths: BTreeSet<String>,
        inherited: &mut InheritedPaths<'m>,
        symbols: &mut Vec<Symbol>,
    ) {
        let ModuleDefinition { file, item } = *definition;
        let aliases: Vec<String> = paths.into_iter().filter(|other| other != path).collect();
        let mut symbol = of_item(path, item, file);
        if item.kind.holds_members() {
            let taken = self.inherited(home, item);
            symbol.open = symbol.open.or(taken.open);
            for member in taken.members {
                let (_, reached) =
                    inherited.entry((member.class, member.name)).or_insert_with(|| (member, BTreeSet::new()));
                reached.insert(format!("{path}.{}", member.name));
            }
        }
        if item.kind == SymbolKind::Class
            && !item.constructor
            && let Some(made) = self.inherited_constructor(home, item, HOPS, &mut BTreeSet::new())
        {
            symbol.signature = format!("{}{made}", symbol.name());
        }
        symbol.aliases = aliases;
        symbols.push(symbol);
        emit_members(path, item, file, symbols);
    }

    /// The parameters of the constructor that a class takes from a base of this distribution, with the brackets.
    fn inherited_constructor<'m>(
        &'m self,
        home: &str,
        item: &PythonItem,
        hops: usize,
        seen: &mut BTreeSet<ClassKey<'m>>,
    ) -> Option<String> {
        let left = hops.checked_sub(1)?;
        item.bases.iter().find_map(|base| {
            let ResolvedPythonName::Item { module, name, item, .. } = self.resolve(home, base, left) else {
                return None;
            };
            if !seen.insert((module, name)) {
                return None;
            }
            if item.constructor {
                return item.signature.find('(').and_then(|at| item.signature.get(at..)).map(str::to_owned);
            }
            self.inherited_constructor(module, item, left, seen)
        })
    }
}

struct ModuleDefinition<'m> {
    file: &'m str,
    item: &'m PythonItem,
}

/// A module that users may name: no private part, no tests.
fn is_public_module(name: &str) -> bool {
    name.split('.').all(|part| is_public(part) && !matches!(part, "tests" | "conftest" | "setup"))
}

/// The path with the fewest parts is the one people are told to use; the others are still found.
fn told_path(paths: &BTreeSet<String>) -> Option<String> {
    paths.iter().min_by_key(|path| (path.matches('.').count(), path.len())).cloned()
}

/// Puts inherited members beside those that classes define: under further paths where the class that defines them is public
/// itself, else as symbols of the classes that have them.
fn emit_inherited(inherited: InheritedPaths<'_>, classes: &BTreeMap<ClassKey<'_>, String>, symbols: &mut Vec<Symbol>) {
    let places: BTreeMap<String, usize> =
        symbols.iter().enumerate().map(|(at, symbol)| (symbol.path.clone(), at)).collect();
    for ((class, name), (member, mut reached)) in inherited {
        let defined = classes.get(&class).and_then(|path| places.get(&format!("{path}.{name}")));
        if let Some(symbol) = defined.and_then(|at| symbols.get_mut(*at)) {
            symbol.aliases.extend(reached);
            symbol.aliases.sort();
            continue;
        }
        let Some(path) = told_path(&reached) else { continue };
        reached.remove(&path);
        let mut symbol = of_member(&path, member.item, member.file);
        symbol.aliases = reached.into_iter().collect();
        symbols.push(symbol);
        emit_members(&path, member.item, member.file, symbols);
    }
}

fn emit_members(path: &str, item: &PythonItem, file: &str, symbols: &mut Vec<Symbol>) {
    for (name, member) in &item.members {
        let below = format!("{path}.{name}");
        symbols.push(of_member(&below, member, file));
        emit_members(&below, member, file, symbols);
    }
}

/// A member; of a class in a class nothing is taken from its bases.
fn of_member(path: &str, item: &PythonItem, file: &str) -> Symbol {
    let mut symbol = of_item(path, item, file);
    if !item.bases.is_empty() {
        symbol.open.get_or_insert_with(|| "its bases are not followed".to_owned());
    }
    symbol
}

fn of_item(path: &str, item: &PythonItem, file: &str) -> Symbol {
    Symbol {
        path: path.to_owned(),
        kind: item.kind,
        signature: item.signature.clone(),
        overloads: item.overloads.clone(),
        doc: item.doc.line.clone(),
        since: item.doc.since.clone(),
        deprecated: item.doc.deprecated.clone(),
        example: item.doc.example.clone(),
        details: item.doc.details.clone(),
        aliases: Vec::new(),
        open: item.open.clone(),
        file: file.to_owned(),
        line: item.line,
    }
}

fn of_module(path: &str, module: &DocumentedModule) -> Symbol {
    let mut item = PythonItem::new(SymbolKind::Module, format!("module {path}"), 1);
    item.doc = module.doc.clone();
    of_item(path, &item, &module.file)
}

fn reexport_symbol(module: &str, name: &str, from: &str, own: &str, content: &DocumentedModule) -> Symbol {
    let item = PythonItem::new(SymbolKind::Reexport, format!("from {from} import {own}"), 1);
    of_item(&format!("{module}.{name}"), &item, &content.file)
}

fn unknown_symbol_of(module: &str, name: &str, content: &DocumentedModule) -> Symbol {
    of_item(&format!("{module}.{name}"), &PythonItem::new(SymbolKind::Variable, name.to_owned(), 1), &content.file)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::super::testing::{paths, symbols_of_files};

    /// Each module takes all names of all others, and each class has all before it as bases: to go every way would take longer
    /// than anybody waits.
    #[test]
    fn modules_and_classes_that_lead_to_each_other_in_many_ways_are_read_once() {
        let stars: String = (0..9).fold(String::new(), |mut text, at| {
            let _ = writeln!(text, "from .m{at} import *");
            text
        });
        let mut files = vec![("demo/__init__.py".to_owned(), stars.clone())];
        for at in 0..9 {
            files.push((format!("demo/m{at}.py"), format!("{stars}def f{at}(): ...\nclass Lost(Nowhere): ...\n")));
        }
        let mut classes = "class C0: ...\n".to_owned();
        for at in 1..30 {
            let bases: Vec<String> = (0..at).rev().map(|base| format!("C{base}")).collect();
            let _ = writeln!(classes, "class C{at}({}): ...", bases.join(", "));
        }
        files.push(("demo/classes.py".to_owned(), classes));
        for at in 0..30 {
            let next = at + 1;
            let listed = format!("from . import l{next}\n__all__ = ['f0'] + l{next}.__all__ + l{next}.__all__\n");
            files.push((format!("demo/l{at}.py"), listed));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let symbols = symbols_of_files(&files);
        let all = paths(&symbols);
        assert!((0..9).all(|at| all.contains(&&*format!("demo.f{at}"))), "{all:?}");
        let lost = symbols.iter().find(|symbol| symbol.path == "demo.Lost").unwrap();
        assert_eq!(lost.open.as_deref(), Some("its base `Nowhere` is not in the library's own modules"));
    }
}
