//! Time and randomness, held in one place so that tests can hold them still.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Where the program gets the time and fresh identifiers from.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Wall time as a duration since the Unix epoch.
    fn now(&self) -> Duration;
    /// Monotonic time, for measuring how long something took.
    fn instant(&self) -> Instant;
    /// A fresh random identifier (UUID v4, lower case, hyphenated).
    fn fresh_id(&self) -> String;
}

/// The machine's clock and random source.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn instant(&self) -> Instant {
        Instant::now()
    }

    fn fresh_id(&self) -> String {
        uuid::Uuid::new_v4().to_string()
    }
}

/// The clock used outside tests.
#[must_use]
pub fn system() -> Arc<dyn Clock> {
    Arc::new(SystemClock)
}

/// A duration since the Unix epoch as RFC 3339 in UTC with seconds, for example `2026-11-21T10:30:00Z`.
#[must_use]
pub fn rfc3339(since_epoch: Duration) -> String {
    let secs = since_epoch.as_secs();
    let (days, rest) = (secs / 86_400, secs % 86_400);
    let (year, month, day) = civil_from_days(i64::try_from(days).unwrap_or(i64::MAX));
    let (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The day of a duration since the Unix epoch in UTC, for example `2026-11-21`.
#[must_use]
pub fn date_of(since_epoch: Duration) -> String {
    rfc3339(since_epoch).chars().take_while(|character| *character != 'T').collect()
}

/// Days since 1970-01-01 to a proleptic Gregorian date; the era arithmetic is Howard Hinnant's `civil_from_days`.
fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = u32::try_from(day_of_year - (153 * shifted_month + 2) / 5 + 1).unwrap_or(1);
    let month = u32::try_from(if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 }).unwrap_or(1);
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_known_instants() {
        assert_eq!(rfc3339(Duration::ZERO), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(Duration::from_secs(951_827_696)), "2000-02-29T12:34:56Z");
        assert_eq!(rfc3339(Duration::from_secs(1_795_213_800)), "2026-11-20T22:30:00Z");
    }
}
