//! Attacks that are found only after decoding.

use super::decode::Decoded;
use super::fold::{Folded, fold_text};
use super::spans::Spans;
use super::{InjectionKind, PatternHit, chat, ciphers, decode, orders, phrase, pieces, squash};

/// Codes within codes are followed this deep.
const DEEPEST: u8 = 2;

/// What the text says in code.
pub(super) fn find_encoded_attacks(text: &str, folded: &Folded, plain: &[PatternHit]) -> Vec<PatternHit> {
    let mut hits: Vec<PatternHit> = decode::find_decodable(text)
        .into_iter()
        .filter(|decoded| is_hostile(decoded, DEEPEST))
        .map(|decoded| PatternHit {
            kind: InjectionKind::EncodedPayload,
            weight: 4,
            span: decoded.span,
            message: "holds an attack in encoded form",
        })
        .collect();
    let telling = [InjectionKind::InstructionOverride, InjectionKind::PromptExtraction, InjectionKind::RolePlay];
    let plainly = telling.map(|kind| {
        let spans: Spans = plain.iter().filter(|hit| hit.kind == kind).map(|hit| hit.span.clone()).collect();
        (kind, spans)
    });
    let last = folded.chars().map(|(_, from)| from).max().unwrap_or_default() + 1;
    for spelling in squash::alternative_spellings(folded) {
        let found =
            phrase::find_phrases(&spelling).into_iter().filter(|hit| hit.weight >= 2 && telling.contains(&hit.kind));
        let new = found.map(|hit| PatternHit { span: hit_range_before(last, &hit), ..hit });
        let known =
            |hit: &PatternHit| plainly.iter().any(|(kind, spans)| *kind == hit.kind && spans.overlaps_span(&hit.span));
        hits.extend(new.filter(|hit| !known(hit)).map(|hit| PatternHit {
            weight: hit.weight.min(3),
            message: "holds an attack in a spelling meant to be overlooked",
            kind: hit.kind,
            span: hit.span,
        }));
    }
    for spelling in squash::disguises(folded).into_iter().filter(|spelling| spelling.text != folded.text) {
        let plain_at = |span: &std::ops::Range<usize>| {
            let origin = spelling.original_range(span.clone());
            let (low, high) = (origin.start.min(origin.end), origin.start.max(origin.end));
            let (low, high) = (text.floor_char_boundary(low), text.ceil_char_boundary(high));
            fold_text(text.get(low..high).unwrap_or_default()).text
        };
        hits.extend(orders::find_orders_spelt(&spelling.text, plain_at).into_iter().map(|hit| {
            let origin = PatternHit { span: spelling.original_range(hit.span.clone()), ..hit };
            PatternHit {
                kind: InjectionKind::EncodedPayload,
                span: hit_range_before(last, &origin),
                message: "holds an attack in a spelling meant to be overlooked",
                ..origin
            }
        }));
    }
    hits.extend(ciphers::find_ciphered_orders(text));
    hits.extend(pieces::find_pieced_orders(text));
    hits.extend(squash::run_together(text, folded).into_iter().map(|span| PatternHit {
        kind: InjectionKind::InstructionOverride,
        weight: 3,
        span,
        message: "holds an attack with its letters apart or its words run together",
    }));
    hits
}

/// A span of a text that ends before `last`, which has its end before its start where the text was read backwards.
fn hit_range_before(last: usize, hit: &PatternHit) -> std::ops::Range<usize> {
    let (low, high) = (hit.span.start.min(hit.span.end), hit.span.start.max(hit.span.end));
    low..high.min(last.max(low + 1))
}

/// Whether a decoded text is an attack, be it in a code within.
fn is_hostile(decoded: &Decoded, depth: u8) -> bool {
    let (text, written) = (decoded.text.as_str(), decoded.written);
    let folded = fold_text(text);
    phrase::find_phrases(&folded).iter().any(|hit| hit.weight >= 2)
        || chat::find_chat_marks(text).iter().any(|hit| hit.weight >= 3)
        || is_command(&folded.text)
        || orders::is_order(text, written)
        || (!text.trim().contains(' ')
            && ciphers::split_words(text.trim()).is_some_and(|words| orders::is_order(&words, written)))
        || (depth > 0 && decode::find_decodable(text).iter().any(|inner| is_hostile(inner, depth - 1)))
}

/// Encoding a command that fetches and runs, or destroys, has no honest reason.
fn is_command(text: &str) -> bool {
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    any(&["rm -rf", "/etc/passwd", "nc -e", "/dev/tcp/"])
        || (any(&["curl ", "wget "]) && any(&["| sh", "|sh", "| bash", "|bash", "--data", "-d @", ".env", "id_rsa"]))
}
