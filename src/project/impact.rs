//! What a change of a file reaches: who depends on it, which tests see it, where the program is entered.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::index::Snapshot;
use super::reach::{Module, Uses, WHOLE, is_test_code};
use crate::base::{Error, ErrorCode, Result, nearest};

/// Direct dependents from which on a change is of high and of critical severity.
const HIGH: usize = 6;
const CRITICAL: usize = 11;

/// Names of files at which programs are entered.
const ENTRIES: [&str; 8] =
    ["__main__.py", "asgi.py", "main.js", "main.py", "main.ts", "main.tsx", "manage.py", "wsgi.py"];

/// What happens to the file or the symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeType {
    Added,
    #[default]
    Modified,
    Removed,
}

/// How much a change can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    Low,
    Medium,
    High,
    Critical,
}

impl Reach {
    /// The word used on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// A file that takes something from the changed one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dependent {
    pub file: String,
    /// The names it takes, sorted; `*` where it takes the module as a whole and may use any of them.
    pub names: Vec<String>,
}

/// A file that depends on the changed one through others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Distant {
    pub file: String,
    /// Imports between them, at least 2.
    pub distance: u32,
    /// The next file on the shortest way to the changed one, the first by name among equals.
    pub through: String,
}

/// A name that other files can take from the changed one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublicName {
    pub name: String,
    /// How many files take it by name.
    pub used_by: usize,
}

/// What a change reaches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Impact {
    pub file: String,
    pub symbol: Option<String>,
    pub change_type: ChangeType,
    pub severity: Reach,
    /// Why the severity is what it is.
    pub reason: String,
    /// Files that depend on the changed one, directly or not.
    pub total_affected: usize,
    /// Sorted by path; tests are listed for themselves.
    pub direct_dependents: Vec<Dependent>,
    /// Nearest first.
    pub transitive_dependents: Vec<Distant>,
    /// Test files with an assertion that reach it, nearest first.
    pub test_files: Vec<String>,
    /// Affected files at which a program is entered.
    pub entry_points: Vec<String>,
    /// Public names that the change touches, most used first.
    pub public_api: Vec<PublicName>,
    pub recommendations: Vec<String>,
    /// What this cannot know.
    pub limits: Vec<String>,
}

/// What is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImpactRequest {
    /// Project-relative path.
    pub file: String,
    /// A name defined at the top level of the file, or a member of one.
    pub symbol: Option<String>,
    pub change: ChangeType,
}

impl Snapshot {
    /// What a change reaches.
    ///
    /// # Errors
    /// `file_not_found` for a file that does not exist, unless it is to be added; `unsupported_language` for one whose
    /// imports are not read; `invalid_argument` with the nearest names for a symbol that the file does not define.
    pub fn impact(&self, request: &ImpactRequest) -> Result<Impact> {
        let module = self.modules.get(&request.file);
        if module.is_none() && request.change != ChangeType::Added {
            return Err(self.unknown(&request.file));
        }
        let symbol = request.symbol.as_deref().map(|symbol| top_level(symbol, module.map(Arc::as_ref))).transpose()?;
        let analysis = Analysis { snapshot: self, uses: self.uses(), file: &request.file, symbol };
        Ok(analysis.run(request, module.map(Arc::as_ref)))
    }

    fn unknown(&self, file: &str) -> Error {
        if crate::base::language::Language::of_path(file).is_none() {
            return Error::new(ErrorCode::UnsupportedLanguage, format!("imports of {file} are not read"))
                .hint("name a Python, TypeScript or JavaScript file");
        }
        Error::new(ErrorCode::FileNotFound, format!("there is no source file {file} in the project"))
            .hint(nearest::hint(file, self.modules.keys().map(String::as_str)))
    }
}

/// The name at the top level that a symbol is or belongs to.
fn top_level<'a>(symbol: &'a str, module: Option<&Module>) -> Result<&'a str> {
    let first = symbol.split('.').next().unwrap_or(symbol);
    match module {
        // What scripts define is known only from what others take of it.
        Some(module) if !(module.opaque || module.defines.is_empty() || module.defines.contains(first)) => {
            Err(Error::invalid(format!("the file does not define `{first}` at its top level"))
                .hint(nearest::hint(first, module.defines.iter().map(String::as_str))))
        }
        _ => Ok(first),
    }
}

