//! One requirement as Python writes it: a line of a requirements file, an entry of a list of dependencies.

/// A name and the versions that will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Requirement<'t> {
    /// As it is written.
    pub(super) name: &'t str,
    /// As it is written, without brackets around it; empty for any version; starts with `@` for an address.
    pub(super) specifier: &'t str,
}

/// Takes `name[extra]>=1; marker` apart; `None` for a path, an address or an option.
pub(super) fn parse_requirement(line: &str) -> Option<Requirement<'_>> {
    let line = line.split(" #").next()?.split(';').next()?;
    // A line of a requirements file may end with options of its own, as `--hash`.
    let line = line.split(" --").next()?.trim().trim_end_matches('\\').trim();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(rest, |(_, rest)| rest);
    let specifier = rest.trim().trim_matches(['(', ')']).trim();
    let fits = specifier.is_empty() || specifier.starts_with(['=', '<', '>', '~', '!', '@']);
    (name.starts_with(|c: char| c.is_ascii_alphanumeric()) && fits).then_some(Requirement { name, specifier })
}

/// The name in `name[extra]>=1; marker`, as it is written; `None` for a path, an address or an option.
#[must_use]
pub fn required_name(line: &str) -> Option<&str> {
    parse_requirement(line.trim_start()).map(|requirement| requirement.name)
}

/// The requirements of a requirements file.
pub(super) fn parse_requirements(text: &str) -> impl Iterator<Item = Requirement<'_>> {
    text.lines().filter_map(parse_requirement)
}

/// The one version that a specifier admits.
#[must_use]
pub fn exact_version(specifier: &str) -> Option<&str> {
    specifier
        .split(',')
        .filter_map(|clause| clause.trim().strip_prefix("=="))
        .map(|rest| rest.trim_start_matches('=').trim())
        .find(|version| !version.is_empty() && !version.contains(['*', ' ', '/']))
}

/// True for the name of a requirements file.
pub(super) fn is_requirements_file(name: &str) -> bool {
    name.ends_with(".txt") && (name.starts_with("requirements") || name.ends_with("requirements.txt"))
}

/// True for the name of a text file whose lines may fix versions of Python packages.
#[must_use]
pub fn is_python_versions_file(name: &str) -> bool {
    is_requirements_file(name) || name == "constraints.txt"
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Flask_Login==0.6.3 # x", "Flask_Login", "==0.6.3", Some("0.6.3"))]
    #[case("a[b,c] == 1.0 \\", "a", "== 1.0", Some("1.0"))]
    #[case("a==1 --hash=sha256:ab", "a", "==1", Some("1"))]
    #[case("a===1", "a", "===1", Some("1"))]
    #[case("a ==1.* ", "a", "==1.*", None)]
    #[case("a==1,<2", "a", "==1,<2", Some("1"))]
    #[case("a>=1,==1.5", "a", ">=1,==1.5", Some("1.5"))]
    #[case("a (>=1,<2)", "a", ">=1,<2", None)]
    #[case("a; python_version == '3'", "a", "", None)]
    #[case("pkg @ file:///x==1", "pkg", "@ file:///x==1", None)]
    fn lines(#[case] line: &str, #[case] name: &str, #[case] specifier: &str, #[case] exact: Option<&str>) {
        let found = parse_requirement(line).unwrap();
        assert_eq!((found.name, found.specifier, exact_version(found.specifier)), (name, specifier, exact));
    }

    #[rstest]
    fn what_names_no_package_is_none(
        #[values("-r x.txt", "--hash=sha256:0", "./local", "https://x/y.whl", "git+ssh://x", "", "# c", "a b")]
        line: &str,
    ) {
        assert_eq!(parse_requirement(line), None);
    }

    #[test]
    fn names_of_files() {
        let wanted = ["requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "constraints.txt"];
        assert_eq!(wanted.map(is_python_versions_file), [true; 4]);
        assert_eq!(wanted.map(is_requirements_file), [true, true, true, false]);
        assert_eq!(["requirements.in", "notes.txt"].map(is_python_versions_file), [false; 2]);
    }
}
