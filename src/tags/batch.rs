//! Replacing tags in a whole vault: one scan, a plan, a journal, then note by note.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::diff;
use super::edit::{self, Edited};
use super::index::TagIndex;
use super::journal::{Lock, Planned, TagBatchJournal};
use super::rename::{Renames, Replacement};
use super::report::{FailedNote, Interrupted, ModifiedNote, NoteFailure, ReplaceReport, ReplacementCount};
use super::vault::{Vault, VaultSelection, Vaults};
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};
use tapps_sandbox::{Boundary, ProjectPath};

/// A request to replace tags.
#[derive(Debug, Clone)]
pub struct ReplaceRequest {
    pub place: VaultSelection,
    pub replacements: Vec<Replacement>,
    /// Tags below the old ones are renamed with them.
    pub nested: bool,
    /// Nothing is written unless this is false.
    pub dry_run: bool,
    /// Most bytes of one note's diff; `None` shows it whole.
    pub max_diff_bytes: Option<usize>,
}

/// One note as it is planned to be, without its text: it is made again when it is written.
struct NoteRenamePlan {
    path: ProjectPath,
    before: String,
    after: String,
    by_rule: Vec<u32>,
    merged: u32,
    diff: Option<String>,
}

/// What planning said about a note.
enum Prospect {
    Changes(NoteRenamePlan),
    Unchanged,
    /// The interrupted run has written it.
    Done,
    Fails(FailedNote),
}

/// Replaces tags, or shows what replacing them would do.
///
/// What goes wrong with a single note is part of the report; the others are changed all the same.
///
/// # Errors
/// As [`Renames::new`] and [`Vaults::load_vault`]; `session_locked` while another batch changes the vault; `invalid_argument`
/// when another batch was interrupted and has to be finished first; `cancelled` or `timeout`, after which the same request
/// goes on where this one ended.
pub fn replace_tags(vaults: &Vaults, request: &ReplaceRequest, call: &Call) -> Result<ReplaceReport> {
    let renames = Renames::new(request.place.profile, request.nested, &request.replacements)?;
    let boundary = vaults.open(&request.place.root)?;
    let lock = if request.dry_run { None } else { Some(Lock::lock_vault(&boundary)?) };
    let (earlier, other) = match TagBatchJournal::read(&boundary)? {
        Some(journal) if journal.is_of(&renames) => (Some(journal), None),
        Some(journal) => (None, find_unfinished_notes(&boundary, &journal, vaults.max_bytes())?),
        None => (None, None),
    };
    if let (Some(other), true) = (&other, lock.is_some()) {
        return Err(must_be_finished(other));
    }
    if let (Some(journal), true) = (&earlier, lock.is_some()) {
        sweep_temporary_files(&boundary, journal)?;
    }
    let index = vaults.index(&boundary, request.place.profile, call)?;
    let vault = Vault { boundary, index };
    let prospects = plan_notes(&vault, &renames, earlier.as_ref(), vaults.max_bytes(), request.dry_run, call)?;
    let mut batch = Batch::from_prospects(prospects, earlier.is_some());
    if lock.is_some() && !(batch.plans.is_empty() && earlier.is_none()) {
        let id = earlier.as_ref().map_or_else(|| vaults.clock().fresh_id(), |journal| journal.id.clone());
        begin_journal(&batch, id, &renames, earlier).write(&vault.boundary).and_then(|id| {
            batch.write(&vault.boundary, &renames, &id, vaults.max_bytes(), call)?;
            TagBatchJournal::remove(&vault.boundary)
        })?;
    }
    Ok(batch.report(&vault, request, &renames, other))
}

