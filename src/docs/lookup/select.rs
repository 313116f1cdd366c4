//! What of a library answers a question.

use super::index::IndexHit;
use super::library::SearchableLibrary;
use super::names::nearest_names;
use crate::symbol::{LibraryIndex, Symbol, SymbolKind};

/// Most symbols and sections that are considered for one answer.
const SYMBOLS: usize = 40;
const GUIDES: usize = 12;
/// What fits less than this share of the best is no answer.
const SHARE: f32 = 0.35;

/// What was chosen, best first.
#[derive(Debug, Default)]
pub(super) struct Chosen<'l> {
    pub(super) symbols: Vec<&'l Symbol>,
    /// Places in the index's guides.
    pub(super) guides: Vec<usize>,
    /// A name was asked for and is not there: the names nearest to it.
    pub(super) missing: Option<Vec<&'l str>>,
}

/// Chooses for a topic, or the overview without one.
pub(super) fn choose_content<'l>(library: &'l SearchableLibrary, topic: Option<&str>) -> Chosen<'l> {
    let index = &library.index;
    let Some(topic) = topic.map(str::trim).filter(|topic| !topic.is_empty()) else { return overview(index) };
    let name = plain_name(topic);
    if let Some(name) = &name
        && let Some(found) = by_name(index, name)
    {
        let mut symbols = vec![found];
        symbols.extend(symbols_below(index, &found.path));
        symbols.truncate(SYMBOLS);
        return Chosen { symbols, guides: matching_guides(library, topic), missing: None };
    }
    let hits = library.terms.symbols(index, topic);
    let looks_like_code = name.as_deref().is_some_and(is_code);
    if looks_like_code || hits.is_empty() && name.is_some() {
        let asked = name.unwrap_or_default();
        let near = near_paths(index, &asked);
        let symbols = near.iter().filter_map(|path| index.get(path)).collect();
        return Chosen { symbols, guides: Vec::new(), missing: Some(near) };
    }
    let symbols = best_hits(&hits, SYMBOLS).filter_map(|at| index.symbols.get(at)).collect();
    Chosen { symbols, guides: matching_guides(library, topic), missing: None }
}

/// Whether a library has a name, for telling of another version that has it.
pub(super) fn has_symbol_named(index: &LibraryIndex, topic: &str) -> bool {
    plain_name(topic).is_some_and(|name| by_name(index, &name).is_some())
}

fn matching_guides(library: &SearchableLibrary, topic: &str) -> Vec<usize> {
    best_hits(&library.terms.guides(topic), GUIDES).collect()
}

fn best_hits(hits: &[IndexHit], most: usize) -> impl Iterator<Item = usize> {
    let top = hits.first().map_or(0.0, |hit| hit.score);
    hits.iter().take_while(move |hit| hit.score >= SHARE * top).take(most).map(|hit| hit.at)
}

/// What the top of the library offers, and how its own description begins.
fn overview(index: &LibraryIndex) -> Chosen<'_> {
    let depth = |symbol: &Symbol| symbol.path.matches('.').count();
    let mut symbols: Vec<&Symbol> = index.symbols.iter().filter(|symbol| depth(symbol) <= 1).collect();
    let order = |kind| match kind {
        SymbolKind::Class | SymbolKind::Interface => 0,
        SymbolKind::Function => 1,
        SymbolKind::Module | SymbolKind::Namespace => 2,
        _ => 3,
    };
    symbols.sort_by_key(|symbol| (order(symbol.kind), symbol.deprecated.is_some(), symbol.doc.is_empty()));
    symbols.truncate(SYMBOLS);
    Chosen { symbols, guides: (0..index.guides.len().min(2)).collect(), missing: None }
}

/// A topic that can be a name, without what people put around names.
fn plain_name(topic: &str) -> Option<String> {
    let name = topic.trim_matches('`').trim_end_matches("()").replace("::", ".");
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '#');
    (!name.is_empty() && name.chars().all(fits)).then_some(name)
}

/// A name that nobody would write in prose.
fn is_code(name: &str) -> bool {
    let inner = name.chars().skip(1).any(char::is_uppercase) && name.chars().any(char::is_lowercase);
    name.contains(['.', '_', '$', '#']) || inner
}

/// The symbol of a name: by its whole path, by the end of its path, whatever its case.
fn by_name<'l>(index: &'l LibraryIndex, name: &str) -> Option<&'l Symbol> {
    if let Some(exact) = index.get(name) {
        return Some(exact);
    }
    if let Some(member) = member_by_owner(index, name) {
        return Some(member);
    }
    let ending = format!(".{name}");
    let ends = |path: &str| path.ends_with(&ending);
    let shortest = |fits: &dyn Fn(&str) -> bool| {
        let found = index.symbols.iter().filter(|symbol| symbol.paths().any(fits));
        // A thing rather than the module it stands in, the one nearest to the top, one of its own rather than a member.
        found.min_by_key(|symbol| {
            let member = matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Attribute);
            (member, symbol.path.matches('.').count(), symbol.kind == SymbolKind::Module, symbol.path.len())
        })
    };
    let lower = ending.to_lowercase();
    shortest(&ends).or_else(|| shortest(&|path: &str| path.to_lowercase().ends_with(&lower)))
}

