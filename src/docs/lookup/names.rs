//! Misspelt names.

/// How alike two names have to be for one to stand for the other.
const SAME: f64 = 0.82;

/// The known name that was most probably meant, when one is near enough and clearly nearest.
pub(super) fn probable_name<'k>(asked: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let asked = asked.to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    let mut second = 0.0;
    for name in known {
        let likeness = name_similarity(&asked, &name.to_lowercase());
        match best {
            Some((most, _)) if likeness <= most => second = f64::max(second, likeness),
            _ => {
                second = best.map_or(second, |(most, _)| most);
                best = Some((likeness, name));
            }
        }
    }
    best.filter(|(most, _)| *most >= SAME && *most > second).map(|(_, name)| name)
}

/// The known names nearest to one, best first.
pub(super) fn nearest_names<'k>(asked: &str, known: impl Iterator<Item = &'k str>, most: usize) -> Vec<&'k str> {
    let asked = asked.to_lowercase();
    let scored = known.map(|name| (name_similarity(&asked, &name.to_lowercase()), name));
    let mut scored: Vec<(f64, &str)> = scored.filter(|(likeness, _)| *likeness >= 0.55).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(most).map(|(_, name)| name).collect()
}

/// 1 for equal names; edits weigh by the length, and letters that merely changed places weigh half.
fn name_similarity(one: &str, other: &str) -> f64 {
    let jaro = strsim::jaro_winkler(one, other);
    let edits = strsim::normalized_damerau_levenshtein(one, other);
    0.5 * jaro + 0.5 * edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_understood_and_other_words_are_not() {
        let known = ["requests", "rich", "sqlalchemy", "pydantic", "numpy", "pandas", "pytest"];
        let of = |asked| probable_name(asked, known.into_iter());
        assert_eq!(of("requets"), Some("requests"));
        assert_eq!(of("sqlachemy"), Some("sqlalchemy"));
        assert_eq!(of("nunpy"), Some("numpy"));
        assert_eq!(of("pydantc"), Some("pydantic"));
        for other in ["django", "polars", "torch", "r"] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(nearest_names("panda", known.into_iter(), 1), ["pandas"]);
    }
}
