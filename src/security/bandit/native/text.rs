//! Texts as CPython's tree has them: in an f-string, everything between two replacement fields is one of them.

use ruff_python_ast::{
    FStringPart, FStringValue, InterpolatedElement, InterpolatedStringElement, InterpolatedStringElements, TStringValue,
};
use ruff_text_size::{Ranged as _, TextSize};

/// One text at its place in the tree.
#[derive(Debug)]
pub(super) struct TextNode<'n> {
    pub(super) value: &'n str,
    pub(super) start: TextSize,
    /// All texts of the f-string together, for the first of them.
    pub(super) joined: Option<String>,
}

/// A part of an f-string.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Text(String, TextSize),
    Field(&'a InterpolatedElement),
}

/// The parts of an f-string, of whatever parts it is written.
pub(super) fn pieces_of_fstring(value: &FStringValue) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for part in value {
        match part {
            FStringPart::Literal(literal) => add_text(&mut pieces, &literal.value, literal.start()),
            FStringPart::FString(inner) => add_elements(&mut pieces, &inner.elements),
        }
    }
    // An empty text is where the next one begins; alone it is none.
    pieces.retain(|piece| !matches!(piece, Piece::Text(text, _) if text.is_empty()));
    pieces
}

/// The parts of a template.
pub(super) fn pieces_of_template(value: &TStringValue) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for part in value {
        add_elements(&mut pieces, &part.elements);
    }
    pieces
}

/// The parts of elements that stand together.
pub(super) fn pieces_of_elements(elements: &InterpolatedStringElements) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    add_elements(&mut pieces, elements);
    pieces
}

fn add_elements<'a>(pieces: &mut Vec<Piece<'a>>, elements: &'a InterpolatedStringElements) {
    for element in elements {
        match element {
            InterpolatedStringElement::Literal(literal) => add_text(pieces, &literal.value, literal.start()),
            InterpolatedStringElement::Interpolation(field) => {
                // `{x=}` shows what is written in it.
                if let Some(debug) = &field.debug_text {
                    let written = format!("{}{}{}", debug.leading(), debug.expression(), debug.trailing());
                    add_text(pieces, &written, field.start() + TextSize::from(1));
                }
                pieces.push(Piece::Field(field));
            }
        }
    }
}

fn add_text(pieces: &mut Vec<Piece<'_>>, text: &str, start: TextSize) {
    match pieces.last_mut() {
        Some(Piece::Text(before, _)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned(), start)),
    }
}

/// All texts together.
pub(super) fn join_texts(pieces: &[Piece<'_>]) -> String {
    let texts =
        pieces.iter().filter_map(|piece| if let Piece::Text(text, _) = piece { Some(text.as_str()) } else { None });
    texts.collect()
}
