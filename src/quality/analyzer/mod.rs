//! The analyzers outside of this program. Each has one file: what it is for, how it is asked, what its answer means.

mod mypy_text;
pub mod outcome;
pub mod report;

use futures::future::BoxFuture;

use crate::ask::Asker;
use crate::cache::Native;
use crate::engine::AnalysisPlan;
use crate::isolate::Question;
use crate::native::analyzers_of;
use crate::result::AnalysisMode;
use report::FileReport;
use tapps_base::Result;
use tapps_base::finding::Category;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;
use tapps_config::Config;
use tapps_toolchain::Toolchain;

/// The files of the analyzers, and the list of all. What cannot be measured is told in this order.
macro_rules! register_analyzers {
    ($($module:ident),+ $(,)?) => {
        $(pub mod $module;)+

        pub(crate) static ALL: &[&dyn Analyzer] = &[$(&$module::ANALYZER),+];
    };
}

register_analyzers! {
    radon,
    ruff,
    bandit,
    mypy,
    oxlint,
    tsc,
    shellcheck,
}

/// What is known of an analyzer before it is asked.
#[derive(Debug)]
pub struct Profile {
    /// How results, entries of the cache and the lock of the tools name it.
    pub name: &'static str,
    /// Whose files it reads.
    pub reads: Analyzers,
    /// The categories that are not measured without its answer.
    pub measures: &'static [Category],
    /// What decides its answer about a file beside the file and the tools.
    pub depends_on: &'static [Dependence],
    pub division: Division,
    /// Whether what it finds in a file that does not parse counts.
    pub speaks_of_broken_files: bool,
}

impl Profile {
    /// Of a linter of one language that looks at each file by itself.
    pub(crate) const fn linter(name: &'static str, reads: Analyzers) -> Self {
        Self {
            name,
            reads,
            measures: &[Category::Maintainability, Category::Performance],
            depends_on: &[],
            division: Division::Chunks,
            speaks_of_broken_files: false,
        }
    }

    /// True when results that it had a say in name the interpreter.
    #[must_use]
    pub fn is_interpreted(&self) -> bool {
        self.depends_on.contains(&Dependence::Interpreter)
    }

    /// True when one run of an interpreter, which works on one core, looks at all files.
    pub(crate) fn works_on_one_core(&self) -> bool {
        self.is_interpreted() && self.division == Division::Whole
    }

    /// The files that it is asked about.
    pub(crate) fn files_among<'s>(&self, sources: &[&'s Source]) -> Vec<&'s Source> {
        sources.iter().copied().filter(|source| analyzers_of(source) == self.reads).collect()
    }

    /// True when it reads the copies of the files that it is asked about. One that looks at the whole project reads that.
    pub(crate) fn reads_copies(&self) -> bool {
        !self.reads_project()
    }

    /// True when it looks at more of the project than the files it is asked about.
    #[must_use]
    pub fn reads_project(&self) -> bool {
        self.depends_on.iter().any(|one| matches!(one, Dependence::PythonFiles | Dependence::ScriptFiles))
    }
}

/// Something besides a file and the locked tools that decides what is said of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependence {
    /// The CPython that runs it.
    Interpreter,
    /// The Python that the project is for.
    PythonVersion,
    /// Every Python file of the project.
    PythonFiles,
    /// The types of the libraries that the project has locked.
    LibraryTypes,
    /// Every script of the project, and the declarations of the packages that are installed.
    ScriptFiles,
}

/// How the files of a request are divided among runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// Runs one after the other, of as many files as fit on a command line.
    Chunks,
    /// The same, on all cores side by side; a run of its own does not pay for fewer files than this.
    Shares(usize),
    /// One run for all files, whose names are not on the command line.
    Whole,
}

/// Whether an analyzer is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Asked,
    /// Nothing that it measures is wanted.
    LeftOut,
    /// What it measures is computed by this program instead.
    Computed,
}

impl Need {
    /// Of a checker of types, which takes too long for a quick answer.
    pub(crate) fn of_types(plan: &AnalysisPlan) -> Self {
        let full = plan.mode == AnalysisMode::Full;
        Self::asked_if(full && plan.lint && plan.wanted.contains(&Category::Maintainability))
    }

    pub(crate) const fn asked_if(wanted: bool) -> Self {
        if wanted { Self::Asked } else { Self::LeftOut }
    }
}

/// An analyzer: a locked tool that says something about files.
pub(crate) trait Analyzer: Sync {
    fn profile(&self) -> &'static Profile;

    /// A linter is asked for whatever wants lints.
    fn need(&self, plan: &AnalysisPlan, _config: &Config) -> Need {
        Need::asked_if(plan.lint)
    }

    /// What stands in its place where it has nothing to say of a file; none where nothing does.
    fn computed(&self, _native: &mut Native) -> Option<FileReport> {
        None
    }

    /// Begins what takes a while before it can be asked and depends on no file; returns at once.
    fn start_early(&self, _toolchain: &Toolchain) {}

    /// Makes ready for questions about the files of a request.
    ///
    /// # Errors
    /// What keeps it from answering about any file.
    fn prepare<'a>(&self, asker: Asker<'a>) -> BoxFuture<'a, Result<Box<dyn Question + 'a>>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_locked_tools_and_unlike_each_other() {
        let mut names: Vec<&str> = ALL.iter().map(|analyzer| analyzer.profile().name).collect();
        assert!(names.iter().all(|name| tapps_toolchain::Program::ALL.iter().any(|program| program.as_str() == *name)));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
