//! How often may be called: buckets that fill at a steady rate and are kept across restarts.

use std::time::Duration;

/// A steady rate and how much may be saved up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// Calls per second; 0 means no limit.
    pub rate: f64,
    /// Calls at once.
    pub burst: f64,
}

tapps_base::word_enum! {
    /// What a bucket is for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RateLimitScope {
        /// One execution.
        Task = "task",
        /// One session.
        Agent = "agent",
    }
}

/// One call to be counted in one bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    pub scope: RateLimitScope,
    pub key: String,
    pub limit: Limit,
}

/// What a bucket held when it was last used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    pub tokens: f64,
    /// Milliseconds since the Unix epoch.
    pub filled_ms: i64,
}

impl Limit {
    /// Counts one call at `now_ms`; a bucket that was never used is full.
    ///
    /// # Errors
    /// How long to wait when the bucket is empty; it is then left as it is.
    pub fn take_token(self, bucket: Option<Bucket>, now_ms: i64) -> Result<Bucket, Duration> {
        let full = Bucket { tokens: self.burst, filled_ms: now_ms };
        if self.rate <= 0.0 {
            return Ok(full);
        }
        let bucket = bucket.unwrap_or(full);
        // A clock that was set back fills nothing and takes nothing.
        let elapsed = seconds(now_ms.saturating_sub(bucket.filled_ms).max(0));
        let tokens = (bucket.tokens + elapsed * self.rate).min(self.burst);
        if tokens >= 1.0 {
            return Ok(Bucket { tokens: tokens - 1.0, filled_ms: now_ms });
        }
        Err(Duration::try_from_secs_f64((1.0 - tokens) / self.rate).unwrap_or(Duration::MAX))
    }
}

#[expect(clippy::cast_precision_loss, reason = "millions of years are exact enough")]
fn seconds(ms: i64) -> f64 {
    ms as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Limit = Limit { rate: 0.5, burst: 3.0 };

    #[test]
    fn a_burst_then_one_every_two_seconds() {
        let mut bucket = None;
        for _ in 0..3 {
            bucket = Some(LIMIT.take_token(bucket, 1_000).unwrap());
        }
        assert_eq!(LIMIT.take_token(bucket, 1_000), Err(Duration::from_secs(2)));
        assert_eq!(LIMIT.take_token(bucket, 2_000), Err(Duration::from_secs(1)));
        let after = LIMIT.take_token(bucket, 3_000).unwrap();
        assert_eq!(after, Bucket { tokens: 0.0, filled_ms: 3_000 });
        assert_eq!(LIMIT.take_token(Some(after), 1_000_000).unwrap().tokens, 2.0, "never more than the burst");
        assert_eq!(LIMIT.take_token(Some(after), 0), Err(Duration::from_secs(2)), "a clock set back fills nothing");
    }

    #[test]
    fn no_rate_means_no_limit() {
        let limit = Limit { rate: 0.0, burst: 1.0 };
        let bucket = limit.take_token(None, 0).unwrap();
        assert!(limit.take_token(Some(bucket), 0).is_ok());
    }
}
