//! A server of its own, spoken to as a client of either era would.

use std::ffi::OsString;
use std::time::Duration;

use serde_json::{Value, json};

use super::report::Finding;
use super::{Patient, finding_from_error};
use tapps_base::Result;
use tapps_base::call::Call;
use tapps_toolchain::probe::Probe;

/// A server answers in milliseconds; a machine under load may take longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a server reads from its configuration, if it can use it: it answers the handshake in any case.
const CONFIGURED: &str = "tapps://config/quality-presets";

/// The two ways in which clients begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// `initialize`, then a session.
    Legacy,
    /// `server/discover`, and everything else with each request.
    Modern,
}

impl Era {
    pub(super) const ALL: [Self; 2] = [Self::Legacy, Self::Modern];

    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Legacy => "server.handshake.2025-11-25",
            Self::Modern => "server.handshake.2026-07-28",
        }
    }

    const fn version(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }

    /// What is said, and whether an answer follows.
    fn messages_to_send(self) -> Vec<(String, bool)> {
        let client = json!({ "name": "tapps-mcp-doctor", "version": env!("CARGO_PKG_VERSION") });
        let request = |id: u64, method: &str, params: Value| {
            (json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(), true)
        };
        match self {
            Self::Legacy => {
                let params = json!({ "protocolVersion": self.version(), "capabilities": {}, "clientInfo": client });
                let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
                vec![
                    request(1, "initialize", params),
                    (ready.to_string(), false),
                    request(2, "tools/list", json!({})),
                    request(3, "resources/read", json!({ "uri": CONFIGURED })),
                ]
            }
            Self::Modern => {
                let meta = json!({
                    "io.modelcontextprotocol/protocolVersion": self.version(),
                    "io.modelcontextprotocol/clientInfo": client,
                    "io.modelcontextprotocol/clientCapabilities": {},
                });
                vec![
                    request(1, "server/discover", json!({ "_meta": meta })),
                    request(2, "tools/list", json!({ "_meta": meta })),
                    request(3, "resources/read", json!({ "uri": CONFIGURED, "_meta": meta })),
                ]
            }
        }
    }
}

/// What to do about a program that does not speak as it should.
const NOT_WHOLE: &str = "this program is not whole: install it anew";

pub(super) async fn check_handshake(patient: &Patient, era: Era, call: &Call) -> Finding {
    let parts = [
        Patient::require_healthy(&patient.boundary, "the project root").err(),
        Patient::require_healthy(&patient.config, "the configuration").err(),
        Patient::require_healthy(&patient.settings, "the folder of the tools").err(),
    ];
    if let Some(skipped) = parts.into_iter().flatten().next() {
        return skipped;
    }
    // The handshake needs no tools, so nothing is fetched and nothing kept warm for it.
    let own = ["serve", "--offline", "--workers", "off", "--quiet"];
    let probe = Probe {
        name: "the server".to_owned(),
        program: patient.program.clone(),
        args: own.iter().map(OsString::from).chain(patient.options.iter().cloned()).collect(),
        cwd: patient.folder().to_owned(),
        helper: Some(patient.program.clone()),
        time: PATIENCE,
    };
    let answers = match probe.exchange_lines(era.messages_to_send(), call).await {
        Ok(answers) => answers,
        Err(error) => {
            return finding_from_error(
                &error.hint("run `tapps-mcp serve` by hand: the error stream says what is wrong"),
            );
        }
    };
    let Some((configured, spoken)) = answers.split_last().filter(|(_, spoken)| spoken.len() == 2) else {
        let what = format!("{} answers instead of 3", answers.len());
        return Finding::failed(what, NOT_WHOLE).with_details(answers);
    };
    match judge_handshake_answers(era, spoken) {
        Ok(summary) => configuration_fault(configured).unwrap_or_else(|| Finding::ok(summary)),
        Err(what) => Finding::failed(what, NOT_WHOLE).with_details(answers.clone()),
    }
}

/// What is wrong with the configuration, when the server says so in place of what it read there.
fn configuration_fault(answer: &str) -> Option<Finding> {
    let Ok(answer) = serde_json::from_str::<Value>(answer) else {
        return Some(Finding::failed("an answer is not JSON", NOT_WHOLE));
    };
    let error = answer.get("error")?;
    let hint = error["data"]["hint"].as_str().unwrap_or("mend what the message names");
    Some(Finding::failed(error["message"].as_str().unwrap_or("the server cannot use its configuration"), hint))
}

/// One line about two good answers, or what is wrong with them.
fn judge_handshake_answers(era: Era, answers: &[String]) -> Result<String, String> {
    let [greeting, list] = answers else { return Err(format!("{} answers instead of 2", answers.len())) };
    let read =
        |text: &str| serde_json::from_str::<Value>(text).map_err(|error| format!("an answer is not JSON: {error}"));
    let (greeting, list) = (read(greeting)?, read(list)?);
    let greeting = greeting.get("result").ok_or("the server refuses the handshake")?;
    let speaks = match era {
        Era::Legacy => greeting["protocolVersion"] == era.version(),
        Era::Modern => {
            greeting["supportedVersions"].as_array().is_some_and(|all| all.iter().any(|one| one == era.version()))
        }
    };
    if !speaks {
        return Err(format!("the server does not speak {}", era.version()));
    }
    let tools = list["result"]["tools"].as_array().ok_or("the server lists no tools")?;
    Ok(format!("the server answers and lists {} tools", tools.len()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const LIST: &str = r#"{"result":{"tools":[{},{}]}}"#;

    #[rstest]
    #[case(Era::Legacy, &[r#"{"result":{"protocolVersion":"2025-11-25"}}"#, LIST], Ok("the server answers and lists 2 tools"))]
    #[case(Era::Modern, &[r#"{"result":{"supportedVersions":["2025-11-25","2026-07-28"]}}"#, LIST], Ok("the server answers and lists 2 tools"))]
    #[case(Era::Modern, &[r#"{"result":{"supportedVersions":["2025-11-25"]}}"#, LIST], Err("the server does not speak 2026-07-28"))]
    #[case(Era::Legacy, &[r#"{"error":{}}"#, LIST], Err("the server refuses the handshake"))]
    #[case(Era::Legacy, &[r#"{"result":{"protocolVersion":"2025-11-25"}}"#, "{}"], Err("the server lists no tools"))]
    #[case(Era::Legacy, &["{}"], Err("1 answers instead of 2"))]
    fn answers_are_judged(#[case] era: Era, #[case] answers: &[&str], #[case] verdict: Result<&str, &str>) {
        let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        assert_eq!(judge_handshake_answers(era, &answers).as_deref().map_err(String::as_str), verdict);
    }
}
