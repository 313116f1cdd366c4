//! Records as rows of the tables, and back.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::rate::Bucket;
use crate::record::{ArtifactRecord, Execution, ExecutionEvent, Issued, StepRecord};

/// The word of a value that is one word in JSON.
pub(super) fn json_word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The value of a word; a word that is none means that the database was changed by somebody else.
fn value_from_column<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let word: String = row.get(column)?;
    serde_json::from_value(Value::String(word))
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

const EXECUTION: &str =
    "SELECT id, workflow, definition, state, revision, sequence, request_key, request_digest, opening,
    sessions, begun_ms, active_ms, ended_ms FROM executions";

fn execution_of(row: &Row<'_>) -> rusqlite::Result<Execution> {
    let sessions: String = row.get(9)?;
    Ok(Execution {
        id: row.get(0)?,
        workflow: row.get(1)?,
        definition: row.get(2)?,
        state: value_from_column(row, 3)?,
        revision: row.get(4)?,
        sequence: row.get(5)?,
        request_key: row.get(6)?,
        request_digest: row.get(7)?,
        opening: row.get(8)?,
        sessions: sessions.split(' ').filter(|session| !session.is_empty()).map(str::to_owned).collect(),
        begun_ms: row.get(10)?,
        active_ms: row.get(11)?,
        ended_ms: row.get(12)?,
        steps: Vec::new(),
    })
}

fn step_of(row: &Row<'_>) -> rusqlite::Result<StepRecord> {
    let issued = |row: &Row<'_>| -> rusqlite::Result<Option<Issued>> {
        let Some(sequence) = row.get(4)? else { return Ok(None) };
        Ok(Some(Issued { sequence, issued_ms: row.get(5)?, nonce: row.get(6)?, hash: row.get(7)? }))
    };
    let claim: Option<String> = row.get(8)?;
    Ok(StepRecord {
        name: row.get(0)?,
        state: value_from_column(row, 1)?,
        started_ms: row.get(2)?,
        completed_ms: row.get(3)?,
        token: issued(row)?,
        claim: claim.zip(row.get(9)?),
        pending: row.get(10)?,
        output: row.get(11)?,
        output_digest: row.get(12)?,
        reply: row.get(13)?,
        note: row.get(14)?,
    })
}

fn with_steps(connection: &Connection, mut execution: Execution) -> rusqlite::Result<Execution> {
    execution.steps = connection
        .prepare_cached(
            "SELECT name, state, started_ms, completed_ms, sequence, issued_ms, nonce, token_hash, claim, claim_reply,
             pending, output, output_digest, reply, note FROM steps WHERE execution = ?1 ORDER BY position",
        )?
        .query_map([&execution.id], step_of)?
        .collect::<rusqlite::Result<_>>()?;
    Ok(execution)
}

/// The execution whose `column` is `value`.
pub(super) fn execution(
    connection: &Connection,
    column: &'static str,
    value: &str,
) -> rusqlite::Result<Option<Execution>> {
    let found = connection
        .prepare_cached(&format!("{EXECUTION} WHERE {column} = ?1"))?
        .query_row([value], execution_of)
        .optional()?;
    found.map(|execution| with_steps(connection, execution)).transpose()
}

pub(super) fn executions(connection: &Connection, only_open: bool, limit: u32) -> rusqlite::Result<Vec<Execution>> {
    let query = format!(
        "{EXECUTION} WHERE NOT ?1 OR state IN ('running', 'paused') ORDER BY active_ms DESC, number DESC LIMIT ?2"
    );
    let found: Vec<Execution> = connection
        .prepare_cached(&query)?
        .query_map(params![only_open, limit], execution_of)?
        .collect::<rusqlite::Result<_>>()?;
    found.into_iter().map(|execution| with_steps(connection, execution)).collect()
}

pub(super) fn insert_execution(connection: &Connection, new: &Execution) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO executions (id, workflow, definition, state, revision, sequence, request_key, request_digest,
             opening, sessions, begun_ms, active_ms, ended_ms) VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            new.id,
            new.workflow,
            new.definition,
            json_word(&new.state),
            new.sequence,
            new.request_key,
            new.request_digest,
            new.opening,
            new.sessions.join(" "),
            new.begun_ms,
            new.active_ms,
            new.ended_ms
        ])?;
    let mut insert =
        connection.prepare_cached("INSERT INTO steps (execution, position, name, state) VALUES (?1, ?2, ?3, '')")?;
    for (position, step) in (0_i64..).zip(&new.steps) {
        insert.execute(params![new.id, position, step.name])?;
    }
    new.steps.iter().try_for_each(|step| update_step(connection, &new.id, step))
}

/// Writes an execution if it still has the revision in it; false when it has not.
pub(super) fn update_execution(connection: &Connection, new: &Execution) -> rusqlite::Result<bool> {
    let changed = connection
        .prepare_cached(
            "UPDATE executions SET state = ?3, revision = revision + 1, sequence = ?4, sessions = ?5, active_ms = ?6,
             ended_ms = ?7, opening = ?8 WHERE id = ?1 AND revision = ?2",
        )?
        .execute(params![
            new.id,
            new.revision,
            json_word(&new.state),
            new.sequence,
            new.sessions.join(" "),
            new.active_ms,
            new.ended_ms,
            new.opening
        ])?;
    Ok(changed == 1)
}

