//! Passwords in addresses: `scheme://user:password@host`.

use super::secret::{SecretHit, rank, secrets};
use super::{measure, placeholder};
use tapps_base::finding::Severity;

secrets! {
    CONNECTION: "connection-string", High, "A connection string with its password", "Change the password";
    BASIC_URL: "url-credentials", High, "An address with its password", "Change the password";
}

/// Longest scheme and longest user information that are looked at, in bytes.
const SCHEME: usize = 24;
const USER: usize = 256;

/// Schemes of databases, queues and mail, with what may follow after `+`.
const SERVERS: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "redis",
    "rediss",
    "valkey",
    "amqp",
    "amqps",
    "mssql",
    "sqlserver",
    "oracle",
    "cockroachdb",
    "clickhouse",
    "cassandra",
    "neo4j",
    "bolt",
    "kafka",
    "nats",
    "mqtt",
    "mqtts",
    "ldap",
    "ldaps",
    "smtp",
    "smtps",
    "imap",
    "imaps",
    "elasticsearch",
    "couchdb",
    "snowflake",
    "redshift",
    "db2",
    "jdbc",
    "sqlalchemy",
];

/// The address around the `://` that stands at `at`.
pub(super) fn find_url_password_at(bytes: &[u8], at: usize) -> Option<SecretHit> {
    let scheme = scheme(bytes, at)?;
    let start = at + 3;
    let window = bytes.get(start..bytes.len().min(start + USER))?;
    let length =
        window.iter().position(|&byte| byte == b'@' || byte.is_ascii_whitespace() || b"\"'`<>\\".contains(&byte))?;
    if window.get(length) != Some(&b'@') {
        return None;
    }
    let info = std::str::from_utf8(window.get(..length)?).ok()?;
    let (user, password) = info.split_once(':')?;
    if user.contains('/') || password.starts_with('/') || !is_password(user, password) {
        return None;
    }
    let host = host(window.get(length + 1..).unwrap_or_default());
    if is_nowhere(&host) {
        return None;
    }
    let family = scheme.split('+').next().unwrap_or(&scheme);
    let secret = if SERVERS.contains(&family) { CONNECTION } else { BASIC_URL };
    // A host without a dot is a name inside one network, which an outsider cannot reach.
    let severity = if host.contains('.') { Severity::High } else { Severity::Medium };
    let from = start + user.len() + 1;
    Some(SecretHit::new(secret, from..from + password.len(), severity, rank::STRUCTURE))
}

fn scheme(bytes: &[u8], end: usize) -> Option<String> {
    let window = bytes.get(end.saturating_sub(SCHEME)..end)?;
    let length =
        window.iter().rev().take_while(|&&byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte)).count();
    let scheme = std::str::from_utf8(window.get(window.len() - length..)?).ok()?.to_ascii_lowercase();
    (scheme.len() >= 2).then_some(scheme)
}

fn host(rest: &[u8]) -> String {
    let end = rest
        .iter()
        .position(|&byte| !(byte.is_ascii_alphanumeric() || b".-_[]{}$%<*".contains(&byte)))
        .unwrap_or(rest.len());
    String::from_utf8_lossy(&rest[..end]).to_ascii_lowercase()
}

fn is_password(user: &str, password: &str) -> bool {
    let classes = measure::Classes::of(password);
    let spelled = !classes.digit && !classes.symbol && measure::word_share(password) > 0.6;
    password.len() >= 6
        && password.is_ascii()
        && !password.eq_ignore_ascii_case(user)
        && !password.contains(['[', '(', '|', '/', ':'])
        && !password.starts_with('%')
        && !placeholder::is_placeholder(password)
        && !spelled
}

/// Hosts of this machine and of documentation.
fn is_nowhere(host: &str) -> bool {
    let name = host.trim_end_matches('.');
    name.is_empty()
        || name.contains(['{', '$', '%', '<', '*'])
        || matches!(
            name,
            "localhost" | "127.0.0.1" | "0.0.0.0" | "[" | "host" | "hostname" | "server" | "domain" | "site" | "proxy"
        )
        || name.split('.').any(|part| {
            part.starts_with("example")
                || matches!(
                    part,
                    "company" | "mycompany" | "yourcompany" | "your-host" | "yourhost" | "my-host" | "foo"
                )
        })
        || [".localhost", ".test", ".invalid", ".example"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&'static str, &str)> {
        let hit = find_url_password_at(text.as_bytes(), text.find("://").unwrap())?;
        Some((hit.secret.rule.code, &text[hit.span]))
    }

    #[test]
    fn passwords_of_servers_and_sites() {
        let pw = ["wQ7z", "Kp2LmX"].concat();
        assert_eq!(found(&format!("postgres://app:{pw}@db.acme.io/x")), Some(("connection-string", pw.as_str())));
        assert_eq!(found(&format!("mongodb+srv://app:{pw}@c0.acme.io")), Some(("connection-string", pw.as_str())));
        assert_eq!(found(&format!("redis://:{pw}@cache:6379/0")), Some(("connection-string", pw.as_str())));
        assert_eq!(found(&format!("https://ci:{pw}@git.acme.io/a.git")), Some(("url-credentials", pw.as_str())));
    }

    #[test]
    fn stand_ins_and_local_hosts_are_left_alone() {
        for text in [
            "postgres://user:password@db.acme.io",
            "postgres://app:wQ7zKp2LmX@localhost:5432",
            "postgres://app:${DB_PASSWORD}@db.acme.io",
            "http://user:pass@example.com",
            "https://git.acme.io/a@b:c",
            "http://host:8080/@user",
            "redis://cache:6379/0",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
