//! Answering from the cache and from Context7, where this machine has nothing.

use std::sync::Arc;
use std::time::Duration;

use super::answer::{LookupAnswer, LookupMode, LookupRequest, Provenance, Snippet};
use super::compose;
use super::local::token_budget;
use super::missed::{LibraryQuery, Pick, choose_resolution, not_found_anywhere, remote_disabled, remote_unavailable};
use super::remote::{LibraryMatch, Remote, Said};
use super::service::DocsService;
use crate::context7;
use crate::context7::plain_version;
use crate::text::clip;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result, digest};

/// Longest explanation and longest example in an answer, in characters.
const PROSE: usize = 1_600;
const CODE: usize = 2_400;
/// Most libraries that are asked about beforehand.
const AHEAD: usize = 24;
/// What is called so has no other name of its version.
const LATEST: &str = "latest";

/// How asking the service went.
enum Reached {
    Answer(Box<LookupAnswer>),
    /// The nearest version is on this machine.
    Here,
    Nothing(Error),
}

impl DocsService {
    /// Answers a question from this machine, else from what is kept of the service's answers, else from the service.
    ///
    /// Has to be called within a tokio runtime.
    ///
    /// # Errors
    /// As [`DocsService::lookup_locally`]; and where the service was asked in vain `api_unavailable`, `timeout`, `rate_limited` with the
    /// time to wait, or `config_error` for its address or key.
    pub async fn answer_question(self: &Arc<Self>, request: LookupRequest, call: Call) -> Result<LookupAnswer> {
        let alone = self.remote.is_none();
        let missed = match self.on_a_thread(&request, &call, request.allow_nearest && alone).await? {
            Ok(answer) => return Ok(answer),
            Err(missed) => missed,
        };
        let (Some(remote), Some(wanted)) = (&self.remote, missed.wanted) else { return Err(missed.error) };
        let reached = call.within(self.fetch_remote(remote, &request, &wanted, &missed.error)).await;
        call.check()?;
        let failure = match reached {
            Ok(Reached::Answer(answer)) => return Ok(*answer),
            Ok(Reached::Nothing(error)) => return Err(error),
            Ok(Reached::Here) => None,
            Err(failure) => Some(failure),
        };
        if let Some(failure) = failure.as_ref().filter(|_| !request.allow_nearest || wanted.here.is_empty()) {
            return Err(remote_unavailable(&missed.error, failure));
        }
        let mut answer = self.on_a_thread(&request, &call, true).await?.map_err(|missed| missed.error)?;
        if let Some(failure) = failure {
            let note = answer.note.take().unwrap_or_default();
            answer.note = Some(format!("{note}. {}", failure.message()));
        }
        Ok(answer)
    }

    /// Whether a question may go out to a service.
    #[must_use]
    pub fn may_connect(&self) -> bool {
        self.remote.as_ref().is_some_and(Remote::may_connect)
    }

    /// Waits until answers that were stale have been fetched anew, at most so long.
    pub async fn wait_for_refreshes(&self, at_most: Duration) {
        if let Some(remote) = &self.remote {
            remote.wait_for_refreshes(at_most).await;
        }
    }

