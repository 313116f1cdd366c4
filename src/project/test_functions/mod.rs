//! The tests of a file, one by one: what each states, and what keeps it from failing.

mod python;
mod python_loops;
mod python_setup;
mod rust;
mod script;
mod script_mocks;

pub(crate) use python::last_name;

use std::collections::{BTreeMap, BTreeSet};

use tapps_base::language::{Analyzers, ScoredLanguage};

/// A statement of a test, without the ones inside of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestStatement {
    /// With single spaces.
    pub text: String,
    /// 1-based.
    pub line: u32,
    pub kind: StatementKind,
}

/// What a statement does for a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// It fails the test when something is not as it should be.
    Assertion,
    /// It looks like an assertion and cannot fail.
    Hollow,
    Other,
}

/// One test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestFunction {
    /// With what is around it: `TestRates.test_zero`, `rates › of nothing › is zero`.
    pub name: String,
    /// 1-based line of its name.
    pub line: u32,
    pub statements: Vec<TestStatement>,
    /// The line of what has it not run, or not count when it fails, whatever the circumstances.
    pub skipped: Option<u32>,
    /// The line of a handler that takes failed assertions in and does nothing.
    pub swallowed: Option<u32>,
    /// The line where it ends before its first assertion, whatever the circumstances.
    pub ended: Option<u32>,
    /// The largest number that each tolerance and time limit is set to.
    pub slack: BTreeMap<String, f64>,
    /// What stands above it and decides how it is run, with single spaces.
    pub marks: String,
    /// Names that it mentions.
    pub names: BTreeSet<String>,
    /// The cases that it is run with, where they are listed; empty for a test that is run once.
    pub cases: Vec<String>,
    /// Functions whose answers it states, and that a mock answers for.
    pub mocked: BTreeSet<String>,
    /// What it is to the others.
    pub role: TestRole,
}

/// What a function is to the tests of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TestRole {
    #[default]
    Test,
    /// It prepares those tests that ask for it; `skipped` is where it may keep them from running.
    Fixture,
    /// It prepares every test, or has a say in all of them.
    Everywhere,
}

impl TestFunction {
    pub fn assertions(&self) -> usize {
        self.statements.iter().filter(|one| one.kind == StatementKind::Assertion).count()
    }

    /// How often something is stated: by every assertion in every case.
    pub fn statements_made(&self) -> usize {
        self.assertions() * self.cases.len().max(1)
    }

    /// Statements that look like assertions and cannot fail.
    pub fn hollow(&self) -> impl Iterator<Item = &TestStatement> {
        self.statements.iter().filter(|one| one.kind == StatementKind::Hollow)
    }
}

/// The tests of a file and what prepares them, in its order; none for one that cannot be parsed.
#[must_use]
pub fn read_test_functions(path: &str, text: &str) -> Vec<TestFunction> {
    let read = match ScoredLanguage::of_path(path).map(ScoredLanguage::analyzers) {
        Some(Analyzers::Python) => python::read_python_tests(text),
        Some(Analyzers::Script) => script::read_script_tests(path, text),
        Some(Analyzers::Rust) => rust::read_rust_tests(text),
        // Tests of these are known as files, not one by one.
        Some(Analyzers::Go | Analyzers::Java | Analyzers::C | Analyzers::Shell) | None => None,
    };
    read.unwrap_or_default()
}

/// A piece of source with single spaces.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tolerances and time limits, by the names that libraries give them.
const SLACK: &[&str] = &[
    "abs",
    "abs_tol",
    "atol",
    "decimal_tolerance",
    "delta",
    "eps",
    "epsilon",
    "max_diff",
    "rel",
    "rel_tol",
    "retries",
    "retry",
    "rtol",
    "timeout",
    "timeout_ms",
    "tol",
    "tolerance",
];
