//! A whole package: its entry points, the files behind them, its texts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::emit::Emitter;
use super::entry::{declaration_files_of, entry_points_of};
use super::read::read_declaration_file;
use super::scope::DeclarationScope;
use crate::symbol::{FORMAT, Guide, LibraryIndex, Symbol};
use crate::text::split_sections;
use crate::tree::{FILE_MAX, Installed, Tree};
use tapps_base::{Error, ErrorCode, Result};
use tapps_project::packages::Ecosystem;
use tapps_project::parse;
use tapps_sandbox::Boundary;

/// Most declaration files that are read of one package.
const FILES: usize = 3_000;

/// The declaration files of a package that its entry points lead to, by path.
#[derive(Debug, Default)]
pub(super) struct DeclarationFiles {
    pub(super) scopes: BTreeMap<String, DeclarationScope>,
}

impl DeclarationFiles {
    /// The file that a relative specifier in a file names.
    pub(super) fn resolve(&self, from: &str, specifier: &str) -> Option<&str> {
        candidates(from, specifier)?
            .iter()
            .find_map(|path| self.scopes.get_key_value(path))
            .map(|(path, _)| path.as_str())
    }
}

/// The paths that a relative specifier can mean; `None` for another package.
fn candidates(from: &str, specifier: &str) -> Option<Vec<String>> {
    if !specifier.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    let mut found = declaration_files_of(&joined);
    // A folder, or a file named as the language's own sources are.
    if let Some(stem) = joined.strip_suffix(".ts") {
        found.insert(0, format!("{stem}.d.ts"));
    }
    if joined.is_empty() {
        found.push("index.d.ts".to_owned());
    }
    Some(found)
}

/// The public symbols of a package, sorted by path; `name` is what its users import.
///
/// # Errors
/// `unsupported_language` for a package without declarations.
pub fn npm_symbols(tree: &dyn Tree, name: &str) -> Result<Vec<Symbol>> {
    let manifest: Value = serde_json::from_slice(&tree.read("package.json")?).map_err(|error| {
        Error::new(ErrorCode::CorruptedData, format!("the package.json of {name} cannot be read: {error}"))
    })?;
    parse::on_parsing_threads(|| {
        let (mut files, mut starts) = (DeclarationFiles::default(), BTreeMap::new());
        for (below, candidates) in entry_points_of(&manifest) {
            if let Some(start) = candidates.into_iter().find(|path| load_files(tree, &mut files, path)) {
                starts.insert(below, start);
            }
        }
        if starts.is_empty() {
            return Err(Error::new(ErrorCode::UnsupportedLanguage, format!("{name} brings no type declarations"))
                .hint(format!("install @types/{name}, if there is such a package")));
        }
        Ok(Emitter::new(&files).symbols(name, &starts))
    })?
}

/// Reads a file and everything it refers to; false when there is no such file.
fn load_files(tree: &dyn Tree, files: &mut DeclarationFiles, start: &str) -> bool {
    let mut waiting = vec![start.to_owned()];
    while let Some(path) = waiting.pop() {
        if files.scopes.contains_key(&path) || files.scopes.len() >= FILES {
            continue;
        }
        let Some(scope) = tree.text(&path).and_then(|text| read_declaration_file(&path, &text)) else { continue };
        for specifier in referred_modules(&scope) {
            if let Some(found) = candidates(&path, &specifier) {
                // The first that exists is the one that is meant.
                waiting
                    .extend(found.into_iter().find(|path| files.scopes.contains_key(path) || tree.read(path).is_ok()));
            }
        }
        files.scopes.insert(path, scope);
    }
    files.scopes.contains_key(start)
}

/// The modules that a scope refers to.
fn referred_modules(scope: &DeclarationScope) -> Vec<String> {
    use super::scope::NameTarget;
    let targets = scope.exports.values().chain(scope.imports.values());
    let named = targets.filter_map(|target| match target {
        NameTarget::From { module, .. } | NameTarget::Module(module) => Some(module.clone()),
        NameTarget::Local(_) => None,
    });
    let inner = scope.locals.values().filter_map(|entry| entry.namespace.as_ref()).chain(scope.modules.values());
    named.chain(scope.stars.iter().cloned()).chain(inner.flat_map(referred_modules)).collect()
}

