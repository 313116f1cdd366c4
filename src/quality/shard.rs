//! One gate on several machines: each judges a share of the files, and the shares make the whole verdict again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::result::{GateReport, Meta};
use tapps_base::{Error, ErrorCode, Result, digest};

/// Most shares of one gate.
const MOST: u32 = 10_000;

/// A share of the files: number `index`, from 1, of `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    pub index: u32,
    pub of: u32,
}

impl Shard {
    /// True when the file is in this share. The path alone decides, so that the machines agree without talking.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        let [a, b, c, d, ..] = digest::sha256_bytes(path.as_bytes());
        u32::from_le_bytes([a, b, c, d]) % self.of == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parsed = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parsed {
            Some((index, of)) if (1..=MOST).contains(&of) && (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(Error::invalid(format!("`{text}` is no share of a gate"))
                .hint("write the third of eight as 3/8; count from 1")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The verdict on one share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardReport {
    pub shard: Shard,
    pub report: GateReport,
}

/// The verdict on the whole, from those on all its shares in any order: what one machine would have said.
///
/// # Errors
/// `invalid_argument` when a share is missing or there twice, or when the shares were judged by different tools, limits
/// or configurations.
pub fn merge_shard_reports(mut shares: Vec<ShardReport>) -> Result<GateReport> {
    shares.sort_by_key(|share| share.shard);
    let Some(first) = shares.first() else {
        return Err(Error::invalid("there is nothing to merge").hint("name the reports of all shares"));
    };
    check_shards_complete(&shares, first.shard.of)?;
    let mut whole = GateReport { files: Vec::new(), skipped: Vec::new(), ..first.report.clone() };
    for ShardReport { shard, report } in shares {
        check_shards_alike(&shard, "preset", &whole.preset, &report.preset)?;
        check_shards_alike(&shard, "configuration", &whole.config_digest, &report.config_digest)?;
        check_shards_alike(&shard, "toolchain", &whole.toolchain.fingerprint, &report.toolchain.fingerprint)?;
        if let Some((one, other)) = whole.toolchain.interpreter.as_ref().zip(report.toolchain.interpreter.as_ref()) {
            check_shards_alike(&shard, "interpreter", &one.digest, &other.digest)?;
        }
        if let Some((one, other)) = whole.toolchain.types.as_ref().zip(report.toolchain.types.as_ref()) {
            check_shards_alike(&shard, "tree of types", &one.digest, &other.digest)?;
        }
        whole.toolchain = whole.toolchain.of_results([&whole.toolchain, &report.toolchain]);
        whole.toolchain.verified &= report.toolchain.verified;
        whole.meta = Meta { elapsed_ms: whole.meta.elapsed_ms.max(report.meta.elapsed_ms), ..whole.meta };
        whole.files.extend(report.files);
        whole.skipped.extend(report.skipped);
    }
    whole.files.sort_by(|a, b| a.file.cmp(&b.file));
    whole.skipped.sort();
    whole.skipped.dedup();
    whole.total = whole.files.len();
    whole.failed = whole.files.iter().filter(|file| !file.passed).count();
    whole.passed = whole.failed == 0;
    Ok(whole)
}

/// Every share once, all of the same division.
fn check_shards_complete(shares: &[ShardReport], of: u32) -> Result<()> {
    if let Some(other) = shares.iter().find(|share| share.shard.of != of) {
        let message = format!("the shares {} and 1/{of} are of different divisions", other.shard);
        return Err(Error::invalid(message).hint("judge all shares anew with the same number of them"));
    }
    let mut missing = Vec::new();
    for index in 1..=of {
        match shares.iter().filter(|share| share.shard.index == index).count() {
            0 => missing.push(format!("{index}/{of}")),
            1 => {}
            _ => return Err(Error::invalid(format!("the share {index}/{of} is there more than once"))),
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::invalid(format!("the verdict is not whole: {} missing", missing.join(", ")))
        .hint("name the reports of all shares"))
}

fn check_shards_alike(shard: &Shard, what: &str, one: &str, other: &str) -> Result<()> {
    if one == other {
        return Ok(());
    }
    let message = format!("the share {shard} was judged with another {what}: {other} instead of {one}");
    Err(Error::new(ErrorCode::InvalidArgument, message)
        .hint("judge all shares with the same program and configuration"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{InterpreterStamp, ResultStamp, Skipped};

    fn share(index: u32, of: u32) -> ShardReport {
        let report = GateReport {
            passed: true,
            preset: "standard".to_owned(),
            files: Vec::new(),
            total: 0,
            failed: 0,
            skipped: vec![Skipped { file: "x".to_owned(), reason: "y".to_owned() }],
            toolchain: ResultStamp { fingerprint: "f".to_owned(), verified: true, interpreter: None, types: None },
            config_digest: "c".to_owned(),
            configuration: None,
            meta: Meta { elapsed_ms: u64::from(index), ..Meta::default() },
        };
        ShardReport { shard: Shard { index, of }, report }
    }

    #[test]
    fn shares_are_written_as_fractions() {
        assert_eq!("3/8".parse::<Shard>().unwrap(), Shard { index: 3, of: 8 });
        assert_eq!("1/1".parse::<Shard>().unwrap().to_string(), "1/1");
        for wrong in ["", "3", "0/8", "9/8", "3/0", "a/b", "-1/2", "1/2/3", "1/99999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_file_is_in_one_share_and_shares_are_of_like_size() {
        let paths: Vec<String> = (0..4_000).map(|n| format!("pkg/sub{}/module_{n}.py", n % 7)).collect();
        let mut sizes = [0; 8];
        for path in &paths {
            let held: Vec<u32> = (1..=8).filter(|&index| Shard { index, of: 8 }.holds(path)).collect();
            assert_eq!(held.len(), 1, "{path}");
            sizes[held[0] as usize - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (400..600).contains(size)), "{sizes:?}");
    }

    #[test]
    fn a_verdict_is_made_of_all_shares_judged_alike() {
        let whole = merge_shard_reports(vec![share(2, 3), share(3, 3), share(1, 3)]).unwrap();
        assert_eq!((whole.passed, whole.skipped.len(), whole.meta.elapsed_ms), (true, 1, 3));
        let says = |shares: Vec<ShardReport>| merge_shard_reports(shares).unwrap_err().message().to_owned();
        assert_eq!(says(Vec::new()), "there is nothing to merge");
        assert_eq!(says(vec![share(1, 3)]), "the verdict is not whole: 2/3, 3/3 missing");
        assert_eq!(says(vec![share(1, 2), share(1, 2), share(2, 2)]), "the share 1/2 is there more than once");
        assert!(says(vec![share(1, 2), share(2, 3)]).contains("different divisions"));
        let mut other = share(2, 2);
        other.report.toolchain.fingerprint = "g".to_owned();
        assert_eq!(says(vec![share(1, 2), other]), "the share 2/2 was judged with another toolchain: g instead of f");

        // A share that no interpreter had a say in goes with any; two interpreters do not go together.
        let on = |index, digest: &str| {
            let mut share = share(index, 3);
            let (implementation, version) = ("CPython".to_owned(), "3.13.0".to_owned());
            share.report.toolchain.interpreter =
                Some(InterpreterStamp { implementation, version, digest: digest.to_owned() });
            share
        };
        let whole = merge_shard_reports(vec![share(1, 3), on(2, "a"), on(3, "a")]).unwrap();
        assert_eq!(whole.toolchain.interpreter.unwrap().digest, "a");
        let said = says(vec![share(1, 3), on(2, "a"), on(3, "b")]);
        assert_eq!(said, "the share 3/3 was judged with another interpreter: b instead of a");
    }
}
