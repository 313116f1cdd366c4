//! The compiler as a server that stays: asked about one file after an edit it looks at that file, and at what it needs.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::diagnostics::Diagnostic;
use super::mirror::Mirror;
use tapps_base::call::Call;
use tapps_base::source::Source;
use tapps_base::{ErrorCode, Result};
use tapps_toolchain::{Invocation, LanguageServer, ProcessLimits, Program as Tool, Toolchain};

/// Longest that it is waited for.
const MOST_SECONDS: u64 = 30;
/// Requests after which a server is replaced, whose memory grows with each.
const MOST_REQUESTS: u64 = 200;
/// Most files that it has open.
const MOST_OPEN: usize = 16;
/// A change of a file, as the protocol counts.
const CHANGED: u32 = 2;
/// An error, and a warning: what is not used is no more than that to it.
const SEVERE: u32 = 2;

/// A server over a copy of a project.
#[derive(Debug)]
pub(super) struct CompilerServer {
    server: LanguageServer,
    /// What it has open, as it is in the copy; the first was opened first.
    open: VecDeque<String>,
}

#[derive(Deserialize)]
struct DocumentReport {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    range: Range,
    severity: u32,
    code: u32,
    message: String,
}

#[derive(Deserialize)]
struct Range {
    start: Position,
}

/// 0-based, in units of UTF-16.
#[derive(Deserialize)]
struct Position {
    line: u32,
    character: u32,
}

impl CompilerServer {
    /// Starts a server and has it open a file, whose program it then reads while nobody waits; none where it does not start.
    ///
    /// # Errors
    /// What ends the call.
    pub(super) async fn start(toolchain: &Toolchain, mirror: &Mirror, first: &Source, call: &Call) -> Result<Option<Self>> {
        let invocation = Invocation::new(Tool::Tsc).args(["--lsp", "--stdio"]).cwd(mirror.root());
        let time = Duration::from_secs(MOST_SECONDS);
        let invocation = invocation.limits(ProcessLimits { time, ..ProcessLimits::default() });
        // It would fetch declarations from the registry, and does not believe only one of the two.
        let settings = json!({
            "disableAutomaticTypeAcquisition": true,
            "tsserver": { "automaticTypeAcquisition": { "enabled": false } },
        });
        let Ok(server) = toolchain.start_language_server(invocation, settings) else { return Ok(None) };
        let mut started = Self { server, open: VecDeque::new() };
        let root = uri_of(mirror, "");
        let params = json!({
            "processId": null,
            "rootUri": root,
            "capabilities": { "workspace": { "configuration": true }, "textDocument": { "diagnostic": {} } },
            "initializationOptions": { "disableAutomaticTypeAcquisition": true },
            "workspaceFolders": [{ "uri": root, "name": "project" }],
        });
        if started.server.request("initialize", params, call).await?.is_none() {
            return Ok(None);
        }
        started.server.notify("initialized", json!({})).await;
        started.show(mirror, first).await;
        Ok(Some(started))
    }

    /// True when it has served its time, or ended by itself.
    pub(super) fn is_spent(&self) -> bool {
        self.server.requests() >= MOST_REQUESTS || self.server.has_ended()
    }

    /// Says that files of the copy are others than before.
    pub(super) async fn tell_changed(&mut self, mirror: &Mirror, paths: &BTreeSet<String>) {
        let (changed, kept): (VecDeque<String>, VecDeque<String>) =
            std::mem::take(&mut self.open).into_iter().partition(|open| paths.contains(open));
        self.open = kept;
        for path in &changed {
            self.close(mirror, path).await;
        }
        let changes: Vec<Value> =
            paths.iter().map(|path| json!({ "uri": uri_of(mirror, path), "type": CHANGED })).collect();
        if !changes.is_empty() {
            self.server.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes })).await;
        }
    }

    /// What it says of a file as it is now; none when it says nothing that can be understood.
    ///
    /// # Errors
    /// What ends the call.
    pub(super) async fn diagnostics_of(&mut self, mirror: &Mirror, source: &Source, call: &Call) -> Result<Option<Vec<Diagnostic>>> {
        self.show(mirror, source).await;
        let document = json!({ "textDocument": { "uri": uri_of(mirror, source.path()) } });
        let said = self.server.request("textDocument/diagnostic", document, call).await;
        // Whoever has time left asks by a run, which may take longer.
        let said = match said {
            Err(error) if error.code() == ErrorCode::Timeout && !call.remaining().is_zero() => None,
            said => said?,
        };
        Ok(said.and_then(|said| diagnostics_from(said, source.path())))
    }

    /// Gives it the text of a file, unless it has it: what changed was closed.
    async fn show(&mut self, mirror: &Mirror, source: &Source) {
        let path = source.path();
        if self.open.iter().any(|open| open == path) {
            return;
        }
        let language = if path.ends_with(".tsx") { "typescriptreact" } else { "typescript" };
        let text = String::from_utf8_lossy(source.bytes());
        let document = json!({ "uri": uri_of(mirror, path), "languageId": language, "version": 1, "text": text });
        self.server.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
        self.open.push_back(path.to_owned());
        // Without them it reads the same: every file of the copy has the bytes that it was shown.
        while self.open.len() > MOST_OPEN
            && let Some(oldest) = self.open.pop_front()
        {
            self.close(mirror, &oldest).await;
        }
    }

    async fn close(&self, mirror: &Mirror, path: &str) {
        self.server.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri_of(mirror, path) } })).await;
    }
}

/// Of a path of the copy, which is absolute; empty otherwise.
fn uri_of(mirror: &Mirror, path: &str) -> String {
    Url::from_file_path(mirror.root().join(path)).map_or_else(|()| String::new(), String::from)
}

/// What a run of the compiler would print of the same file.
fn diagnostics_from(said: Value, path: &str) -> Option<Vec<Diagnostic>> {
    let report: DocumentReport = serde_json::from_value(said).ok()?;
    let severe = report.items.into_iter().filter(|item| item.severity <= SEVERE);
    let read = |item: Item| Diagnostic {
        file: Some(path.to_owned()),
        line: item.range.start.line + 1,
        column: item.range.start.character + 1,
        code: item.code,
        message: match item.message.split_once('\n') {
            Some((first, rest)) => rest.lines().fold(first.to_owned(), |text, line| text + " " + line.trim()),
            None => item.message,
        },
    };
    Some(severe.map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_says_reads_as_what_a_run_prints() {
        let item = |severity: u32| {
            json!({
                "range": { "start": { "line": 2, "character": 0 }, "end": { "line": 2, "character": 4 } },
                "severity": severity, "code": 2322, "source": "ts", "message": "Type 'A'.\n  Types of 'b'.\n    Type 'c'."
            })
        };
        let said = json!({ "kind": "full", "items": [item(1), item(2), item(4)] });
        let read = diagnostics_from(said, "a.ts").unwrap();
        let expected = "Type 'A'. Types of 'b'. Type 'c'.";
        assert_eq!(read.iter().map(|one| (one.line, one.column, one.code, one.message.as_str())).collect::<Vec<_>>(), [
            (3, 1, 2322, expected),
            (3, 1, 2322, expected)
        ]);
        assert_eq!(diagnostics_from(json!({ "kind": "unchanged" }), "a.ts"), None);
    }
}
