//! Patterns that name modules: `shop.web` by name, `src/web` by path, `*` for one part and `**` for any number.

use super::import_graph::ImportFile;

/// A pattern. It names what fits it with all that is below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModulePattern {
    text: String,
    segments: Vec<String>,
    by_path: bool,
}

impl ModulePattern {
    /// A text with a slash is a path from the project's root, any other a name.
    pub(super) fn parse(text: &str) -> Self {
        let text = text.trim();
        let by_path = text.contains('/');
        let plain = if by_path { text.to_owned() } else { text.replace("::", ".") };
        let separator = if by_path { '/' } else { '.' };
        let segments = plain.split(separator).filter(|part| !part.is_empty() && *part != ".");
        Self { text: text.to_owned(), segments: segments.map(str::to_owned).collect(), by_path }
    }

    /// A pattern that is named from within a module or folder.
    pub(super) fn below(container: &str, text: &str) -> Self {
        let by_path = container.contains('/') || text.contains('/');
        Self::parse(&format!("{container}{}{text}", if by_path { "/" } else { "." }))
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn has_wildcard(&self) -> bool {
        self.segments.iter().any(|segment| segment.contains('*'))
    }

    /// Where the pattern is about paths.
    pub(super) fn is_path(&self) -> bool {
        self.by_path
    }

    pub(super) fn names(&self, file: &ImportFile) -> bool {
        self.named_module(file).is_some()
    }

    /// The module or folder that fits the pattern, of those that are or hold the file.
    pub(super) fn named_module(&self, file: &ImportFile) -> Option<String> {
        if !self.by_path {
            return file.names.iter().find_map(|name| {
                let parts: Vec<&str> = name.iter().map(String::as_str).collect();
                let length = self.matched_length(&parts)?;
                Some(parts.get(..length)?.join("."))
            });
        }
        let whole: Vec<&str> = file.path.split('/').collect();
        // A file may be named without its ending.
        let stem: Vec<&str> =
            file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem).split('/').collect();
        let found = self.matched_length(&whole).or_else(|| self.matched_length(&stem));
        found.and_then(|length| Some(whole.get(..length)?.join("/")))
    }

    /// How many of the parts fit the pattern, as few as possible. The set of places that the pattern can have come to
    /// is kept, so that its length and that of the name are all that counts.
    fn matched_length(&self, parts: &[&str]) -> Option<usize> {
        if self.segments.is_empty() {
            return None;
        }
        let mut reached = vec![false; parts.len() + 1];
        reached[0] = true;
        for (at, segment) in self.segments.iter().enumerate() {
            let mut next = vec![false; parts.len() + 1];
            if segment == "**" {
                let first = reached.iter().position(|reached| *reached)?;
                // At its end it stands for what is below, else it may stand for nothing.
                let from = if at + 1 == self.segments.len() { first + 1 } else { first };
                next.iter_mut().skip(from).for_each(|place| *place = true);
            } else {
                for (place, part) in parts.iter().enumerate() {
                    if reached.get(place) == Some(&true)
                        && fits_wildcard(segment, part)
                        && let Some(next) = next.get_mut(place + 1)
                    {
                        *next = true;
                    }
                }
            }
            reached = next;
        }
        reached.iter().position(|reached| *reached)
    }
}

/// Whether a text fits a pattern in which `*` stands for any signs; the last star is tried anew, no other.
fn fits_wildcard(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut place) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while place < text.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, place));
            at += 1;
        } else if pattern.get(at).is_some() && pattern.get(at) == text.get(place) {
            at += 1;
            place += 1;
        } else if let Some((star_at, from)) = star {
            star = Some((star_at, from + 1));
            at = star_at + 1;
            place = from + 1;
        } else {
            return false;
        }
    }
    pattern.iter().skip(at).all(|sign| *sign == '*')
}

/// A name from outside the project is in a package when it is the package or below it.
pub(super) fn is_in_package(module: &str, package: &str) -> bool {
    let module = module.strip_prefix("node:").unwrap_or(module);
    if package.contains('*') {
        let first = module.split(['.', '/', ':']).next().unwrap_or(module);
        return fits_wildcard(package, first) || fits_wildcard(package, module);
    }
    module.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', ':']))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::module_names::module_names;
    use super::*;
    use crate::model::Language;

    fn file(path: &str) -> ImportFile {
        let packages = BTreeSet::from(["shop", "shop/web", "shop/web/api"]);
        ImportFile { path: path.to_owned(), names: module_names(path, Language::of_path(path).unwrap(), &packages) }
    }

    #[rstest::rstest]
    #[case("shop.web", "shop/web/api/v1.py", Some("shop.web"))]
    #[case("shop.web", "shop/web/__init__.py", Some("shop.web"))]
    #[case("shop.web", "shop/webs.py", None)]
    #[case("shop.*", "shop/web/api/v1.py", Some("shop.web"))]
    #[case("shop.*.api", "shop/web/api/v1.py", Some("shop.web.api"))]
    #[case("shop.**.v1", "shop/web/api/v1.py", Some("shop.web.api.v1"))]
    #[case("shop.**.web", "shop/web/api/v1.py", Some("shop.web"))]
    #[case("shop.**", "shop/web/api/v1.py", Some("shop.web"))]
    #[case("shop.**", "shop/__init__.py", None)]
    #[case("**", "shop/__init__.py", Some("shop"))]
    #[case("src/web", "src/web/a.ts", Some("src/web"))]
    #[case("./src/web/", "src/web/a.ts", Some("src/web"))]
    #[case("src/web", "src/web.ts", Some("src/web.ts"))]
    #[case("src/web/a.ts", "src/web/a.ts", Some("src/web/a.ts"))]
    #[case("packages/*/src", "packages/one/src/a.ts", Some("packages/one/src"))]
    #[case("packages/*/src", "packages/one/test/a.ts", None)]
    #[case("src/*.test.ts", "src/a.test.ts", Some("src/a.test.ts"))]
    #[case("quality::change", "src/quality/change/mod.rs", Some("quality.change"))]
    fn a_pattern_names_a_module_with_what_is_below(
        #[case] pattern: &str,
        #[case] path: &str,
        #[case] expected: Option<&str>,
    ) {
        assert_eq!(ModulePattern::parse(pattern).named_module(&file(path)).as_deref(), expected);
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = ModulePattern::parse(&"**/*a*/".repeat(30));
        let deep = file(&format!("{}x.ts", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab/".repeat(60)));
        assert!(pattern.names(&deep));
        assert!(!fits_wildcard(&"*a".repeat(100), &"a".repeat(99)));
    }

    #[test]
    fn packages_hold_what_is_below_them() {
        for (module, package, expected) in [
            ("django.db", "django", true),
            ("djangorest", "django", false),
            ("node:fs", "fs", true),
            ("lodash/merge", "lodash", true),
            ("serde::de", "serde", true),
            ("aws_cdk.core", "aws_*", true),
        ] {
            assert_eq!(is_in_package(module, package), expected, "{module}");
        }
    }
}
