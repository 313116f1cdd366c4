//! Parts of a long text: a reader that hands what it reads to a model gets no more at once than a model can bear.

/// Most bytes of one part: about 6,000 tokens.
pub(super) const PART_BYTES: usize = 24_000;

/// What asks for a part, at the end of an address.
const PART: &str = "part=";
/// In place of a number: the text as a whole, for programs.
const ALL: &str = "all";

/// Which part of a text is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartChoice {
    /// The first is 1.
    Number(usize),
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
pub(super) fn split_part_choice(uri: &str) -> Option<(&str, PartChoice)> {
    let mark = uri.rfind(PART).filter(|at| uri.get(..*at).is_some_and(|before| before.ends_with(['?', '&'])));
    let Some(at) = mark else { return Some((uri, PartChoice::Number(1))) };
    let (address, asked) = (uri.get(..at - 1)?, uri.get(at + PART.len()..)?);
    let choice = match asked {
        ALL => PartChoice::All,
        number => PartChoice::Number(number.parse().ok().filter(|number| *number > 0)?),
    };
    Some((address, choice))
}

/// The part of a text that is wanted, and what to say about the others; `None` behind the last. A short text is its only
/// part.
#[must_use]
pub(super) fn take_part(address: &str, text: String, choice: PartChoice) -> Option<(String, Option<PartNote>)> {
    let PartChoice::Number(number) = choice else { return Some((text, None)) };
    let parts = split_into_parts(&text);
    let part = (*parts.get(number - 1)?).to_owned();
    if parts.len() == 1 {
        return Some((text, None));
    }
    let whole = address_of(address, ALL);
    let all = format!("{whole} has all {} bytes at once", text.len());
    let said = format!("part {number} of {}", parts.len());
    let note = if number < parts.len() {
        let next = address_of(address, &(number + 1).to_string());
        PartNote { sentence: format!("This is {said}. Read {next} for the next; {all}."), next }
    } else {
        PartNote { sentence: format!("This is {said}, the last; {all}."), next: whole }
    };
    Some((part, Some(note)))
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
    #[case("tapps://rules", Some(("tapps://rules", PartChoice::Number(1))))]
    #[case("tapps://rules?part=3", Some(("tapps://rules", PartChoice::Number(3))))]
    #[case("tapps://rules?part=all", Some(("tapps://rules", PartChoice::All)))]
    #[case("x://recent?limit=5&part=2", Some(("x://recent?limit=5", PartChoice::Number(2))))]
    #[case("x://a/part=2", Some(("x://a/part=2", PartChoice::Number(1))))]
    #[case("x://a?part=0", None)]
    #[case("x://a?part=two", None)]
    fn an_address_may_ask_for_a_part(#[case] uri: &str, #[case] expected: Option<(&str, PartChoice)>) {
        assert_eq!(split_part_choice(uri), expected);
    }

    #[rstest]
    #[case("{\"rule\": \"ruff:F401\", \"cost\": 100},\n".repeat(2_000), true)]
    #[case("é".repeat(40_000), false)]
    fn parts_put_together_are_the_text(#[case] text: String, #[case] has_lines: bool) {
        let (mut seen, mut number) = (String::new(), 1);
        loop {
            let (part, note) = take_part("x://a", text.clone(), PartChoice::Number(number)).unwrap();
            assert!(part.len() <= PART_BYTES, "{}", part.len());
            assert!(!has_lines || part.ends_with("},\n"));
            seen += &part;
            let next = note.unwrap().next;
            if next == "x://a?part=all" {
                break;
            }
            number += 1;
            assert_eq!(next, format!("x://a?part={number}"));
        }
        assert!(seen == text);
        assert_eq!(number, count_parts(&text));
        assert_eq!(take_part("x://a", text.clone(), PartChoice::Number(number + 1)), None);
        assert_eq!(take_part("x://a", text.clone(), PartChoice::All), Some((text, None)));
    }

    #[test]
    fn a_short_text_is_whole_and_says_nothing() {
        assert_eq!(take_part("x://a", "short".into(), PartChoice::Number(1)), Some(("short".into(), None)));
        assert_eq!(take_part("x://a", String::new(), PartChoice::Number(1)), Some((String::new(), None)));
        assert_eq!(take_part("x://a", "short".into(), PartChoice::Number(2)), None);
    }

    #[test]
    fn a_part_says_how_to_go_on() {
        let (_, note) = take_part("x://a", "line\n".repeat(10_000), PartChoice::Number(1)).unwrap();
        let expected =
            "This is part 1 of 3. Read x://a?part=2 for the next; x://a?part=all has all 50000 bytes at once.";
        assert_eq!(note.unwrap().sentence, expected);
    }
}
