//! What mypy knows of the stubs that come with it, taken over from one project's cache into another's.
//!
//! They are the same files for every project, and on a small project most of what mypy reads. mypy looks at the options, the
//! path and the file of each module before it believes what is cached of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;
use rusqlite::{Connection, OpenFlags, params};

use tapps_base::{Error, Result, private};

/// What the entry of a module is called that says where its file is.
const META: &str = ".meta.ff";

/// Copies what the cache in `from` holds of the files below `stubs` into a new folder `to`. False when it holds none.
///
/// # Errors
/// When one of them is not such a cache, or cannot be read or written; there is no folder `to` then.
pub(super) fn copy_bundled_stubs(from: &Path, to: &Path, stubs: &Path) -> Result<bool> {
    let unfinished = to.with_extension("unfinished");
    fs::remove_dir_all(&unfinished).ok();
    let copied = copy_versions(from, &unfinished, stubs);
    match copied {
        Ok(modules) if modules > 0 => {
            fs::rename(&unfinished, to).map_err(|e| Error::io("cannot begin a type cache", &e))?;
            Ok(true)
        }
        other => {
            fs::remove_dir_all(&unfinished).ok();
            other.map(|_| false)
        }
    }
}

/// How many modules were copied: mypy keeps those of each version of Python in a folder, divided among several databases.
fn copy_versions(from: &Path, to: &Path, stubs: &Path) -> Result<usize> {
    let mut copied = 0;
    for version in folders_in(from)? {
        let databases: Vec<PathBuf> =
            entries_in(&version)?.into_iter().filter(|file| file.extension().is_some_and(|end| end == "db")).collect();
        let mut modules = BTreeSet::new();
        for database in &databases {
            modules.extend(modules_below(database, stubs).map_err(|e| unusable(database, &e))?);
        }
        let folder = to.join(version.file_name().unwrap_or_default());
        private::folder(&folder).map_err(|e| Error::io("cannot begin a type cache", &e))?;
        for database in databases.iter().filter(|_| !modules.is_empty()) {
            let there = folder.join(database.file_name().unwrap_or_default());
            copy_entries(database, &there, &modules).map_err(|e| unusable(database, &e))?;
        }
        copied += modules.len();
    }
    Ok(copied)
}

