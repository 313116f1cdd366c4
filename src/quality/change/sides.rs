//! Which two trees are compared, and what git says of the difference.

use super::report::ComparedTree;
use super::request::{ChangeBase, ChangeHead, RecordedTree};
use tapps_base::call::Call;
use tapps_base::{ErrorCode, Result};
use tapps_toolchain::git::{Changes, DiffTarget, ObjectId, Repository};

/// The two trees and what differs.
#[derive(Debug)]
pub(super) struct Sides {
    pub(super) base: ComparedTree,
    pub(super) base_tree: ObjectId,
    head_origin: String,
    /// The commit that the head is made from, with its tree.
    committed: Option<(ObjectId, ObjectId)>,
    /// The tree where the head parted from the default branch, where that is another than the base.
    pub(super) trunk_tree: Option<ObjectId>,
    pub(super) target: DiffTarget,
    pub(super) changes: Changes,
    /// What should be known of how they were chosen and compared.
    pub(super) notes: Vec<String>,
}

/// A base, before its tree is known.
struct ChosenBase {
    /// A commit or a tree.
    object: ObjectId,
    commit: Option<ObjectId>,
    origin: String,
}

impl Sides {
    /// # Errors
    /// `invalid_argument` for references that are none; `config_error` for an unmerged index and for what a shallow or
    /// partial clone lacks.
    pub(super) async fn resolve(
        repository: &Repository,
        base: &ChangeBase,
        head: &ChangeHead,
        call: &Call,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let head_commit = match head {
            ChangeHead::Commit(reference) => Some(repository.resolve(reference, call).await?),
            ChangeHead::WorkingTree | ChangeHead::Index => repository.head_commit(call).await?,
        };
        let chosen = match base {
            ChangeBase::Exactly(treeish) => exact_base(repository, treeish, call).await?,
            ChangeBase::Recorded(recorded) => recorded_base(repository, recorded, call).await?,
            ChangeBase::MergeBase(reference) => {
                parting(repository, head_commit.as_ref(), reference, &mut notes, call).await?
            }
            ChangeBase::Default => default_base(repository, head, head_commit.as_ref(), call).await?,
        };
        let base_tree = match &chosen.commit {
            Some(commit) => repository.resolve_tree(commit.as_str(), call).await?,
            None => chosen.object,
        };
        let (target, head_origin) = match (head, &head_commit) {
            (ChangeHead::Commit(reference), Some(commit)) => (DiffTarget::Commit(commit.clone()), reference.clone()),
            (ChangeHead::Index, _) => (DiffTarget::Index, "index".to_owned()),
            _ => (DiffTarget::WorkingTree, "working tree".to_owned()),
        };
        let trunk = async {
            match &head_commit {
                Some(head) => trunk_tree(repository, head, call).await,
                None => Ok(None),
            }
        };
        let committed = async {
            match &head_commit {
                Some(head) => repository.resolve_tree(head.as_str(), call).await.map(Some),
                None => Ok(None),
            }
        };
        // Each asks git several times, and none needs what the others are told.
        let (changes, trunk_tree, committed_tree) =
            tokio::try_join!(repository.changes(&base_tree, &target, call), trunk, committed)?;
        let trunk_tree = trunk_tree.filter(|trunk| *trunk != base_tree);
        if changes.renames_limited {
            notes.push(
                "more files were added and deleted than renames and copies are looked for among: only exact ones were followed"
                    .to_owned(),
            );
        }
        if !changes.unmerged.is_empty() {
            notes.push(format!("in conflict, and judged as they are: {}", changes.unmerged.join(", ")));
        }
        Ok(Self {
            base: ComparedTree {
                tree: base_tree.to_string(),
                commit: chosen.commit.map(|commit| commit.to_string()),
                origin: chosen.origin,
            },
            base_tree,
            trunk_tree,
            head_origin,
            committed: head_commit.zip(committed_tree),
            target,
            changes,
            notes,
        })
    }

