//! One editor: what it asks, and what it is told by itself. Everything is said of files as they are saved.

use std::path::Path;
use std::sync::Arc;

use lsp_server::{Connection, ErrorCode as RpcCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, DocumentDiagnosticRequest, HoverRequest, Request as _, Shutdown,
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability,
    CodeLens, CodeLensOptions, CodeLensParams, Command, Diagnostic, DiagnosticOptions, DiagnosticServerCapabilities,
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport, Hover, HoverContents,
    HoverParams, HoverProviderCapability, InitializeParams, MarkupContent, MarkupKind, PublishDiagnosticsParams, Range,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, TextEdit,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::super::CliContext;
use super::convert::{TextLines, describe_finding, describe_score, diagnostic_of};
use tapps_base::call::Call;
use tapps_base::finding::Finding;
use tapps_base::progress::silent;
use tapps_base::{Error, ErrorCode, Result, exit, program};
use tapps_quality::engine::Engine;
use tapps_quality::inputs::{InputScope, is_scored};
use tapps_quality::requests::ScoreRequest;
use tapps_quality::result::{AnalysisMode, FileScore};
use tapps_sandbox::PathKind;

/// What this server can do.
pub(super) fn server_capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::NONE),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        diagnostic_provider: Some(DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some(program::NAME.to_owned()),
            ..DiagnosticOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL]),
            ..CodeActionOptions::default()
        })),
        ..ServerCapabilities::default()
    }
}

/// A file that was scored, with its text.
struct ScoredText {
    score: FileScore,
    text: String,
}

impl ScoredText {
    fn diagnostics(&self) -> Vec<Diagnostic> {
        let lines = TextLines::new(&self.text);
        let blocks = |finding: &Finding| {
            self.score.blocking.iter().any(|one| one.rule == finding.rule && one.line == finding.line)
        };
        // What is said of the project would stand in every file; the lens counts it.
        let placed = self.score.findings.iter().filter(|finding| finding.line > 0);
        placed.map(|finding| diagnostic_of(finding, blocks(finding), &lines)).collect()
    }

    /// The findings on the lines of a range.
    fn findings_in(&self, range: Range) -> impl Iterator<Item = &Finding> {
        self.score.findings.iter().filter(move |finding| {
            finding.line.saturating_sub(1) <= range.end.line && finding.end_line.saturating_sub(1) >= range.start.line
        })
    }
}

pub(super) struct LspSession {
    engine: Engine,
    context: CliContext,
    connection: Arc<Connection>,
    /// The editor asks for diagnostics itself, and would show those twice that it is sent.
    pulls: bool,
    shut_down: bool,
}

impl LspSession {
    pub(super) fn new(
        engine: Engine,
        context: CliContext,
        connection: Arc<Connection>,
        params: &InitializeParams,
    ) -> Self {
        let documents = params.capabilities.text_document.as_ref();
        let pulls = documents.is_some_and(|documents| documents.diagnostic.is_some());
        Self { engine, context, connection, pulls, shut_down: false }
    }

    /// Handles a message; gives the exit code once the editor wants the server to end.
    pub(super) async fn handle(&mut self, message: Message) -> Option<u8> {
        match message {
            Message::Request(request) => {
                let response = self.answer(request).await;
                self.send(Message::Response(response));
            }
            Message::Notification(note) if note.method == Exit::METHOD => {
                return Some(if self.shut_down { exit::CLEAN } else { exit::FINDINGS });
            }
            Message::Notification(note) => self.take_note(note).await,
            Message::Response(_) => {}
        }
        None
    }

    fn send(&self, message: Message) {
        // Nobody reads any more once the editor has gone, and then the loop ends as well.
        let _ = self.connection.sender.send(message);
    }

