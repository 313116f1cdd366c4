//! The order of Maven's versions: numbers as numbers, known words in their order, what is shorter filled up with nothing.

use std::cmp::Ordering;

/// How two versions stand to each other.
pub(super) fn compare(one: &str, other: &str) -> Ordering {
    let (one, other) = (parts(one), parts(other));
    for at in 0..one.len().max(other.len()) {
        let order = rank(one.get(at)).cmp(&rank(other.get(at)));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// A number, or a word in lower case.
#[derive(Debug, PartialEq, Eq)]
enum MavenVersionPart {
    Number(String),
    Word(String),
}

fn parts(version: &str) -> Vec<MavenVersionPart> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut digits = false;
    for c in version.chars().chain(['.']) {
        let separates = matches!(c, '.' | '-' | '_' | '+');
        if !text.is_empty() && (separates || c.is_ascii_digit() != digits) {
            let text = std::mem::take(&mut text).to_ascii_lowercase();
            parts.push(if digits {
                MavenVersionPart::Number(text.trim_start_matches('0').to_owned())
            } else {
                MavenVersionPart::Word(text)
            });
        }
        if !separates {
            digits = c.is_ascii_digit();
            text.push(c);
        }
    }
    // Zeros and words for a release at the end say nothing.
    while parts.last().is_some_and(|part| rank(Some(part)) == rank(None)) {
        parts.pop();
    }
    parts
}

/// What is compared: the class of a part, then the length of a number, then the text.
fn rank(part: Option<&MavenVersionPart>) -> (u8, usize, &str) {
    let Some(part) = part else { return (5, 0, "") };
    match part {
        MavenVersionPart::Number(number) if number.is_empty() => (5, 0, ""),
        MavenVersionPart::Number(number) => (8, number.len(), number),
        MavenVersionPart::Word(word) => match word.as_str() {
            "alpha" | "a" => (0, 0, ""),
            "beta" | "b" => (1, 0, ""),
            "milestone" | "m" => (2, 0, ""),
            "rc" | "cr" => (3, 0, ""),
            "snapshot" => (4, 0, ""),
            "final" | "ga" | "release" => (5, 0, ""),
            "sp" => (6, 0, ""),
            other => (7, 0, other),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_in_order() {
        let ordered = [
            "1.0-alpha1",
            "1.0-beta",
            "1.0-m2",
            "1.0-rc1",
            "1.0-SNAPSHOT",
            "1.0",
            "1.0-sp1",
            "1.0.1",
            "1.2",
            "1.10",
            "2.0-rc2",
            "2",
        ];
        for pair in ordered.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(compare(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        for (one, other) in
            [("1", "1.0.0"), ("1.0", "1.0-ga"), ("1.0.Final", "1.0"), ("1.01", "1.1"), ("1.0-RC1", "1.0-cr1")]
        {
            assert_eq!(compare(one, other), Ordering::Equal, "{one} {other}");
        }
    }
}