pub(super) fn update_step(connection: &Connection, execution: &str, step: &StepRecord) -> rusqlite::Result<()> {
    let token = step.token.as_ref();
    connection
        .prepare_cached(
            "UPDATE steps SET state = ?3, started_ms = ?4, completed_ms = ?5, sequence = ?6, issued_ms = ?7, nonce = ?8,
             token_hash = ?9, claim = ?10, claim_reply = ?11, pending = ?12, output = ?13, output_digest = ?14, reply = ?15,
             note = ?16 WHERE execution = ?1 AND name = ?2",
        )?
        .execute(params![
            execution,
            step.name,
            json_word(&step.state),
            step.started_ms,
            step.completed_ms,
            token.map(|token| token.sequence),
            token.map(|token| token.issued_ms),
            token.map(|token| token.nonce.as_str()),
            token.map(|token| token.hash.as_str()),
            step.claim.as_ref().map(|(claim, _)| claim.as_str()),
            step.claim.as_ref().map(|(_, reply)| reply.as_str()),
            step.pending,
            step.output,
            step.output_digest,
            step.reply,
            step.note
        ])
        .map(drop)
}

pub(super) fn insert_artifact(connection: &Connection, artifact: &ArtifactRecord) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO artifacts (artifact_id, execution, step, agent, kind, title, content, description, metadata,
             is_final, at_ms, undone) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            artifact.artifact_id,
            artifact.execution,
            artifact.step,
            artifact.agent,
            artifact.kind.as_str(),
            artifact.title,
            artifact.content,
            artifact.description,
            artifact.metadata,
            artifact.is_final,
            artifact.at_ms,
            artifact.undone
        ])
        .map(drop)
}

/// Marks the artifacts of a step as no longer counting.
pub(super) fn undo_artifacts(connection: &Connection, execution: &str, step: &str) -> rusqlite::Result<()> {
    let mut update = connection.prepare_cached("UPDATE artifacts SET undone = 1 WHERE execution = ?1 AND step = ?2")?;
    update.execute([execution, step]).map(drop)
}

/// Marks the artifacts that count as final.
pub(super) fn finalize_artifacts(connection: &Connection, execution: &str) -> rusqlite::Result<()> {
    let mut update =
        connection.prepare_cached("UPDATE artifacts SET is_final = 1 WHERE execution = ?1 AND NOT undone")?;
    update.execute([execution]).map(drop)
}

/// Columns of an artifact, as [`artifact_of`] reads them.
pub(super) const ARTIFACT: &str = "artifact_id, execution, step, agent, kind, title, iif(?5, '', content), description,
    metadata, is_final, at_ms, octet_length(content), undone";

pub(super) fn artifact_of(row: &Row<'_>) -> rusqlite::Result<ArtifactRecord> {
    Ok(ArtifactRecord {
        artifact_id: row.get(0)?,
        execution: row.get(1)?,
        step: row.get(2)?,
        agent: row.get(3)?,
        kind: value_from_column(row, 4)?,
        title: row.get(5)?,
        content: row.get(6)?,
        description: row.get(7)?,
        metadata: row.get(8)?,
        is_final: row.get(9)?,
        at_ms: row.get(10)?,
        undone: row.get(12)?,
        content_bytes: usize::try_from(row.get::<_, i64>(11)?).unwrap_or_default(),
    })
}

pub(super) fn insert_events(connection: &Connection, events: &[ExecutionEvent]) -> rusqlite::Result<()> {
    let mut insert = connection
        .prepare_cached("INSERT INTO events (execution, step, kind, detail, at_ms) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    for event in events {
        insert.execute(params![event.execution, event.step, json_word(&event.kind), event.detail, event.at_ms])?;
    }
    Ok(())
}

pub(super) fn events(
    connection: &Connection,
    after: i64,
    execution: Option<&str>,
    limit: u32,
) -> rusqlite::Result<Vec<ExecutionEvent>> {
    connection
        .prepare_cached(
            "SELECT id, execution, step, kind, detail, at_ms FROM events
             WHERE id > ?1 AND (?2 IS NULL OR execution = ?2) ORDER BY id LIMIT ?3",
        )?
        .query_map(params![after, execution, limit], |row| {
            Ok(ExecutionEvent {
                id: row.get(0)?,
                execution: row.get(1)?,
                step: row.get(2)?,
                kind: value_from_column(row, 3)?,
                detail: row.get(4)?,
                at_ms: row.get(5)?,
            })
        })?
        .collect()
}

pub(super) fn bucket(connection: &Connection, scope: &str, key: &str) -> rusqlite::Result<Option<Bucket>> {
    connection
        .prepare_cached("SELECT tokens, filled_ms FROM buckets WHERE scope = ?1 AND key = ?2")?
        .query_row([scope, key], |row| Ok(Bucket { tokens: row.get(0)?, filled_ms: row.get(1)? }))
        .optional()
}

pub(super) fn put_bucket(connection: &Connection, scope: &str, key: &str, bucket: Bucket) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO buckets (scope, key, tokens, filled_ms) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![scope, key, bucket.tokens, bucket.filled_ms])
        .map(drop)
}
