//! The data file of coverage.py: an SQLite database with the lines, or in branch mode the jumps, that were run.
//!
//! The bytes are opened in memory, so nothing in them can make SQLite touch another file. Only plain tables of the
//! expected names are read, under a budget of virtual-machine steps, because views and computed columns could hide
//! endless work.

use std::collections::BTreeMap;

use rusqlite::limits::Limit;
use rusqlite::{Connection, MAIN_DB, OptionalExtension as _};

use super::record::{Ran, Record, RecordedLines};

/// Thousands of virtual-machine steps that one file may take; a file of 50 MB takes about a tenth.
const BUDGET: u64 = 1_000_000;
/// The longest value that is read, in bytes; as a set of lines it would cover two million.
const VALUE_LIMIT: i32 = 1 << 18;

/// Reads a data file.
///
/// # Errors
/// What is wrong with it, as a fragment.
pub(super) fn parse_coverage_sqlite(bytes: &[u8]) -> Result<Vec<Record>, String> {
    if !bytes.starts_with(b"SQLite format 3\0") {
        return Err("it is not an SQLite database".to_owned());
    }
    records(bytes).map_err(|e| e.to_string())?
}

fn records(bytes: &[u8]) -> rusqlite::Result<Result<Vec<Record>, String>> {
    let mut db = Connection::open_in_memory()?;
    db.deserialize_read_exact(MAIN_DB, bytes, bytes.len(), true)?;
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_LIMIT)?;
    let mut spent = 0_u64;
    let over = move || {
        spent += 1;
        spent > BUDGET
    };
    db.progress_handler(1000, Some(over))?;
    for table in ["file", "line_bits", "arc"] {
        let sql: Option<String> = db
            .query_row("select sql from sqlite_schema where name = ?1 and type = 'table'", [table], |row| row.get(0))
            .optional()?;
        match sql {
            None => return Ok(Err(format!("it has no table `{table}`"))),
            Some(sql) if sql.to_ascii_lowercase().contains(" as (") => {
                return Ok(Err(format!("its table `{table}` has computed columns")));
            }
            Some(_) => {}
        }
    }
    let mut files: BTreeMap<i64, (String, Ran)> = BTreeMap::new();
    let mut rows = db.prepare("select id, path from file")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        files.insert(row.get(0)?, (row.get(1)?, Ran::default()));
    }
    let mut bits = db.prepare("select file_id, numbits from line_bits")?;
    let mut bits = bits.query([])?;
    while let Some(row) = bits.next()? {
        if let Some((_, ran)) = files.get_mut(&row.get(0)?) {
            ran.add_bits(row.get_ref(1)?.as_bytes()?);
        }
    }
    let mut arcs = db.prepare("select distinct file_id, fromno, tono from arc")?;
    let mut arcs = arcs.query([])?;
    while let Some(row) = arcs.next()? {
        if let Some((_, ran)) = files.get_mut(&row.get(0)?) {
            // Negative ends stand for entering and leaving a code object.
            let ends: [i64; 2] = [row.get(1)?, row.get(2)?];
            ran.ends.extend(ends.iter().filter(|&&end| end > 0).map(|&end| u32::try_from(end).unwrap_or(u32::MAX)));
        }
    }
    for (_, ran) in files.values_mut() {
        ran.ends.sort_unstable();
        ran.ends.dedup();
    }
    let record = |(path, ran)| Record { spellings: vec![path], lines: RecordedLines::Ran(ran) };
    Ok(Ok(files.into_values().map(record).collect()))
}
