//! Numbers that name a person or an account: social security numbers of the United States, payment cards.

use std::sync::LazyLock;

use regex::Regex;

use super::RedactionSpan;

static SOCIAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(\d{3})([- .])(\d{2})([- .])(\d{4})\b").ok());
static CARD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b\d(?:[ -]?\d){12,18}\b").ok());

/// The numbers in a text.
pub(super) fn find_personal_numbers(text: &str) -> Vec<RedactionSpan> {
    let mut found = social(text);
    found.extend(cards(text));
    found
}

fn social(text: &str) -> Vec<RedactionSpan> {
    let Some(regex) = SOCIAL.as_ref() else { return Vec::new() };
    let valid = |part: &regex::Captures<'_>| {
        let group = |index: usize| part.get(index).map_or("", |group| group.as_str());
        let (area, middle, last) = (group(1), group(3), group(5));
        group(2) == group(4)
            && !matches!(area, "000" | "666")
            && !area.starts_with('9')
            && middle != "00"
            && last != "0000"
    };
    regex
        .captures_iter(text)
        .filter(valid)
        .filter_map(|captures| captures.get(0))
        .filter(|whole| stands_alone(text, whole.start(), whole.end()))
        .map(|whole| RedactionSpan { span: whole.range(), what: "social-security-number" })
        .collect()
}

fn cards(text: &str) -> Vec<RedactionSpan> {
    let Some(regex) = CARD.as_ref() else { return Vec::new() };
    regex
        .find_iter(text)
        .filter(|found| stands_alone(text, found.start(), found.end()) && is_card(found.as_str()))
        .map(|found| RedactionSpan { span: found.range(), what: "payment-card" })
        .collect()
}

/// True when the number is no part of a longer one, such as a decimal fraction, a version or a hyphenated identifier.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|head| head.chars().next_back());
    let mut after = text.get(end..).unwrap_or_default().chars();
    let joins = |c: Option<char>| matches!(c, Some('-' | '.' | '_' | '/' | '=' | '+' | '%' | '#'));
    let (next, then) = (after.next(), after.next());
    // A full stop ends a sentence unless a digit follows it.
    let ends = next != Some('.') || !then.is_some_and(|c| c.is_alphanumeric());
    !matches!(before, Some('-' | '.' | '_' | '%' | '#')) && (!joins(next) || (next == Some('.') && ends))
}

fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    is_evenly_grouped(text) && is_issued(&digits) && luhn(&digits)
}

/// Cards are written without separators, in fours, or as 4-6-5.
fn is_evenly_grouped(text: &str) -> bool {
    let sign = if text.contains(' ') { ' ' } else { '-' };
    let groups: Vec<usize> = text.split(sign).map(str::len).collect();
    let in_fours = groups.split_last().is_some_and(|(last, rest)| rest.iter().all(|group| *group == 4) && *last <= 4);
    groups.len() == 1 || in_fours || groups == [4, 6, 5] || groups == [4, 6, 4]
}

/// Whether a number of that length begins as an issuer's does.
fn is_issued(digits: &[u32]) -> bool {
    let prefix = |length: usize| digits.iter().take(length).fold(0, |number, digit| number * 10 + digit);
    match digits.len() {
        13 | 19 if prefix(1) == 4 => true,
        14 => matches!(prefix(3), 300..=305) || matches!(prefix(2), 36 | 38 | 39),
        15 => matches!(prefix(2), 34 | 37),
        16 => {
            prefix(1) == 4
                || matches!(prefix(2), 51..=55 | 62 | 65)
                || matches!(prefix(3), 644..=649)
                || matches!(prefix(4), 2221..=2720 | 6011 | 3528..=3589)
        }
        17..=19 => prefix(2) == 62,
        _ => false,
    }
}

/// The checksum of Hans Peter Luhn: every second digit from the right doubled, the sum divisible by ten.
fn luhn(digits: &[u32]) -> bool {
    let doubled = |(place, digit): (usize, &u32)| match (place % 2, digit * 2) {
        (0, _) => *digit,
        (_, twice) if twice > 9 => twice - 9,
        (_, twice) => twice,
    };
    digits.iter().rev().enumerate().map(doubled).sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &str)> {
        find_personal_numbers(text).into_iter().map(|found| (&text[found.span.clone()], found.what)).collect()
    }

    #[test]
    fn numbers_of_people() {
        for number in [
            "4111111111111111",
            "4111 1111 1111 1111",
            "5555-5555-5555-4444",
            "378282246310005",
            "3782 822463 10005",
            "6011111111111117",
        ] {
            assert_eq!(found(&format!("card {number}, thanks")), [(number, "payment-card")]);
            assert_eq!(found(&format!("It is {number}.")), [(number, "payment-card")]);
        }
        for number in ["123-45-6789", "123.45.6789", "123 45 6789"] {
            assert_eq!(found(&format!("SSN: {number}")), [(number, "social-security-number")]);
        }
    }

    #[test]
    fn other_numbers() {
        for text in [
            "4111111111111112",
            "1763800000000",
            "0.4111111111111111",
            "v4111111111111111",
            "411111111111111-1",
            "id-4111111111111111",
            "4111 11 1111 111111",
            "000-12-3456",
            "912-34-5678",
            "123-45-67890",
            "2024-10-1234",
            "123-45.6789",
            "12345678901234567890",
            "#4111111111111111",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
