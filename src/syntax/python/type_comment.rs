//! Comments by which an author overrules a type checker.

/// Whether a line tells a type checker to let something with one of these codes pass: `# type: ignore`, alone or with a code.
#[must_use]
pub fn ignores_types(line: &str, codes: &[&str]) -> bool {
    line.split("# type: ignore")
        .nth(1)
        .is_some_and(|rest| !rest.starts_with('[') || codes.iter().any(|code| rest.contains(code)))
}

#[cfg(test)]
mod tests {
    use super::ignores_types;

    #[rstest::rstest]
    #[case("x = a.b  # type: ignore", true)]
    #[case("x = a.b  # type: ignore[attr-defined]", true)]
    #[case("x = a.b  # type: ignore[no-any-return,attr-defined]", true)]
    #[case("from a import b  # type: ignore[import-untyped]", false)]
    #[case("x = a.b  # noqa: attr-defined", false)]
    fn a_code_has_to_fit_where_there_is_one(#[case] line: &str, #[case] expected: bool) {
        assert_eq!(ignores_types(line, &["attr-defined"]), expected, "{line}");
    }
}
