//! Trees of files as they were at some moment, recorded without a commit.

use std::path::Path;

use super::request::{ChangeBase, RecordedTree};
use crate::engine::Engine;
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_toolchain::git::{DiffTarget, Git};

impl Engine {
    /// Git, with the objects that a base needs.
    ///
    /// # Errors
    /// `tool_unavailable` when it is not there.
    pub(super) fn find_git(&self, base: &ChangeBase) -> Result<Git> {
        let git = Git::find(self.toolchain().settings())?;
        Ok(match base {
            ChangeBase::Recorded(recorded) => git.with_lent_objects(&recorded.objects),
            _ => git,
        })
    }

    /// The name of the tree that the files of the project are now, those that are not ignored.
    ///
    /// # Errors
    /// As [`Engine::judge_change`].
    pub async fn current_tree(&self, call: &Call) -> Result<String> {
        let repository = self.find_git(&ChangeBase::Default)?.open(self.boundary.root(), call).await?;
        Ok(repository.tree_of(&DiffTarget::WorkingTree, call).await?.to_string())
    }

    /// Records the files of the project as they are now; what the repository does not have of them is put into `objects`.
    ///
    /// # Errors
    /// As [`Engine::judge_change`]; `internal` when the folder cannot be written.
    pub async fn record_tree(&self, objects: &Path, call: &Call) -> Result<RecordedTree> {
        let repository = self.find_git(&ChangeBase::Default)?.open(self.boundary.root(), call).await?;
        let tree = repository.tree_of(&DiffTarget::WorkingTree, call).await?.to_string();
        repository.keep_new_objects(objects).await?;
        Ok(RecordedTree { tree, objects: objects.to_owned() })
    }
}
