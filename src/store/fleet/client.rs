//! Talking to the shared store, many entries at a time and never for long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream;
use opendal::layers::{RetryLayer, TimeoutLayer};
use opendal::{ErrorKind, Operator, services};
use tokio::runtime::Runtime;

use super::address::Address;
use super::sealed::{Secret, unwrap_entry, wrap_entry};
use crate::EntryKey;
use tapps_base::{Error, ErrorCode, Result};

/// Requests under way at a time.
const AT_ONCE: usize = 32;
/// Longest that one request may take.
const ONE: Duration = Duration::from_secs(2);
/// Longest that all requests of one question may take; what has not come by then is not there.
const ALL: Duration = Duration::from_secs(10);

/// The shared store. Once it has failed it is left alone for the rest of this process.
#[derive(Debug)]
pub struct Fleet {
    operator: Operator,
    address: Address,
    writes: bool,
    secret: Option<Secret>,
    failed: AtomicBool,
    /// Its own, so that it can be asked from any thread. None only while it is being dropped.
    runtime: Option<Runtime>,
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Who asks: a user and a password, for S3 the id of an access key and its secret.
#[derive(Clone, Default)]
pub struct Login {
    pub user: Option<String>,
    pub password: Option<String>,
}

tapps_base::debug_fields!(Login { user });

impl Fleet {
    /// Makes ready to ask; nothing is connected yet. With `writes` false nothing is ever put.
    ///
    /// # Errors
    /// `config_error` for an address that cannot be used.
    pub fn new(address: Address, writes: bool, secret: Option<Secret>, login: &Login) -> Result<Self> {
        // Two parts of this program use TLS, and both have to be told whose.
        rustls::crypto::ring::default_provider().install_default().ok();
        opendal_http_transport_reqwest::install_default();
        let operator = storage_operator(&address, login).map_err(|error| {
            Error::new(ErrorCode::ConfigError, format!("the shared cache {address} cannot be used: {error}"))
        })?;
        let layered = operator
            .layer(TimeoutLayer::new().with_timeout(ONE).with_io_timeout(ONE))
            .layer(RetryLayer::new().with_max_times(1).with_min_delay(Duration::from_millis(50)));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("shared-cache")
            .enable_all()
            .build()
            .map_err(|error| Error::internal(format!("no thread for the shared cache: {error}")))?;
        let failed = AtomicBool::new(false);
        Ok(Self { operator: layered, address, writes, secret, failed, runtime: Some(runtime) })
    }

    /// The bytes of each key, where the fleet has them and they are what it put.
    #[must_use]
    pub fn get(&self, keys: &[EntryKey]) -> Vec<Option<Vec<u8>>> {
        let mut found = vec![None; keys.len()];
        let asked = keys.iter().copied().enumerate().collect::<Vec<_>>();
        let operator = self.operator.clone();
        let answers = self.run_for_each(asked, move |(at, key)| {
            let operator = operator.clone();
            async move { operator.read(&object_path_of_key(&key)).await.map(|bytes| (at, key, bytes.to_vec())) }
        });
        for (at, key, bytes) in answers {
            let payload = unwrap_entry(self.secret.as_ref(), &key, &bytes);
            if payload.is_none() {
                tracing::warn!(entry = key.to_hex(), cache = %self.address, "a damaged or foreign entry is not used");
            }
            if let Some(slot) = found.get_mut(at) {
                *slot = payload;
            }
        }
        found
    }

    /// Puts entries for the others, unless this machine is to read only.
    pub fn put(&self, entries: &[(EntryKey, Vec<u8>)]) {
        if !self.writes {
            return;
        }
        let wrapped = |(key, payload): &(EntryKey, Vec<u8>)| {
            Some((object_path_of_key(key), wrap_entry(self.secret.as_ref(), key, payload)?))
        };
        let operator = self.operator.clone();
        self.run_for_each(entries.iter().filter_map(wrapped).collect(), move |(path, bytes)| {
            let operator = operator.clone();
            async move { operator.write(&path, bytes).await.map(drop) }
        });
    }

