//! Which section of an expert's file a passage of a document belongs to.

use super::blocks::{BlockKind, DocumentBlock};

/// A section of a file, in the order in which they stand; the wrong twin stands below the example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    When,
    Decision,
    Rules,
    Example,
    Wrong,
    Check,
    Pitfalls,
}

impl Part {
    pub(super) const ALL: [Self; 7] =
        [Self::When, Self::Decision, Self::Rules, Self::Example, Self::Wrong, Self::Check, Self::Pitfalls];

    /// The line above it.
    pub(super) const fn heading(self) -> &'static str {
        match self {
            Self::When => "## When it applies\n",
            Self::Decision => "## Decision\n",
            Self::Rules => "## Rules\n",
            Self::Example => "## Example\n",
            Self::Wrong => "### Wrong\n",
            Self::Check => "## Check\n",
            Self::Pitfalls => "## Pitfalls\n",
        }
    }

    /// Lines that it may hold: together they stay below the 200 of a file.
    pub(super) const fn most_lines(self) -> usize {
        match self {
            Self::When => 12,
            Self::Decision => 32,
            Self::Rules => 45,
            Self::Example => 30,
            Self::Wrong => 22,
            Self::Check => 15,
            Self::Pitfalls => 20,
        }
    }
}

/// Words of headings, by the section that they speak of. The first that fits counts; the innermost heading is asked first.
const WORDS: [(Part, &[&str]); 6] = [
    (Part::Wrong, &["wrong", "bad", "don't", "avoid", "anti-pattern", "not like this", "before"]),
    (Part::Pitfalls, &["pitfall", "caveat", "gotcha", "warning", "known issue", "mistake", "limitation", "trouble"]),
    (Part::Check, &["check", "verif", "test", "lint", "enforce", "monitor", "review"]),
    (Part::Decision, &["decision", "decide", "choos", "choice", "option", "which", "comparison", "alternative"]),
    (
        Part::Rules,
        &["rule", "must", "guideline", "convention", "policy", "principle", "standard", "requirement", "practice"],
    ),
    (Part::When, &["when", "scope", "applies", "overview", "purpose", "introduction", "context", "background"]),
];

/// The section, or none for a passage that no section is about.
pub(super) fn part_of_block(block: &DocumentBlock) -> Option<Part> {
    let named = block.headings.iter().rev().find_map(|heading| {
        let speaks_of = |words: &[&str]| words.iter().any(|word| heading.contains(word));
        WORDS.iter().find(|(_, words)| speaks_of(words)).map(|(part, _)| *part)
    });
    match (block.kind, named) {
        (BlockKind::Code, Some(part @ (Part::Wrong | Part::Check))) => Some(part),
        (BlockKind::Code, _) => Some(Part::Example),
        // Words about the wrong way warn; the twin of an example is code.
        (_, Some(Part::Wrong)) => Some(Part::Pitfalls),
        (BlockKind::Table, None | Some(Part::When | Part::Rules)) => Some(Part::Decision),
        (BlockKind::List, None) => Some(Part::Rules),
        // What stands above the second heading says what the document is about.
        (BlockKind::Paragraph, None) => (block.headings.len() <= 1).then_some(Part::When),
        (_, named) => named,
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::read_document;
    use super::*;

    #[rstest::rstest]
    #[case("# Flags\nWe flag everything.\n", Some(Part::When))]
    #[case("# Flags\n## History\nLong ago.\n", None)]
    #[case("# Flags\n## Naming\n- begin with `qx_`\n", Some(Part::Rules))]
    #[case("# Flags\n## Naming\n| a | b |\n|---|---|\n", Some(Part::Decision))]
    #[case("# Flags\n```py\na = 1\n```\n", Some(Part::Example))]
    #[case("# Flags\n## What to avoid\n```py\na = 1\n```\n", Some(Part::Wrong))]
    #[case("# Flags\n## What to avoid\nNested flags.\n", Some(Part::Pitfalls))]
    #[case("# Rules for testing\n## Known issues\n- slow\n", Some(Part::Pitfalls))]
    #[case("# Flags\n## How it is verified\n```sh\nmake lint\n```\n", Some(Part::Check))]
    fn passages_find_their_section(#[case] text: &str, #[case] part: Option<Part>) {
        assert_eq!(part_of_block(&read_document("a.md", text)[0]), part);
    }

    #[test]
    fn a_full_file_has_less_than_two_hundred_lines() {
        let most: usize = Part::ALL.iter().map(|part| part.most_lines() + 1).sum();
        assert!(most < 185, "{most}");
    }
}
