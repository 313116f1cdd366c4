//! The entrance to the parsers of C and C++.
//!
//! Both are read as they are written, before the preprocessor, which a grammar cannot follow everywhere: of the branches of an
//! `#if` only one is compiled, and they need not fit together. And what a macro becomes stands in another file. Where a text does not
//! parse as it stands, it is read once more with spaces in place of the branches that do not fit, and of such macros. Every byte keeps its place, so that such a tree speaks of the file.

mod conditionals;
mod header;
mod lex;
mod macros;

use tapps_base::language::Language;
use tree_sitter::Tree;

use crate::tree::{NoTree, parse_syntax_tree};
use conditionals::{Conditionals, Resolved};
use header::is_cpp_header;
use macros::{without_directives, without_macros, without_type_arguments};

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
        let chosen = conditionals.choose(text, which);
        let bare = without_macros(&chosen);
        let untyped = without_type_arguments(&bare);
        // What is left out grows from one to the next.
        for read in [&chosen, &bare, &untyped, &without_directives(&untyped)] {
            let tree = parse_syntax_tree(language, read)?;
            if !tree.root_node().has_error() {
                return Ok(tree);
            }
        }
    }
    Ok(plain)
}

#[cfg(test)]
mod tests;
