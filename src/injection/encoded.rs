//! Attacks that are found only after decoding.

use super::fold::{Folded, fold};
use super::spans::Spans;
use super::{Hit, Kind, chat, decode, phrase, squash};

/// Codes within codes are followed this deep.
const DEEPEST: u8 = 2;

/// What the text says in code.
pub(super) fn find(text: &str, folded: &Folded, plain: &[Hit]) -> Vec<Hit> {
    let mut hits: Vec<Hit> = decode::find(text)
        .into_iter()
        .filter(|decoded| is_hostile(&decoded.text, DEEPEST))
        .map(|decoded| Hit {
            kind: Kind::EncodedPayload,
            weight: 4,
            span: decoded.span,
            message: "holds an attack in encoded form",
        })
        .collect();
    let telling = [Kind::InstructionOverride, Kind::PromptExtraction, Kind::RolePlay];
    let plainly = telling.map(|kind| {
        let spans: Spans = plain.iter().filter(|hit| hit.kind == kind).map(|hit| hit.span.clone()).collect();
        (kind, spans)
    });
    let last = folded.chars().map(|(_, from)| from).max().unwrap_or_default() + 1;
    for spelling in squash::spellings(folded) {
        let found = phrase::find(&spelling).into_iter().filter(|hit| hit.weight >= 2 && telling.contains(&hit.kind));
        let new = found.map(|hit| Hit { span: spread(last, &hit), ..hit });
        let known = |hit: &Hit| plainly.iter().any(|(kind, spans)| *kind == hit.kind && spans.touch(&hit.span));
        hits.extend(new.filter(|hit| !known(hit)).map(|hit| Hit {
            weight: hit.weight.min(3),
            message: "holds an attack in a spelling meant to be overlooked",
            kind: hit.kind,
            span: hit.span,
        }));
    }
    hits.extend(squash::run_together(folded).into_iter().map(|span| Hit {
        kind: Kind::InstructionOverride,
        weight: 3,
        span,
        message: "holds an attack with its letters apart or its words run together",
    }));
    hits
}

/// A span of a text that ends before `last`, which has its end before its start where the text was read backwards.
fn spread(last: usize, hit: &Hit) -> std::ops::Range<usize> {
    let (low, high) = (hit.span.start.min(hit.span.end), hit.span.start.max(hit.span.end));
    low..high.min(last.max(low + 1))
}

/// Whether a decoded text is an attack, be it in a code within.
fn is_hostile(text: &str, depth: u8) -> bool {
    let folded = fold(text);
    phrase::find(&folded).iter().any(|hit| hit.weight >= 2)
        || chat::find(text).iter().any(|hit| hit.weight >= 3)
        || is_command(&folded.text)
        || (depth > 0 && decode::find(text).iter().any(|inner| is_hostile(&inner.text, depth - 1)))
}

/// Encoding a command that fetches and runs, or destroys, has no honest reason.
fn is_command(text: &str) -> bool {
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    any(&["rm -rf", "/etc/passwd", "nc -e", "/dev/tcp/"])
        || (any(&["curl ", "wget "]) && any(&["| sh", "|sh", "| bash", "|bash", "--data", "-d @", ".env", "id_rsa"]))
}
