//! Parts of a long text: a reader that hands what it reads to a model gets no more at once than a model can bear.

use tapps_base::{Error, ErrorCode, Result, digest};

/// Most bytes of one part: about 6,000 tokens.
pub(super) const PART_BYTES: usize = 24_000;

/// What asks for a part, at the end of an address.
const PART: &str = "part=";
/// In place of a number: the text as a whole, for programs.
const ALL: &str = "all";

/// Characters of a digest by which a part knows its text again.
const MARK_LENGTH: usize = 8;

/// Which part of a text is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartChoice<'u> {
    /// The first is 1. The mark is that of the text whose other parts were read.
    Number(usize, Option<&'u str>),
    All,
}

/// What a reader has to know who got a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartNote {
    /// Where the next part is; of the last one, where the whole is.
    pub next: String,
    /// A sentence for a model.
    pub sentence: String,
}

/// An address without what asks for a part, and that part; the first where none is asked for. `None` for a part that can
/// be none.
#[must_use]
pub(super) fn split_part_choice(uri: &str) -> Option<(&str, PartChoice<'_>)> {
    let begin = uri.rfind(PART).filter(|at| uri.get(..*at).is_some_and(|before| before.ends_with(['?', '&'])));
    let Some(at) = begin else { return Some((uri, PartChoice::Number(1, None))) };
    let (address, asked) = (uri.get(..at - 1)?, uri.get(at + PART.len()..)?);
    if asked == ALL {
        return Some((address, PartChoice::All));
    }
    let (number, mark) = asked.split_once('-').map_or((asked, None), |(number, mark)| (number, Some(mark)));
    let number = number.parse().ok().filter(|number| *number > 0)?;
    Some((address, PartChoice::Number(number, mark)))
}

/// The part of a text that is wanted, and what to say about the others; `None` behind the last. A short text is its only
/// part.
///
/// # Errors
/// `conflict` when the parts that were read before are of another text.
pub(super) fn take_part(
    address: &str,
    text: String,
    choice: PartChoice<'_>,
) -> Result<Option<(String, Option<PartNote>)>> {
    let PartChoice::Number(number, asked) = choice else { return Ok(Some((text, None))) };
    if asked.is_some_and(|asked| asked != mark_of(&text)) {
        let message = format!("what {address} says has changed since its other parts were read");
        return Err(Error::new(ErrorCode::Conflict, message).hint(format!("read {address} again, from its first part")));
    }
    let parts = split_into_parts(&text);
    if parts.len() == 1 && number == 1 {
        return Ok(Some((text, None)));
    }
    let Some(part) = parts.get(number - 1).map(|part| (*part).to_owned()) else { return Ok(None) };
    let whole = address_of(address, ALL);
    let all = format!("{whole} has all {} bytes at once", text.len());
    let said = format!("part {number} of {}", parts.len());
    let note = if number < parts.len() {
        let next = address_of(address, &format!("{}-{}", number + 1, mark_of(&text)));
        PartNote { sentence: format!("This is {said}. Read {next} for the next; {all}."), next }
    } else {
        PartNote { sentence: format!("This is {said}, the last; {all}."), next: whole }
    };
    Ok(Some((part, Some(note))))
}

/// What tells a text from another that stands at its address later.
fn mark_of(text: &str) -> String {
    digest::sha256(text.as_bytes()).chars().take(MARK_LENGTH).collect()
}

/// How many parts a text has.
#[must_use]
pub fn count_parts(text: &str) -> usize {
    split_into_parts(text).len()
}

fn address_of(address: &str, part: &str) -> String {
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}{PART}{part}")
}

/// Cuts at ends of lines, within a line only where it is longer than a part. There is always one part.
fn split_into_parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > PART_BYTES {
        let most = rest.floor_char_boundary(PART_BYTES);
        let end = rest.get(..most).and_then(|head| head.rfind('\n')).map_or(most, |line| line + 1);
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("tapps://rules", Some(("tapps://rules", PartChoice::Number(1, None))))]
    #[case("tapps://rules?part=3", Some(("tapps://rules", PartChoice::Number(3, None))))]
    #[case("tapps://rules?part=3-0a1b2c3d", Some(("tapps://rules", PartChoice::Number(3, Some("0a1b2c3d")))))]
    #[case("tapps://rules?part=all", Some(("tapps://rules", PartChoice::All)))]
    #[case("x://recent?limit=5&part=2", Some(("x://recent?limit=5", PartChoice::Number(2, None))))]
    #[case("x://a/part=2", Some(("x://a/part=2", PartChoice::Number(1, None))))]
    #[case("x://a?part=0", None)]
    #[case("x://a?part=two", None)]
    fn an_address_may_ask_for_a_part(#[case] uri: &str, #[case] expected: Option<(&str, PartChoice<'_>)>) {
        assert_eq!(split_part_choice(uri), expected);
    }

    #[rstest]
    #[case("{\"rule\": \"ruff:F401\", \"cost\": 100},\n".repeat(2_000), true)]
    #[case("é".repeat(40_000), false)]
    fn parts_put_together_are_the_text(#[case] text: String, #[case] has_lines: bool) {
        let (mut seen, mut count, mut uri) = (String::new(), 0, "x://a".to_owned());
        while uri != "x://a?part=all" {
            let (address, choice) = split_part_choice(&uri).unwrap();
            let (part, note) = take_part(address, text.clone(), choice).unwrap().unwrap();
            assert!(part.len() <= PART_BYTES, "{}", part.len());
            assert!(!has_lines || part.ends_with("},\n"));
            seen += &part;
            count += 1;
            uri = note.unwrap().next;
        }
        assert!(seen == text);
        assert_eq!(count, count_parts(&text));
        assert_eq!(take_part("x://a", text.clone(), PartChoice::Number(count + 1, None)).unwrap(), None);
        assert_eq!(take_part("x://a", text.clone(), PartChoice::All).unwrap(), Some((text, None)));
    }

    #[test]
    fn parts_of_two_texts_are_not_mixed() {
        let (first, later) = ("line\n".repeat(10_000), "other\n".repeat(10_000));
        let (_, note) = take_part("x://a", first.clone(), PartChoice::Number(1, None)).unwrap().unwrap();
        let next = note.unwrap().next;
        let (address, choice) = split_part_choice(&next).unwrap();
        assert!(take_part(address, first, choice).unwrap().is_some());
        for changed in [later, "short".to_owned()] {
            let error = take_part(address, changed, choice).unwrap_err();
            assert_eq!(error.code(), ErrorCode::Conflict);
            assert_eq!(error.body().hint.as_deref(), Some("read x://a again, from its first part"));
        }
    }

    #[test]
    fn a_short_text_is_whole_and_says_nothing() {
        let take = |text: &str, number| take_part("x://a", text.into(), PartChoice::Number(number, None)).unwrap();
        assert_eq!(take("short", 1), Some(("short".into(), None)));
        assert_eq!(take("", 1), Some((String::new(), None)));
        assert_eq!(take("short", 2), None);
    }

    #[test]
    fn a_part_says_how_to_go_on() {
        let text = "line\n".repeat(10_000);
        let mark = mark_of(&text);
        let (_, note) = take_part("x://a", text, PartChoice::Number(1, None)).unwrap().unwrap();
        let expected = format!(
            "This is part 1 of 3. Read x://a?part=2-{mark} for the next; x://a?part=all has all 50000 bytes at once."
        );
        assert_eq!(note.unwrap().sentence, expected);
    }
}