struct Analysis<'a> {
    snapshot: &'a Snapshot,
    uses: &'a Uses,
    file: &'a str,
    /// At the top level.
    symbol: Option<&'a str>,
}

impl Analysis<'_> {
    fn run(&self, request: &ImpactRequest, module: Option<&Module>) -> Impact {
        let users = self.users();
        let distances = self.distances(&users);
        let tested = |path: &str| self.snapshot.modules.get(path).is_some_and(|module| module.tests);
        let is_test = |path: &str| is_test_code(path);
        let mut by_distance: Vec<(&str, (u32, &str))> = distances.iter().map(|(path, at)| (*path, *at)).collect();
        by_distance.sort_by_key(|(path, (distance, _))| (*distance, *path));
        let direct: Vec<Dependent> = users
            .iter()
            .filter(|(path, _)| !is_test(path))
            .map(|(path, names)| Dependent { file: (*path).to_owned(), names: names.iter().cloned().collect() })
            .collect();
        let transitive: Vec<Distant> = by_distance
            .iter()
            .filter(|(path, (distance, _))| *distance > 1 && !is_test(path))
            .map(|(path, (distance, through))| Distant {
                file: (*path).to_owned(),
                distance: *distance,
                through: (*through).to_owned(),
            })
            .collect();
        let test_files: Vec<String> = by_distance
            .iter()
            .map(|(path, _)| *path)
            .filter(|path| is_test(path) && tested(path))
            .map(str::to_owned)
            .collect();
        let entry_points = self.entry_points(&distances);
        let public_api = self.public_api(module);
        let (severity, reason) = judge(request.change, direct.len(), &public_api);
        let mut impact = Impact {
            file: request.file.clone(),
            symbol: request.symbol.clone(),
            change_type: request.change,
            severity,
            reason,
            total_affected: distances.len(),
            direct_dependents: direct,
            transitive_dependents: transitive,
            test_files,
            entry_points,
            public_api,
            recommendations: Vec::new(),
            limits: limits(module, self.symbol.is_some()),
        };
        impact.recommendations = recommendations(&impact);
        impact
    }

    /// The files that take something from the changed one; with a symbol, those that take it or may do so.
    fn users(&self) -> BTreeMap<&str, &BTreeSet<String>> {
        let mut users = self.uses.users(self.file);
        if let Some(symbol) = self.symbol {
            users.retain(|_, names| names.contains(symbol) || names.contains(WHOLE));
        }
        users
    }

    /// How far every affected file is, and through whom.
    fn distances<'b>(&'b self, users: &BTreeMap<&'b str, &BTreeSet<String>>) -> HashMap<&'b str, (u32, &'b str)> {
        let reversed = self.uses.reversed();
        let mut distances: HashMap<&str, (u32, &str)> = users.keys().map(|user| (*user, (1, self.file))).collect();
        let mut open: VecDeque<&str> = users.keys().copied().collect();
        while let Some(path) = open.pop_front() {
            let distance = distances.get(path).map_or(1, |(distance, _)| *distance) + 1;
            // Nobody depends on a test for what the test sees.
            let further = reversed.get(path).filter(|_| !self.snapshot.is_test(path)).into_iter().flatten();
            for user in further {
                if *user != self.file && !distances.contains_key(user) {
                    distances.insert(user, (distance, path));
                    open.push_back(user);
                }
            }
        }
        distances
    }

    fn entry_points(&self, distances: &HashMap<&str, (u32, &str)>) -> Vec<String> {
        let is_entry = |path: &&str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let runs = self.snapshot.modules.get(*path).is_some_and(|module| module.runs);
            !is_test_code(path) && (runs || ENTRIES.contains(&name))
        };
        let mut entries: Vec<String> =
            distances.keys().copied().chain([self.file]).filter(is_entry).map(str::to_owned).collect();
        entries.sort();
        entries
    }

    fn public_api(&self, module: Option<&Module>) -> Vec<PublicName> {
        let users = self.uses.users(self.file);
        let taken = users.values().flat_map(|names| names.iter()).filter(|name| *name != WHOLE);
        let defined: BTreeSet<&String> = module.into_iter().flat_map(|module| &module.defines).chain(taken).collect();
        let wanted = |name: &&String| self.symbol.is_none_or(|symbol| symbol == name.as_str());
        let mut names: Vec<PublicName> = defined
            .into_iter()
            .filter(|name| !name.starts_with('_'))
            .filter(wanted)
            .map(|name| PublicName {
                name: name.clone(),
                used_by: users.values().filter(|names| names.contains(name)).count(),
            })
            .collect();
        names.sort_by(|a, b| b.used_by.cmp(&a.used_by).then_with(|| a.name.cmp(&b.name)));
        names
    }
}