/// Finishes the batch that was interrupted in a vault; none when there is no such batch.
///
/// # Errors
/// As [`replace_tags`].
pub fn resume(vaults: &Vaults, root: &str, call: &Call) -> Result<Option<ReplaceReport>> {
    let Some(journal) = TagBatchJournal::read(&vaults.open(root)?)? else { return Ok(None) };
    let request = ReplaceRequest {
        place: VaultSelection { root: root.to_owned(), profile: journal.profile },
        replacements: journal.replacements,
        nested: journal.nested,
        dry_run: false,
        max_diff_bytes: None,
    };
    replace_tags(vaults, &request, call).map(Some)
}

/// What is left of another batch; none, and no journal any more, when all its notes were written.
fn find_unfinished_notes(
    boundary: &Boundary,
    journal: &TagBatchJournal,
    max_bytes: u64,
) -> Result<Option<Interrupted>> {
    let content = |note: &Planned| {
        let path = boundary.resolve(&note.path).ok()?;
        boundary.sha256(&path, max_bytes).ok()
    };
    let found: Vec<Option<String>> = journal.notes.iter().map(content).collect();
    let count = |of: fn(&Planned) -> &String| {
        journal.notes.iter().zip(&found).filter(|(note, found)| found.as_ref() == Some(of(note))).count()
    };
    if count(|note| &note.before) == 0 {
        return Ok(None);
    }
    Ok(Some(Interrupted {
        replacements: journal.replacements.clone(),
        nested: journal.nested,
        profile: journal.profile,
        done: count(|note| &note.after),
        notes: journal.notes.len(),
    }))
}

fn must_be_finished(other: &Interrupted) -> Error {
    let rules: Vec<String> =
        other.replacements.iter().map(|rule| format!("{} to {}", rule.old_tag, rule.new_tag)).collect();
    let rules = rules.join(", ");
    let (done, notes) = (other.done, other.notes);
    Error::invalid(format!("an earlier batch ({rules}) was interrupted: {done} of its {notes} notes are written")).hint(
        format!(
            "finish it first: repeat it with dry_run: false, profile {} and nested: {}, or run tapps-mcp tags resume",
            other.profile, other.nested
        ),
    )
}

/// Removes the temporary files that the interrupted run has left.
fn sweep_temporary_files(boundary: &Boundary, journal: &TagBatchJournal) -> Result<()> {
    let mut folders = BTreeSet::new();
    for note in &journal.notes {
        folders.insert(boundary.resolve(&note.path)?.parent());
    }
    folders.iter().try_for_each(|folder| boundary.remove_temporary(folder, &journal.id).map(drop))
}

/// What becomes of every note that holds an old tag, in the order of paths.
fn plan_notes(
    vault: &Vault,
    renames: &Renames,
    earlier: Option<&TagBatchJournal>,
    max_bytes: u64,
    with_diff: bool,
    call: &Call,
) -> Result<Vec<Prospect>> {
    let begun: HashMap<&str, &Planned> =
        earlier.iter().flat_map(|journal| &journal.notes).map(|planned| (planned.path.as_str(), planned)).collect();
    let concerned = affected_note_paths(&vault.index, renames, &begun);
    concerned
        .into_par_iter()
        .map(|path| {
            call.check()?;
            let begun = begun.get(path.as_str()).copied();
            Ok(plan_note(&vault.boundary, path, renames, begun, max_bytes, with_diff))
        })
        .collect()
}

/// The notes that hold an old tag, or that the interrupted run was to change.
fn affected_note_paths<'v>(
    index: &'v TagIndex,
    renames: &Renames,
    begun: &HashMap<&str, &Planned>,
) -> Vec<&'v ProjectPath> {
    let old: Vec<bool> = index.names.iter().map(|(_, tag)| renames.new_name_of(tag).is_some()).collect();
    let holds = |tags: &[u32]| tags.iter().any(|id| old.get(*id as usize) == Some(&true));
    let entries = index.entries.iter().filter(|entry| holds(&entry.tags) || begun.contains_key(entry.path.as_str()));
    entries.map(|entry| &entry.path).collect()
}

