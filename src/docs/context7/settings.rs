//! Whom to ask, as whom, and how much of an answer is taken.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret as _, SecretString};

use tapps_base::{Error, ErrorCode, Result};
use tapps_config::Config;

/// Where the public service is.
pub const DEFAULT_URL: &str = "https://context7.com/api";

/// The settings of a client.
#[derive(Debug, Clone)]
pub struct Context7Settings {
    /// The address before `/v2/…`.
    pub base_url: String,
    /// Sent as a bearer token. Without one the service allows a few requests.
    pub key: Option<SecretString>,
    /// Forbids every connection.
    pub offline: bool,
    /// How long one question may take, all redirects included.
    pub deadline: Duration,
    /// Most bytes of one answer.
    pub most_bytes: usize,
}

impl Default for Context7Settings {
    fn default() -> Self {
        Self {
            base_url: DEFAULT_URL.to_owned(),
            key: None,
            offline: false,
            deadline: Duration::from_secs(10),
            most_bytes: 4 << 20,
        }
    }
}

impl Context7Settings {
    /// The settings of a configuration; `variable` looks up `CONTEXT7_API_KEY` and `CONTEXT7_API_URL`, and the
    /// configuration's own address wins over the latter.
    #[must_use]
    pub fn from_config(config: &Config, variable: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let mut settings = Self { offline: config.toolchain.offline || !config.docs.context7, ..Self::default() };
        if let Some(url) = config.docs.context7_url.clone().or_else(|| get("CONTEXT7_API_URL")) {
            settings.base_url = url;
        }
        settings.key = get("CONTEXT7_API_KEY").map(SecretString::from);
        settings
    }

    /// The address, checked: a key is never sent in the clear, except to this machine itself.
    pub(super) fn url(&self) -> Result<Url> {
        let wrong = |why: &str| {
            Error::new(ErrorCode::ConfigError, format!("the address of Context7 cannot be used: {why}"))
                .hint("set `docs.context7_url` to an address such as https://context7.com/api")
        };
        let url = Url::parse(&self.base_url).map_err(|error| wrong(&error.to_string()))?;
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => return Err(wrong("it is not encrypted")),
            _ => return Err(wrong("it begins neither with https nor with http")),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it holds a user name or a password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it holds a query or a fragment"));
        }
        Ok(url)
    }

    /// The header that says who asks.
    pub(super) fn authorization(&self) -> Result<Option<HeaderValue>> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret())).map_err(|_| {
            Error::new(ErrorCode::ConfigError, "CONTEXT7_API_KEY holds characters that no key has")
                .hint("copy the key again, without line ends")
        })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }
}

/// True for an address on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host_str().map(|host| host.trim_matches(['[', ']'])) {
        Some("localhost") => true,
        Some(host) => host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let url = |text: &str| Context7Settings { base_url: text.into(), ..Context7Settings::default() }.url();
        for good in [DEFAULT_URL, "http://127.0.0.1:8080/api", "http://[::1]:1/", "http://localhost/x"] {
            assert!(url(good).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("http://context7.com/api", "not encrypted"),
            ("ftp://context7.com", "neither"),
            ("context7.com/api", "relative URL"),
            ("https://user:pass@context7.com/api", "user name"),
            ("https://context7.com/api?x=1", "query"),
        ] {
            let error = url(bad).unwrap_err();
            assert_eq!(error.code(), ErrorCode::ConfigError);
            assert!(error.message().contains(why), "{error}");
            assert!(!error.message().contains("pass@"), "{error}");
        }
    }

    #[test]
    fn the_configuration_and_the_environment() {
        let environment = |name: &str| match name {
            "CONTEXT7_API_KEY" => Some(" ctx7sk-canary\n".to_owned()),
            "CONTEXT7_API_URL" => Some("https://from.environment/api".to_owned()),
            _ => None,
        };
        let mut config = Config::default();
        let settings = Context7Settings::from_config(&config, environment);
        assert_eq!(settings.base_url, "https://from.environment/api");
        assert!(!settings.offline);
        assert!(!format!("{settings:?}").contains("canary"));
        let header = settings.authorization().unwrap().unwrap();
        assert_eq!(header.to_str().unwrap(), "Bearer ctx7sk-canary");
        assert!(!format!("{header:?}").contains("canary"));
        config.docs.context7_url = Some("https://own.example/api".into());
        config.docs.context7 = false;
        let settings = Context7Settings::from_config(&config, |_| None);
        assert_eq!((settings.base_url.as_str(), settings.offline), ("https://own.example/api", true));
        assert!(settings.authorization().unwrap().is_none());
        let broken = Context7Settings { key: Some("a\nb-canary".to_owned().into()), ..Context7Settings::default() };
        assert!(!broken.authorization().unwrap_err().message().contains("canary"));
    }
}
