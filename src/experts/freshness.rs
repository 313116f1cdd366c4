//! Files that nobody has held against their sources for long.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::corpus::ExpertCorpus;

/// Days after which a file wants another look.
pub const DEFAULT_DAYS: i64 = 365;

/// How old the files are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Freshness {
    pub files: usize,
    /// The days that were allowed.
    pub days: i64,
    /// Oldest first.
    pub stale: Vec<Stale>,
}

/// A file that is older.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stale {
    pub name: String,
    pub reviewed: String,
    /// None when `reviewed` is no date.
    pub days: Option<i64>,
}

impl ExpertCorpus {
    /// Which files were reviewed longer than `days` ago; `today` counts days since 1970-01-01.
    #[must_use]
    pub fn check_freshness(&self, today: i64, days: i64) -> Freshness {
        let age = |reviewed: &str| day_number(reviewed).map(|day| today - day);
        let mut stale: Vec<Stale> = self
            .files
            .iter()
            .map(|file| Stale {
                name: file.name.clone(),
                reviewed: file.reviewed().to_owned(),
                days: age(file.reviewed()),
            })
            .filter(|file| file.days.is_none_or(|age| age > days))
            .collect();
        stale.sort_by(|a, b| a.reviewed.cmp(&b.reviewed).then(a.name.cmp(&b.name)));
        Freshness { files: self.files.len(), days, stale }
    }
}

/// Days since 1970-01-01 of `YYYY-MM-DD`; none for what is no date.
pub(super) fn day_number(date: &str) -> Option<i64> {
    let mut parts =
        date.split('-').map(|part| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<i64>().ok())?);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = lengths.get(usize::try_from(month - 1).ok()?)?;
    if parts.next().is_some() || date.len() != 10 || !(1..=*length).contains(&day) {
        return None;
    }
    // Years counted from March, so that the leap day is the last one of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_counted() {
        for (date, day) in [
            ("1970-01-01", Some(0)),
            ("2000-02-29", Some(11_016)),
            ("2026-11-21", Some(20_778)),
            ("2026-02-29", None),
            ("2026-13-01", None),
            ("2026-1-1", None),
            ("yesterday", None),
            ("2026-11-21-1", None),
        ] {
            assert_eq!(day_number(date), day, "{date}");
        }
    }
}
