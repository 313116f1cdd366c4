//! Bringing an index up to date: one survey, and only what has changed is read.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use super::Profile;
use super::index::{IndexedNote, TagIndex, TagSpellings};
use super::note::NoteTagSpans;
use tapps_base::call::Call;
use tapps_base::{ErrorCode, Result};
use tapps_sandbox::survey::{FileStamp, SurveyedFile};
use tapps_sandbox::{Boundary, ProjectPath};

/// Coarsest clock of the file systems in use: what changed within it before a look may change again unseen.
const TICK: Duration = Duration::from_secs(2);

/// What reading needs besides the vault.
#[derive(Debug)]
pub struct VaultReadOptions<'c> {
    pub profile: Profile,
    /// Largest note that is read, in bytes.
    pub max_bytes: u64,
    /// Wall time before the survey, since the Unix epoch.
    pub now: Duration,
    pub call: &'c Call,
}

/// A note as it was found.
struct Surveyed {
    path: ProjectPath,
    stamp: FileStamp,
}

/// A note that has been read.
struct Fresh {
    file: Surveyed,
    doubt: Option<[u8; 32]>,
    content: NoteContent,
}

enum NoteContent {
    /// The same as before.
    Known(Arc<IndexedNote>),
    Read {
        tags: Vec<String>,
        invalid: Vec<String>,
        trouble: Option<String>,
    },
    /// Gone since the survey.
    Gone,
}

/// A file that has to be read, with what was known of it.
type Stale = (Surveyed, Option<Arc<IndexedNote>>);

/// The index of a vault as it is now; `before` is what was known of it.
///
/// # Errors
/// `cancelled` or `timeout`; `path_denied` when the root cannot be listed.
pub fn refresh(
    boundary: &Boundary,
    before: Option<Arc<TagIndex>>,
    reading: &VaultReadOptions<'_>,
) -> Result<Arc<TagIndex>> {
    let before = before.filter(|index| index.profile == reading.profile);
    let mut sorting = Sorting::new(before.as_deref());
    let unlisted = boundary.survey(&reading.profile, &mut |file| sorting.sort_file(file), reading.call)?;
    let Sorting { mut kept, stale, .. } = sorting;
    if let Some(index) = &before
        && stale.is_empty()
        && kept.len() == index.entries.len()
        && unlisted == index.unlisted
    {
        return Ok(Arc::clone(index));
    }
    let fresh = read_all(boundary, stale, reading)?;
    let mut names =
        before.as_ref().map_or_else(|| TagSpellings::new(reading.profile), |index| TagSpellings::clone(&index.names));
    kept.extend(fresh.into_iter().filter_map(|fresh| index_note(fresh, &mut names)));
    kept.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Arc::new(TagIndex::new(reading.profile, kept, names, unlisted)))
}

/// Tells what can be kept from what has to be read, while the survey goes on. Both lists are sorted by path.
struct Sorting<'i> {
    known: std::iter::Peekable<std::slice::Iter<'i, Arc<IndexedNote>>>,
    kept: Vec<Arc<IndexedNote>>,
    stale: Vec<Stale>,
}

impl<'i> Sorting<'i> {
    fn new(before: Option<&'i TagIndex>) -> Self {
        let known = before.map_or(&[][..], |index| &index.entries);
        Self { known: known.iter().peekable(), kept: Vec::with_capacity(known.len()), stale: Vec::new() }
    }

    fn sort_file(&mut self, file: SurveyedFile<'_>) {
        while self.known.next_if(|entry| entry.path.as_str() < file.as_str()).is_some() {}
        match self.known.next_if(|entry| entry.path.as_str() == file.as_str()) {
            Some(entry) if entry.stamp == file.stamp && entry.doubt.is_none() => self.kept.push(Arc::clone(entry)),
            other => self.stale.push((Surveyed { path: file.path(), stamp: file.stamp }, other.cloned())),
        }
    }
}

fn read_all(boundary: &Boundary, stale: Vec<Stale>, reading: &VaultReadOptions<'_>) -> Result<Vec<Fresh>> {
    let total = stale.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    stale
        .into_par_iter()
        .map(|(file, known)| {
            reading.call.check()?;
            let fresh = read_surveyed_note(boundary, file, known, reading);
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            if done.is_multiple_of(256) {
                reading.call.progress.report("reading notes", done, total);
            }
            Ok(fresh)
        })
        .collect()
}

fn read_surveyed_note(
    boundary: &Boundary,
    file: Surveyed,
    known: Option<Arc<IndexedNote>>,
    reading: &VaultReadOptions<'_>,
) -> Fresh {
    let unread = |reason: String| NoteContent::Read { tags: Vec::new(), invalid: Vec::new(), trouble: Some(reason) };
    let bytes = match boundary.read(&file.path, reading.max_bytes) {
        Ok(bytes) => bytes,
        Err(error) if error.code() == ErrorCode::FileNotFound => {
            return Fresh { file, doubt: None, content: NoteContent::Gone };
        }
        Err(error) => {
            let content = unread(error.message().to_owned());
            return Fresh { file, doubt: None, content };
        }
    };
    let doubt = is_doubtful(&file.stamp, reading.now);
    let digest =
        (doubt || known.as_ref().is_some_and(|entry| entry.doubt.is_some())).then(|| Sha256::digest(&bytes).into());
    let content = match (known, std::str::from_utf8(&bytes)) {
        (Some(entry), _) if entry.doubt.is_some() && entry.doubt == digest => NoteContent::Known(entry),
        (_, Ok(text)) => {
            let note = NoteTagSpans::from_text(text, reading.profile);
            let tags = distinct(note.tags(text));
            NoteContent::Read { tags, invalid: note.invalid, trouble: note.unreadable }
        }
        (_, Err(_)) => unread("it is not UTF-8 text".to_owned()),
    };
    Fresh { file, doubt: digest.filter(|_| doubt), content }
}

