//! One session's log on disk: a header line, then one event a line, only ever added to.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::event::{self, EventData, ParsedEventLine, SCHEMA_VERSION, SessionEvent, corrupted_log_error};
use super::id::SessionId;
use super::repository::{Appended, Mark, ReplayItem, Replayed, no_session, session_locked_error};
use tapps_base::{Error, FileLock, Result, private};

/// Longest line that is read; an entry is far shorter, so a longer one was never written by this program.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;

/// How long to wait for another process that is adding an event.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes read at a time when going through a log backwards.
const BLOCK: u64 = 64 * 1024;

/// The first line of a log.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    schema_version: String,
    session_id: String,
}

/// Hands every whole event after `from` to `visit`.
pub(super) fn replay(
    path: &Path,
    id: &SessionId,
    from: Mark,
    visit: &mut dyn FnMut(ReplayItem) -> Result<(), String>,
) -> Result<Replayed> {
    let mut file = open(path, id)?;
    let failed = |error: &std::io::Error| Error::io(format_args!("cannot read the log of session {id}"), error);
    file.seek(SeekFrom::Start(from.bytes)).map_err(|e| failed(&e))?;
    let mut reader = BufReader::with_capacity(128 * 1024, file);
    let mut replayed = Replayed { end: from, ..Replayed::default() };
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).map_err(|e| failed(&e))? as u64;
        if read == 0 {
            break;
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            if read == MAX_LINE_BYTES {
                return Err(corrupted_log_error(format!(
                    "a line of the log of session {id} is longer than any that was written"
                )));
            }
            replayed.torn_bytes = read;
            break;
        }
        let number = replayed.end.seq + 1;
        let place = |why: String| corrupted_log_error(format!("the log of session {id}, event {number}: {why}"));
        let text = std::str::from_utf8(&line).map_err(|_| place("the line is not UTF-8".to_owned()))?;
        if replayed.end.bytes == 0 {
            check_header(text, id)?;
        } else {
            let item = match SessionEvent::parse_line(text, number).map_err(place)? {
                ParsedEventLine::Known(event) => ReplayItem::Event(event),
                ParsedEventLine::Unknown { seq, event_type } => {
                    *replayed.unknown.entry(event_type).or_default() += 1;
                    ReplayItem::Unknown(seq)
                }
            };
            visit(item).map_err(place)?;
            replayed.end.seq = number;
        }
        replayed.end.bytes += read;
    }
    if replayed.end.seq == 0 {
        // A first write that was broken off has acknowledged nothing, the session's name included.
        return Err(no_session(id));
    }
    Ok(replayed)
}

fn check_header(line: &str, id: &SessionId) -> Result<()> {
    let header: Header = serde_json::from_str(line).map_err(|error| {
        corrupted_log_error(format!("the log of session {id} does not begin with a header: {error}"))
    })?;
    event::check_version(&header.schema_version, &format_args!("the log of session {id}"))?;
    if header.session_id == id.as_str() {
        Ok(())
    } else {
        Err(corrupted_log_error(format!("the log of session {id} says that it belongs to another session")))
    }
}

/// At most `limit` events before number `before`, newest first, read from the end of the log.
pub(super) fn newest_log_events(path: &Path, id: &SessionId, before: u64, limit: usize) -> Result<Vec<SessionEvent>> {
    let mut file = open(path, id)?;
    let failed = |error: &std::io::Error| Error::io(format_args!("cannot read the log of session {id}"), error);
    let mut start = file.metadata().map_err(|e| failed(&e))?.len();
    let mut events = Vec::new();
    // The end of a line that begins further up, without its line end.
    let mut carry: Vec<u8> = Vec::new();
    let mut end_found = false;
    while start > 0 && events.len() < limit {
        let size = start.min(BLOCK);
        start -= size;
        let mut block = vec![0; usize::try_from(size).unwrap_or_default()];
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut block)).map_err(|e| failed(&e))?;
        block.append(&mut carry);
        if !end_found {
            // What follows on the last line end is the remains of an interrupted write.
            match block.iter().rposition(|byte| *byte == b'\n') {
                Some(last) => block.truncate(last),
                None => block.clear(),
            }
            end_found = !block.is_empty();
        }
        let Some(first_end) = block.iter().position(|byte| *byte == b'\n') else {
            carry = block;
            continue;
        };
        // The line before that begins further up or, in the first block, is the header.
        let mut lines = block.split_off(first_end);
        carry = block;
        lines.remove(0);
        for line in lines.rsplit(|byte| *byte == b'\n') {
            if events.len() < limit {
                push_event_from_line(line, id, before, &mut events)?;
            }
        }
    }
    Ok(events)
}

