//! The entrance to the parsers of C and C++.
//!
//! Both are read as they are written, before the preprocessor, which a grammar cannot follow everywhere: of the branches of an
//! `#if` only one is compiled, and they need not fit together. Where a text does not parse as it stands, it is read once more
//! with spaces in place of the branches that do not fit. Every byte keeps its place, so that such a tree speaks of the file.

mod conditionals;
mod header;
mod lex;

use tapps_base::language::Language;
use tree_sitter::Tree;

use crate::tree::{NoTree, parse_syntax_tree};
use conditionals::{Conditionals, Resolved};
use header::is_cpp_header;

/// Which of the two a file is: headers that end with `.h` are told by what they contain.
#[must_use]
pub fn language_of_c_file(path: &str, language: Language, text: &str) -> Language {
    let is_header = path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("h"));
    if language == Language::C && is_header && is_cpp_header(text) { Language::Cpp } else { language }
}

/// Reads a text, with as little left out as it takes. A text that has errors however it is read has the tree of the text as it
/// stands.
///
/// # Errors
/// When no parser can read it at all.
pub fn parse_c_family(language: Language, text: &str) -> Result<Tree, NoTree> {
    let plain = parse_syntax_tree(language, text)?;
    if !plain.root_node().has_error() {
        return Ok(plain);
    }
    let conditionals = Conditionals::of_text(text, language);
    for which in [Resolved::Unfit, Resolved::All] {
        let tree = parse_syntax_tree(language, &conditionals.choose(text, which))?;
        if !tree.root_node().has_error() {
            return Ok(tree);
        }
    }
    Ok(plain)
}

#[cfg(test)]
mod tests;
