//! Whether one module may import another, asked before the line is written.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::breach::{Breach, ImportLink};
use super::import_graph::{ImportFile, ImportGraph, ImportStep, OutsideImport};
use super::judge::judge_architecture;
use super::module_names::module_names;
use crate::model::Language;
use tapps_base::{Error, Result, log_text, nearest};
use tapps_config::{ArchitectureConfig, ContractKind};

/// A contract that an import would break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ForbiddenImport {
    pub contract: String,
    pub kind: ContractKind,
    /// What it says, in words.
    pub says: String,
    /// The chain of imports that the new one would close; its own line is 0 while it is not written.
    pub chain: Vec<ImportLink>,
}

/// The end of an import that may not be there yet.
enum ImportEnd {
    File(usize),
    Outside(String),
}

/// The contracts that an import would break, each once. Modules are named by path or by name, and need not be there: one
/// that is nowhere in the project is a package outside it.
///
/// # Errors
/// `invalid_argument` for an importer that is nowhere in the project; `config_error` for contracts that cannot be used.
pub fn forbidden_by_contracts(
    config: &ArchitectureConfig,
    graph: &ImportGraph,
    importer: &str,
    imported: &str,
) -> Result<Vec<ForbiddenImport>> {
    let mut graph = graph.clone();
    let from = match find_or_add(&mut graph, importer) {
        ImportEnd::File(file) => file,
        ImportEnd::Outside(_) => return Err(unknown_importer(&graph, importer)),
    };
    let target = match find_or_add(&mut graph, imported) {
        ImportEnd::File(to) => {
            graph.add_import(from, ImportStep { to, line: 0, type_only: false });
            graph.path(to).to_owned()
        }
        ImportEnd::Outside(module) => {
            graph.add_outside(from, OutsideImport { module: module.clone(), type_only: false, line: 0 });
            module
        }
    };
    let source = graph.path(from).to_owned();
    let verdict = judge_architecture(config, &graph)?.require_usable()?;
    let is_it = |link: &ImportLink| link.importer == source && link.imported == target;
    let mut found: Vec<Breach> = verdict.breaches.into_iter().filter(|breach| breach.chain.iter().any(is_it)).collect();
    // What the importer itself breaks says more than what others break through it.
    found.sort_by_key(|breach| (breach.contract.clone(), breach.file != source, breach.chain.len()));
    found.dedup_by(|next, kept| next.contract == kept.contract);
    let told = found.into_iter().map(|breach| ForbiddenImport {
        contract: breach.contract,
        kind: breach.kind,
        says: breach.says,
        chain: breach.chain,
    });
    Ok(told.collect())
}

/// The file of that path or name; one that could be there, beside or below what is there, is added.
fn find_or_add(graph: &mut ImportGraph, text: &str) -> ImportEnd {
    let text = text.trim().trim_start_matches("./");
    if let Some(file) = graph.find_path(text) {
        return ImportEnd::File(file);
    }
    let language = Language::of_path(text);
    let by_path = text.contains('/') || language.is_some();
    let separator = if by_path { '/' } else { '.' };
    let plain = text.replace("::", ".");
    let parts: Vec<&str> = if by_path { text.split('/').collect() } else { plain.split('.').collect() };
    let stem = |path: &str| path.rsplit_once('.').map_or(path.to_owned(), |(stem, _)| stem.to_owned());
    let same = |file: &ImportFile| {
        if by_path { stem(&file.path) == text } else { file.names.iter().any(|name| name == &parts) }
    };
    if let Some(file) = graph.files.iter().position(same) {
        return ImportEnd::File(file);
    }
    let folder = text.rsplit_once(separator).map_or("", |(folder, _)| folder);
    let folder = if folder.is_empty() && by_path && language.is_none() { text } else { folder };
    let holds = |file: &ImportFile| {
        let within = |whole: &str, holder: &str, separator: char| {
            whole.strip_prefix(holder).is_some_and(|rest| rest.starts_with(separator) || rest.is_empty())
        };
        let is_module = |name: &Vec<String>| {
            let name = name.join(".");
            within(&name, &plain, '.') || (!folder.is_empty() && within(&name, folder, '.'))
        };
        if by_path {
            within(&file.path, text, '/') || folder.is_empty() || within(&file.path, folder, '/')
        } else {
            file.names.iter().any(is_module)
        }
    };
    if !graph.files.iter().any(holds) {
        return ImportEnd::Outside(text.to_owned());
    }
    let names = match language.filter(|_| by_path) {
        Some(language) => module_names(text, language, &package_folders(graph)),
        None => vec![parts.iter().map(|&part| part.to_owned()).collect()],
    };
    let path = if by_path { text.to_owned() } else { parts.join("/") };
    ImportEnd::File(graph.add_file(ImportFile { path, names }))
}

fn package_folders(graph: &ImportGraph) -> BTreeSet<&str> {
    let folders = graph.files.iter().filter_map(|file| file.path.rsplit_once('/'));
    folders.filter(|(_, name)| name.starts_with("__init__.")).map(|(folder, _)| folder).collect()
}

fn unknown_importer(graph: &ImportGraph, text: &str) -> Error {
    let near = nearest::names(text, graph.files.iter().map(|file| file.path.as_str()));
    let hint = if near.is_empty() {
        "name a file of the project by its path or by the name of its module".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Error::invalid(format!("`{}` is nowhere in the project", log_text(text))).hint(hint)
}
