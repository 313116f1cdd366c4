//! Letters written as other things: as their places in the alphabet, as the names of the radio alphabet, as dots for the
//! blind, as octal numbers.

/// The names of the letters as they are spoken on the radio.
const RADIO: [&str; 26] = [
    "alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
    "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey", "xray",
    "yankee", "zulu",
];

/// The letters of the dots for the blind, from the first of their block on.
const DOTS: [u8; 26] =
    [1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61, 53];

/// `9 7 14 15 18 5`, `9-7-14 1-12-12`: places in the alphabet. Where hyphens part the letters, spaces part the words.
pub(super) fn letters_of_places(run: &str) -> Option<Vec<u8>> {
    let hyphens = run.contains('-');
    let (mut letters, mut number) = (Vec::new(), 0_u8);
    for c in run.chars().chain([' ']) {
        match c.to_digit(10).and_then(|digit| u8::try_from(digit).ok()) {
            Some(digit) => number = number.checked_mul(10)?.checked_add(digit)?,
            None => {
                if number > 0 {
                    letters.push(b'a' + number.checked_sub(1).filter(|place| *place < 26)?);
                }
                number = 0;
                if (matches!(c, '/' | '|') || (hyphens && c == ' ')) && letters.last() != Some(&b' ') {
                    letters.push(b' ');
                }
            }
        }
    }
    Some(letters)
}

/// `India Golf November`: the radio alphabet, in one of its spellings.
pub(super) fn letters_of_radio(run: &str) -> Option<Vec<u8>> {
    let mut letters = Vec::new();
    for word in run.split([' ', '-', '\n', '.', ',']).map(str::to_lowercase).filter(|word| !word.is_empty()) {
        let word = match word.as_str() {
            "alpha" => "alfa",
            "juliet" => "juliett",
            "whisky" => "whiskey",
            "x" => "xray",
            "ray" => continue,
            "/" | "|" | "space" => {
                letters.push(b' ');
                continue;
            }
            other => other,
        };
        let place = RADIO.iter().position(|name| *name == word)?;
        letters.push(b'a' + u8::try_from(place).ok()?);
    }
    Some(letters)
}

/// Dots for the blind; other signs of the block stand for nothing.
pub(super) fn letters_of_dots(run: &str) -> Option<Vec<u8>> {
    let letter = |c: char| match u32::from(c).checked_sub(0x2800) {
        None | Some(0) => Some(b' '),
        Some(dots) => DOTS
            .iter()
            .position(|known| u32::from(*known) == dots)
            .and_then(|at| u8::try_from(at).ok())
            .map(|at| b'a' + at),
    };
    Some(run.chars().filter_map(letter).collect())
}

/// `117 163 145`, `\117\163\145`: bytes in octal.
pub(super) fn bytes_of_octal(run: &str) -> Option<Vec<u8>> {
    let numbers = run.split(|c: char| !c.is_digit(8)).filter(|number| !number.is_empty());
    numbers.map(|number| u8::from_str_radix(number, 8).ok()).collect()
}

/// `chr(73)+chr(103)`: numbers between whatever marks.
pub(super) fn bytes_of_numbers(run: &str) -> Option<Vec<u8>> {
    let numbers = run.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_letters() {
        let text = |bytes: Option<Vec<u8>>| String::from_utf8(bytes.unwrap()).unwrap();
        assert_eq!(text(letters_of_places("9-7 1-12-12")), "ig all ");
        assert_eq!(text(letters_of_places("9 7 / 1, 12, 12")), "ig all");
        assert_eq!(letters_of_places("9 27 400"), None);
        assert_eq!(text(letters_of_radio("India golf / Alpha lima X-ray")), "ig alx");
        assert_eq!(letters_of_radio("india rubber"), None);
        assert_eq!(text(letters_of_dots("⠊⠛⠀⠁⠇⠇")), "ig all");
        assert_eq!(text(bytes_of_octal("111 147 40 141")), "Ig a");
        assert_eq!(text(bytes_of_octal(r"\111\147\040\141")), "Ig a");
        assert_eq!(text(bytes_of_numbers("chr(73)+chr(103)")), "Ig");
    }
}
