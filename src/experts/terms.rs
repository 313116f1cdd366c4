//! What words of a question or a text count as: the same for both.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Words that say nothing about what is asked. Sorted.
const STOP: &[&str] = &[
    "a",
    "about",
    "after",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "avoid",
    "be",
    "because",
    "been",
    "before",
    "being",
    "best",
    "better",
    "between",
    "both",
    "but",
    "by",
    "can",
    "choose",
    "correct",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "during",
    "each",
    "else",
    "every",
    "few",
    "for",
    "from",
    "get",
    "give",
    "good",
    "had",
    "has",
    "have",
    "having",
    "help",
    "here",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "keep",
    "know",
    "let",
    "like",
    "made",
    "make",
    "many",
    "may",
    "me",
    "more",
    "most",
    "much",
    "must",
    "my",
    "need",
    "no",
    "not",
    "now",
    "of",
    "off",
    "often",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "pick",
    "please",
    "prefer",
    "put",
    "really",
    "recommend",
    "right",
    "safely",
    "same",
    "should",
    "so",
    "some",
    "still",
    "such",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "us",
    "use",
    "used",
    "using",
    "very",
    "want",
    "was",
    "way",
    "ways",
    "we",
    "well",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "without",
    "work",
    "works",
    "would",
    "you",
    "your",
];

/// Groups of words that mean the same to a search; each stands for all of its group.
const SAME: &[&[&str]] = &[
    &["a11y", "accessibility", "accessible"],
    &["ai", "llm", "llms"],
    &["api", "apis", "endpoint"],
    &["auth", "authentication", "login"],
    &["authz", "authorization", "authorisation", "permission"],
    &["backoff", "retry", "retries"],
    &["ci", "pipeline", "workflow"],
    &["ddl", "migration", "migrate"],
    &["db", "database"],
    &["docs", "documentation"],
    &["e2e", "end-to-end"],
    &["gdpr", "dsgvo"],
    &["image", "dockerfile"],
    &["js", "javascript"],
    &["k8s", "kubernetes"],
    &["latency", "slow", "slowness"],
    &["oom", "out-of-memory", "memory"],
    &["pg", "postgres", "postgresql"],
    &["pii", "personal"],
    &["py", "python"],
    &["rag", "retrieval"],
    &["secret", "credential"],
    &["tf", "terraform"],
    &["throttle", "throttling", "rate-limit", "ratelimit"],
    &["ts", "typescript"],
    &["vuln", "vulnerability", "cve"],
];

/// The words of a text that count, with every use: lower-case, stemmed, synonyms joined.
pub(super) fn term_sequence(text: &str) -> impl Iterator<Item = String> + '_ {
    spelled_words(text).map(|word| normal_form(&word))
}

/// The words that count as they are spelt, in lower case.
pub(super) fn spelled_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '+' | '#' | '-')))
        .flat_map(parts)
        .map(|word| word.trim_matches(|c| matches!(c, '-' | '_')).to_lowercase())
        .filter(|word| !word.is_empty() && STOP.binary_search(&word.as_str()).is_err())
}

/// The one form of a spelt word and of all that mean the same.
pub(super) fn normal_form(word: &str) -> String {
    stem(&join_synonyms(word))
}

/// A word joined by hyphens counts whole and in parts.
fn parts(word: &str) -> Vec<&str> {
    let parts: Vec<&str> = word.split(['-', '_']).filter(|part| !part.is_empty()).collect();
    match parts.len() {
        0 => Vec::new(),
        1 => vec![word],
        _ => std::iter::once(word).chain(parts).collect(),
    }
}

fn join_synonyms(word: &str) -> String {
    let group =
        SAME.iter().find(|group| group.contains(&word) || word.strip_suffix('s').is_some_and(|w| group.contains(&w)));
    group.and_then(|group| group.first()).map_or_else(|| word.to_owned(), |first| (*first).to_owned())
}

/// Words of up to three letters, and such with anything but letters, stay as they are.
fn stem(word: &str) -> String {
    if word.len() <= 3 || word.chars().any(|c| !c.is_ascii_lowercase()) {
        return word.to_owned();
    }
    Stemmer::create(Algorithm::English).stem(&spelt_with_z(word)).into_owned()
}

/// The stemmer knows `optimize` and not `optimise`.
fn spelt_with_z(word: &str) -> Cow<'_, str> {
    for ending in ["ise", "ises", "ised", "ising", "iser", "isers", "isation", "isations"] {
        if let Some(rest) = word.strip_suffix(ending) {
            return Cow::Owned(format!("{rest}iz{}", ending.strip_prefix("is").unwrap_or_default()));
        }
    }
    Cow::Borrowed(word)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(STOP.is_sorted());
    }

    fn distinct_terms(text: &str) -> BTreeSet<String> {
        term_sequence(text).collect()
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for group in [
            &["pool", "pools", "pooling", "pooled"][..],
            &["index", "indexes", "indexing", "indexed"],
            &["migration", "migrations", "migrate", "ddl"],
            &["optimise", "optimize", "optimisation", "optimizing"],
            &["query", "queries"],
            &["postgres", "PostgreSQL", "pg"],
            &["log", "logs", "logging"],
            &["credentials", "secret", "secrets"],
            &["cache", "caching", "caches", "cached"],
        ] {
            let stems: BTreeSet<BTreeSet<String>> = group.iter().map(|word| distinct_terms(word)).collect();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
        assert_ne!(distinct_terms("status"), distinct_terms("state"));
        assert_eq!(distinct_terms("How should I do this?"), BTreeSet::new());
        assert_eq!(distinct_terms("rate-limit N+1 C# utf-8"), distinct_terms("Rate-Limit n+1 c# UTF-8"));
    }
}
