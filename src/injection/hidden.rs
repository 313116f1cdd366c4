//! Characters that a person does not see: tags, zero-width marks, selectors in long runs, overrides of direction.

use super::InjectionKind::HiddenUnicode;
use super::PatternHit;

/// Runs of invisible characters from this length on carry a message, whatever they are.
const RUN: usize = 6;
/// Invisible characters inside Latin words from this number on are no accident.
const INSIDE: usize = 3;

/// The hidden characters in a text that are there to deceive.
pub(super) fn find_hidden_characters(text: &str) -> Vec<PatternHit> {
    let mut hits = tag_character_hits(text);
    hits.extend(zero_width_run_hits(text));
    hits.extend(inside_words(text));
    hits.extend(between_letters(text));
    hits.extend(direction_override_hits(text));
    hits
}

fn hit(weight: u8, span: std::ops::Range<usize>, message: &'static str) -> PatternHit {
    PatternHit { kind: HiddenUnicode, weight, span, message }
}

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Tag characters spell text that only a machine reads. The flags of England, Scotland and Wales are spelt with them
/// too, after a black flag.
fn tag_character_hits(text: &str) -> Vec<PatternHit> {
    let mut hits = Vec::new();
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_tag(c) {
            before = Some(c);
            continue;
        }
        let (mut end, mut count) = (at + c.len_utf8(), 1);
        while let Some((next, tag)) = chars.next_if(|(_, next)| is_tag(*next)) {
            end = next + tag.len_utf8();
            count += 1;
        }
        if before != Some('\u{1f3f4}') || count > 7 {
            hits.push(hit(4, at..end, "holds text in invisible tag characters"));
        }
        before = None;
    }
    hits
}

const fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{3164}' | '\u{115f}'
        | '\u{1160}' | '\u{ffa0}' | '\u{200e}' | '\u{200f}' | '\u{206a}'..='\u{206f}')
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Long runs of marks of no width write a message in their order.
fn zero_width_run_hits(text: &str) -> Vec<PatternHit> {
    let mut hits = Vec::new();
    let mut run: Option<(usize, usize, usize)> = None;
    let flush = |run: &mut Option<(usize, usize, usize)>, hits: &mut Vec<PatternHit>| {
        if let Some((start, end, count)) = run.take()
            && count >= RUN
        {
            hits.push(hit(4, start..end, "holds a run of invisible characters"));
        }
    };
    for (at, c) in text.char_indices() {
        if is_zero_width(c) || is_selector(c) {
            let (start, count) = run.map_or((at, 0), |(start, _, count)| (start, count));
            run = Some((start, at + c.len_utf8(), count + 1));
        } else {
            flush(&mut run, &mut hits);
        }
    }
    flush(&mut run, &mut hits);
    hits
}

/// Zero-width marks between two letters of a Latin word split it for a program and not for a reader.
fn inside_words(text: &str) -> Vec<PatternHit> {
    let (mut first, mut last, mut count) = (0, 0, 0);
    let mut before: Option<char> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic());
        if matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{2061}'..='\u{2064}')
            && letter(before)
            && letter(next)
        {
            first = if count == 0 { at } else { first };
            last = at + c.len_utf8();
            count += 1;
        }
        before = Some(c);
    }
    if count >= INSIDE { vec![hit(2, first..last, "hides invisible characters inside words")] } else { Vec::new() }
}

/// Soft hyphens part syllables; one after each letter, or at the end of a word, parts nothing.
fn between_letters(text: &str) -> Option<PatternHit> {
    const SOFT_HYPHEN: char = '\u{ad}';
    if !text.contains(SOFT_HYPHEN) {
        return None;
    }
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let parts_nothing = |part: &&[(usize, char)]| match part {
        [(_, SOFT_HYPHEN), (_, letter), (_, SOFT_HYPHEN)] => letter.is_alphabetic(),
        [(_, before), (_, SOFT_HYPHEN), (_, after)] => !before.is_alphabetic() || !after.is_alphabetic(),
        _ => false,
    };
    let found: Vec<&[(usize, char)]> = chars.windows(3).filter(parts_nothing).collect();
    let (first, last) = (found.first()?.first()?.0, found.last()?.last()?.0);
    let span = first..last + SOFT_HYPHEN.len_utf8();
    (found.len() >= INSIDE).then(|| hit(2, span, "hides invisible characters inside words"))
}

/// Overrides of direction show text in another order than a program reads it. Between letters of scripts that run from
/// right to left they have their place.
fn direction_override_hits(text: &str) -> Vec<PatternHit> {
    let runs_left = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    let natural = text.chars().any(runs_left);
    let suspicious = |c: char| match c {
        '\u{202d}' | '\u{202e}' => true,
        '\u{202a}' | '\u{202b}' | '\u{2066}'..='\u{2068}' => !natural,
        _ => false,
    };
    let found = text.char_indices().filter(|(_, c)| suspicious(*c));
    found
        .map(|(at, c)| {
            let rest = text.get(at..).unwrap_or_default();
            let closing = |c: char| matches!(c, '\u{202c}' | '\u{2069}' | '\n');
            let end = rest.find(closing).map_or(rest.len(), |end| end.max(c.len_utf8()));
            hit(
                if matches!(c, '\u{202d}' | '\u{202e}') { 3 } else { 2 },
                at..at + end,
                "changes the order in which text is shown",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives() {
        let tagged: String = "go".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()).collect();
        for text in [
            format!("a{tagged}b"),
            format!("a{}", "\u{200b}\u{200c}".repeat(5)),
            format!("😀{}", "\u{e0131}".repeat(8)),
            "i\u{200b}g\u{200b}n\u{200b}ore".to_owned(),
            "o\u{ad}b\u{ad}e\u{ad}y\u{ad} it".to_owned(),
            "ta\u{ad}ke\u{ad} th\u{ad}e\u{ad} wa\u{ad}y\u{ad}.".to_owned(),
            "user\u{202e}gnp.exe".to_owned(),
            "a\u{2066}b\u{2069}".to_owned(),
        ] {
            assert_eq!(find_hidden_characters(&text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn what_has_its_place() {
        for text in [
            "\u{feff}a file with a byte order mark",
            "family 👨‍👩‍👧‍👦 and ❤️ and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم می\u{200c}روم نمی\u{200c}دانم",
            "soft\u{ad}hy\u{ad}phen\u{ad}ation",
            "a long\u{200b}/path\u{200b}/to break",
            "שלום \u{2067}abc\u{2069}",
        ] {
            assert_eq!(find_hidden_characters(text), Vec::new(), "{text:?}");
        }
    }
}
