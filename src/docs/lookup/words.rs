//! Words of questions and of documentation, brought to one form.

/// Words that say nothing about what is asked for. Sorted.
const STOP: [&str; 62] = [
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could", "do", "does", "doing",
    "example", "for", "from", "get", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "let", "made",
    "make", "me", "my", "need", "new", "of", "on", "one", "or", "should", "so", "some", "that", "the", "their", "this",
    "to", "up", "use", "used", "using", "want", "was", "we", "what", "when", "where", "with", "would", "you",
];

/// The words of a text, `StreamingResponse` and `add_middleware` taken apart, in their stems; stop words are left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for piece in text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()) {
        let parts = split_camel_case(piece);
        if parts.len() > 1 {
            // The whole name can be asked for as one word too.
            found.push(piece.to_lowercase());
        }
        found.extend(parts.iter().map(|part| part.to_lowercase()));
    }
    found.into_iter().filter(|word| STOP.binary_search(&word.as_str()).is_err()).map(|word| stem(&word))
}

/// `HTTPBasicAuth` as `HTTP`, `Basic`, `Auth`.
fn split_camel_case(name: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for window in chars.windows(2).enumerate() {
        let (at, [(_, before), (here, now)]) = window else { continue };
        let after = chars.get(at + 2).map(|(_, c)| *c);
        let begins = now.is_uppercase() && (before.is_lowercase() || after.is_some_and(char::is_lowercase));
        if begins && *here > start {
            parts.extend(name.get(start..*here));
            start = *here;
        }
    }
    parts.extend(name.get(start..));
    parts
}

/// A word without the ending of its form; rough, and the same for questions and texts.
fn stem(word: &str) -> String {
    let cut = |ending: &str, least: usize| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= least);
    let rest = cut("ization", 3)
        .or_else(|| cut("ations", 4))
        .or_else(|| cut("ation", 4))
        .or_else(|| cut("ings", 4))
        .or_else(|| cut("ing", 4))
        .or_else(|| cut("ers", 4))
        .or_else(|| cut("ors", 4))
        .or_else(|| cut("or", 4))
        .or_else(|| cut("ies", 3))
        .or_else(|| cut("ed", 4))
        .or_else(|| cut("er", 4))
        .or_else(|| cut("es", 4))
        .or_else(|| cut("s", 3).filter(|rest| !rest.ends_with(['s', 'u', 'i'])))
        .unwrap_or(word);
    let rest = rest.strip_suffix('e').filter(|rest| rest.chars().count() >= 4).unwrap_or(rest);
    let rest = rest.strip_suffix('y').filter(|rest| rest.chars().count() >= 3).unwrap_or(rest);
    // running, run
    let mut last = rest.chars().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(two)) if one == two && rest.chars().count() > 3 && one != 's' && one != 'l' => {
            rest.get(..rest.len() - one.len_utf8()).unwrap_or(rest).to_owned()
        }
        _ => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        words(text).collect()
    }

    #[test]
    fn questions_and_names_meet() {
        assert!(STOP.is_sorted());
        assert_eq!(of("how do I stream a response?"), ["stream", "respons"]);
        assert_eq!(of("StreamingResponse"), ["streamingrespons", "stream", "respons"]);
        assert_eq!(of("HTTPBasicAuth.add_middlewares"), ["httpbasicauth", "http", "basic", "auth", "add", "middlewar"]);
        for (one, other) in [("validators", "validate"), ("queries", "query"), ("running", "run"), ("class", "classes")]
        {
            assert_eq!(of(one), of(other), "{one}");
        }
    }
}