    /// Asks the service about what the project itself depends on and this machine has no documentation of, so that it is
    /// kept; gives how many libraries it knew. Nothing is asked where that is not allowed, or of a service that does not
    /// know who asks.
    ///
    /// # Errors
    /// `cancelled` or `timeout`; what looking at the project says; what stops the service from answering.
    pub async fn ask_ahead(self: &Arc<Self>, call: &Call) -> Result<usize> {
        let Some(remote) = self.remote.as_ref().filter(|remote| remote.may_ask_ahead()) else { return Ok(0) };
        let docs = Arc::clone(self);
        let lacking = tokio::task::spawn_blocking(move || docs.missing_docs()).await;
        let lacking = lacking.map_err(|_| Error::internal("looking at the project failed unexpectedly"))??;
        let mut known = 0;
        for (library, version) in lacking.into_iter().take(AHEAD) {
            let asked = call.within(async {
                let LibraryMatch::Library(library) = remote.find_library(&library, Some(&version)).await? else {
                    return Ok(0);
                };
                let Some(tag) = library.version_tag(&version) else { return Ok(0) };
                remote
                    .fetch_docs(&library, Some(tag), None, LookupMode::Code)
                    .await
                    .map(|said| usize::from(said.is_some()))
            });
            match asked.await {
                Ok(found) => known += found,
                Err(error) if is_no(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(known)
    }

    async fn on_a_thread(
        self: &Arc<Self>,
        request: &LookupRequest,
        call: &Call,
        nearest: bool,
    ) -> Result<Result<LookupAnswer, super::missed::Missed>> {
        let (docs, request, call) = (Arc::clone(self), request.clone(), call.clone());
        // A first extraction takes its time and does not wait for anything.
        let answered = tokio::task::spawn_blocking(move || docs.answer_locally(&request, &call, nearest)).await;
        answered.map_err(|_| Error::internal("the lookup failed unexpectedly"))
    }

    async fn fetch_remote(
        &self,
        remote: &Remote,
        request: &LookupRequest,
        wanted: &LibraryQuery,
        missed: &Error,
    ) -> Result<Reached> {
        let (library, others) = match remote.find_library(&wanted.library, wanted.version.as_deref()).await {
            Ok(LibraryMatch::Library(library)) => (Some(library), Vec::new()),
            Ok(LibraryMatch::Others(others)) => (None, others),
            Ok(LibraryMatch::Unasked) if choose_resolution(wanted, None, request.allow_nearest) == Pick::Here => {
                return Ok(Reached::Here);
            }
            Ok(LibraryMatch::Unasked) => return Ok(Reached::Nothing(remote_disabled(missed))),
            Err(error) if is_no(&error) => (None, Vec::new()),
            Err(error) => return Err(error),
        };
        let others: Vec<String> =
            others.iter().filter_map(|id| (self.screen)(id).map(std::borrow::Cow::into_owned)).collect();
        let nothing = || Ok(Reached::Nothing(not_found_anywhere(missed, wanted, library.as_ref(), &others)));
        let picked = choose_resolution(wanted, library.as_ref(), request.allow_nearest);
        let (Some(found), tag) = (match picked {
            Pick::Nothing => return nothing(),
            Pick::Here => return Ok(Reached::Here),
            Pick::Exact(tag) | Pick::Near(tag) => (library.as_ref(), Some(tag)),
            Pick::Current => (library.as_ref(), None),
        }) else {
            return nothing();
        };
        let said = match remote.fetch_docs(found, tag, request.topic.as_deref(), request.mode).await {
            Ok(Some(said)) => said,
            Ok(None) => return Ok(Reached::Nothing(remote_disabled(missed))),
            Err(error) if is_no(&error) => return nothing(),
            Err(error) => return Err(error),
        };
        Ok(Reached::Answer(Box::new(self.put_into_words(request, wanted, &picked, said)?)))
    }

    fn put_into_words(
        &self,
        request: &LookupRequest,
        wanted: &LibraryQuery,
        picked: &Pick<'_>,
        said: Said,
    ) -> Result<LookupAnswer> {
        let library = &wanted.library;
        let (version, mut notes) = match (picked, &wanted.version) {
            (Pick::Exact(_), Some(version)) => (version.clone(), Vec::new()),
            (Pick::Near(tag), Some(version)) => {
                let near = plain_version(tag);
                let note = format!("{library} {version} is neither on this machine nor at Context7; this is {near}");
                (near, vec![note])
            }
            (_, Some(version)) => {
                let note = format!("Context7 names no versions of {library}: this is its latest and not {version}");
                (LATEST.to_owned(), vec![note])
            }
            (_, None) => {
                (LATEST.to_owned(), vec![format!("the project locks no version of {library}: this is the latest")])
            }
        };
        let of = (self.screen)(&said.docs.library_id).unwrap_or_default();
        let of = format!("what Context7 says about {of}");
        let sha256 = digest::of_json(&said.docs)?;
        let composed = compose::compose_from_snippets(
            said.docs.snippets.into_iter().map(snippet_of_remote),
            token_budget(request),
            self.screen,
        );
        if composed.snippets.is_empty() && composed.withheld == 0 {
            notes.push(format!("Context7 says nothing about that in {library}"));
        }
        Ok(LookupAnswer {
            library: library.clone(),
            ecosystem: wanted.ecosystem,
            version,
            source: said.source,
            exact: matches!(picked, Pick::Exact(_)),
            stale: said.stale,
            corrected_from: wanted.corrected_from.clone(),
            note: (!notes.is_empty()).then(|| notes.join(". ")),
            symbols: Vec::new(),
            snippets: composed.snippets,
            token_estimate: composed.tokens,
            withheld: composed.withheld,
            truncated: composed.truncated || said.docs.truncated,
            provenance: Provenance { sha256, of, locked: Vec::new(), pinned_by: wanted.pinned_by.clone() },
        })
    }
}

/// The service answered, and the answer is no.
fn is_no(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::VersionUnavailable | ErrorCode::InvalidArgument)
}

/// A piece of the service's answer as a snippet: prose, then code in a fence that the code cannot close.
fn snippet_of_remote(snippet: context7::Snippet) -> Snippet {
    let mut text = clip(snippet.text.trim(), PROSE);
    if let Some(code) = snippet.code.as_deref().map(str::trim).filter(|code| !code.is_empty()) {
        let code = clip(code, CODE);
        let inner = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(3.max(inner + 1));
        let fits = |c: &char| c.is_ascii_alphanumeric() || "+-#".contains(*c);
        let language: String = snippet.language.unwrap_or_default().chars().filter(fits).take(20).collect();
        let gap = if text.is_empty() { "" } else { "\n\n" };
        text = format!("{text}{gap}{fence}{language}\n{code}\n{fence}");
    }
    Snippet { title: clip(snippet.title.trim(), 200), text, at: snippet.source.unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_in_a_fence_of_its_own() {
        let of = |text: &str, code: Option<&str>| {
            snippet_of_remote(context7::Snippet {
                title: " T ".into(),
                text: text.into(),
                code: code.map(str::to_owned),
                language: Some("py`\nthon".into()),
                source: None,
            })
        };
        assert_eq!(of("Says.", Some("x = 1\n")).text, "Says.\n\n```python\nx = 1\n```");
        assert_eq!(of("", Some("a\n```\nb")).text, "````python\na\n```\nb\n````");
        assert_eq!((of("Only prose.", None).text.as_str(), of("", None).title.as_str()), ("Only prose.", "T"));
        assert_eq!(of("", Some(&"x".repeat(9_000))).text.len(), CODE + "```python\n…\n```".len());
    }
}
