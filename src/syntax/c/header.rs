//! Which language a header is written in, whose ending both use.

use tapps_base::language::Language;

use super::conditionals::{Conditionals, directive_parts};
use super::lex::{TokenKind, c_tokens};

/// True for a header that says something only C++ knows, outside of what stands there for C++ alone.
///
/// Such are `namespace`, `template <`, `class` with a name, `public:`, `using` with a name, `::` between names, and the inclusion
/// of a standard header without an ending. A header that says none of this is read as C.
pub(super) fn is_cpp_header(text: &str) -> bool {
    // What `#ifdef __cplusplus` holds is for users of the other language.
    let for_c = Conditionals::of_text(text, Language::C).choose_language(text);
    let tokens = c_tokens(&for_c);
    let at = |number: usize| tokens.get(number).map_or("", |token| token.text);
    let is_word = |number: usize| tokens.get(number).is_some_and(|token| token.kind == TokenKind::Word);
    tokens.iter().enumerate().any(|(number, token)| match (token.kind, token.text) {
        (TokenKind::Directive, directive) => includes_cpp(directive),
        (TokenKind::Word, "namespace") => at(number + 1) == "{" || is_word(number + 1),
        (TokenKind::Word, "template") => at(number + 1) == "<",
        (TokenKind::Word, "class") => is_word(number + 1) && matches!(at(number + 2), "{" | ":" | ";"),
        (TokenKind::Word, "public" | "private" | "protected") => at(number + 1) == ":",
        (TokenKind::Word, "using") => is_word(number + 1),
        (TokenKind::Sign, "::") => is_word(number + 1),
        _ => false,
    })
}

/// `#include <vector>`: those of C end with `.h`.
fn includes_cpp(directive: &str) -> bool {
    let (name, rest) = directive_parts(directive);
    let named = rest.trim().strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(named, _)| named);
    name == "include" && named.is_some_and(|named| !named.is_empty() && !named.contains(['.', '/']))
}
