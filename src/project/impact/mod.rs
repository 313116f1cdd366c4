//! What a change of a file or of something in it reaches: who depends on it, which tests see it, where the program is
//! entered. Everything stands on the one graph of code intelligence.

mod spread;
mod subject;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::spread::Spread;
use self::subject::Subject;
use super::index::ProjectIndex;
use super::users::WHOLE;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_coderef::impact::{ImpactRequest as Touch, Operation, impact_of};
use tapps_coderef::model::FileId;
use tapps_coderef::query::MAX_DEPTH;

/// What happens to the file or the symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeType {
    Added,
    #[default]
    Modified,
    Removed,
}

tapps_base::wire_enum! {
    /// How much a change can break.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Reach {
        Low = "low",
        Medium = "medium",
        High = "high",
        Critical = "critical",
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

/// Something that calls what changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caller {
    /// With what holds it, as `Class.method`; of code outside every function the name of the file.
    pub name: String,
    pub file: String,
    /// Lines of the calls, or of the next call on the way.
    pub lines: Vec<u32>,
    /// Calls between it and what changes.
    pub distance: u32,
    /// False when the call may mean something else.
    pub proven: bool,
}

/// What an answer stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// `coderef`: the graph that the tools of code intelligence answer from.
    pub graph: String,
    /// Files in it.
    pub files: usize,
    /// Files of which not everything could be read, at most 10.
    pub unread: Vec<String>,
    /// How many there are.
    #[serde(default)]
    pub unread_total: usize,
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
    /// What calls it, nearest first, tests aside.
    pub callers: Vec<Caller>,
    /// How many there are, also of those that a short reply leaves out.
    pub callers_total: usize,
    /// Files with tests that reach it: first those from which a proven chain of calls leads to it, then the others,
    /// nearest first.
    pub test_files: Vec<String>,
    /// The first so many of them are proven.
    pub tests_proven: usize,
    /// Affected files at which a program is entered.
    pub entry_points: Vec<String>,
    /// Public names that the change touches, most used first.
    pub public_api: Vec<PublicName>,
    pub recommendations: Vec<String>,
    pub basis: Basis,
    /// What this cannot know.
    pub limits: Vec<String>,
}

/// What is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImpactRequest {
    /// Project-relative path.
    pub file: String,
    /// Something that the file defines: a name at its top level, or `Class.method`.
    pub symbol: Option<String>,
    pub change: ChangeType,
}

impl ProjectIndex {
    /// What a change reaches, for the bytes on disk now.
    ///
    /// # Errors
    /// `file_not_found` for a file that does not exist, unless it is to be added; `unsupported_language` for one that
    /// cannot be read; `invalid_argument` with the nearest names for a symbol that the file does not define; what the
    /// scan says.
    pub fn analyze_impact(&self, request: &ImpactRequest, call: &Call) -> Result<Impact> {
        let code = self.code(call)?;
        let subject = Subject::from_request(&code, request)?;
        let spread = Spread::from_subject(&code, &subject);
        let graph = code.graph();
        let touch = Touch {
            element: request.file.clone(),
            operation: Operation::Modify,
            max_depth: Some(MAX_DEPTH),
            limit: None,
        };
        let touched = impact_of(&graph, &subject.nodes, &touch)?;
        let (test_files, tests_proven) = spread.tests(touched.tests);
        let direct_dependents = spread.direct();
        let public_api = subject.public_api(&code);
        let taken = words::Taken::from_dependents(&direct_dependents, subject.symbol.is_some());
        let (severity, reason) = words::impact_severity(request.change, taken, &public_api);
        let callers = touched.dependents.into_iter().map(|dependent| Caller {
            name: dependent.place.name,
            file: dependent.place.file,
            lines: dependent.lines,
            distance: dependent.depth,
            proven: dependent.status != "ambiguous",
        });
        let mut impact = Impact {
            file: request.file.clone(),
            symbol: request.symbol.clone(),
            change_type: request.change,
            severity,
            reason,
            total_affected: spread.total(),
            direct_dependents,
            transitive_dependents: spread.transitive(),
            callers: callers.collect(),
            callers_total: touched.total,
            test_files,
            tests_proven,
            entry_points: spread.entry_points(),
            public_api,
            recommendations: Vec::new(),
            basis: words::basis(code.index()),
            limits: words::limits(code.index(), &subject),
        };
        impact.recommendations = words::recommendations(&impact);
        Ok(impact)
    }
}

/// A changed file, and the names of its top level that mean something else now; all of them when the file has gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedNames {
    /// Project-relative path.
    pub file: String,
    pub names: Option<BTreeSet<String>>,
}

impl ProjectIndex {
    /// The files that take one of the changed names, each with the first file by path that it takes one from; changed files
    /// themselves are left out.
    ///
    /// # Errors
    /// What the scan says.
    pub fn users_of_names(&self, changed: &[ChangedNames], call: &Call) -> Result<BTreeMap<String, String>> {
        let code = self.code(call)?;
        let ids: BTreeMap<&str, FileId> =
            (0..).map(FileId).zip(&code.index().files).map(|(id, file)| (file.path.as_str(), id)).collect();
        let own: BTreeSet<&str> = changed.iter().map(|one| one.file.as_str()).collect();
        let mut users = BTreeMap::new();
        for one in changed {
            let Some(id) = ids.get(one.file.as_str()) else { continue };
            for (by, used) in code.users.of_changed(*id) {
                let takes = match &one.names {
                    None => true,
                    Some(names) => used.names.contains(WHOLE) || used.names.iter().any(|name| names.contains(name)),
                };
                let by = code.index().files.get(by.0 as usize).map(|file| file.path.as_str());
                if let Some(by) = by.filter(|by| takes && !own.contains(by)) {
                    users.entry(by.to_owned()).or_insert_with(|| one.file.clone());
                }
            }
        }
        Ok(users)
    }
}
