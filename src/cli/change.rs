//! The options of every command that can judge a change, and what comes of them.

use super::CliContext;
use super::human::change::draw_change;
use super::report::VerdictFormat;
use super::verdict;
use tapps_base::call::Call;
use tapps_base::{Error, Result};
use tapps_quality::change::report::ChangeReport;
use tapps_quality::change::{ChangeBase, ChangeHead, ChangeRequest};
use tapps_quality::engine::Engine;
use tapps_quality::inputs::is_scored;
use tapps_report::QualityReport;

/// Which change is meant; without any of these it is files that are judged.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Change")]
pub struct ChangeArgs {
    /// Judge the change since HEAD parted from this revision [default: the upstream or the default branch]
    #[arg(long, value_name = "REF", num_args = 0..=1, default_missing_value = "")]
    changed: Option<String>,
    /// Judge the change since exactly this commit or tree
    #[arg(long, value_name = "TREEISH", conflicts_with = "changed")]
    base: Option<String>,
    /// Judge what would be committed, not the files as they are
    #[arg(long)]
    staged: bool,
    /// Judge this commit, not the files as they are; without a base compared with its parent
    #[arg(long, value_name = "COMMIT", conflicts_with = "staged")]
    head: Option<String>,
    /// Judge the changed files as wholes: what stood in them before counts as well
    #[arg(long, conflicts_with_all = ["staged", "head"])]
    whole: bool,
}

impl ChangeArgs {
    /// True when a change is to be judged, and not files.
    pub(super) fn is_about_change(&self) -> bool {
        self.names_change() && !self.whole
    }

    /// True when only what changed is to be judged, in one way or the other.
    pub(super) fn names_change(&self) -> bool {
        self.changed.is_some() || self.base.is_some() || self.staged || self.head.is_some()
    }

    /// What the change is compared with.
    pub(super) fn base(&self) -> ChangeBase {
        match (&self.base, self.changed.as_deref()) {
            (Some(base), _) => ChangeBase::Exactly(base.clone()),
            (None, Some(reference)) if !reference.is_empty() => ChangeBase::MergeBase(reference.to_owned()),
            _ => ChangeBase::Default,
        }
    }

    /// The base for judging whole files; none when all files are meant.
    ///
    /// # Errors
    /// `invalid_argument` for `--whole` without a change.
    pub(super) fn whole_base(&self) -> Result<Option<ChangeBase>> {
        if self.whole && !self.names_change() {
            return Err(Error::invalid("`--whole` says how changed files are judged, and no change is named")
                .hint("add `--changed`, or leave out `--whole`"));
        }
        Ok(self.whole.then(|| self.base()))
    }

    /// The files to judge as wholes: the named ones, or those that changed.
    ///
    /// # Errors
    /// As [`ChangeArgs::whole_base`], and what [`Engine::files_changed_since`] says.
    pub(super) async fn files(&self, engine: &Engine, paths: Vec<String>, call: &Call) -> Result<Vec<String>> {
        let Some(base) = self.whole_base()? else { return Ok(paths) };
        let mut changed = engine.files_changed_since(&base, call).await?;
        let below = |file: &String, path: &String| {
            file == path || file.starts_with(&format!("{}/", path.trim_end_matches('/')))
        };
        changed.retain(|file| {
            let scored = engine.boundary().resolve(file).is_ok_and(|path| is_scored(engine.boundary(), &path));
            scored && (paths.is_empty() || paths.iter().any(|path| below(file, path)))
        });
        Ok(changed)
    }

    /// The request for the verdict on the change among `paths`.
    pub(super) fn request(&self, paths: Vec<String>) -> ChangeRequest {
        let head = match &self.head {
            Some(commit) => ChangeHead::Commit(commit.clone()),
            None if self.staged => ChangeHead::Index,
            None => ChangeHead::WorkingTree,
        };
        ChangeRequest { paths, base: self.base(), head, ..ChangeRequest::default() }
    }
}

/// Writes the verdict on a change and gives its exit code.
pub(super) fn write_change_report(report: &ChangeReport, shown: VerdictFormat, context: &CliContext) -> Result<u8> {
    match shown {
        VerdictFormat::Json => context.out.write_json(report)?,
        VerdictFormat::Report(format) => context.out.write(&format.render(&QualityReport::of_change(report))?)?,
        VerdictFormat::Human => context.out.write(&draw_change(report, context.out.style()))?,
    }
    Ok(verdict::of_change(report))
}
