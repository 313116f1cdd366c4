//! Databases that grow with the program: one step per version.

use rusqlite::{Connection, TransactionBehavior};

/// Why a database cannot be brought up to date.
#[derive(Debug)]
pub enum Refusal {
    /// A later program wrote it; its tables are not ours to guess.
    Newer(i64),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Takes the steps that a database has not taken yet; two processes may do so at once. A step that was released is never
/// changed, another is added.
///
/// # Errors
/// A [`Refusal`]; the database is then as it was.
pub fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), Refusal> {
    let wanted = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    if version(connection)? == wanted {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    if found > wanted {
        return Err(Refusal::Newer(found));
    }
    for step in steps.iter().skip(usize::try_from(found).unwrap_or_default()) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", wanted)?;
    Ok(transaction.commit()?)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "CREATE TABLE a (x INTEGER)";
    const TWO: &str = "CREATE TABLE b (x INTEGER)";

    #[test]
    fn steps_are_taken_once_and_a_later_database_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[ONE]).unwrap();
        migrate(&mut connection, &[ONE]).unwrap();
        migrate(&mut connection, &[ONE, TWO]).unwrap();
        assert_eq!(version(&connection).unwrap(), 2);
        assert!(matches!(migrate(&mut connection, &[ONE]), Err(Refusal::Newer(2))));
    }

    #[test]
    fn a_step_that_fails_leaves_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert!(matches!(migrate(&mut connection, &[ONE, "CREATE nonsense"]), Err(Refusal::Sqlite(_))));
        assert_eq!(version(&connection).unwrap(), 0);
        assert!(connection.execute_batch(ONE).is_ok(), "the first step was taken back");
    }
}
