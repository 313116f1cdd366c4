//! "Did you mean": the known names nearest to an unknown one.

/// At most three of `known` that resemble `word`, best first, ties in the order given.
#[must_use]
pub fn names<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = word.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&lower, &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// A sentence for a hint: the nearest names, or all of them when none is near.
#[must_use]
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let near = names(word, known.clone());
    if near.is_empty() {
        format!("known: {}", known.into_iter().collect::<Vec<_>>().join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typos_and_lists_all_when_nothing_is_near() {
        let known = ["standard", "framework", "strict"];
        assert_eq!(names("standrad", known), ["standard"]);
        assert_eq!(hint("zzz", known), "known: standard, framework, strict");
    }
}
