//! The words that a name is made of.

/// The words of `camelCase`, `snake_case`, `kebab-case` and `UPPER_CASE`, in lower case.
#[must_use]
pub fn split_identifier_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        let starts = letter.is_uppercase() && was_lower;
        if (starts || !letter.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// What could be a name in a text of code: letters, digits and underscores that stand together, and empty texts between others.
pub fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// True for a name of which one of these is a word.
#[must_use]
pub fn speaks_of(name: &str, known: &[&str]) -> bool {
    split_identifier_words(name).iter().any(|word| known.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{names_in, speaks_of, split_identifier_words};

    #[test]
    fn names_stand_between_other_signs() {
        let names: Vec<&str> = names_in("S_IRWXU|S_IWOTH, é2 != nil").filter(|name| !name.is_empty()).collect();
        assert_eq!(names, ["S_IRWXU", "S_IWOTH", "é2", "nil"]);
    }

    #[test]
    fn a_name_speaks_of_its_words_and_not_of_parts_of_them() {
        assert!(speaks_of("readPayload", &["payload"]) && speaks_of("x.claims_of", &["payload", "claims"]));
        assert!(!speaks_of("payloads", &["payload"]) && !speaks_of("", &["payload"]));
    }

    #[test]
    fn names_fall_into_words() {
        assert_eq!(split_identifier_words("resetPassword2Hash"), ["reset", "password2", "hash"]);
        assert_eq!(split_identifier_words("API_KEY"), ["api", "key"]);
        assert_eq!(split_identifier_words("x-csrf-token.js"), ["x", "csrf", "token", "js"]);
        assert!(split_identifier_words("").is_empty());
    }
}
