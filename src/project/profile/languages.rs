//! Languages by lines.

use std::collections::BTreeMap;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::ProjectFiles;

/// The largest file whose lines are counted, in bytes; larger ones are data.
const MAX: u64 = 2 << 20;

/// One language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageShare {
    pub name: String,
    pub files: usize,
    pub lines: usize,
    /// Percent of all lines counted, with one decimal.
    pub percent: f64,
}

/// Endings of file names (lower case), sorted, with their languages.
const ENDINGS: &[(&str, &str)] = &[
    ("bash", "shell"),
    ("c", "c"),
    ("cc", "c++"),
    ("cjs", "javascript"),
    ("cpp", "c++"),
    ("cs", "c#"),
    ("css", "css"),
    ("cts", "typescript"),
    ("cxx", "c++"),
    ("dart", "dart"),
    ("ex", "elixir"),
    ("exs", "elixir"),
    ("go", "go"),
    ("h", "c"),
    ("hpp", "c++"),
    ("hs", "haskell"),
    ("html", "html"),
    ("java", "java"),
    ("js", "javascript"),
    ("jsx", "javascript"),
    ("kt", "kotlin"),
    ("kts", "kotlin"),
    ("less", "css"),
    ("lua", "lua"),
    ("mjs", "javascript"),
    ("mts", "typescript"),
    ("nix", "nix"),
    ("php", "php"),
    ("py", "python"),
    ("pyi", "python"),
    ("pyw", "python"),
    ("pyx", "python"),
    ("rb", "ruby"),
    ("rs", "rust"),
    ("scala", "scala"),
    ("scss", "css"),
    ("sh", "shell"),
    ("sql", "sql"),
    ("svelte", "svelte"),
    ("swift", "swift"),
    ("tf", "terraform"),
    ("ts", "typescript"),
    ("tsx", "typescript"),
    ("vue", "vue"),
    ("zig", "zig"),
];

fn language(path: &str) -> Option<&'static str> {
    let ending = path.rsplit_once('.')?.1.to_ascii_lowercase();
    let at = ENDINGS.binary_search_by_key(&ending.as_str(), |(known, _)| known).ok()?;
    ENDINGS.get(at).map(|(_, language)| *language)
}

/// The languages of the files, the one with the most lines first.
pub(super) fn count_languages(files: &ProjectFiles, paths: &[&str]) -> Vec<LanguageShare> {
    let of = |path: &&str| {
        let language = language(path)?;
        let bytes = files.read(path, MAX).ok()?;
        let unfinished = bytes.last().is_some_and(|last| *last != b'\n');
        Some((language, bytes.iter().filter(|byte| **byte == b'\n').count() + usize::from(unfinished)))
    };
    let counted: Vec<(&str, usize)> = paths.par_iter().filter_map(of).collect();
    let mut sums: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (language, lines) in counted {
        let sum = sums.entry(language).or_default();
        *sum = (sum.0 + 1, sum.1 + lines);
    }
    let all: usize = sums.values().map(|(_, lines)| lines).sum();
    #[expect(clippy::cast_precision_loss, reason = "line counts are far below the limit")]
    let share = |lines: usize| if all == 0 { 0.0 } else { (lines as f64 / all as f64 * 1000.0).round() / 10.0 };
    let one = |(name, (files, lines)): (&str, (usize, usize))| LanguageShare {
        name: name.to_owned(),
        files,
        lines,
        percent: share(lines),
    };
    let mut shares: Vec<LanguageShare> = sums.into_iter().map(one).collect();
    shares.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.name.cmp(&b.name)));
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_sorted_and_known() {
        assert!(ENDINGS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(
            (language("a/B.PY"), language("x.tsx"), language("x.json"), language("py")),
            (Some("python"), Some("typescript"), None, None)
        );
    }
}
