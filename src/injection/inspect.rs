//! Weighing what was found: near things together, shown things less, hidden things more.

use std::collections::BTreeMap;

use super::fold::fold_text;
use super::place::DocumentRegions;
use super::{
    InjectionKind, InjectionReport, InjectionVerdict, PatternHit, Reason, chat, command, encoded, hidden, image,
    orders, phrase,
};

/// What lies closer together than this, in bytes, is one attempt.
const NEAR: usize = 700;
/// The score of an attempt from which on it is marked, and from which on it is held back.
const ANNOTATE: u8 = 2;
const WITHHOLD: u8 = 4;
/// The same where each hit for itself may be harmless.
const WITHHOLD_IN_DOUBT: u8 = 6;
/// The weight of a hit that is hardly harmless.
const CERTAIN: u8 = 3;

/// Looks at a text.
#[must_use]
pub fn inspect_text(text: &str) -> InjectionReport {
    let mut reasons = Vec::new();
    let mut verdict = InjectionVerdict::Pass;
    let breaks: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    for attempt in attempts(text) {
        let judged = match attempt.score {
            WITHHOLD.. if attempt.certain || attempt.score >= WITHHOLD_IN_DOUBT => InjectionVerdict::Withhold,
            ANNOTATE.. => InjectionVerdict::Annotate,
            _ => continue,
        };
        verdict = verdict.max(judged);
        reasons.extend(attempt.hits.iter().map(|hit| Reason {
            kind: hit.kind,
            line: line_of(&breaks, hit.span.start),
            message: hit.message.to_owned(),
            span: hit.span.clone(),
        }));
    }
    InjectionReport { verdict, reasons }
}

/// Hits that lie close together.
struct Attempt {
    hits: Vec<PatternHit>,
    score: u8,
    /// One of the hits is hardly harmless.
    certain: bool,
}

fn attempts(text: &str) -> Vec<Attempt> {
    let places = DocumentRegions::from_text(text);
    let hits = collect_hits(text, &places);
    let mut groups: Vec<Vec<PatternHit>> = Vec::new();
    for hit in hits {
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|last| hit.span.start < last.span.end.saturating_add(NEAR)) => {
                group.push(hit);
            }
            _ => groups.push(vec![hit]),
        }
    }
    groups.into_iter().map(|group| weigh_attempt(group, &places)).collect()
}

/// The hits in the order of their places, each place and kind once.
fn collect_hits(text: &str, places: &DocumentRegions) -> Vec<PatternHit> {
    let folded = fold_text(text);
    let orders = orders::find_orders(text, |span| places.is_hidden(span));
    let mut hits = phrase::find_phrases(&folded);
    // What a phrase says of a sentence that reads like anything but an order counts less.
    for hit in hits.iter_mut().filter(|hit| hit.weight < WITHHOLD && orders.harmless.contains_span(&hit.span)) {
        hit.weight = 1;
    }
    hits.extend(encoded::find_encoded_attacks(text, &folded, &hits));
    let mut marks = chat::find_chat_marks(text);
    // Marks in a sentence that reads like anything but an order are spoken of, be it one alone or a list of them; where one
    // ends and the next begins, they are in use.
    marks.sort_by_key(|mark| mark.span.start);
    let mut neighbours = marks.iter().zip(marks.iter().skip(1));
    let listed = neighbours.all(|(one, next)| is_list(text, one, next) && one.span.end != next.span.start);
    if listed && marks.iter().all(|mark| orders.harmless.contains_span(&mark.span)) {
        marks.iter_mut().for_each(|mark| mark.weight = 1);
    }
    hits.extend(marks);
    hits.extend(command::find_dangerous_commands(text));
    hits.extend(hidden::find_hidden_characters(text));
    hits.extend(image::find_data_links(text));
    hits.extend(orders.hits);
    hits.sort_by(|a, b| (a.span.start, a.kind, b.weight).cmp(&(b.span.start, b.kind, a.weight)));
    let mut kept: Vec<PatternHit> = Vec::new();
    // Of each kind only the last can reach as far as the next: those before it end where it begins, or earlier.
    let mut latest: BTreeMap<InjectionKind, usize> = BTreeMap::new();
    for hit in hits {
        let last = latest.get(&hit.kind).and_then(|at| kept.get_mut(*at));
        match last.filter(|other| hit.span.start < other.span.end) {
            Some(other) => {
                if hit.weight > other.weight {
                    (other.weight, other.message) = (hit.weight, hit.message);
                }
                other.span.end = other.span.end.max(hit.span.end);
            }
            None => {
                latest.insert(hit.kind, kept.len());
                kept.push(hit);
            }
        }
    }
    kept
}

/// Whether nothing but a word such as "and" stands between two marks.
fn is_list(text: &str, one: &PatternHit, next: &PatternHit) -> bool {
    let between = text.get(one.span.end..next.span.start).unwrap_or_default();
    !between.contains('\n')
        && between.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count() <= 1
}

/// The score of an attempt: the heaviest hit of each kind, and one more when it was kept from sight.
fn weigh_attempt(hits: Vec<PatternHit>, places: &DocumentRegions) -> Attempt {
    let mut kinds: BTreeMap<InjectionKind, u8> = BTreeMap::new();
    let mut concealed = false;
    for hit in &hits {
        let halves = !matches!(hit.kind, InjectionKind::HiddenUnicode | InjectionKind::EncodedPayload)
            && places.is_shown(&hit.span);
        let code = hit.kind == InjectionKind::ChatTokens && places.is_code(&hit.span);
        let weight = if code {
            1
        } else if halves {
            hit.weight - hit.weight / 2
        } else {
            hit.weight
        };
        let heaviest = kinds.entry(hit.kind).or_default();
        *heaviest = (*heaviest).max(weight);
        concealed |= places.is_hidden(&hit.span);
    }
    let score = kinds.values().sum::<u8>() + u8::from(concealed);
    let certain = kinds.values().any(|weight| *weight >= CERTAIN);
    Attempt { hits, score, certain }
}

/// 1-based line of a byte, by the places of the line breaks.
fn line_of(breaks: &[usize], at: usize) -> u32 {
    u32::try_from(breaks.partition_point(|end| *end < at) + 1).unwrap_or(u32::MAX)
}
