//! How right call edges are on real packages: the table that the tests hold to its bars and the benchmark prints with what
//! a scan costs.

#[path = "checker.rs"]
mod checker;
#[path = "compare.rs"]
mod compare;
#[path = "go_checker.rs"]
mod go_checker;
#[path = "jedi.rs"]
mod jedi;

pub(crate) use go_checker::measure_go;

use std::time::Duration;

use tapps_base::call::Call;
use tapps_coderef::engine::{ScanOptions, scan};
use tapps_coderef::model::{CodebaseIndex, Edge, EdgeKind, FileId, GraphNode};
use tapps_sandbox::Boundary;

use crate::corpus;

/// Whose word counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oracle {
    /// The TypeScript checker, on every call.
    Checker,
    /// jedi, on every so many of the calls that the scan sees.
    Jedi(usize),
}

/// A part of a locked package, and the least that its call edges have to reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tree {
    pub(crate) package: &'static str,
    /// A folder or file; of Python the scan takes in the whole package all the same.
    pub(crate) part: &'static str,
    pub(crate) oracle: Oracle,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
}

const fn tree(package: &'static str, part: &'static str, oracle: Oracle, precision: f64, recall: f64) -> Tree {
    Tree { package, part, oracle, precision, recall }
}

/// Everything that is measured.
pub(crate) const TREES: &[Tree] = &[
    tree("query-core", "src", Oracle::Checker, 0.98, 0.85),
    tree("rxjs", "src", Oracle::Checker, 0.98, 0.85),
    tree("zod", "src", Oracle::Checker, 0.95, 0.80),
    tree("webpack", "lib", Oracle::Checker, 0.98, 0.95),
    tree("vue-runtime-core", "dist/runtime-core.esm-bundler.js", Oracle::Checker, 0.98, 0.95),
    tree("requests", "src/requests", Oracle::Jedi(3), 0.97, 0.85),
    tree("django", "django/forms", Oracle::Jedi(15), 0.97, 0.80),
    tree("django", "django/template", Oracle::Jedi(15), 0.97, 0.80),
    tree("django", "django/db/models", Oracle::Jedi(80), 0.97, 0.80),
];

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) tree: Tree,
    pub(crate) lines: u32,
    /// Calls that were compared.
    pub(crate) calls: usize,
    /// Of these, the resolved ones of which the oracle says where they lead.
    pub(crate) judged: usize,
    pub(crate) precision: f64,
    /// Calls that the oracle follows to a function, method or class of the tree.
    pub(crate) concrete: usize,
    pub(crate) recall: f64,
    /// What is wrong, and what is missed as far as the oracle tells.
    pub(crate) details: Vec<String>,
}

/// What stands above the rows.
pub(crate) fn head() -> String {
    "| tree | lines | calls | judged | precision | concrete | recall | oracle |".to_owned()
}

/// The line between them.
pub(crate) fn rule() -> String {
    "| --- | --- | --- | --- | --- | --- | --- | --- |".to_owned()
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.line())
    }
}

impl Row {
    /// True when it does not reach what its tree has to.
    pub(crate) fn is_short(&self) -> bool {
        self.precision < self.tree.precision || self.recall < self.tree.recall
    }

    fn line(&self) -> String {
        let package = corpus::package(self.tree.package);
        let name = format!("{} {} {}", package.name, package.version, self.tree.part.rsplit('/').next().unwrap());
        let oracle = match self.tree.oracle {
            Oracle::Checker => "TypeScript checker".to_owned(),
            Oracle::Jedi(every) => format!("jedi, 1 of {every} calls"),
        };
        let oracle = if self.is_short() { format!("{oracle}, SHORT") } else { oracle };
        format!(
            "| {name} | {} | {} | {} | {:.4} | {} | {:.4} | {oracle} |",
            self.lines, self.calls, self.judged, self.precision, self.concrete, self.recall
        )
    }
}

impl Tree {
    /// What a scan of it leaves out, as in `.gitignore`.
    pub(crate) fn options(&self) -> ScanOptions {
        let mut exclude = Vec::new();
        if self.oracle == Oracle::Checker {
            let mut above = String::new();
            for part in self.part.split('/') {
                exclude.push(format!("{above}/*"));
                above = format!("{above}/{part}");
                exclude.push(format!("!{above}"));
            }
        }
        ScanOptions { exclude, include_ignored: true, fresh: true, ..ScanOptions::default() }
    }

    pub(crate) fn scan(&self) -> CodebaseIndex {
        let boundary = Boundary::open(&corpus::dir(self.package)).unwrap();
        scan(&boundary, &self.options(), &Call::quiet(Duration::from_secs(600))).unwrap()
    }

    /// Compares a scan of it with what the oracle says.
    pub(crate) fn compare(&self, index: &CodebaseIndex) -> Row {
        let own = index.files.iter().filter(|file| file.path.starts_with(self.part));
        let lines = own.map(|file| file.lines).sum();
        match self.oracle {
            Oracle::Checker => {
                let score = compare::compare(&checker::truth(self.package, self.part), &checker::resolved(index));
                Row {
                    tree: *self,
                    lines,
                    calls: score.calls,
                    judged: score.claimed,
                    precision: score.precision(),
                    concrete: score.concrete,
                    recall: score.recall(),
                    details: score.wrong.into_iter().chain(score.missed).collect(),
                }
            }
            Oracle::Jedi(every) => jedi::compare(self, every, lines, index),
        }
    }
}

/// Resolved and other calls, each with its file.
fn calls(index: &CodebaseIndex) -> impl Iterator<Item = (&Edge, FileId)> {
    index.edges.iter().filter(|edge| edge.kind == EdgeKind::Call).map(|edge| match edge.from {
        GraphNode::File(file) => (edge, file),
        GraphNode::Element(id) => (edge, index.elements[id.0 as usize].file),
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of calls are small")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
