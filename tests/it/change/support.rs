//! A project in a repository, and what is said of changes to it.

use std::path::{Path, PathBuf};

use tapps_base::Result;
use tapps_config::{Config, Sources, load_config};
use tapps_quality::change::report::{ChangeFinding, ChangeReport, FileChange, FindingState};
use tapps_quality::change::{ChangeBase, ChangeRequest};

use crate::corpus;
use crate::scoring::support::Project;
use crate::toolchain_git_support::{commit_all, git, said};
use crate::toolchain_support::{copy_tree, folder, unlock};

/// A project whose files are committed on `main`.
pub(crate) struct Changed {
    pub(crate) project: Project,
    _folder: Option<tempfile::TempDir>,
    /// Where answers are kept.
    answers: Option<PathBuf>,
}

impl Changed {
    /// Of files of one's own.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        let changed = Self { project: Project::of(&files), _folder: None, answers: None };
        changed.begin();
        changed
    }

    /// Of a package as it was published.
    pub(crate) fn of_package(name: &str) -> Self {
        let folder = folder();
        let root = folder.path().join(name);
        copy_tree(&corpus::dir(name), &root);
        unlock(&root);
        let changed = Self { project: Project::at(&root), _folder: Some(folder), answers: None };
        changed.begin();
        changed
    }

    /// Of a copy of a folder, after `prepare` was run in it.
    pub(crate) fn of_folder(from: &Path, prepare: impl FnOnce(&Path)) -> Self {
        let folder = folder();
        let root = folder.path().join("project");
        copy_tree(from, &root);
        prepare(&root);
        let changed = Self { project: Project::at(&root), _folder: Some(folder), answers: None };
        changed.begin();
        changed
    }

    /// Takes answers from a folder that others may use as well.
    pub(super) fn caching(self, answers: &Path) -> Self {
        Self { project: self.project.caching(answers), answers: Some(answers.to_owned()), ..self }
    }

    /// The change in the working tree, by the settings that the working tree has.
    pub(crate) fn verdict_from_settings(&self) -> ChangeReport {
        let sources = Sources { root: self.root().to_owned(), ..Sources::default() };
        let config = load_config(&sources).unwrap().config;
        let project = Project::at(self.root()).with(config);
        let project = match &self.answers {
            Some(answers) => project.caching(answers),
            None => project,
        };
        project.judge(&ChangeRequest::default()).unwrap()
    }

    /// The same under another configuration.
    pub(crate) fn with(self, config: Config) -> Self {
        Self { project: self.project.with(config), ..self }
    }

    fn begin(&self) {
        git(self.root(), &["init", "--quiet"]);
        commit_all(self.root(), "first");
    }

    pub(crate) fn root(&self) -> &Path {
        self.project.root()
    }

    pub(crate) fn git(&self, args: &[&str]) {
        git(self.root(), args);
    }

    pub(crate) fn said(&self, args: &[&str]) -> String {
        said(self.root(), args)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.project.write(path, text.as_bytes());
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.project.path(path)).unwrap()
    }

    /// All files as they were committed last.
    pub(crate) fn reset(&self) {
        self.git(&["checkout", "--quiet", "."]);
        self.git(&["clean", "-fdq"]);
    }

    /// The change in the working tree.
    pub(crate) fn verdict(&self) -> ChangeReport {
        self.judge(&ChangeRequest::default()).unwrap()
    }

    pub(crate) fn between(&self, base: &str, head: &str) -> ChangeReport {
        let head = tapps_quality::change::ChangeHead::Commit(head.to_owned());
        self.judge(&ChangeRequest { base: ChangeBase::Exactly(base.to_owned()), head, ..ChangeRequest::default() })
            .unwrap()
    }

    pub(crate) fn judge(&self, request: &ChangeRequest) -> Result<ChangeReport> {
        self.project.judge(request)
    }
}

/// The findings of one state, with where they are.
pub(crate) fn told(report: &ChangeReport, state: FindingState) -> Vec<String> {
    let of_file = |file: &FileChange| -> Vec<String> {
        let say = |one: &ChangeFinding| format!("{}:{} {}", file.file, one.finding.line, one.finding.rule);
        file.findings_in(state).map(say).collect()
    };
    report.files.iter().flat_map(of_file).collect()
}

pub(crate) fn file<'r>(report: &'r ChangeReport, path: &str) -> &'r FileChange {
    report.files.iter().find(|file| file.file == path).unwrap_or_else(|| panic!("{path} is not in the report"))
}

/// What holds of every verdict: the points add up, and a change passes exactly when nothing speaks against it.
pub(crate) fn assert_adds_up(report: &ChangeReport) {
    for file in &report.files {
        let Some(points) = &file.points else { continue };
        let sum = points.mended - points.new - points.worsened + points.repriced;
        assert!((points.delta - sum).abs() < 1e-6, "{}: {points:?}", file.file);
        let of = |state| -> f64 { file.findings_in(state).map(|one| one.finding.points).sum() };
        assert!(points.new <= of(FindingState::New) + 1e-6, "{}: {points:?}", file.file);
    }
    assert_eq!(report.passed, report.reasons.is_empty());
}
