//! Inputs made by chance, for everything that reads what others wrote.
//!
//! Each case is made from a number, so that a failure can be repeated: `TAPPS_FUZZ_CASE=NUMBER` runs that one alone
//! (of a longer run its kept input does, and a call of a tool may depend on the calls before it). A run
//! has a fixed count of cases. With `TAPPS_FUZZ_SECONDS=NUMBER` each harness goes on for so long, begins with what earlier runs found worth
//! keeping below the build folder, and keeps more. An input that broke something is written there too, and belongs into
//! `tests/fixtures/fuzz/HARNESS` once what it broke is mended: whatever lies there is tried first, in every run.

mod archives;
mod arguments;
mod circumstances;
mod formats;
mod stores;

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tapps_base::digest;

/// Numbers by chance, the same ones from the same seed (splitmix64).
#[derive(Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x7461_7070_735f_6d63)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The cases of a harness: so many, and for as long as was asked for.
pub(crate) struct Cases {
    next: u64,
    plain: u64,
    until: Option<Instant>,
    only: Option<u64>,
}

impl Cases {
    pub(crate) fn new(plain: u64) -> Self {
        let number = |name: &str| std::env::var(name).ok().map(|value| value.parse().expect("a number"));
        let only = number("TAPPS_FUZZ_CASE");
        // Without a time the cases are the same in every run, so that a run which passed passes again.
        let until = number("TAPPS_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
        Self { next: only.unwrap_or(0), plain, until, only }
    }
}

impl Iterator for Cases {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let case = self.next;
        let over = match self.only {
            Some(only) => case > only,
            None => case >= self.plain && self.until.is_none_or(|until| Instant::now() >= until),
        };
        self.next += 1;
        (!over).then_some(case)
    }
}

/// True where harnesses look for new inputs for a while, and keep those that lead somewhere new.
fn searches() -> bool {
    std::env::var_os("TAPPS_FUZZ_SECONDS").is_some()
}

/// Where a harness keeps what it found.
fn kept(harness: &str, what: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("fuzz").join(harness).join(what);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn files_in(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Runs `check` on what broke something once, then on one input for each case.
///
/// `make` gets the seeds and what was kept; `check` says in a word what became of the input, and an input of which it says something
/// new is kept.
pub(crate) fn fuzz(
    harness: &str,
    plain: u64,
    seeds: Vec<Vec<u8>>,
    make: impl Fn(&mut Rng, &[Vec<u8>]) -> Vec<u8>,
    check: impl Fn(&[u8]) -> String,
) {
    let once = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fuzz").join(harness);
    files_in(&once).iter().for_each(|input| drop(check(input)));
    let mut seeds = seeds;
    if searches() {
        seeds.extend(files_in(&kept(harness, "corpus")));
    }
    let mut outcomes = BTreeSet::new();
    for case in Cases::new(plain) {
        let input = make(&mut Rng::new(case), &seeds);
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&input))).unwrap_or_else(|panic| {
            let path = kept(harness, "broken").join(&digest::sha256(&input)[..16]);
            fs::write(&path, &input).unwrap();
            println!("{harness}: case {case} broke it; the input is kept as {}", path.display());
            resume_unwind(panic)
        });
        if outcomes.insert(outcome.clone()) && searches() {
            fs::write(kept(harness, "corpus").join(&digest::sha256(outcome.as_bytes())[..16]), &input).unwrap();
        }
    }
    println!("{harness}: {outcomes:?}");
    let repeated = std::env::var_os("TAPPS_FUZZ_CASE").is_some();
    assert!(repeated || outcomes.len() > 1, "every input had the same outcome: {outcomes:?}");
}

/// What readers stumble over.
const TOKENS: [&str; 40] = [
    "\0",
    "\u{feff}",
    "\r",
    "\n\n",
    "\t",
    " ",
    "{",
    "}",
    "[",
    "]",
    "(",
    "<",
    ">",
    "\"",
    "'",
    "\\",
    "/",
    "../",
    "~",
    "*",
    "&a ",
    "*a",
    "<<: ",
    "!!binary ",
    "---\n",
    "...\n",
    "%",
    "#",
    "@",
    "=",
    ": ",
    ",",
    "0",
    "-1",
    "9223372036854775808",
    "1e999",
    "null",
    "\u{202e}",
    "\u{1f600}",
    "${x}",
];

/// Changes a text or bytes in a few places.
pub(crate) fn mutated(rng: &mut Rng, input: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.below(6) {
        let at = rng.below(bytes.len() + 1);
        let to = at + rng.below((bytes.len() - at).min(64) + 1);
        match rng.below(9) {
            0 if !bytes.is_empty() => {
                let at = at.min(bytes.len() - 1);
                bytes[at] ^= 1 << rng.below(8);
            }
            1 => drop(bytes.drain(at..to)),
            2 => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece);
            }
            // Far more of the same, as far as it stays small.
            3 => {
                let piece = bytes[at..to].to_vec();
                let times = 1 + rng.below((1 << 16) / piece.len().max(1));
                bytes.splice(at..at, piece.repeat(times));
            }
            4 => bytes.truncate(at),
            5 => {
                let other = if others.is_empty() { &[][..] } else { rng.pick::<Vec<u8>>(others) };
                let from = rng.below(other.len() + 1);
                let end = from + rng.below(other.len() - from + 1);
                bytes.splice(at..to, other[from..end].iter().copied());
            }
            6 => {
                let token = rng.pick(&TOKENS).repeat(1 + rng.below(4));
                bytes.splice(at..at, token.bytes());
            }
            7 => {
                let token = rng.pick(&TOKENS).repeat(1 << rng.below(16));
                bytes.splice(at..at, token.bytes());
            }
            _ => number(rng, &mut bytes),
        }
        bytes.truncate(1 << 20);
    }
    bytes
}

/// Puts another number in the place of one that stands there.
fn number(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = *rng.pick(&starts);
    let end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let extreme = ["0", "-1", "4294967296", "18446744073709551616", "99999999999999999999999999", "1e308", "0.1"];
    bytes.splice(start..end, rng.pick(&extreme).bytes());
}

#[test]
fn cases_are_made_from_their_numbers() {
    let made = |case| mutated(&mut Rng::new(case), b"name = \"a\"\nversion = 12\n", &[b"other".to_vec()]);
    assert_eq!((0..50).map(made).collect::<Vec<_>>(), (0..50).map(made).collect::<Vec<_>>());
    let different: BTreeSet<Vec<u8>> = (0..50).map(made).collect();
    assert!(different.len() > 40, "{}", different.len());
    assert_eq!(Cases { next: 0, plain: 3, until: None, only: None }.collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(Cases { next: 7, plain: 3, until: None, only: Some(7) }.collect::<Vec<_>>(), [7]);
}
