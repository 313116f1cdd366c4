//! Names of Python packages.

/// The name in the form in which two spellings of it are equal (PEP 503): lower case, a run of separators is one hyphen.
#[must_use]
pub fn normalize_pypi_name(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for c in name.chars() {
        if !matches!(c, '-' | '_' | '.') {
            normal.extend(c.to_lowercase());
        } else if !normal.ends_with('-') {
            normal.push('-');
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_separators_is_one_hyphen() {
        for (name, normal) in [
            ("Foo", "foo"),
            ("foo_bar", "foo-bar"),
            ("zope.interface", "zope-interface"),
            ("a__b", "a-b"),
            ("A-_.b", "a-b"),
            ("a", "a"),
        ] {
            assert_eq!(normalize_pypi_name(name), normal);
        }
    }
}
