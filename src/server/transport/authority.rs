//! Under which names the server is reached, and web pages of which origins may call it.
//!
//! Both headers are read as a whole, by the rules of URLs: what is no host with a port is no name of this server,
//! however it begins.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, Uri, header};

use tapps_base::{Error, ErrorCode, Result};

/// A host and perhaps a port, as `Host` headers and URLs write them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Authority {
    /// A name in lower case, or an address; one of version 6 in brackets.
    host: String,
    port: Option<u16>,
}

/// What an allowed name or origin says about the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AllowedPort {
    Any,
    /// None for schemes without a port of their own.
    Only(Option<u16>),
}

/// `scheme://host:port`, as browsers write it into the `Origin` header.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowedOrigin {
    scheme: String,
    host: String,
    port: AllowedPort,
}

/// The names and origins that a server answers to.
#[derive(Debug, Clone)]
pub(super) struct AllowedAuthorities {
    hosts: Vec<(String, AllowedPort)>,
    origins: Vec<AllowedOrigin>,
    /// Whether pages without an origin, for example local files, may call.
    opaque: bool,
}

impl AllowedAuthorities {
    /// For a server at `address`, with further names and origins that the user has named.
    ///
    /// # Errors
    /// `config_error` for what is no name or no origin.
    pub(super) fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Result<Self> {
        let mut allowed = Self { hosts: Vec::new(), origins: Vec::new(), opaque: false };
        for host in hosts {
            allowed.hosts.push(parse_allowed_host(host)?);
        }
        for origin in origins {
            if origin == "null" {
                allowed.opaque = true;
            } else {
                allowed.origins.push(parse_allowed_origin(origin)?);
            }
        }
        let own_port = AllowedPort::Only(Some(address.port()));
        let loopback = ["localhost", "127.0.0.1", "[::1]"];
        match address.ip() {
            ip if ip.is_loopback() => {
                allowed.hosts.extend(loopback.map(|host| (host.to_owned(), own_port)));
                let any_port = |host: &str| AllowedOrigin {
                    scheme: "http".to_owned(),
                    host: host.to_owned(),
                    port: AllowedPort::Any,
                };
                allowed.origins.extend(loopback.map(any_port));
            }
            // Listening everywhere has no name of its own: the names have to be given.
            ip if ip.is_unspecified() => {
                if allowed.hosts.is_empty() {
                    allowed.hosts.push(("localhost".to_owned(), own_port));
                }
            }
            IpAddr::V4(ip) => allowed.hosts.push((ip.to_string(), own_port)),
            IpAddr::V6(ip) => allowed.hosts.push((format!("[{ip}]"), own_port)),
        }
        Ok(allowed)
    }

    /// Why a request is not for this server; none when it is.
    pub(super) fn refusal_reason(&self, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        let named = match (only_header_value(headers, &header::HOST), uri.authority()) {
            (Some(host), None) => self.is_host(host),
            // A target with a host of its own must be right in both places.
            (Some(host), Some(authority)) => self.is_host(host) && self.is_host(authority.as_str()),
            (None, _) => false,
        };
        if !named {
            return Some("the Host header names no host and port of this server");
        }
        if headers.contains_key(header::ORIGIN)
            && !only_header_value(headers, &header::ORIGIN).is_some_and(|origin| self.is_origin(origin))
        {
            return Some("web pages of this origin may not call this server");
        }
        None
    }

    fn is_host(&self, text: &str) -> bool {
        let Some(given) = Authority::parse(text) else { return false };
        let port = given.port.or(default_port("http"));
        self.hosts.iter().any(|(host, allowed)| *host == given.host && allowed.admits(port))
    }

    fn is_origin(&self, text: &str) -> bool {
        if text == "null" {
            return self.opaque;
        }
        let Some((scheme, given)) = split_origin(text) else { return false };
        let port = given.port.or(default_port(&scheme));
        let fits = |allowed: &AllowedOrigin| {
            allowed.scheme == scheme && allowed.host == given.host && allowed.port.admits(port)
        };
        self.origins.iter().any(fits)
    }
}