    async fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = match method.as_str() {
            Shutdown::METHOD => {
                self.shut_down = true;
                Ok(serde_json::Value::Null)
            }
            _ if self.shut_down => {
                return Response::new_err(id, RpcCode::InvalidRequest as i32, "the server was shut down".to_owned());
            }
            DocumentDiagnosticRequest::METHOD => with_params(params, |asked| self.diagnose(asked)).await,
            HoverRequest::METHOD => with_params(params, |asked| self.hover(asked)).await,
            CodeLensRequest::METHOD => with_params(params, |asked| self.lenses(asked)).await,
            CodeActionRequest::METHOD => with_params(params, |asked| self.actions(asked)).await,
            _ => {
                let message = format!("{method} is not known");
                return Response::new_err(id, RpcCode::MethodNotFound as i32, message);
            }
        };
        match answered {
            Ok(value) => Response::new_ok(id, value),
            Err(error) => {
                let code = match error.code() {
                    ErrorCode::InvalidArgument => RpcCode::InvalidParams,
                    ErrorCode::Cancelled => RpcCode::RequestCanceled,
                    _ => RpcCode::RequestFailed,
                };
                Response::new_err(id, code as i32, error.message().to_owned())
            }
        }
    }

    async fn take_note(&self, note: Notification) {
        let uri = match note.method.as_str() {
            DidOpenTextDocument::METHOD => note
                .extract::<<DidOpenTextDocument as lsp_types::notification::Notification>::Params>(
                    DidOpenTextDocument::METHOD,
                )
                .ok()
                .map(|opened| opened.text_document.uri),
            DidSaveTextDocument::METHOD => note
                .extract::<<DidSaveTextDocument as lsp_types::notification::Notification>::Params>(
                    DidSaveTextDocument::METHOD,
                )
                .ok()
                .map(|saved| saved.text_document.uri),
            DidCloseTextDocument::METHOD => {
                let closed = note.extract::<<DidCloseTextDocument as lsp_types::notification::Notification>::Params>(
                    DidCloseTextDocument::METHOD,
                );
                if let (Ok(closed), false) = (closed, self.pulls) {
                    self.publish(closed.text_document.uri, Vec::new());
                }
                return;
            }
            _ => return,
        };
        let Some(uri) = uri.filter(|_| !self.pulls) else { return };
        match self.score(&uri).await {
            Ok(scored) => self.publish(uri, scored.map(|scored| scored.diagnostics()).unwrap_or_default()),
            Err(error) => tracing::warn!(%error, "a file was not judged"),
        }
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        self.send(Message::Notification(Notification::new(PublishDiagnostics::METHOD.to_owned(), params)));
    }

    /// The score of a file; none for what is not judged: other languages, files outside of the project, files that are
    /// excluded, or not saved yet.
    async fn score(&self, uri: &Uri) -> Result<Option<ScoredText>> {
        let Some(file) = self.file_of(uri) else { return Ok(None) };
        let request = ScoreRequest {
            paths: vec![file.clone()],
            mode: AnalysisMode::Full,
            categories: None,
            scope: InputScope::Code,
        };
        let score = match self.engine.score(&request, &self.call()).await {
            Ok(mut report) => report.files.pop(),
            Err(error) if error.code() == ErrorCode::FileNotFound => None,
            Err(error) => return Err(error),
        };
        let Some(score) = score else { return Ok(None) };
        let path = self.context.boundary.resolve(&file)?;
        let bytes = self.context.boundary.read(&path, self.context.config.limits.max_file_bytes)?;
        Ok(Some(ScoredText { score, text: String::from_utf8_lossy(&bytes).into_owned() }))
    }

    fn call(&self) -> Call {
        Call { progress: silent(), ..self.context.call() }
    }

    fn file_of(&self, uri: &Uri) -> Option<String> {
        let path = Url::parse(uri.as_str()).ok()?.to_file_path().ok()?;
        // Editors spell paths as they found them; the project may have been reached through a link.
        let path = path.canonicalize().unwrap_or(path);
        let below = path.strip_prefix(self.context.boundary.root()).ok().and_then(Path::to_str)?.to_owned();
        let boundary = &self.context.boundary;
        let file = boundary.resolve(&below).ok()?;
        let judged = boundary.kind(&file).ok()? == PathKind::File && is_scored(boundary, &file);
        judged.then_some(below)
    }

    async fn diagnose(&self, asked: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReport> {
        let scored = self.score(&asked.text_document.uri).await?;
        let result_id = scored.as_ref().map(|scored| {
            format!("{}:{}:{}", scored.score.sha256, scored.score.config_digest, scored.score.findings.len())
        });
        if let Some(result_id) = result_id.clone().filter(|id| asked.previous_result_id.as_ref() == Some(id)) {
            let unchanged_document_diagnostic_report = UnchangedDocumentDiagnosticReport { result_id };
            return Ok(DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report,
            }));
        }
        let items = scored.map(|scored| scored.diagnostics()).unwrap_or_default();
        Ok(DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
        }))
    }

    async fn hover(&self, asked: HoverParams) -> Result<Option<Hover>> {
        let place = asked.text_document_position_params;
        let Some(scored) = self.score(&place.text_document.uri).await? else { return Ok(None) };
        let here = Range::new(place.position, place.position);
        let told: Vec<String> =
            scored.findings_in(here).filter(|finding| finding.line > 0).map(describe_finding).collect();
        let contents = MarkupContent { kind: MarkupKind::Markdown, value: told.join("\n\n---\n\n") };
        Ok((!told.is_empty()).then_some(Hover { contents: HoverContents::Markup(contents), range: None }))
    }

    async fn lenses(&self, asked: CodeLensParams) -> Result<Vec<CodeLens>> {
        let Some(scored) = self.score(&asked.text_document.uri).await? else { return Ok(Vec::new()) };
        let command = Command { title: describe_score(&scored.score), command: String::new(), arguments: None };
        Ok(vec![CodeLens { range: Range::default(), command: Some(command), data: None }])
    }

    async fn actions(&self, asked: CodeActionParams) -> Result<Vec<CodeActionOrCommand>> {
        let uri = asked.text_document.uri;
        let Some(scored) = self.score(&uri).await? else { return Ok(Vec::new()) };
        let wanted = |kind: &CodeActionKind| {
            asked.context.only.as_ref().is_none_or(|only| {
                only.iter().any(|one| kind == one || kind.as_str().starts_with(&format!("{}.", one.as_str())))
            })
        };
        let fixable: Vec<&Finding> =
            scored.score.findings.iter().filter(|finding| finding.fix.as_ref().is_some_and(|fix| fix.safe)).collect();
        let here: Vec<&Finding> = scored
            .findings_in(asked.range)
            .filter(|finding| finding.fix.as_ref().is_some_and(|fix| fix.safe))
            .collect();
        if fixable.is_empty() {
            return Ok(Vec::new());
        }
        let fixed = self.engine.fixed_text(&scored.score.file, &self.call()).await?;
        let lines = TextLines::new(&scored.text);
        let edit = TextEdit::new(lines.whole(), fixed);
        #[expect(
            clippy::mutable_key_type,
            reason = "the protocol's own type has addresses for keys, which never change"
        )]
        let changes = std::collections::HashMap::from([(uri, vec![edit])]);
        let edit = WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
        let action = |title: String, kind: CodeActionKind, about: &[&Finding]| {
            let diagnostics = about.iter().map(|finding| diagnostic_of(finding, false, &lines)).collect();
            CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(kind),
                diagnostics: Some(diagnostics),
                edit: Some(edit.clone()),
                ..CodeAction::default()
            })
        };
        let mut actions = Vec::new();
        if let (Some(first), true) = (here.first(), wanted(&CodeActionKind::QUICKFIX)) {
            let message = first.fix.as_ref().map(|fix| fix.message.clone()).unwrap_or_default();
            let title = match fixable.len() {
                1 => message,
                count => format!("{message}, with the {} other safe fixes of this file", count - 1),
            };
            actions.push(action(title, CodeActionKind::QUICKFIX, &here));
        }
        if wanted(&CodeActionKind::SOURCE_FIX_ALL) {
            actions.push(action("Apply all safe fixes".to_owned(), CodeActionKind::SOURCE_FIX_ALL, &fixable));
        }
        Ok(actions)
    }
}

/// Reads the parameters, does the work, and gives its result as JSON.
async fn with_params<P: DeserializeOwned, R: Serialize>(
    params: serde_json::Value,
    work: impl AsyncFnOnce(P) -> Result<R>,
) -> Result<serde_json::Value> {
    let asked =
        serde_json::from_value(params).map_err(|e| Error::invalid(format!("the parameters do not fit: {e}")))?;
    let done = work(asked).await?;
    serde_json::to_value(done).map_err(|e| Error::internal(format!("the answer has no JSON form: {e}")))
}
