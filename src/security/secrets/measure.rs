//! How random a text looks: entropy, character classes, runs, and resemblance to words.

/// Shannon entropy in bits per byte; 0 for the empty text.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in text.as_bytes() {
        counts[usize::from(byte)] += 1;
    }
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let bits = |&count: &u32| {
        let share = f64::from(count) / total;
        -share * share.log2()
    };
    counts.iter().filter(|&&count| count > 0).map(bits).sum()
}

/// Which kinds of characters a text is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Classes {
    pub(super) lower: bool,
    pub(super) upper: bool,
    pub(super) digit: bool,
    pub(super) symbol: bool,
}

impl Classes {
    pub(super) fn of(text: &str) -> Self {
        text.bytes().fold(Self::default(), |mut classes, byte| {
            match byte {
                b'a'..=b'z' => classes.lower = true,
                b'A'..=b'Z' => classes.upper = true,
                b'0'..=b'9' => classes.digit = true,
                _ => classes.symbol = true,
            }
            classes
        })
    }

    pub(super) fn count(self) -> usize {
        [self.lower, self.upper, self.digit, self.symbol].into_iter().filter(|&present| present).count()
    }

    pub(super) const fn has_letter(self) -> bool {
        self.lower || self.upper
    }
}

/// Share of the text (0–1) that lies in runs of at least four characters that repeat, ascend or descend by one.
pub(super) fn run_share(text: &str) -> f64 {
    let bytes = text.as_bytes();
    let (mut covered, mut start) = (0, 0);
    while start < bytes.len() {
        let step = |at: usize| {
            let (a, b) = (bytes.get(at)?, bytes.get(at + 1)?);
            Some(i16::from(*b) - i16::from(*a))
        };
        let mut end = start + 1;
        if let Some(first) = step(start).filter(|step| step.abs() <= 1) {
            while step(end - 1) == Some(first) {
                end += 1;
            }
        }
        if end - start >= 4 {
            covered += end - start;
            start = end;
        } else {
            start += 1;
        }
    }
    share(covered, bytes.len())
}

/// Number of different bytes in the text.
pub(super) fn distinct_byte_count(text: &str) -> usize {
    let mut seen = [false; 256];
    text.bytes().filter(|&byte| !std::mem::replace(&mut seen[usize::from(byte)], true)).count()
}

/// Share of the letters and digits (0–1) that stand in parts which read like words.
pub(super) fn word_share(text: &str) -> f64 {
    let counted = text.bytes().filter(u8::is_ascii_alphanumeric).count();
    let wordy = letter_segments(text).filter(|segment| is_word(segment)).map(str::len).sum();
    share(wordy, counted)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    f64::from(u32::try_from(part).unwrap_or(u32::MAX)) / f64::from(u32::try_from(whole).unwrap_or(u32::MAX))
}

/// The runs of letters of a text, also parted where camel case begins another word.
pub(super) fn letter_segments(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphabetic()).flat_map(split_camel_case_run).filter(|segment| !segment.is_empty())
}

fn split_camel_case_run(run: &str) -> impl Iterator<Item = &str> {
    let bytes = run.as_bytes();
    let mut cuts = vec![0];
    for at in 1..bytes.len() {
        let (before, here) = (bytes[at - 1], bytes[at]);
        let starts_word = here.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase));
        if starts_word {
            cuts.push(at);
        }
    }
    cuts.push(bytes.len());
    (1..cuts.len()).map(move |index| &run[cuts[index - 1]..cuts[index]])
}

/// For each letter, the letters that follow it in five of six places of English words and program names.
const FOLLOWERS: [&str; 26] = [
    "bcdlmnprst",
    "aceilorsuy",
    "aehiklortu",
    "adefilorsu",
    "acdflmnrstx",
    "aefilorstu",
    "aehilnorsu",
    "adeimorst",
    "acdeglmnorst",
    "aeiou",
    "adegilmnostu",
    "aeilostuy",
    "aeimopsu",
    "acdegiostv",
    "cdglmnoprstuw",
    "aeiloprstu",
    "u",
    "acdeimorstu",
    "acehilopstu",
    "acehiorstuy",
    "beilmnprst",
    "aceiosty",
    "acehinors",
    "aeiou",
    "acegilmnopst",
    "aeiou",
];

/// True when most neighbouring letters are neighbours in English too.
fn is_word(segment: &str) -> bool {
    if segment.len() < 3 {
        return false;
    }
    let lower = segment.to_ascii_lowercase();
    let bytes = lower.as_bytes();
    let common = bytes
        .windows(2)
        .filter(|pair| {
            FOLLOWERS.get(usize::from(pair[0] - b'a')).is_some_and(|after| after.as_bytes().contains(&pair[1]))
        })
        .count();
    let pairs = bytes.len() - 1;
    let vowel = bytes.iter().any(|byte| b"aeiouy".contains(byte));
    vowel && common * 3 >= pairs * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_known_texts() {
        assert!((entropy("aaaa") - 0.0).abs() < 1e-12);
        assert!((entropy("abcd") - 2.0).abs() < 1e-12);
        assert!((entropy("") - 0.0).abs() < 1e-12);
    }

    #[test]
    fn runs_cover_sequences_and_repeats() {
        assert!(run_share("1234567890") > 0.8);
        assert!(run_share("abcdefgh98765") > 0.9);
        assert!(run_share("xxxxxxxxa1") > 0.7);
        assert!(run_share("k9Qz2LmVx7") < 0.1);
    }

    #[test]
    fn words_are_told_from_noise() {
        for text in
            ["get_authentication_token", "contentType", "enter-your-password", "refreshTokenExpired", "SECRET_NAME"]
        {
            assert!(word_share(text) > 0.7, "{text} {}", word_share(text));
        }
        for text in ["q8ZrT2vLx0WbN4kYp6Hd", "9f86d081884c7d65", "Xk2pQ9vR7mWz", "ZxQwKjPqVbTzXfGhRk"] {
            assert!(word_share(text) < 0.5, "{text} {}", word_share(text));
        }
    }

    #[test]
    fn camel_case_is_parted() {
        assert_eq!(letter_segments("getHTTPToken_v2").collect::<Vec<_>>(), ["get", "HTTP", "Token", "v"]);
    }
}
