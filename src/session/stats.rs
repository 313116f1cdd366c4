//! Statistics over the call log: what is called, how long it takes, how it ends, what a model has to read.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call_log::CallLog;
use super::consultations::ConsultationSummary;
use super::error_counts::ErrorCounts;
use super::feedback::FeedbackSummary;
use super::trace::is_trace_id;
use tapps_base::{Error, Result};

/// Bytes of a reply that make one token.
const TOKEN: u64 = 4;

/// Tools whose verdict is that of the gate.
const GATES: [&str; 2] = ["tapps_quality_gate", "tapps_validate_changed"];

/// The tool that answers questions about libraries.
const LOOKUP: &str = "tapps_lookup_docs";

/// The calls that numbers are about.
#[derive(Debug, Clone, Copy, Default)]
pub struct StatsScope<'a> {
    /// None: all sessions.
    pub session: Option<&'a str>,
    /// Only calls of this trace.
    pub trace_id: Option<&'a str>,
}

/// The numbers of a session, or of all sessions that are remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stats {
    /// None: all sessions.
    pub session_id: Option<String>,
    /// None: whatever trace the calls belong to.
    #[serde(default)]
    pub trace_id: Option<String>,
    pub sessions: u64,
    pub calls: u64,
    /// Traces that the calls belong to; most callers name none.
    #[serde(default)]
    pub traces: u64,
    pub reply_tokens: u64,
    /// Why calls could not do their work.
    #[serde(default)]
    pub errors: ErrorCounts,
    /// Verdicts of gates.
    pub gates: GateOutcomes,
    /// Questions about libraries.
    pub lookups: LookupOutcomes,
    /// Questions to the experts.
    pub consultations: ConsultationSummary,
    /// By calls, most first.
    pub tools: Vec<ToolStats>,
    pub feedback: FeedbackSummary,
}

/// How gates ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GateOutcomes {
    pub passed: u64,
    pub failed: u64,
    /// Gates that could not judge.
    pub errored: u64,
}

/// How questions about libraries ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LookupOutcomes {
    /// Something was found.
    pub hits: u64,
    /// The library, its version or the symbol was not.
    pub misses: u64,
}

/// The numbers of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStats {
    pub tool: String,
    pub calls: u64,
    /// Calls whose verdict was no.
    pub failed: u64,
    /// Calls that could not do their work.
    pub errored: u64,
    pub p50_ms: u64,
    pub p95_ms: u64,
    pub p99_ms: u64,
    pub reply_tokens: u64,
}

/// One call as far as statistics care.
struct CallStatsRow {
    tool: String,
    outcome: String,
    elapsed_ms: u64,
    reply_bytes: u64,
    trace_id: Option<String>,
    error: Option<String>,
}

impl CallLog {
    /// The numbers of a session, of a trace, or of all calls. Questions to the experts and feedback are those of the session.
    ///
    /// # Errors
    /// `invalid_session` for a session that was never begun, `invalid_argument` for what is no identifier of a trace;
    /// otherwise as [`CallLog::begin`].
    pub fn stats(&self, scope: StatsScope<'_>) -> Result<Stats> {
        let StatsScope { session, trace_id } = scope;
        if let Some(session) = session {
            self.ensure(session)?;
        }
        if let Some(trace) = trace_id.filter(|trace| !is_trace_id(trace)) {
            let shown: String = trace.chars().take(64).collect();
            return Err(Error::invalid(format!("`{}` is no trace", tapps_base::log_text(&shown)))
                .hint("a trace is named by 32 hexadecimal digits in lower case, the second part of `traceparent`"));
        }
        let read = self.read_database(|connection| {
            let transaction = connection.transaction()?;
            Ok((load_call_stats_rows(&transaction, scope)?, count_sessions(&transaction)?))
        })?;
        let (calls, sessions) = read.unwrap_or_default();
        let mut stats = Stats::from_calls(&calls);
        stats.session_id = session.map(str::to_owned);
        stats.trace_id = trace_id.map(str::to_owned);
        stats.sessions = if session.is_some() { 1 } else { sessions };
        stats.consultations = self.summarize_consultations(session)?;
        stats.feedback = self.feedback()?;
        Ok(stats)
    }
}