impl Authority {
    fn parse(text: &str) -> Option<Self> {
        let (host, rest) = match text.strip_prefix('[') {
            Some(inside) => {
                let (address, rest) = inside.split_once(']')?;
                (format!("[{}]", address.parse::<Ipv6Addr>().ok()?), rest)
            }
            None => {
                let (host, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
                (Some(host).filter(|host| is_host_name(host))?.to_ascii_lowercase(), rest)
            }
        };
        let port = match rest.strip_prefix(':') {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            None if rest.is_empty() => None,
            _ => return None,
        };
        Some(Self { host, port })
    }
}

impl AllowedPort {
    fn admits(self, port: Option<u16>) -> bool {
        match self {
            Self::Any => true,
            Self::Only(allowed) => allowed == port,
        }
    }
}

fn is_host_name(text: &str) -> bool {
    (1..=253).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

/// The one value of a header; none when there are several.
fn only_header_value<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn split_origin(text: &str) -> Option<(String, Authority)> {
    let (scheme, rest) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    Some((Some(scheme).filter(|_| is_scheme)?.to_ascii_lowercase(), Authority::parse(rest)?))
}

/// The port that a URL of this scheme means when it names none.
fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

/// A name with a port is reached at that port alone; a name without one at any, for whatever passes requests on.
fn parse_allowed_host(text: &str) -> Result<(String, AllowedPort)> {
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Ok((format!("[{address}]"), AllowedPort::Any));
    }
    let Some(Authority { host, port }) = Authority::parse(text) else {
        return Err(Error::new(ErrorCode::ConfigError, format!("`{text}` is no name of a host"))
            .hint("allow a name such as tools.example.com, or with its port tools.example.com:8443"));
    };
    Ok((host, port.map_or(AllowedPort::Any, |port| AllowedPort::Only(Some(port)))))
}

fn parse_allowed_origin(text: &str) -> Result<AllowedOrigin> {
    let (rest, any_port) = text.strip_suffix(":*").map_or((text, false), |rest| (rest, true));
    match split_origin(rest) {
        Some((scheme, Authority { host, port: None })) if any_port => {
            Ok(AllowedOrigin { scheme, host, port: AllowedPort::Any })
        }
        Some((scheme, Authority { host, port })) if !any_port => {
            let port = AllowedPort::Only(port.or(default_port(&scheme)));
            Ok(AllowedOrigin { scheme, host, port })
        }
        _ => Err(Error::new(ErrorCode::ConfigError, format!("`{text}` is no origin of web pages"))
            .hint("allow an origin such as https://app.example.com or http://localhost:*")),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    fn admits(allowed: &AllowedAuthorities, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        allowed.refusal_reason(&Uri::from_static("/mcp"), &headers).is_none()
    }

    fn at(address: &str, hosts: &[&str], origins: &[&str]) -> Result<AllowedAuthorities> {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        AllowedAuthorities::new(address.parse().unwrap(), &owned(hosts), &owned(origins))
    }

    #[rstest]
    #[case("127.0.0.1:18399", true)]
    #[case("localhost:18399", true)]
    #[case("LocalHost:18399", true)]
    #[case("[::1]:18399", true)]
    #[case("[0:0::1]:18399", true)]
    #[case("localhost", false)]
    #[case("localhost:1", false)]
    #[case("localhost:183990", false)]
    #[case("localhost:18399.evil.com", false)]
    #[case("localhost.:18399", false)]
    #[case("[::1]evil:18399", false)]
    #[case("[::1]evil", false)]
    #[case("[::1", false)]
    #[case("::1:18399", false)]
    #[case("evil@localhost:18399", false)]
    #[case("localhost:18399/", false)]
    #[case("localhost:", false)]
    #[case("", false)]
    #[case("evil.example:18399", false)]
    fn only_whole_names_of_the_server_are_its_hosts(#[case] host: &str, #[case] expected: bool) {
        assert_eq!(admits(&at("127.0.0.1:18399", &[], &[]).unwrap(), host, None), expected);
    }

    #[rstest]
    #[case("http://localhost:5173", true)]
    #[case("http://localhost", true)]
    #[case("http://[::1]:80", true)]
    #[case("https://app.example.com", true)]
    #[case("https://app.example.com:443", true)]
    #[case("https://app.example.com:444", false)]
    #[case("http://app.example.com", false)]
    #[case("http://[::1].evil", false)]
    #[case("http://localhost:18399.evil.com", false)]
    #[case("http://localhost:5173/", false)]
    #[case("http://localhost@evil.example", false)]
    #[case("https://localhost:5173", false)]
    #[case("localhost:5173", false)]
    #[case("null", false)]
    #[case("", false)]
    fn only_whole_allowed_origins_may_call(#[case] origin: &str, #[case] expected: bool) {
        let allowed = at("127.0.0.1:18399", &[], &["https://app.example.com"]).unwrap();
        assert_eq!(admits(&allowed, "127.0.0.1:18399", Some(origin)), expected);
    }

    #[test]
    fn further_names_are_reached_as_the_user_says() {
        let allowed = at("0.0.0.0:80", &["tools.example.com", "other.example.com:8443", "fd00::1"], &["null"]).unwrap();
        for (host, expected) in [
            ("tools.example.com", true),
            ("tools.example.com:9", true),
            ("other.example.com:8443", true),
            ("other.example.com", false),
            ("[fd00::1]:9", true),
            ("localhost", false),
        ] {
            assert_eq!(admits(&allowed, host, None), expected, "{host}");
        }
        assert!(admits(&allowed, "tools.example.com", Some("null")));
        assert!(!admits(&allowed, "tools.example.com", Some("http://localhost:80")));
        for wrong in ["", "a b", "https://x", "x:y", "[::1"] {
            assert_eq!(at("0.0.0.0:80", &[wrong], &[]).unwrap_err().code(), ErrorCode::ConfigError, "{wrong}");
        }
        for wrong in ["", "x.example", "https://x/y", "https://x:1:*", "https://*"] {
            assert_eq!(at("0.0.0.0:80", &[], &[wrong]).unwrap_err().code(), ErrorCode::ConfigError, "{wrong}");
        }
    }

    #[test]
    fn a_header_given_twice_or_a_target_of_another_host_is_refused() {
        let allowed = at("127.0.0.1:18399", &[], &[]).unwrap();
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, HeaderValue::from_static("localhost:18399"));
        let elsewhere = Uri::from_static("http://evil.example/mcp");
        assert!(allowed.refusal_reason(&elsewhere, &headers).is_some());
        headers.append(header::HOST, HeaderValue::from_static("localhost:18399"));
        assert!(allowed.refusal_reason(&Uri::from_static("/mcp"), &headers).is_some());
    }
}
