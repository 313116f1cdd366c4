//! Where the shared store is, written as one address.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use url::Url;

use tapps_base::{Error, ErrorCode, Result};

const HINT: &str = "write s3://BUCKET/PREFIX?endpoint=URL&region=NAME, redis://HOST:PORT/NUMBER, rediss://… or \
                    file:///FOLDER";

/// A store that can be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A bucket; without a login, credentials come from the variables and files that other S3 clients read.
    S3 { bucket: String, prefix: String, endpoint: Option<String>, region: Option<String> },
    /// A server and the number of its database; user and password come from the environment.
    Redis { endpoint: String, database: i64 },
    /// A folder that all machines see.
    Folder(PathBuf),
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: String| Error::new(ErrorCode::ConfigError, format!("cache.remote {why}")).hint(HINT);
        let url = Url::parse(text).map_err(|error| wrong(format!("is no address: {error}")))?;
        if url.password().is_some() || !url.username().is_empty() {
            // The address is shown and logged.
            return Err(wrong("holds credentials".to_owned()).hint(
                "put them into the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
                       TAPPS_MCP_CACHE_USER and TAPPS_MCP_CACHE_PASSWORD",
            ));
        }
        let host = url.host_str().filter(|host| !host.is_empty());
        let path = url.path().trim_matches('/');
        match (url.scheme(), host) {
            ("s3", Some(bucket)) => {
                let (mut endpoint, mut region) = (None, None);
                for (name, value) in url.query_pairs() {
                    match &*name {
                        "endpoint" => endpoint = Some(value.into_owned()),
                        "region" => region = Some(value.into_owned()),
                        other => return Err(wrong(format!("has a parameter `{other}` that is not known"))),
                    }
                }
                Ok(Self::S3 { bucket: bucket.to_owned(), prefix: format!("/{path}"), endpoint, region })
            }
            (scheme @ ("redis" | "rediss"), Some(host)) => {
                let database = if path.is_empty() { Ok(0) } else { path.parse() };
                let database = database.ok().filter(|number| *number >= 0);
                let database = database.ok_or_else(|| wrong(format!("names the database `{path}`, not a number")))?;
                let endpoint = format!("{scheme}://{host}:{}", url.port().unwrap_or(6379));
                Ok(Self::Redis { endpoint, database })
            }
            ("file", None) => {
                let folder = url.to_file_path().map_err(|()| wrong("names no folder".to_owned()))?;
                Ok(Self::Folder(folder))
            }
            ("s3" | "redis" | "rediss" | "file", _) => Err(wrong("lacks its host or has one too many".to_owned())),
            (scheme, _) => Err(wrong(format!("is of the kind `{scheme}`, which is not known"))),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::S3 { bucket, prefix, .. } => write!(f, "s3://{bucket}{prefix}"),
            Self::Redis { endpoint, database } => write!(f, "{endpoint}/{database}"),
            Self::Folder(folder) => write!(f, "file://{}", folder.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let s3: Address = "s3://answers/ci/main?endpoint=http://127.0.0.1:5000&region=eu-central-1".parse().unwrap();
        let (endpoint, region) = (Some("http://127.0.0.1:5000".to_owned()), Some("eu-central-1".to_owned()));
        assert_eq!(s3, Address::S3 { bucket: "answers".into(), prefix: "/ci/main".into(), endpoint, region });
        assert_eq!(s3.to_string(), "s3://answers/ci/main");
        let redis: Address = "redis://cache.internal".parse().unwrap();
        assert_eq!(redis, Address::Redis { endpoint: "redis://cache.internal:6379".into(), database: 0 });
        assert_eq!("rediss://h:1/3".parse::<Address>().unwrap().to_string(), "rediss://h:1/3");
        assert_eq!("file:///srv/answers".parse::<Address>().unwrap(), Address::Folder("/srv/answers".into()));
    }

    #[test]
    fn other_addresses_are_refused_with_the_reason() {
        let cases = [
            ("answers", "is no address"),
            ("ftp://h/x", "of the kind `ftp`"),
            ("s3:///x", "lacks its host"),
            ("s3://b/x?key=1", "a parameter `key`"),
            ("redis://h/a", "the database `a`"),
            ("redis://h/-1", "the database `-1`"),
            ("redis://:secret@h", "holds credentials"),
            ("file://host/x", "one too many"),
        ];
        for (text, why) in cases {
            let error = text.parse::<Address>().unwrap_err();
            assert_eq!(error.code(), ErrorCode::ConfigError);
            assert!(error.message().contains(why), "{text}: {}", error.message());
            assert!(!error.message().contains("secret"), "{text}");
        }
    }
}
