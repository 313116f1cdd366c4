//! One question over HTTP: deadline, bounded body, redirects of our own, the key kept where it belongs.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Response, StatusCode, Url, redirect};
use secrecy::{ExposeSecret as _, SecretString};

use super::id;
use super::refusal::{self, Context7Refusal, RefusalBody};
use super::settings::{Context7Settings, is_loopback};
use crate::breaker::Breaker;
use tapps_base::clock::Clock;
use tapps_base::{Error, ErrorCode, Result};

/// Redirects that are followed for one question.
const MOST_REDIRECTS: usize = 3;
/// A refusal says little; more of it is not read.
const LARGEST_REFUSAL: usize = 16 << 10;
const CONNECT: Duration = Duration::from_secs(5);

/// The way to the service.
#[derive(Debug)]
pub(super) struct Transport {
    settings: Context7Settings,
    base: Url,
    http: reqwest::Client,
    authorization: Option<HeaderValue>,
    breaker: Breaker,
    clock: Arc<dyn Clock>,
}

/// Something that can be asked.
#[derive(Debug, Clone)]
pub(super) struct Context7Request {
    /// Below the base address, for example `v2/context`.
    pub(super) path: &'static str,
    pub(super) query: Vec<(&'static str, String)>,
    /// What it is about, for messages.
    pub(super) about: String,
}

/// What one request came to.
enum HttpOutcome {
    Answer(Vec<u8>),
    /// The library goes by another name now.
    Moved(String),
    Elsewhere(Url),
}

impl Transport {
    /// Prepares a client; nothing is connected.
    ///
    /// # Errors
    /// `config_error` for an address or a key that cannot be used.
    pub(super) fn new(settings: Context7Settings, clock: Arc<dyn Clock>) -> Result<Self> {
        let (base, authorization) = (settings.url()?, settings.authorization()?);
        // An error only says that a provider is there already.
        rustls::crypto::ring::default_provider().install_default().ok();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("tapps-mcp/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .redirect(redirect::Policy::none());
        if is_loopback(&base) {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| {
            Error::new(ErrorCode::ConfigError, format!("no connection can be prepared: {error}"))
                .hint("check the proxy variables of the environment")
        })?;
        Ok(Self { settings, base, http, authorization, breaker: Breaker::new(Arc::clone(&clock)), clock })
    }

    /// Asks and gives the bytes of the answer with every occurrence of the key taken out, for `read` to make sense of.
    ///
    /// # Errors
    /// `api_unavailable` when connections are forbidden, the circuit is open, or the service fails or answers nonsense;
    /// `timeout` after the deadline; and what a refusal means.
    pub(super) async fn ask<T>(&self, question: Context7Request, read: impl Fn(&[u8]) -> Result<T>) -> Result<T> {
        if self.settings.offline {
            return Err(Error::new(ErrorCode::ApiUnavailable, "Context7 is not asked: the network is switched off")
                .hint("allow it by leaving out --offline, and `docs.context7 = true`"));
        }
        let pass = self.breaker.acquire_permit().map_err(|wait| {
            Error::new(ErrorCode::ApiUnavailable, "Context7 is left alone for a while after it failed")
                .retry_after(wait)
                .hint("ask again later; what is on this machine can still be looked up")
        })?;
        let answered = match tokio::time::timeout(self.settings.deadline, self.follow_redirects(question)).await {
            Ok(answered) => answered.and_then(|bytes| read(&bytes).map_err(service_failure)),
            Err(_) => Err(service_failure(
                Error::new(
                    ErrorCode::Timeout,
                    format!("Context7 did not answer within {} s", self.settings.deadline.as_secs_f64()),
                )
                .hint("ask again later; what is on this machine can still be looked up"),
            )),
        };
        match answered {
            Ok(value) => {
                pass.report_success();
                Ok(value)
            }
            Err(refusal) => {
                if refusal.counts {
                    pass.report_failure()
                } else {
                    pass.report_success()
                }
                if let Some(rest) = refusal.rest {
                    self.breaker.rest_for(rest);
                }
                Err(refusal.error)
            }
        }
    }

    async fn follow_redirects(&self, mut question: Context7Request) -> Result<Vec<u8>, Context7Refusal> {
        let mut url = self.address(&question).map_err(request_failure)?;
        for _ in 0..=MOST_REDIRECTS {
            match self.send_once(url, &question).await? {
                HttpOutcome::Answer(bytes) => return Ok(bytes),
                HttpOutcome::Elsewhere(next) => url = next,
                HttpOutcome::Moved(id) => {
                    for (name, value) in &mut question.query {
                        if *name == "libraryId" {
                            value.clone_from(&id);
                        }
                    }
                    url = self.address(&question).map_err(request_failure)?;
                }
            }
        }
        Err(malformed_answer(&format!("redirected more than {MOST_REDIRECTS} times")))
    }

    async fn send_once(&self, url: Url, question: &Context7Request) -> Result<HttpOutcome, Context7Refusal> {
        let mut request = self
            .http
            .get(url.clone())
            .header(ACCEPT, "application/json")
            .header("X-Context7-Source", "tapps-mcp")
            .header("X-Context7-Server-Version", env!("CARGO_PKG_VERSION"));
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.send().await.map_err(|error| connection_failure(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        if status == StatusCode::OK {
            let bytes = body(response, self.settings.most_bytes).await?;
            return bytes.map(|bytes| HttpOutcome::Answer(self.without_key(bytes))).ok_or_else(|| {
                malformed_answer(&format!("answered with more than {} bytes", self.settings.most_bytes))
            });
        }
        let bytes = body(response, LARGEST_REFUSAL).await?.unwrap_or_default();
        let said = RefusalBody::from_bytes(&bytes);
        if status.is_redirection() {
            return self.redirected(&url, &headers, said.redirect.as_deref());
        }
        let keyed = self.authorization.is_some();
        Err(refusal::read_refusal(status, &headers, &said, &question.about, keyed, self.clock.now()))
    }

    /// A redirect either names the library's new id or another place at the same server. The key and the question go
    /// nowhere else.
    fn redirected(&self, from: &Url, headers: &HeaderMap, named: Option<&str>) -> Result<HttpOutcome, Context7Refusal> {
        if let Some(id) = named.filter(|named| id::is_id(named)) {
            return Ok(HttpOutcome::Moved(id.to_owned()));
        }
        let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
        let next = location.or(named).and_then(|place| from.join(place).ok());
        match next {
            Some(next) if next.origin() == self.base.origin() => Ok(HttpOutcome::Elsewhere(next)),
            Some(_) => Err(malformed_answer("redirected to another server, which is not followed")),
            None => Err(malformed_answer("redirected to nowhere")),
        }
    }

    fn address(&self, question: &Context7Request) -> Result<Url> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| Error::internal("an address without a path"))?
            .pop_if_empty()
            .extend(question.path.split('/'));
        url.query_pairs_mut().extend_pairs(&question.query);
        Ok(url)
    }

    /// A server that sends the key back does not get it into an answer or the cache.
    fn without_key(&self, bytes: Vec<u8>) -> Vec<u8> {
        let Some(key) = self.settings.key.as_ref().map(SecretString::expose_secret) else { return bytes };
        match std::str::from_utf8(&bytes) {
            Ok(text) if text.contains(key) => text.replace(key, "[redacted context7-key]").into_bytes(),
            _ => bytes,
        }
    }
}

/// The whole body; none when it is longer than `most`.
async fn body(mut response: Response, most: usize) -> Result<Option<Vec<u8>>, Context7Refusal> {
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| connection_failure(&error))? {
        if bytes.len() + chunk.len() > most {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes))
}

/// An error that says that the service is not well.
fn service_failure(error: Error) -> Context7Refusal {
    Context7Refusal { error, counts: true, rest: None }
}

fn request_failure(error: Error) -> Context7Refusal {
    Context7Refusal { error, counts: false, rest: None }
}

fn malformed_answer(what: &str) -> Context7Refusal {
    service_failure(
        Error::new(ErrorCode::ApiUnavailable, format!("Context7 {what}"))
            .hint("ask again later; what is on this machine can still be looked up"),
    )
}

fn connection_failure(error: &reqwest::Error) -> Context7Refusal {
    let what = if error.is_connect() {
        "cannot be reached"
    } else if error.is_timeout() {
        "did not answer in time"
    } else {
        "broke its answer off"
    };
    // The library's own words hold the address; the innermost cause is enough.
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let mut refusal = malformed_answer(what);
    tracing::debug!(%cause, "{what}");
    refusal.error = refusal.error.tool("context7");
    refusal
}