/// A member by another path of what it belongs to.
fn member_by_owner<'l>(index: &'l LibraryIndex, name: &str) -> Option<&'l Symbol> {
    let (owner, last) = name.rsplit_once('.')?;
    let owner = by_name(index, owner).filter(|owner| owner.kind.holds_members())?;
    index.get(&format!("{}.{last}", owner.path))
}

/// Why a name that is not found may be there all the same; none where everything is known of what it would belong to.
pub(super) fn why_uncertain(index: &LibraryIndex, topic: &str) -> Option<String> {
    let name = plain_name(topic)?;
    let (owner, last) = name.rsplit_once(['.', '#']).map_or((None, name.as_str()), |(owner, last)| (Some(owner), last));
    if last.starts_with('_') {
        return Some("names that begin with an underscore are not listed".to_owned());
    }
    let owner = match owner {
        Some(owner) => by_name(index, owner)?,
        // What is named alone may be meant of the package itself, and may be in a module of which nothing is known.
        None => {
            let is_unknown = |symbol: &Symbol| {
                symbol.kind == SymbolKind::Module && symbols_below(index, &symbol.path).next().is_none()
            };
            let may_have = |symbol: &&Symbol| !symbol.path.contains('.') || is_unknown(symbol);
            index.symbols.iter().filter(|symbol| symbol.open.is_some()).find(may_have)?
        }
    };
    if !owner.kind.holds_members() {
        return Some(format!("what `{}` gives is not followed", owner.path));
    }
    owner.open.as_ref().map(|why| format!("`{}` is open: {why}", owner.path))
}

/// What stands directly below a path.
fn symbols_below<'l>(index: &'l LibraryIndex, path: &str) -> impl Iterator<Item = &'l Symbol> {
    let prefix = format!("{path}.");
    let start = index.symbols.partition_point(|symbol| symbol.path.as_str() < prefix.as_str());
    let rest = index.symbols.get(start..).unwrap_or_default().iter();
    rest.take_while({
        let prefix = prefix.clone();
        move |symbol| symbol.path.starts_with(&prefix)
    })
    .filter(move |symbol| symbol.path.get(prefix.len()..).is_some_and(|name| !name.contains('.')))
}

/// The paths whose last parts are nearest to a name.
fn near_paths<'l>(index: &'l LibraryIndex, name: &str) -> Vec<&'l str> {
    let last = name.rsplit(['.', '#']).next().unwrap_or(name);
    // Somebody who means a member usually says of what.
    let member = |kind| matches!(kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Attribute);
    let admitted = |symbol: &&Symbol| symbol.kind != SymbolKind::Module && (name.contains('.') || !member(symbol.kind));
    let names = index.symbols.iter().filter(admitted).map(Symbol::name);
    let close = nearest_names(last, names, 3);
    let path = |name: &&str| by_name(index, name).map(|symbol| symbol.path.as_str());
    close.iter().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::extract::python::python_symbols;
    use crate::symbol::FORMAT;
    use crate::tree::Packed;
    use tapps_project::packages::Ecosystem;

    #[test]
    fn what_may_be_in_a_compiled_module_is_not_denied() {
        let index = |record: &str| {
            let files = [("demo/__init__.py", "def run(): ...\n"), ("demo-1.0.dist-info/RECORD", record)];
            let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
            LibraryIndex {
                format: FORMAT,
                ecosystem: Ecosystem::PyPi,
                library: "demo".to_owned(),
                version: "1.0".to_owned(),
                source_sha256: String::new(),
                symbols: python_symbols(&Packed::from_files(BTreeMap::from(files))).unwrap(),
                guides: Vec::new(),
            }
        };
        let compiled = index("demo/etree.cpython-312-x86_64-linux-gnu.so,,\n");
        let why = "`demo.etree` is open: it is compiled, and nothing beside it tells what it has";
        assert_eq!(why_uncertain(&compiled, "demo.etree.parse").as_deref(), Some(why));
        assert_eq!(why_uncertain(&compiled, "parse_tree").as_deref(), Some(why));
        assert_eq!(why_uncertain(&compiled, "demo.parse"), None);
        assert_eq!(why_uncertain(&index("demo/__init__.py,,\n"), "parse_tree"), None);
    }
}
