//! The verbs of a format of package `fmt`.

/// What stands between `%` and the end of each verb, in the order of the values: `+v`, `-10s`, `*` for a width that is a value.
/// None where the format counts its values itself, as `%[2]s` does, or is broken off.
pub(crate) fn verbs_of_values(format: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once('%') {
        let end = behind.find(|letter: char| !letter.is_ascii_digit() && !"+-# .*".contains(letter))?;
        let letter = behind.get(end..)?.chars().next()?;
        if letter == '[' {
            return None;
        }
        let verb = behind.get(..end + letter.len_utf8())?;
        found.extend(verb.matches('*'));
        if letter != '%' {
            found.push(verb);
        }
        rest = behind.get(verb.len()..)?;
    }
    Some(found)
}

/// True for a format that keeps an error as what it is: with `%w`, or with `%[2]w`.
pub(crate) fn wraps_an_error(format: &str) -> bool {
    format.contains("%w") || format.contains("]w")
}

#[cfg(test)]
mod tests {
    use super::{verbs_of_values, wraps_an_error};

    #[test]
    fn formats_wrap_by_one_verb() {
        assert_eq!(["a: %w", "%[2]w: %[1]d", "a: %v, %s", "a w"].map(wraps_an_error), [true, true, false, false]);
    }

    #[test]
    fn each_value_has_its_verb() {
        assert_eq!(verbs_of_values("no value"), Some(Vec::new()));
        assert_eq!(verbs_of_values("%s of 100%%: %+v, %-10s %*d"), Some(vec!["s", "+v", "-10s", "*", "*d"]));
        assert_eq!(verbs_of_values("%[2]s"), None);
        assert_eq!(verbs_of_values("100%"), None);
    }
}