fn plan_note(
    boundary: &Boundary,
    path: &ProjectPath,
    renames: &Renames,
    begun: Option<&Planned>,
    max_bytes: u64,
    with_diff: bool,
) -> Prospect {
    let fails =
        |error: &Error| Prospect::Fails(FailedNote { path: path.to_string(), failure: NoteFailure::from_error(error) });
    let text = match read_note_text(boundary, path, max_bytes) {
        Ok(text) => text,
        Err(error) => return fails(&error),
    };
    let before = digest::sha256(text.as_bytes());
    match begun {
        Some(planned) if planned.after == before => return Prospect::Done,
        Some(planned) if planned.before != before => {
            return fails(
                &Error::invalid(format!("`{path}` has changed since the batch was interrupted"))
                    .hint("see whether it holds the new tags, and rename the rest of it in a batch of its own"),
            );
        }
        _ => {}
    }
    match edit::rename_tags_in_text(&text, renames) {
        Ok(None) => Prospect::Unchanged,
        Ok(Some(edited)) => {
            let diff = with_diff.then(|| diff::unified(path.as_str(), &text, &edited.edits));
            let Edited { text: after, by_rule, merged, .. } = edited;
            let after = digest::sha256(after.as_bytes());
            Prospect::Changes(NoteRenamePlan { path: path.clone(), before, after, by_rule, merged, diff })
        }
        Err(why) => fails(&unsafe_to_change(path, &why)),
    }
}

fn unsafe_to_change(path: &ProjectPath, why: &str) -> Error {
    Error::new(ErrorCode::CorruptedData, format!("`{path}` is left alone: {why}")).hint("change this note by hand")
}

fn read_note_text(boundary: &Boundary, path: &ProjectPath, max_bytes: u64) -> Result<String> {
    String::from_utf8(boundary.read(path, max_bytes)?)
        .map_err(|_| Error::new(ErrorCode::CorruptedData, format!("`{path}` is not UTF-8 text")))
}

/// The journal of this run: what an earlier run has begun belongs to it.
fn begin_journal(batch: &Batch, id: String, renames: &Renames, earlier: Option<TagBatchJournal>) -> Begun {
    let mut notes: HashMap<String, Planned> =
        earlier.into_iter().flat_map(|journal| journal.notes).map(|note| (note.path.clone(), note)).collect();
    for plan in &batch.plans {
        let path = plan.path.to_string();
        notes.insert(path.clone(), Planned { path, before: plan.before.clone(), after: plan.after.clone() });
    }
    let mut notes: Vec<Planned> = notes.into_values().collect();
    notes.sort_by(|a, b| a.path.cmp(&b.path));
    Begun(TagBatchJournal::new(id, renames, notes))
}

/// A journal that is about to be written.
struct Begun(TagBatchJournal);

impl Begun {
    fn write(self, boundary: &Boundary) -> Result<String> {
        self.0.write(boundary)?;
        Ok(self.0.id)
    }
}

/// What is done in one run.
struct Batch {
    plans: Vec<NoteRenamePlan>,
    failed: Vec<FailedNote>,
    /// How many notes an earlier run has written; none when there was no earlier run.
    resumed_after: Option<usize>,
}

impl Batch {
    fn from_prospects(prospects: Vec<Prospect>, resumed: bool) -> Self {
        let mut batch = Self { plans: Vec::new(), failed: Vec::new(), resumed_after: resumed.then_some(0) };
        for prospect in prospects {
            match prospect {
                Prospect::Changes(plan) => batch.plans.push(plan),
                Prospect::Fails(failed) => batch.failed.push(failed),
                Prospect::Done => batch.resumed_after = batch.resumed_after.map(|done| done + 1),
                Prospect::Unchanged => {}
            }
        }
        batch
    }