fn push_event_from_line(line: &[u8], id: &SessionId, before: u64, events: &mut Vec<SessionEvent>) -> Result<()> {
    #[derive(Deserialize)]
    struct Number {
        seq: u64,
    }
    let broken = |why: String| corrupted_log_error(format!("the log of session {id}: {why}"));
    let text = std::str::from_utf8(line).map_err(|_| broken("a line is not UTF-8".to_owned()))?;
    let Number { seq } = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
    if seq >= before {
        return Ok(());
    }
    if let ParsedEventLine::Known(event) = SessionEvent::parse_line(text, seq).map_err(broken)? {
        events.push(event);
    }
    Ok(())
}

/// Adds one event just after `at` and makes it durable.
pub(super) fn append(path: &Path, id: &SessionId, at: Mark, timestamp: &str, data: &EventData) -> Result<Appended> {
    let failed = |error: &std::io::Error| Error::io(format_args!("cannot write the log of session {id}"), error);
    let seq = at.seq + 1;
    let line = SessionEvent { seq, timestamp: timestamp.to_owned(), data: data.clone() }.to_line()?;
    let mut file = if at == Mark::default() {
        private::file_with(path, OpenOptions::new().read(true).append(true).create(true)).map_err(|e| failed(&e))?
    } else {
        private::file_with(path, OpenOptions::new().read(true).append(true)).map_err(|e| missing_or(&e, id, failed))?
    };
    let _lock = lock(&file, id)?;
    let mut text = line;
    if at == Mark::default() {
        let header = Header { schema_version: SCHEMA_VERSION.to_owned(), session_id: id.to_string() };
        let header = serde_json::to_string(&header).map_err(|e| Error::internal(format!("no header: {e}")))?;
        text = format!("{header}\n{text}");
    }
    let length = file.metadata().map_err(|e| failed(&e))?.len();
    if length < at.bytes {
        return Err(corrupted_log_error(format!("the log of session {id} has lost bytes that were already written")));
    }
    if length > at.bytes {
        if has_whole_line(&mut file, at.bytes).map_err(|e| failed(&e))? {
            return Ok(Appended::Moved);
        }
        tracing::warn!(
            session = id.as_str(),
            bytes = length - at.bytes,
            "the remains of an interrupted write are removed"
        );
        file.set_len(at.bytes).map_err(|e| failed(&e))?;
    }
    // One write, so that a reader sees the line wholly or as a torn one.
    if let Err(error) = file.write_all(text.as_bytes()).and_then(|()| file.sync_data()) {
        // Nobody was told of the event, so nobody may find it later.
        file.set_len(at.bytes).ok();
        return Err(failed(&error).hint("free some space on the disk and call again; the session is as it was before"));
    }
    if at == Mark::default()
        && let Some(folder) = path.parent()
    {
        // The name itself is durable only once the folder is.
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|e| failed(&e))?;
    }
    Ok(Appended::Durable(Mark { seq, bytes: at.bytes + text.len() as u64 }))
}

fn has_whole_line(file: &mut File, from: u64) -> std::io::Result<bool> {
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.take(MAX_LINE_BYTES).read_to_end(&mut tail)?;
    Ok(tail.contains(&b'\n'))
}

/// Waits for the right to write, which is held for one event only.
fn lock(file: &File, id: &SessionId) -> Result<FileLock> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        match FileLock::try_acquire(file) {
            Ok(lock) => return Ok(lock),
            Err(std::fs::TryLockError::WouldBlock) if Instant::now() < give_up => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(std::fs::TryLockError::WouldBlock) => return Err(session_locked_error(id, None)),
            Err(std::fs::TryLockError::Error(error)) => {
                return Err(Error::io(format_args!("cannot lock the log of session {id}"), &error));
            }
        }
    }
}

fn open(path: &Path, id: &SessionId) -> Result<File> {
    let failed = |error: &std::io::Error| Error::io(format_args!("cannot read the log of session {id}"), error);
    private::file_with(path, OpenOptions::new().read(true)).map_err(|e| missing_or(&e, id, failed))
}

fn missing_or(error: &std::io::Error, id: &SessionId, failed: impl Fn(&std::io::Error) -> Error) -> Error {
    if error.kind() == std::io::ErrorKind::NotFound { no_session(id) } else { failed(error) }
}