/// The modules of a database whose files are below a folder.
fn modules_below(database: &Path, folder: &Path) -> rusqlite::Result<Vec<String>> {
    let folder = folder.as_os_str().as_encoded_bytes();
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut entries = connection.prepare("SELECT path, data FROM files2 WHERE path LIKE '%' || ?1")?;
    let entries = entries.query_map([META], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
    let mut modules = Vec::new();
    for entry in entries {
        let (path, data) = entry?;
        if memmem::find(&data, folder).is_some() {
            modules.push(module_of_entry(&path).to_owned());
        }
    }
    Ok(modules)
}

/// Makes a database anew with the entries of some modules.
fn copy_entries(from: &Path, to: &Path, modules: &BTreeSet<String>) -> rusqlite::Result<()> {
    // Nobody else may read it.
    private::file(to).ok();
    let mut connection = Connection::open(to)?;
    // What is lost with the machine is made again.
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;")?;
    connection.execute("ATTACH DATABASE ?1 AS known", [from.to_string_lossy()])?;
    let made: Vec<String> = texts(&connection, "SELECT sql FROM known.sqlite_master WHERE sql IS NOT NULL")?;
    let entries = texts(&connection, "SELECT path FROM known.files2")?;
    let change = connection.transaction()?;
    for statement in made {
        change.execute_batch(&statement)?;
    }
    for entry in entries.iter().filter(|entry| modules.contains(module_of_entry(entry))) {
        change
            .prepare_cached("INSERT INTO files2 SELECT * FROM known.files2 WHERE path = ?1")?
            .execute(params![entry])?;
    }
    change.commit()
}

fn texts(connection: &Connection, query: &str) -> rusqlite::Result<Vec<String>> {
    connection.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

/// The module, as a path, whose entry it is: what stands before the first dot of its last part.
fn module_of_entry(entry: &str) -> &str {
    let last = entry.rfind('/').map_or(0, |slash| slash + 1);
    let dot = entry.get(last..).and_then(|name| name.find('.')).map_or(entry.len(), |dot| last + dot);
    entry.get(..dot).unwrap_or(entry)
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(entries_in(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn entries_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |e: &std::io::Error| Error::io(format_args!("cannot read {}", folder.display()), e);
    let entries = fs::read_dir(folder).map_err(|e| failed(&e))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(|e| failed(&e))).collect()
}

fn unusable(database: &Path, error: &rusqlite::Error) -> Error {
    Error::internal(format!("cannot use {}: {error}", database.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUBS: &str = "/tools/lib/mypy/typeshed";

    /// Entries as mypy writes them: what is known of a module, divided among databases.
    fn write_cache(folder: &Path, entries: &[(&str, &str)]) {
        let version = folder.join("3.13");
        fs::create_dir_all(&version).unwrap();
        for (number, (path, data)) in entries.iter().enumerate() {
            let connection = Connection::open(version.join(format!("cache.{}.db", number % 3))).unwrap();
            let made = "CREATE TABLE IF NOT EXISTS files2 (path TEXT UNIQUE NOT NULL, mtime REAL, data BLOB);\
                        CREATE INDEX IF NOT EXISTS path_idx on files2(path);";
            connection.execute_batch(made).unwrap();
            let row = params![path, f64::from(u32::try_from(number).unwrap()) + 0.25, data.as_bytes()];
            connection.execute("INSERT INTO files2 VALUES (?1, ?2, ?3)", row).unwrap();
        }
    }

    fn read_cache(folder: &Path) -> Vec<(String, f64, Vec<u8>)> {
        let mut found: Vec<(String, f64, Vec<u8>)> = Vec::new();
        for database in entries_in(&folder.join("3.13")).unwrap() {
            let connection = Connection::open(database).unwrap();
            let mut rows = connection.prepare("SELECT path, mtime, data FROM files2").unwrap();
            let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
            found.extend(rows.map(|row| row.unwrap()));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    #[test]
    fn what_is_below_the_stubs_is_copied_with_its_times_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let bundled = |name: &str| format!("\u{1}{STUBS}/stdlib/{name}.pyi\u{2}");
        write_cache(
            &from,
            &[
                ("zipfile/__init__.data.ff", "what it says"),
                ("zipfile/__init__.meta.ff", &bundled("zipfile/__init__")),
                ("zipfile/__init__.meta_ex.ff", "more"),
                ("queue.meta.ff", "queue.py, a module of the project"),
                ("queue.data.ff", "what that says"),
                ("own/zipfile.meta.ff", "own/zipfile.py"),
                ("os.meta.ff", &bundled("os")),
                ("os.data.ff", "what os says"),
                ("@plugins_snapshot.json", "{}"),
            ],
        );
        assert!(copy_bundled_stubs(&from, &to, Path::new(STUBS)).unwrap());
        let copied = read_cache(&to);
        let known: Vec<(&str, f64)> = copied.iter().map(|(path, time, _)| (path.as_str(), *time)).collect();
        let expected = [
            ("os.data.ff", 7.25),
            ("os.meta.ff", 6.25),
            ("zipfile/__init__.data.ff", 0.25),
            ("zipfile/__init__.meta.ff", 1.25),
            ("zipfile/__init__.meta_ex.ff", 2.25),
        ];
        assert_eq!(known, expected);
        assert_eq!(copied[0].2, b"what os says");
    }

    #[test]
    fn a_cache_without_them_begins_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        write_cache(&from, &[("queue.meta.ff", "queue.py"), ("queue.data.ff", "what it says")]);
        assert!(!copy_bundled_stubs(&from, &to, Path::new(STUBS)).unwrap());
        assert_eq!(entries_in(folder.path()).unwrap(), [from]);
    }

    #[test]
    fn of_a_damaged_cache_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        write_cache(&from, &[("os.meta.ff", &format!("{STUBS}/stdlib/os.pyi")), ("os.data.ff", "what it says")]);
        fs::write(from.join("3.13/cache.1.db"), "no database").unwrap();
        assert!(copy_bundled_stubs(&from, &to, Path::new(STUBS)).is_err());
        assert_eq!(entries_in(folder.path()).unwrap(), std::slice::from_ref(&from));
    }
}
