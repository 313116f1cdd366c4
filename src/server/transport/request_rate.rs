//! How many requests one client may send over HTTP.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tapps_workflow::rate::{Bucket, Limit};

/// Clients that are told apart. Where more come at once, counting begins anew: memory is bounded, and nobody is locked out
/// for the others.
const CLIENTS: usize = 4_096;

/// The share of a minute's requests that may come at once.
const AT_ONCE: f64 = 0.25;

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Counts the requests of each client.
#[derive(Debug)]
pub(super) struct RequestRates {
    limit: Limit,
    begun: Instant,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

impl RequestRates {
    /// None where there is no limit.
    pub(super) fn per_minute(requests: u32) -> Option<Self> {
        let requests = f64::from(requests);
        let limit = Limit { rate: requests / 60.0, burst: (requests * AT_ONCE).max(1.0) };
        (requests > 0.0).then(|| Self { limit, begun: Instant::now(), buckets: Mutex::default() })
    }

    /// Counts a request that comes now.
    ///
    /// # Errors
    /// How long the client has to wait when it has sent too many.
    pub(super) fn count_request(&self, client: IpAddr) -> Result<(), Duration> {
        self.count_request_at(client, i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    fn count_request_at(&self, client: IpAddr, now_ms: i64) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let client = network_of(client);
        let bucket = self.limit.take_token(buckets.get(&client).copied(), now_ms)?;
        if buckets.len() >= CLIENTS && !buckets.contains_key(&client) {
            // A bucket that is full again says nothing.
            let is_used = |bucket: &Bucket| {
                self.limit.take_token(Some(*bucket), now_ms).is_ok_and(|after| after.tokens + 1.0 < self.limit.burst)
            };
            buckets.retain(|_, bucket| is_used(bucket));
            if buckets.len() >= CLIENTS {
                buckets.clear();
            }
        }
        buckets.insert(client, bucket);
        Ok(())
    }
}

/// Whoever has one address of version 6 has its whole network of 64 bits.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => IpAddr::V4(four),
            None => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX))),
        },
    }
}

/// `Retry-After` counts whole seconds; whoever waits so long is let through.
pub(super) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_quarter_at_once_then_one_a_second() {
        let rates = RequestRates::per_minute(60).unwrap();
        let client = address("192.0.2.1");
        for _ in 0..15 {
            assert_eq!(rates.count_request_at(client, 0), Ok(()));
        }
        assert_eq!(rates.count_request_at(client, 0), Err(Duration::from_secs(1)));
        assert_eq!(rates.count_request_at(client, 400), Err(Duration::from_millis(600)));
        assert_eq!(rates.count_request_at(address("192.0.2.2"), 0), Ok(()), "another client has a bucket of its own");
        assert_eq!(rates.count_request_at(client, 1_000), Ok(()));
    }

    #[test]
    fn nothing_is_counted_without_a_limit_and_one_request_always_passes() {
        assert!(RequestRates::per_minute(0).is_none());
        let rates = RequestRates::per_minute(1).unwrap();
        assert_eq!(rates.count_request_at(address("::1"), 0), Ok(()));
        assert_eq!(rates.count_request_at(address("::1"), 0), Err(Duration::from_secs(60)));
    }

    #[test]
    fn a_network_of_version_six_is_one_client() {
        let rates = RequestRates::per_minute(4).unwrap();
        assert_eq!(rates.count_request_at(address("2001:db8::1"), 0), Ok(()));
        assert!(rates.count_request_at(address("2001:db8::ffff:2"), 0).is_err());
        assert_eq!(rates.count_request_at(address("2001:db8:0:1::1"), 0), Ok(()));
        assert_eq!(rates.count_request_at(address("::ffff:192.0.2.1"), 0), Ok(()));
        assert!(rates.count_request_at(address("192.0.2.1"), 0).is_err(), "the same client by its other spelling");
    }

    #[test]
    fn memory_is_bounded() {
        let rates = RequestRates::per_minute(60).unwrap();
        for number in 0..10_000_u32 {
            rates.count_request_at(IpAddr::from(number.to_be_bytes()), i64::from(number)).unwrap();
        }
        assert!(rates.buckets.lock().unwrap().len() <= CLIENTS);
    }

    #[test]
    fn seconds_are_rounded_up() {
        let of = |ms| whole_seconds(Duration::from_millis(ms));
        assert_eq!([of(0), of(1), of(1_000), of(1_001)], [1, 1, 1, 2]);
    }
}