impl Snapshot {
    fn is_test(&self, path: &str) -> bool {
        is_test_code(path) && self.modules.get(path).is_some_and(|module| module.tests)
    }
}

fn judge(change: ChangeType, direct: usize, api: &[PublicName]) -> (Reach, String) {
    let files = if direct == 1 { "1 file".to_owned() } else { format!("{direct} files") };
    let used = api.iter().filter(|name| name.used_by > 0).count();
    let names = match used {
        0 => String::new(),
        1 => ", by one public name".to_owned(),
        used => format!(", by {used} public names"),
    };
    match change {
        ChangeType::Removed if direct > 0 => (Reach::Critical, format!("{files} import what is removed{names}")),
        ChangeType::Removed => (Reach::Low, "nothing but tests imports it, as far as imports tell".to_owned()),
        ChangeType::Added if direct > 0 => (Reach::Medium, format!("{files} import that name already{names}")),
        ChangeType::Added => (Reach::Low, "nothing can depend on it yet".to_owned()),
        ChangeType::Modified => {
            let severity = match direct {
                0 => Reach::Low,
                direct if direct >= CRITICAL => Reach::Critical,
                direct if direct >= HIGH => Reach::High,
                _ => Reach::Medium,
            };
            (
                severity,
                if direct == 0 {
                    "nothing but tests imports it".to_owned()
                } else {
                    format!("{files} import it{names}")
                },
            )
        }
    }
}

fn recommendations(impact: &Impact) -> Vec<String> {
    let mut recommendations = Vec::new();
    match impact.test_files.as_slice() {
        [] if impact.change_type == ChangeType::Added => {
            recommendations.push("add a test: none can reach it yet".to_owned());
        }
        [] => recommendations.push("no test reaches it: write one before the change".to_owned()),
        tests => recommendations.push(format!("run {}", tests.iter().take(5).cloned().collect::<Vec<_>>().join(" "))),
    }
    if impact.change_type == ChangeType::Removed && !impact.direct_dependents.is_empty() {
        let files: Vec<&str> =
            impact.direct_dependents.iter().take(5).map(|dependent| dependent.file.as_str()).collect();
        recommendations.push(format!("change the importers first: {}", files.join(" ")));
    }
    if impact.severity >= Reach::High && impact.change_type == ChangeType::Modified {
        recommendations
            .push("keep the signatures of the public names, or change their users in the same step".to_owned());
    }
    if !impact.entry_points.is_empty() {
        recommendations.push(format!("start it once: {} is entered there", impact.entry_points.join(", ")));
    }
    recommendations
}

fn limits(module: Option<&Module>, by_symbol: bool) -> Vec<String> {
    let mut limits = vec![
        "read from imports: names looked up at run time, and imports for type checkers alone, are not seen".to_owned(),
    ];
    if by_symbol {
        limits.push("a file that takes the whole module (`*`) may or may not use the symbol".to_owned());
    }
    if module.is_some_and(|module| module.opaque) {
        limits.push("the file itself cannot be parsed, so its public names are not known".to_owned());
    }
    limits
}