impl Stats {
    fn from_calls(calls: &[CallStatsRow]) -> Self {
        let mut tools: BTreeMap<&str, Vec<&CallStatsRow>> = BTreeMap::new();
        for call in calls {
            tools.entry(&call.tool).or_default().push(call);
        }
        let gates = calls.iter().filter(|call| GATES.contains(&call.tool.as_str()));
        let outcomes = gates.fold(GateOutcomes::default(), |mut outcomes, call| {
            match call.outcome.as_str() {
                "passed" => outcomes.passed += 1,
                "failed" => outcomes.failed += 1,
                _ => outcomes.errored += 1,
            }
            outcomes
        });
        let lookups =
            calls.iter().filter(|call| call.tool == LOOKUP).fold(LookupOutcomes::default(), |mut lookups, call| {
                match call.outcome.as_str() {
                    "passed" => lookups.hits += 1,
                    _ => lookups.misses += 1,
                }
                lookups
            });
        let mut errors = ErrorCounts::default();
        calls
            .iter()
            .filter(|call| call.outcome == "errored")
            .for_each(|call| errors.count_error(call.error.as_deref()));
        let mut tools: Vec<ToolStats> =
            tools.into_iter().map(|(tool, calls)| ToolStats::from_tool_calls(tool, &calls)).collect();
        tools.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.tool.cmp(&b.tool)));
        let traces: BTreeSet<&String> = calls.iter().filter_map(|call| call.trace_id.as_ref()).collect();
        Self {
            calls: calls.len() as u64,
            traces: traces.len() as u64,
            reply_tokens: tools.iter().map(|tool| tool.reply_tokens).sum(),
            errors,
            gates: outcomes,
            lookups,
            tools,
            ..Self::default()
        }
    }
}

impl ToolStats {
    fn from_tool_calls(tool: &str, calls: &[&CallStatsRow]) -> Self {
        let ended = |word: &str| calls.iter().filter(|call| call.outcome == word).count() as u64;
        let mut took: Vec<u64> = calls.iter().map(|call| call.elapsed_ms).collect();
        took.sort_unstable();
        let bytes: u64 = calls.iter().map(|call| call.reply_bytes).sum();
        Self {
            tool: tool.to_owned(),
            calls: calls.len() as u64,
            failed: ended("failed"),
            errored: ended("errored"),
            p50_ms: percentile(&took, 50),
            p95_ms: percentile(&took, 95),
            p99_ms: percentile(&took, 99),
            reply_tokens: bytes.div_ceil(TOKEN),
        }
    }
}

/// The nearest-rank percentile of sorted numbers: the smallest that so many percent do not exceed.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

fn load_call_stats_rows(connection: &Connection, scope: StatsScope<'_>) -> rusqlite::Result<Vec<CallStatsRow>> {
    let mut query = connection.prepare_cached(
        "SELECT tool, outcome, elapsed_ms, reply_bytes, trace_id, error FROM calls
         WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR trace_id = ?2) ORDER BY id",
    )?;
    let call = |row: &rusqlite::Row<'_>| {
        Ok(CallStatsRow {
            error: row.get(5)?,
            trace_id: row.get(4)?,
            tool: row.get(0)?,
            outcome: row.get(1)?,
            elapsed_ms: row.get::<_, i64>(2)?.unsigned_abs(),
            reply_bytes: row.get::<_, i64>(3)?.unsigned_abs(),
        })
    };
    query.query_map([scope.session, scope.trace_id], call)?.collect()
}

fn count_sessions(connection: &Connection) -> rusqlite::Result<u64> {
    connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let numbers: Vec<u64> = (1..=20).collect();
        for (percent, expected) in [(50, 10), (95, 19), (99, 20), (100, 20)] {
            assert_eq!(percentile(&numbers, percent), expected);
        }
        assert_eq!(percentile(&[7], 50), 7);
        assert_eq!(percentile(&[], 95), 0);
    }
}