/// Reads the API and the texts of a package in `node_modules`; one without declarations borrows those of its `@types`.
///
/// # Errors
/// As [`npm_symbols`].
pub fn index_installed_package(
    boundary: &Boundary,
    library: &str,
    folder: &str,
    version: &str,
    digest: &str,
) -> Result<LibraryIndex> {
    let list = |folder: &str| boundary.resolve(folder).and_then(|path| boundary.list(&path)).unwrap_or_default();
    let docs = list(&format!("{folder}/docs")).into_iter().map(|name| format!("docs/{name}"));
    let texts = list(folder).into_iter().chain(docs).filter(|path| is_text(path)).collect();
    let tree = Installed::new(boundary, folder, texts);
    let imported = import_name(library);
    let found = npm_symbols(&tree, &imported).or_else(|error| {
        let types = format!("node_modules/@types/{}", library.trim_start_matches('@').replace('/', "__"));
        let there = boundary.resolve(&format!("{types}/package.json")).and_then(|path| boundary.read(&path, FILE_MAX));
        match there {
            Ok(_) => npm_symbols(&Installed::new(boundary, &types, Vec::new()), &imported),
            Err(_) => Err(error),
        }
    });
    build_index(&tree, found, (library, version), digest)
}

/// Whether a file of a package says anything about its use.
pub fn is_wanted(path: &str) -> bool {
    path == "package.json" || is_text(path) || [".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// Reads the API and the texts of a package as its registry has it.
///
/// # Errors
/// As [`npm_symbols`]; `corrupted_data` when it does not say its name and version.
pub fn index_packed_package(tree: &dyn Tree, digest: &str) -> Result<LibraryIndex> {
    let nameless = || {
        Error::new(ErrorCode::CorruptedData, "the npm package does not say its name and version")
            .hint("build the bundle from a package as the registry has it")
    };
    let manifest: Value = serde_json::from_slice(&tree.read("package.json")?).map_err(|_| nameless())?;
    let field = |name: &str| manifest.get(name).and_then(Value::as_str).ok_or_else(nameless);
    let (library, version) = (field("name")?, field("version")?);
    build_index(tree, npm_symbols(tree, &import_name(library)), (library, version), digest)
}

fn build_index(
    tree: &dyn Tree,
    found: Result<Vec<Symbol>>,
    (library, version): (&str, &str),
    digest: &str,
) -> Result<LibraryIndex> {
    let texts = tree.files().iter().filter(|path| is_text(path));
    let guides: Vec<Guide> = texts.filter_map(|path| Some(split_sections(path, &tree.text(path)?))).flatten().collect();
    let symbols = match found {
        // Without declarations there are still the texts.
        Err(error) if error.code() == ErrorCode::UnsupportedLanguage && !guides.is_empty() => Vec::new(),
        other => other?,
    };
    Ok(LibraryIndex {
        format: FORMAT,
        ecosystem: Ecosystem::Npm,
        library: library.to_owned(),
        version: version.to_owned(),
        source_sha256: digest.to_owned(),
        symbols,
        guides,
    })
}

/// Texts for users stand at the top and in `docs`.
fn is_text(path: &str) -> bool {
    let name = path.strip_prefix("docs/").unwrap_or(path).to_ascii_lowercase();
    let other = matches!(name.as_str(), "license.md" | "changelog.md" | "history.md");
    name.ends_with(".md") && !name.contains('/') && !other
}

/// What users import: of `@types/a__b` that is `@a/b`.
fn import_name(library: &str) -> String {
    match library.strip_prefix("@types/") {
        None => library.to_owned(),
        Some(name) => name.split_once("__").map_or_else(|| name.to_owned(), |(scope, name)| format!("@{scope}/{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Packed;

    #[test]
    fn what_may_have_more_members_than_are_read_is_open() {
        let text = "export * from 'other';\nexport interface A { one(): void }\nexport interface B extends A { two: number }\n\
            export class C { three: string }\nexport class D extends C {}\nexport interface E { [name: string]: number }\n\
            export interface F { four: 1 }\nexport interface F extends A {}\n";
        let files = [("package.json", "{\"types\": \"index.d.ts\"}"), ("index.d.ts", text)];
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let symbols = npm_symbols(&Packed::from_files(files.collect()), "demo").unwrap();
        let open = |path: &str| symbols.iter().find(|symbol| symbol.path == path).unwrap().open.clone();
        assert_eq!(open("demo").as_deref(), Some("it takes all names of `other`, which is not read"));
        for (path, why) in [
            ("demo.A", None),
            ("demo.B", Some("what it extends is not followed")),
            ("demo.C", None),
            ("demo.D", Some("what it extends is not followed")),
            ("demo.E", Some("it has more names than are listed")),
            ("demo.F", Some("what it extends is not followed")),
        ] {
            assert_eq!(open(path).as_deref(), why, "{path}");
        }
    }
}
