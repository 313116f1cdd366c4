//! The numbers of `tapps_stats` as OpenMetrics 1.0 writes them.

use std::fmt::Write as _;

use tapps_session::error_counts::ErrorClass;
use tapps_session::stats::{Stats, ToolStats};

/// One family of numbers.
struct Family {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    /// Labels, in braces or empty, with the number.
    samples: Vec<(String, f64)>,
}

/// Writes the numbers of all sessions that are remembered. They fall when sessions are forgotten, so that only `tapps_mcp_ready`
/// and `tapps_mcp_info` are about this process.
pub(crate) fn write_open_metrics(stats: &Stats, ready: bool, version: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# TYPE tapps_mcp info\n# HELP tapps_mcp What is running.");
    let _ = writeln!(text, "tapps_mcp_info{{version=\"{}\"}} 1", escape(version));
    for family in families(stats, ready) {
        let _ = writeln!(text, "# TYPE {0} {1}\n# HELP {0} {2}", family.name, family.kind, family.help);
        for (labels, number) in family.samples {
            let _ = writeln!(text, "{}{labels} {number}", family.name);
        }
    }
    text.push_str("# EOF\n");
    text
}

fn families(stats: &Stats, ready: bool) -> Vec<Family> {
    let one = |label: &str, value: &str, number: u64| (format!("{{{label}=\"{}\"}}", escape(value)), as_number(number));
    let by_tool = |number: fn(&ToolStats) -> u64| -> Vec<(String, f64)> {
        stats.tools.iter().map(|tool| one("tool", &tool.tool, number(tool))).collect()
    };
    let latencies = stats.tools.iter().flat_map(|tool| {
        [("0.5", tool.p50_ms), ("0.95", tool.p95_ms), ("0.99", tool.p99_ms)].map(|(quantile, took)| {
            (format!("{{tool=\"{}\",quantile=\"{quantile}\"}}", escape(&tool.tool)), as_number(took) / 1000.0)
        })
    });
    let errors = ErrorClass::ALL.into_iter().map(|class| one("category", class.as_str(), stats.errors.of_class(class)));
    let gauge = |name, help, samples| Family { name, kind: "gauge", help, samples };
    vec![
        gauge(
            "tapps_mcp_ready",
            "1 once calls need not wait for tools.",
            vec![(String::new(), f64::from(u8::from(ready)))],
        ),
        gauge("tapps_mcp_sessions", "Sessions that are remembered.", vec![(String::new(), as_number(stats.sessions))]),
        gauge("tapps_mcp_calls", "Calls of a tool.", by_tool(|tool| tool.calls)),
        gauge("tapps_mcp_calls_failed", "Calls whose verdict was no.", by_tool(|tool| tool.failed)),
        gauge("tapps_mcp_calls_errored", "Calls that could not do their work.", by_tool(|tool| tool.errored)),
        gauge("tapps_mcp_errors", "Calls that could not do their work, by what that calls for.", errors.collect()),
        gauge("tapps_mcp_reply_tokens", "Tokens of replies.", by_tool(|tool| tool.reply_tokens)),
        gauge("tapps_mcp_call_seconds", "How long calls take, by quantile.", latencies.collect()),
        gauge(
            "tapps_mcp_gates",
            "Verdicts of gates.",
            vec![
                one("outcome", "passed", stats.gates.passed),
                one("outcome", "failed", stats.gates.failed),
                one("outcome", "errored", stats.gates.errored),
            ],
        ),
        gauge(
            "tapps_mcp_lookups",
            "Questions about libraries.",
            vec![one("outcome", "hit", stats.lookups.hits), one("outcome", "miss", stats.lookups.misses)],
        ),
    ]
}

fn as_number(count: u64) -> f64 {
    count as f64
}

/// A value of a label.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_session::error_counts::ErrorCounts;
    use tapps_session::stats::{GateOutcomes, LookupOutcomes};

    #[test]
    fn numbers_stand_under_their_families() {
        let tool = ToolStats {
            tool: "a\"b".to_owned(),
            calls: 3,
            failed: 1,
            p50_ms: 20,
            p95_ms: 1500,
            ..ToolStats::default()
        };
        let stats = Stats {
            sessions: 2,
            errors: ErrorCounts { validation: 3, stall: 1, ..ErrorCounts::default() },
            gates: GateOutcomes { passed: 5, ..GateOutcomes::default() },
            lookups: LookupOutcomes { hits: 4, misses: 1 },
            tools: vec![tool],
            ..Stats::default()
        };
        let text = write_open_metrics(&stats, true, "1.2.3");
        for line in [
            "tapps_mcp_info{version=\"1.2.3\"} 1",
            "tapps_mcp_ready 1",
            "tapps_mcp_calls{tool=\"a\\\"b\"} 3",
            "tapps_mcp_call_seconds{tool=\"a\\\"b\",quantile=\"0.95\"} 1.5",
            "tapps_mcp_errors{category=\"validation\"} 3",
            "tapps_mcp_errors{category=\"rate_limit\"} 0",
            "tapps_mcp_errors{category=\"stall\"} 1",
            "tapps_mcp_gates{outcome=\"passed\"} 5",
            "tapps_mcp_lookups{outcome=\"miss\"} 1",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
