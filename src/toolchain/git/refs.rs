//! References: which commit a name means, where two lines of work parted, what a change is compared with by default.

use std::collections::BTreeMap;
use std::sync::PoisonError;

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

/// A branch by its full name, and where it is.
struct Branch {
    reference: String,
    tip: ObjectId,
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
        if a == b {
            return Ok(vec![a.clone()]);
        }
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

    /// Where HEAD, which is at `head`, parted from the branch it follows, or else from the default branch; none without such a
    /// branch.
    ///
    /// # Errors
    /// `config_error` when the commit where they parted is not in this clone.
    pub async fn default_base(&self, head: &ObjectId, call: &Call) -> Result<Option<DefaultBase>> {
        let upstream = "HEAD@{upstream}";
        if let Some(tip) = self.find_object(&format!("{upstream}^{{commit}}"), call).await? {
            let reference = self.full_name(upstream, call).await?;
            return self.parting_from(head, Branch { reference, tip }, call).await.map(Some);
        }
        self.parting_from_default_branch(head, call).await
    }

    /// Where a commit parted from the default branch; none without such a branch.
    ///
    /// # Errors
    /// `config_error` when the commit where they parted is not in this clone.
    pub async fn parting_from_default_branch(&self, commit: &ObjectId, call: &Call) -> Result<Option<DefaultBase>> {
        match self.default_branch(call).await? {
            Some(branch) => self.parting_from(commit, branch, call).await.map(Some),
            None => Ok(None),
        }
    }

    /// The first of what the default branch may be called that there is.
    async fn default_branch(&self, call: &Call) -> Result<Option<Branch>> {
        let configured = self.configuration.default_branch.iter().map(String::as_str);
        let names: Vec<String> = std::iter::once("refs/remotes/origin/HEAD".to_owned())
            .chain(
                configured
                    .chain(["main", "master"])
                    .flat_map(|branch| [format!("refs/remotes/origin/{branch}"), format!("refs/heads/{branch}")]),
            )
            .collect();
        let mut args = vec!["for-each-ref", "--format=%(refname) %(objectname) %(symref)", "--"];
        args.extend(names.iter().map(String::as_str));
        let listed = stdout_text(&self.git.run_checked(&args, GitInput::without_input(), call).await?);
        // It lists what is below such a name as well.
        let known: BTreeMap<&str, (&str, &str)> = listed
            .lines()
            .filter_map(|line| {
                let mut words = line.split(' ');
                Some((words.next()?, (words.next()?, words.next().unwrap_or_default())))
            })
            .collect();
        Ok(names.iter().find_map(|name| {
            let (tip, target) = known.get(name.as_str())?;
            let reference = if target.is_empty() { name.as_str() } else { target };
            Some(Branch { reference: reference.to_owned(), tip: ObjectId::parse(tip)? })
        }))
    }

    async fn parting_from(&self, commit: &ObjectId, branch: Branch, call: &Call) -> Result<DefaultBase> {
        let Branch { reference, tip } = branch;
        if *commit == tip {
            return Ok(DefaultBase { reference, commit: tip });
        }
        let bases = self.merge_bases(commit, &tip, call).await?;
        let commit = bases.into_iter().next().ok_or_else(|| self.no_common_commit(&reference))?;
        Ok(DefaultBase { reference, commit })
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
        if let Some(known) = self.found.lock().unwrap_or_else(PoisonError::into_inner).get(expression) {
            return Ok(Some(known.clone()));
        }
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", expression];
        let finished = self.git.run(&args, GitInput::without_input(), call).await?;
        let found = if finished.status.success() { ObjectId::parse(&stdout_text(&finished)) } else { None };
        if let Some(found) = &found {
            let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(expression.to_owned(), found.clone());
        }
        Ok(found)
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
