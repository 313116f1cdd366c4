//! References: which commit a name means, where two lines of work parted, what a change is compared with by default.

use tapps_base::call::Call;
use tapps_base::{Error, Result, nearest};

use super::command::{GitInput, stdout_text};
use super::discovery::refused_repository;
use super::object_id::ObjectId;
use super::repository::Repository;

/// What a change is compared with when nobody says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultBase {
    /// The branch that HEAD follows or will go into, by its full name.
    pub reference: String,
    /// Where HEAD parted from it; of several such commits the first by name.
    pub commit: ObjectId,
}

impl Repository {
    /// The commit that is checked out; none in a repository without commits.
    ///
    /// # Errors
    /// `timeout`, `cancelled`.
    pub async fn head_commit(&self, call: &Call) -> Result<Option<ObjectId>> {
        self.find_object("HEAD^{commit}", call).await
    }

    /// The commit that `reference` means.
    ///
    /// # Errors
    /// `invalid_argument` for a reference that is none, with the nearest ones.
    pub async fn resolve(&self, reference: &str, call: &Call) -> Result<ObjectId> {
        self.resolve_as(reference, "commit", call).await
    }

    /// The tree that `reference` means: a tree, or that of a commit.
    ///
    /// # Errors
    /// As [`Repository::resolve`].
    pub async fn resolve_tree(&self, reference: &str, call: &Call) -> Result<ObjectId> {
        self.resolve_as(reference, "tree", call).await
    }

    /// The best common ancestors of two commits, sorted by name; none when they share no history that is here.
    ///
    /// # Errors
    /// `degraded_result` when git fails; `timeout`, `cancelled`.
    pub async fn merge_bases(&self, a: &ObjectId, b: &ObjectId, call: &Call) -> Result<Vec<ObjectId>> {
        let args = ["merge-base", "--all", a.as_str(), b.as_str()];
        let finished = self.git.run(&args, GitInput::without_input(), call).await?;
        match finished.code() {
            Some(0) => {}
            Some(1) if finished.stdout.is_empty() => return Ok(Vec::new()),
            _ => return Err(refused_repository(format!("git merge-base failed: {}", finished.last_errors(2)))),
        }
        let mut bases: Vec<ObjectId> = stdout_text(&finished).lines().filter_map(ObjectId::parse).collect();
        bases.sort();
        Ok(bases)
    }

    /// Where HEAD parted from the branch it follows, or else from the default branch; none without commits or without such
    /// a branch.
    ///
    /// # Errors
    /// `config_error` when the commit where they parted is not in this clone.
    pub async fn default_base(&self, call: &Call) -> Result<Option<DefaultBase>> {
        let Some(head) = self.head_commit(call).await? else { return Ok(None) };
        let names = std::iter::once("HEAD@{upstream}".to_owned()).chain(self.default_branches());
        self.parting_from_first(&head, names, call).await
    }

    /// Where a commit parted from the default branch; none without such a branch.
    ///
    /// # Errors
    /// `config_error` when the commit where they parted is not in this clone.
    pub async fn parting_from_default_branch(&self, commit: &ObjectId, call: &Call) -> Result<Option<DefaultBase>> {
        self.parting_from_first(commit, self.default_branches().into_iter(), call).await
    }

    /// What the default branch may be called, likeliest first.
    fn default_branches(&self) -> Vec<String> {
        let mut names = vec!["refs/remotes/origin/HEAD".to_owned()];
        let configured = self.configuration.default_branch.iter().map(String::as_str);
        for branch in configured.chain(["main", "master"]) {
            names.push(format!("refs/remotes/origin/{branch}"));
            names.push(format!("refs/heads/{branch}"));
        }
        names
    }

    async fn parting_from_first(
        &self,
        head: &ObjectId,
        names: impl Iterator<Item = String>,
        call: &Call,
    ) -> Result<Option<DefaultBase>> {
        for name in names {
            let Some(tip) = self.find_object(&format!("{name}^{{commit}}"), call).await? else { continue };
            let reference = self.full_name(&name, call).await?;
            let bases = self.merge_bases(head, &tip, call).await?;
            let commit = bases.into_iter().next().ok_or_else(|| self.no_common_commit(&reference))?;
            return Ok(Some(DefaultBase { reference, commit }));
        }
        Ok(None)
    }

    async fn resolve_as(&self, reference: &str, kind: &str, call: &Call) -> Result<ObjectId> {
        if reference.is_empty() || reference.starts_with('-') || reference.chars().any(char::is_control) {
            return Err(Error::invalid(format!("`{}` is not a git reference", reference.escape_default()))
                .hint("name a branch, a tag or a commit"));
        }
        if let Some(object) = self.find_object(&format!("{reference}^{{{kind}}}"), call).await? {
            return Ok(object);
        }
        let args = ["for-each-ref", "--format=%(refname:short)"];
        let known = stdout_text(&self.git.run_checked(&args, GitInput::without_input(), call).await?);
        Err(Error::invalid(format!("git knows no {kind} `{reference}`")).hint(if known.is_empty() {
            "the repository has no branches yet".to_owned()
        } else {
            nearest_references(reference, &known)
        }))
    }

    async fn find_object(&self, expression: &str, call: &Call) -> Result<Option<ObjectId>> {
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", expression];
        let finished = self.git.run(&args, GitInput::without_input(), call).await?;
        Ok(if finished.status.success() { ObjectId::parse(&stdout_text(&finished)) } else { None })
    }

    async fn full_name(&self, name: &str, call: &Call) -> Result<String> {
        let args = ["rev-parse", "--symbolic-full-name", name];
        Ok(stdout_text(&self.git.run_checked(&args, GitInput::without_input(), call).await?))
    }

    /// The parents of a commit, in their order.
    ///
    /// # Errors
    /// `degraded_result` when the commit cannot be read.
    pub async fn parents(&self, commit: &ObjectId, call: &Call) -> Result<Vec<ObjectId>> {
        let args = ["cat-file", "commit", commit.as_str()];
        let text = stdout_text(&self.git.run_checked(&args, GitInput::without_input(), call).await?);
        let header = text.lines().take_while(|line| !line.is_empty());
        Ok(header.filter_map(|line| ObjectId::parse(line.strip_prefix("parent ")?)).collect())
    }

    /// The error for two commits of which this clone does not know where they parted.
    #[must_use]
    pub fn no_common_commit(&self, reference: &str) -> Error {
        let error = refused_repository(format!("HEAD and `{reference}` have no common commit in this clone"));
        if self.is_shallow() {
            error.hint("the clone is shallow: run `git fetch --unshallow`, or name the base")
        } else {
            error.hint("name the base to compare with")
        }
    }
}

/// The nearest of the known references; a remote branch is near by its own name as well.
fn nearest_references(reference: &str, known: &str) -> String {
    let near = nearest::names(reference, known.lines());
    if near.is_empty() {
        let first: Vec<&str> = known.lines().take(10).collect();
        return format!("known: {}; a shallow clone may lack others", first.join(", "));
    }
    format!("did you mean {}?", near.join(" or "))
}
