//! What Context7 says about a library, with what was kept of it in front.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{DocsOrigin, LookupMode};
use crate::cache::{DocsCache, DocsCacheKey, Revalidating, Served, class_of};
use crate::context7::{
    Context7Client, Context7Docs, Context7Library, Context7Mode as Order, Context7Settings, DEFAULT_URL, is_id,
};
use crate::text::squeeze;
use tapps_base::Result;
use tapps_base::clock::Clock;

/// Kept of one answer, in tokens: as much as the longest answer may be.
const MOST_TOKENS: usize = 20_000;
/// Libraries of other names that are told of.
const OTHERS: usize = 3;

/// The service and its cache.
pub struct Remote {
    answers: Revalidating,
    line: Arc<LazyClient>,
}

/// The way out, prepared when the first question takes it.
struct LazyClient {
    settings: Context7Settings,
    clock: Arc<dyn Clock>,
    client: OnceLock<Context7Client>,
}

/// What is known of a name.
#[derive(Debug)]
pub(super) enum LibraryMatch {
    Library(Context7Library),
    /// No library goes by it; the ids of those that were offered instead.
    Others(Vec<String>),
    /// The network is not allowed, and nothing is kept.
    Unasked,
}

/// Documentation as the service gave it.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) docs: Context7Docs,
    pub(super) source: DocsOrigin,
    pub(super) stale: bool,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("settings", &self.line.settings).finish_non_exhaustive()
    }
}

impl Remote {
    /// Puts a cache in front of the service; nothing is opened or connected.
    #[must_use]
    pub fn new(cache: DocsCache, settings: Context7Settings, clock: Arc<dyn Clock>) -> Self {
        let line = LazyClient { settings, clock, client: OnceLock::new() };
        Self { answers: Revalidating::new(cache), line: Arc::new(line) }
    }

    /// Whether connections are allowed.
    #[must_use]
    pub fn may_connect(&self) -> bool {
        !self.line.settings.offline
    }

    /// Whether the service can be asked for more than is needed at once: it is one's own, or it knows who asks. The few
    /// questions that it allows to strangers are kept for people.
    #[must_use]
    pub fn may_ask_ahead(&self) -> bool {
        let settings = &self.line.settings;
        self.may_connect() && (settings.key.is_some() || settings.base_url != DEFAULT_URL)
    }

    /// Waits for what is being refreshed, at most so long.
    pub async fn wait_for_refreshes(&self, at_most: Duration) {
        self.answers.wait_for_refreshes(at_most).await;
    }

    /// The library that goes by a name or id; of several the first that has the version.
    ///
    /// # Errors
    /// As [`Context7Client::resolve`].
    pub(super) async fn find_library(&self, name: &str, version: Option<&str>) -> Result<LibraryMatch> {
        let asked = if is_id(name) { name.rsplit('/').next().unwrap_or(name) } else { name };
        let key = DocsCacheKey::from_parts(&["context7", "libraries", &self.line.settings.base_url, asked]);
        let question = asked.to_owned();
        let fetch = move |line: Arc<LazyClient>| async move { line.client()?.resolve(&question).await };
        let found: Option<Served<Vec<Context7Library>>> =
            self.serve_cached(&key, class_of(asked, None).lifetime(), fetch).await?;
        let Some(found) = found else { return Ok(LibraryMatch::Unasked) };
        Ok(match choose_library(&found.value, name, version) {
            Some(library) => LibraryMatch::Library(library.clone()),
            None => LibraryMatch::Others(found.value.into_iter().take(OTHERS).map(|library| library.id).collect()),
        })
    }