    /// Does `work` for each item and gives what came of it in time; what is not there is no failure.
    fn run_for_each<I, T, F>(&self, items: Vec<I>, work: impl Fn(I) -> F + Send + 'static) -> Vec<T>
    where
        I: Send + 'static,
        T: Send + 'static,
        F: Future<Output = opendal::Result<T>> + Send + 'static,
    {
        let Some(runtime) = self.runtime.as_ref().filter(|_| !items.is_empty() && !self.failed.load(Ordering::Relaxed))
        else {
            return Vec::new();
        };
        let (say, hear) = mpsc::channel();
        let all = async move {
            let mut answers = stream::iter(items).map(work).buffer_unordered(AT_ONCE);
            let mut done = Vec::new();
            let until = tokio::time::Instant::now() + ALL;
            let failure = loop {
                match tokio::time::timeout_at(until, answers.next()).await {
                    Ok(None) => break None,
                    Ok(Some(Ok(answer))) => done.push(answer),
                    Ok(Some(Err(error))) if error.kind() == ErrorKind::NotFound => {}
                    Ok(Some(Err(error))) => break Some(error.to_string()),
                    Err(_) => break Some(format!("no answer within {} s", ALL.as_secs())),
                }
            };
            say.send((done, failure)).ok();
        };
        runtime.spawn(all);
        let Ok((done, failure)) = hear.recv() else { return Vec::new() };
        if let Some(error) = failure {
            self.failed.store(true, Ordering::Relaxed);
            tracing::warn!(%error, cache = %self.address, "the shared cache is left alone from now on");
        }
        done
    }
}

fn storage_operator(address: &Address, login: &Login) -> opendal::Result<Operator> {
    match address {
        Address::S3 { bucket, prefix, endpoint, region } => {
            let mut s3 = services::S3::default().bucket(bucket).root(prefix);
            if let Some(endpoint) = endpoint {
                s3 = s3.endpoint(endpoint);
            }
            if let Some(region) = region {
                s3 = s3.region(region);
            }
            if let (Some(user), Some(password)) = (&login.user, &login.password) {
                s3 = s3.access_key_id(user).secret_access_key(password);
            }
            Operator::new(s3)
        }
        Address::Redis { endpoint, database } => {
            let mut redis = services::Redis::default().endpoint(endpoint).db(*database).root("/tapps-mcp");
            if let Some(user) = &login.user {
                redis = redis.username(user);
            }
            if let Some(password) = &login.password {
                redis = redis.password(password);
            }
            Operator::new(redis)
        }
        Address::Folder(folder) => Operator::new(services::Fs::default().root(&folder.to_string_lossy())),
    }
}

/// Two levels, so that no folder grows too large.
fn object_path_of_key(key: &EntryKey) -> String {
    let name = key.to_hex();
    format!("{}/{name}", name.get(..2).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyBuilder;

    fn keys(count: u32) -> Vec<EntryKey> {
        (0..count).map(|number| KeyBuilder::new("test").with_part(number.to_le_bytes()).finish_key()).collect()
    }

    fn fleet(folder: &std::path::Path, writes: bool, secret: &[u8]) -> Fleet {
        let address = Address::Folder(folder.to_owned());
        Fleet::new(address, writes, Some(Secret::new(secret)), &Login::default()).unwrap()
    }

    #[test]
    fn what_one_machine_puts_another_gets() {
        let folder = tempfile::tempdir().unwrap();
        let keys = keys(100);
        let entries: Vec<(EntryKey, Vec<u8>)> = keys.iter().map(|key| (*key, key.to_hex().into_bytes())).collect();
        let readonly = fleet(folder.path(), false, b"s");
        readonly.put(&entries);
        assert_eq!(readonly.get(&keys[..2]), [None, None]);
        fleet(folder.path(), true, b"s").put(&entries[1..]);
        let got = readonly.get(&keys);
        assert_eq!(got[0], None);
        assert!(got[1..].iter().zip(&entries[1..]).all(|(got, (_, put))| got.as_ref() == Some(put)));
        // Put by somebody who does not know the secret.
        assert_eq!(fleet(folder.path(), true, b"other").get(&keys[1..3]), [None, None]);
    }

    #[test]
    fn damaged_entries_are_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let key = keys(1)[0];
        let fleet = fleet(folder.path(), true, b"s");
        fleet.put(&[(key, vec![7; 1000])]);
        let file = folder.path().join(object_path_of_key(&key));
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[500] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(fleet.get(&[key]), [None]);
    }

    #[tokio::test]
    async fn a_store_that_does_not_answer_is_left_alone_also_within_a_runtime() {
        // Nobody listens on a port that was free a moment ago.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("redis://127.0.0.1:{port}").parse().unwrap();
        let fleet = Fleet::new(address, true, None, &Login::default()).unwrap();
        assert_eq!(fleet.get(&keys(3)), [None, None, None]);
        assert!(fleet.failed.load(Ordering::Relaxed));
        assert_eq!(fleet.get(&keys(1)), [None]);
    }
}