/// A file that changed, by its own stamp, no longer than a tick before it was looked at, or later.
fn is_doubtful(stamp: &FileStamp, now: Duration) -> bool {
    let now = i128::try_from(now.as_nanos()).unwrap_or(i128::MAX);
    let tick = i128::try_from(TICK.as_nanos()).unwrap_or_default();
    stamp.modified.max(stamp.changed) + tick >= now
}

fn distinct<'t>(tags: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut known = HashSet::new();
    tags.filter(|tag| known.insert(*tag)).map(str::to_owned).collect()
}

fn index_note(fresh: Fresh, names: &mut TagSpellings) -> Option<Arc<IndexedNote>> {
    let Surveyed { path, stamp } = fresh.file;
    let doubt = fresh.doubt;
    Some(Arc::new(match fresh.content {
        NoteContent::Gone => return None,
        NoteContent::Known(entry) => IndexedNote { path, stamp, doubt, ..IndexedNote::clone(&entry) },
        NoteContent::Read { tags, invalid, trouble } => {
            let tags = tags.iter().map(|tag| names.intern(tag)).collect();
            IndexedNote { path, stamp, doubt, tags, invalid: invalid.into(), trouble }
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::clock::{Clock as _, SystemClock};

    fn tags(index: &TagIndex) -> Vec<(String, Vec<String>)> {
        let names = |entry: &IndexedNote| entry.tags.iter().map(|id| index.names.spelling(*id).to_owned()).collect();
        index.entries.iter().map(|entry| (entry.path.to_string(), names(entry))).collect()
    }

    fn again(boundary: &Boundary, before: Option<&Arc<TagIndex>>, now: Duration) -> Arc<TagIndex> {
        let call = Call::quiet(Duration::from_secs(60));
        let reading = VaultReadOptions { profile: Profile::Obsidian, max_bytes: 1_000, now, call: &call };
        refresh(boundary, before.cloned(), &reading).unwrap()
    }

    #[test]
    fn only_what_has_changed_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| std::fs::write(dir.path().join(path), text).unwrap();
        write("a.md", "#one #two #one");
        write("b.md", "#two");
        write("large.md", &"x".repeat(2_000));
        std::fs::write(dir.path().join("binary.md"), [0xff, 0xfe]).unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        // An hour from now nothing is in doubt.
        let later = SystemClock.now() + Duration::from_secs(3_600);
        let first = again(&boundary, None, later);
        let names = |tags: &[&str]| tags.iter().map(|&tag| tag.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            tags(&first)[..2],
            [("a.md".to_owned(), names(&["one", "two"])), ("b.md".to_owned(), names(&["two"]))]
        );
        let trouble: Vec<&str> = first.entries.iter().filter_map(|entry| entry.trouble.as_deref()).collect();
        assert_eq!(trouble, ["it is not UTF-8 text", "`large.md` has 2000 bytes, more than the 1000 that are read"]);
        assert!(Arc::ptr_eq(&first, &again(&boundary, Some(&first), later)));

        write("b.md", "#three");
        write("c.md", "#four");
        std::fs::remove_file(dir.path().join("a.md")).unwrap();
        let second = again(&boundary, Some(&first), later);
        assert_eq!(tags(&second)[0], ("b.md".to_owned(), names(&["three"])));
        assert_eq!(tags(&second)[2], ("c.md".to_owned(), names(&["four"])));
        assert!(Arc::ptr_eq(&second.entries[1], &first.entries[2]), "binary.md is kept");
    }

    #[test]
    fn a_file_that_changed_just_now_is_looked_at_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.md");
        std::fs::write(&path, "#one").unwrap();
        let boundary = Boundary::open(dir.path()).unwrap();
        let first = again(&boundary, None, SystemClock.now());
        assert!(first.entries[0].doubt.is_some());
        // The same stamp with other content: what a coarse clock makes possible.
        std::fs::write(&path, "#two").unwrap();
        let stamp = again(&boundary, None, SystemClock.now()).entries[0].stamp;
        let pretended = vec![Arc::new(IndexedNote { stamp, ..IndexedNote::clone(&first.entries[0]) })];
        let pretended =
            Arc::new(TagIndex::new(Profile::Obsidian, pretended, TagSpellings::clone(&first.names), Vec::new()));
        let second = again(&boundary, Some(&pretended), SystemClock.now());
        assert_eq!(tags(&second)[0].1, ["two"]);
        // Once the tick is over the same content settles the doubt.
        let third = again(&boundary, Some(&second), SystemClock.now() + Duration::from_secs(3_600));
        assert_eq!((tags(&third)[0].1.as_slice(), third.entries[0].doubt), (&["two".to_owned()][..], None));
    }
}