    /// What is said about a library, or about the version of it that goes by `tag`; nothing when the network is not
    /// allowed and nothing is kept.
    ///
    /// # Errors
    /// As [`Context7Client::fetch`].
    pub(super) async fn fetch_docs(
        &self,
        library: &Context7Library,
        tag: Option<&str>,
        topic: Option<&str>,
        mode: LookupMode,
    ) -> Result<Option<Said>> {
        let order = match mode {
            LookupMode::Code => Order::Code,
            LookupMode::Info => Order::Info,
        };
        let topic = topic.map(squeeze).filter(|topic| !topic.is_empty());
        let parts = [tag.unwrap_or_default(), topic.as_deref().unwrap_or_default(), order.as_str()];
        let place = ["context7", "context", &*self.line.settings.base_url, &*library.id];
        let key = DocsCacheKey::from_parts(&[&place[..], &parts[..]].concat());
        let (id, tag) = (library.id.clone(), tag.map(str::to_owned));
        let lifetime = class_of(&id, tag.as_deref()).lifetime();
        let fetch = move |line: Arc<LazyClient>| async move {
            line.client()?.fetch(&id, topic.as_deref(), tag.as_deref(), order, MOST_TOKENS).await
        };
        let served: Option<Served<Context7Docs>> = self.serve_cached(&key, lifetime, fetch).await?;
        Ok(served.map(|served| Said {
            docs: served.value,
            source: if served.age.is_some() { DocsOrigin::Cache } else { DocsOrigin::Context7 },
            stale: served.stale,
        }))
    }

    async fn serve_cached<T, F, R>(&self, key: &DocsCacheKey, lifetime: Duration, fetch: F) -> Result<Option<Served<T>>>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnOnce(Arc<LazyClient>) -> R + Send + 'static,
        R: Future<Output = Result<T>> + Send,
    {
        if !self.may_connect() {
            return Ok(self.answers.get_cached(key));
        }
        let line = Arc::clone(&self.line);
        self.answers.get_or_fetch(key, lifetime, move || fetch(line)).await.map(Some)
    }
}

impl LazyClient {
    fn client(&self) -> Result<&Context7Client> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let made = Context7Client::with_clock(self.settings.clone(), Arc::clone(&self.clock))?;
        // Whoever was first, all use one client, so that its breaker sees every failure.
        Ok(self.client.get_or_init(|| made))
    }
}

/// The library that is meant. Names have to agree: what is merely alike would be another library given silently.
fn choose_library<'l>(found: &'l [Context7Library], name: &str, version: Option<&str>) -> Option<&'l Context7Library> {
    let wanted = comparable_name(name);
    let goes_by = |library: &&Context7Library| {
        if is_id(name) {
            return library.id == name;
        }
        let last = library.id.rsplit('/').next().unwrap_or_default();
        [last, &library.title, library.id.get(1..).unwrap_or_default()]
            .iter()
            .any(|known| comparable_name(known) == wanted)
    };
    let named: Vec<&Context7Library> = found.iter().filter(|library| library.ready).filter(goes_by).collect();
    let has = |library: &&&Context7Library| version.is_some_and(|version| library.version_tag(version).is_some());
    named.iter().find(has).or(named.first()).copied()
}

/// A name without case, punctuation, and the `js` that many put behind it.
fn comparable_name(name: &str) -> String {
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match letters.strip_suffix("js").filter(|rest| rest.len() > 1) {
        Some(rest) => rest.to_owned(),
        None => letters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(id: &str, title: &str, versions: &[&str], ready: bool) -> Context7Library {
        Context7Library {
            id: id.into(),
            title: title.into(),
            description: String::new(),
            versions: versions.iter().map(|version| (*version).to_owned()).collect(),
            snippets: 1,
            trust: None,
            ready,
        }
    }

    #[test]
    fn a_library_has_to_go_by_the_name() {
        let found = [
            library("/other/requests-mock", "Requests Mock", &["2.32.5"], true),
            library("/half/requests", "Requests", &["2.32.5"], false),
            library("/websites/requests", "Requests", &[], true),
            library("/psf/requests", "Requests", &["v2.32.5"], true),
            library("/vercel/next.js", "Next.js", &[], true),
            library("/tanstack/query", "@tanstack/query", &[], true),
        ];
        let of = |name, version| choose_library(&found, name, version).map(|library| library.id.as_str());
        assert_eq!(of("Requests", Some("2.32.5")), Some("/psf/requests"));
        assert_eq!(of("requests", Some("9.0")), Some("/websites/requests"));
        assert_eq!(of("/psf/requests", None), Some("/psf/requests"));
        assert_eq!((of("next", None), of("nextjs", None)), (Some("/vercel/next.js"), Some("/vercel/next.js")));
        assert_eq!(of("@tanstack/query", None), Some("/tanstack/query"));
        for other in ["request", "mock", "requestsmocks", "/psf", "query2", "js"] {
            assert_eq!(of(other, None), None, "{other}");
        }
    }
}
