//! One file over HTTP: bounded, with redirects that stay as safe as the first address, given up when nothing comes any more.

use std::fs::File;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use reqwest::{Client, Response, Url, redirect};

use crate::process::process_runtime;
use tapps_base::call::Call;
use tapps_base::{Error, ErrorCode, Result};

const CONNECT: Duration = Duration::from_secs(15);
/// How long a server may say nothing.
const SILENCE: Duration = Duration::from_secs(60);
/// Redirects that are followed: a release leads to a store, which may lead to a mirror.
const MOST_REDIRECTS: usize = 5;

/// Writes what an address answers with to `place`, never more than `most` bytes. For threads that are not async.
///
/// # Errors
/// `tool_unavailable` when it cannot be had whole, `toolchain_mismatch` when it is larger, `timeout`, `cancelled`, and what
/// writing says.
pub(super) fn download_file(url: &str, place: &Path, most: u64, call: &Call) -> Result<()> {
    let url = Url::parse(url).map_err(|e| unavailable(format!("`{url}` is no address: {e}")))?;
    let (sender, receiver) = mpsc::sync_channel(1);
    let (place, call) = (place.to_owned(), call.clone());
    process_runtime()?.spawn(async move {
        sender.send(call.within(receive_file(url, &place, most, &call)).await).ok();
    });
    receiver.recv().unwrap_or_else(|_| Err(Error::internal("the thread that downloads has gone")))
}

async fn receive_file(url: Url, place: &Path, most: u64, call: &Call) -> Result<()> {
    let host = url.host_str().unwrap_or_default().to_owned();
    let response = client(&url)?.get(url).send().await;
    let mut response = response.map_err(|e| unavailable(format!("{host} cannot be reached: {}", innermost(&e))))?;
    if !response.status().is_success() {
        return Err(unavailable(format!("{host} answers {}", response.status())));
    }
    let total = response.content_length().unwrap_or_default();
    if total > most {
        return Err(too_large(most));
    }
    let unwritten = |e: &std::io::Error| Error::io(format_args!("cannot write {}", place.display()), e);
    let mut file = File::create(place).map_err(|e| unwritten(&e))?;
    let mut received = 0;
    while let Some(chunk) = next_chunk(&mut response, received).await? {
        received += chunk.len() as u64;
        if received > most {
            return Err(too_large(most));
        }
        file.write_all(&chunk).map_err(|e| unwritten(&e))?;
        call.progress.report("fetch", received, total.max(received));
    }
    file.sync_all().map_err(|e| unwritten(&e))
}

async fn next_chunk(response: &mut Response, received: u64) -> Result<Option<impl std::ops::Deref<Target = [u8]>>> {
    let broken = |e| unavailable(format!("the download broke off after {received} bytes: {}", innermost(&e)));
    response.chunk().await.map_err(broken)
}

fn client(url: &Url) -> Result<Client> {
    // An error only says that a provider is there already.
    rustls::crypto::ring::default_provider().install_default().ok();
    let secure = url.scheme() == "https";
    let follow = redirect::Policy::custom(move |attempt| {
        if attempt.previous().len() > MOST_REDIRECTS {
            return attempt.error("there are too many redirects");
        }
        if secure && attempt.url().scheme() != "https" {
            return attempt.error("it leads to an address without encryption");
        }
        attempt.follow()
    });
    let mut builder = Client::builder()
        .user_agent(concat!("tapps-mcp/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .redirect(follow);
    if is_this_machine(url) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|e| {
        Error::new(ErrorCode::ConfigError, format!("no connection can be prepared: {e}"))
            .hint("check the proxy variables of the environment")
    })
}

fn is_this_machine(url: &Url) -> bool {
    let address = url.host_str().map(|host| host.trim_matches(['[', ']']).parse::<IpAddr>());
    url.host_str() == Some("localhost") || address.is_some_and(|parsed| parsed.is_ok_and(|ip| ip.is_loopback()))
}

/// The cause below the library's own words, which repeat the address.
fn innermost(error: &reqwest::Error) -> &dyn std::error::Error {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause
}

fn unavailable(message: String) -> Error {
    Error::new(ErrorCode::ToolUnavailable, message)
}

fn too_large(most: u64) -> Error {
    Error::new(ErrorCode::ToolchainMismatch, format!("what was offered has more than {most} bytes"))
}