    /// Writes the planned notes one after the other. Those that cannot be written move to the failed ones.
    fn write(&mut self, boundary: &Boundary, renames: &Renames, id: &str, max_bytes: u64, call: &Call) -> Result<()> {
        let total = self.plans.len();
        let mut written = Vec::with_capacity(total);
        for (done, plan) in std::mem::take(&mut self.plans).into_iter().enumerate() {
            call.check().map_err(|error| broken_off(&error, done, total))?;
            match write_note(boundary, renames, &plan, id, max_bytes) {
                Ok(()) => written.push(plan),
                Err(error) => {
                    self.failed
                        .push(FailedNote { path: plan.path.to_string(), failure: NoteFailure::from_error(&error) });
                }
            }
            call.progress.report("writing notes", done as u64 + 1, total as u64);
        }
        self.plans = written;
        self.failed.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(())
    }

    fn report(
        self,
        vault: &Vault,
        request: &ReplaceRequest,
        renames: &Renames,
        interrupted: Option<Interrupted>,
    ) -> ReplaceReport {
        let counts = |rule: usize| self.plans.iter().filter_map(move |plan| plan.by_rule.get(rule).copied());
        let replacements: Vec<ReplacementCount> = renames
            .rules()
            .iter()
            .enumerate()
            .map(|(rule, replacement)| ReplacementCount {
                replacement: replacement.clone(),
                occurrences: counts(rule).sum(),
                notes: u32::try_from(counts(rule).filter(|count| *count > 0).count()).unwrap_or(u32::MAX),
            })
            .collect();
        let modified_files: Vec<ModifiedNote> =
            self.plans.into_iter().map(|plan| modified_note(plan, request.max_diff_bytes)).collect();
        ReplaceReport {
            searched: vault.search_summary(&request.place),
            dry_run: request.dry_run,
            occurrences: replacements.iter().map(|count| count.occurrences).sum(),
            replacements,
            total: modified_files.len(),
            truncated: modified_files.iter().any(|note| note.diff_truncated),
            modified_files,
            failed_files: self.failed,
            resumed_after: self.resumed_after,
            interrupted,
        }
    }
}

/// Makes the note again and writes it, if it is still the one that was planned for.
fn write_note(boundary: &Boundary, renames: &Renames, plan: &NoteRenamePlan, id: &str, max_bytes: u64) -> Result<()> {
    let path = &plan.path;
    let text = read_note_text(boundary, path, max_bytes)?;
    let changed = || {
        Error::invalid(format!("`{path}` has changed since it was read; nothing was written"))
            .hint("repeat the batch for this note")
    };
    if digest::sha256(text.as_bytes()) != plan.before {
        return Err(changed());
    }
    let edited =
        edit::rename_tags_in_text(&text, renames).map_err(|why| unsafe_to_change(path, &why))?.ok_or_else(changed)?;
    if digest::sha256(edited.text.as_bytes()) != plan.after {
        return Err(Error::internal(format!("`{path}` would not become what was planned")));
    }
    boundary.write_atomic_as(path, edited.text.as_bytes(), Some(&plan.before), id)
}

fn broken_off(error: &Error, done: usize, total: usize) -> Error {
    Error::new(error.code(), format!("{} after {done} of {total} notes were written", error.message()))
        .hint("repeat the same call: it goes on where this one ended")
        .partial(serde_json::json!({ "notes_written": done, "notes": total }))
}

fn modified_note(plan: NoteRenamePlan, max_diff_bytes: Option<usize>) -> ModifiedNote {
    let mut diff = plan.diff;
    let limit = max_diff_bytes.unwrap_or(usize::MAX);
    let diff_truncated = diff.as_ref().is_some_and(|diff| diff.len() > limit);
    if let (Some(diff), true) = (&mut diff, diff_truncated) {
        let whole_lines = diff.get(..diff.floor_char_boundary(limit)).and_then(|start| start.rfind('\n'));
        diff.truncate(whole_lines.map_or(0, |at| at + 1));
    }
    ModifiedNote {
        path: plan.path.to_string(),
        occurrences: plan.by_rule.iter().sum(),
        merged: plan.merged,
        diff,
        diff_truncated,
    }
}