    /// The tree of the head. For files that are not committed git has to store what they hold, which takes longer than to
    /// tell what changed; so it is done where it is asked for, while the tools look at these files.
    ///
    /// # Errors
    /// `config_error`, `degraded_result`, as git fails.
    pub(super) async fn head_tree(&self, repository: &Repository, call: &Call) -> Result<ObjectId> {
        repository.tree_of(&self.target, call).await
    }

    /// The head as it is told, whose tree this is.
    pub(super) fn head_as_told(&self, tree: &ObjectId) -> ComparedTree {
        let at_commit = self.committed.as_ref().filter(|(_, committed)| committed == tree);
        ComparedTree {
            tree: tree.to_string(),
            commit: at_commit.map(|(commit, _)| commit.to_string()),
            origin: self.head_origin.clone(),
        }
    }
}

/// The tree where a commit parted from the default branch.
async fn trunk_tree(repository: &Repository, head: &ObjectId, call: &Call) -> Result<Option<ObjectId>> {
    match repository.parting_from_default_branch(head, call).await {
        Ok(Some(parted)) => repository.resolve_tree(parted.commit.as_str(), call).await.map(Some),
        Ok(None) => Ok(None),
        // A clone that lacks the place has lost nothing that was asked for.
        Err(error) if error.code() == ErrorCode::ConfigError => Ok(None),
        Err(error) => Err(error),
    }
}

async fn exact_base(repository: &Repository, treeish: &str, call: &Call) -> Result<ChosenBase> {
    let object = repository.resolve_tree(treeish, call).await?;
    let commit = repository.resolve(treeish, call).await.ok();
    Ok(ChosenBase { object, commit, origin: treeish.to_owned() })
}

async fn recorded_base(repository: &Repository, recorded: &RecordedTree, call: &Call) -> Result<ChosenBase> {
    let object = repository.resolve_tree(&recorded.tree, call).await?;
    Ok(ChosenBase { object, commit: None, origin: "recorded tree".to_owned() })
}

/// Where the head parted from a reference.
async fn parting(
    repository: &Repository,
    head: Option<&ObjectId>,
    reference: &str,
    notes: &mut Vec<String>,
    call: &Call,
) -> Result<ChosenBase> {
    let tip = repository.resolve(reference, call).await?;
    // Before the first commit everything is new, whatever it is compared with.
    let Some(head) = head else { return Ok(no_commit_yet(repository)) };
    let bases = repository.merge_bases(head, &tip, call).await?;
    if bases.len() > 1 {
        notes.push(format!("{} merge bases with {reference}; the first by name is taken", bases.len()));
    }
    let commit = bases.into_iter().next().ok_or_else(|| repository.no_common_commit(reference))?;
    Ok(ChosenBase { object: commit.clone(), commit: Some(commit), origin: format!("merge base with {reference}") })
}

async fn default_base(
    repository: &Repository,
    head: &ChangeHead,
    head_commit: Option<&ObjectId>,
    call: &Call,
) -> Result<ChosenBase> {
    let Some(head_commit) = head_commit else { return Ok(no_commit_yet(repository)) };
    let named = matches!(head, ChangeHead::Commit(_));
    let parents = if named { repository.parents(head_commit, call).await? } else { Vec::new() };
    if let [first, _, ..] = parents.as_slice() {
        let origin = "first parent of the merge".to_owned();
        return Ok(ChosenBase { object: first.clone(), commit: Some(first.clone()), origin });
    }
    if !named && let Some(parted) = repository.default_base(head_commit, call).await? {
        let origin = format!("merge base with {}", parted.reference);
        return Ok(ChosenBase { object: parted.commit.clone(), commit: Some(parted.commit), origin });
    }
    let (commit, origin) = match (named, parents.first()) {
        (false, _) => (head_commit, "HEAD"),
        (true, Some(parent)) => (parent, "parent commit"),
        (true, None) => return Ok(no_commit_yet(repository)),
    };
    Ok(ChosenBase { object: commit.clone(), commit: Some(commit.clone()), origin: origin.to_owned() })
}

fn no_commit_yet(repository: &Repository) -> ChosenBase {
    ChosenBase { object: repository.empty_tree(), commit: None, origin: "no commit before it".to_owned() }
}
