//! From what was chosen to an answer within its budget.

use super::answer::{AnswerSymbol, LookupMode, Snippet};
use super::prose::without_decoration;
use super::screen::{self, Screen};
use super::select::Chosen;
use crate::symbol::{Guide, LibraryIndex, Symbol};
use crate::text::clip;

/// The share of the budget that what is wanted most may take, in percent.
const FIRST: usize = 65;
/// Longest section in an answer, in characters.
const SECTION: usize = 1_600;
/// Characters of one token; code and English prose lie near it.
const CHARACTERS: usize = 4;

/// The parts of an answer.
#[derive(Debug, Default)]
pub(super) struct Composed {
    pub(super) symbols: Vec<AnswerSymbol>,
    pub(super) snippets: Vec<Snippet>,
    pub(super) tokens: usize,
    pub(super) truncated: bool,
    pub(super) withheld: usize,
    screen: Option<Screen>,
}

/// Fills the budget: in mode `code` with symbols and then examples and sections, in mode `info` with sections first.
pub(super) fn compose_answer(
    index: &LibraryIndex,
    chosen: &Chosen<'_>,
    mode: LookupMode,
    budget: usize,
    screen: Screen,
) -> Composed {
    let mut composed = Composed { screen: Some(screen), ..Composed::default() };
    let first = budget * FIRST / 100;
    let examples = || chosen.symbols.iter().filter_map(|symbol| example(symbol));
    let sections = || chosen.guides.iter().filter_map(|at| index.guides.get(*at)).map(guide_snippet);
    match mode {
        LookupMode::Code => {
            let snippets =
                chosen.symbols.iter().take(3).any(|symbol| symbol.example.is_some()) || !chosen.guides.is_empty();
            composed.add_symbols(&chosen.symbols, if snippets { first } else { budget });
            composed.add_snippets(examples().take(2).chain(sections()), budget);
        }
        LookupMode::Info => {
            composed.add_snippets(
                sections().chain(examples().take(2)),
                if chosen.symbols.is_empty() { budget } else { first },
            );
            composed.add_symbols(&chosen.symbols, budget);
        }
    }
    composed
}

/// Fills the budget with what a service said, best first.
pub(super) fn compose_from_snippets(
    snippets: impl Iterator<Item = Snippet>,
    budget: usize,
    screen: Screen,
) -> Composed {
    let mut composed = Composed { screen: Some(screen), ..Composed::default() };
    for snippet in snippets {
        // The best is given whatever it takes: half an example is worth nothing. What finds no room is not looked at.
        let fits = |composed: &Composed, snippet: &Snippet| {
            composed.snippets.is_empty() || composed.tokens + tokens(snippet) <= budget
        };
        if !fits(&composed, &snippet) {
            composed.truncated = true;
            continue;
        }
        let Some(snippet) = composed.looked_at(snippet, screen::screen_snippet) else { continue };
        // Marks make it longer.
        if !fits(&composed, &snippet) {
            composed.truncated = true;
            continue;
        }
        composed.tokens += tokens(&snippet);
        composed.snippets.push(snippet);
    }
    composed
}

impl Composed {
    /// A part as it may be handed on; one that must not be is counted.
    fn looked_at<T>(&mut self, part: T, look: fn(T, Screen) -> Option<T>) -> Option<T> {
        let seen = look(part, self.screen.unwrap_or(screen::screen_and_redact));
        self.withheld += usize::from(seen.is_none());
        seen
    }

    fn add_symbols(&mut self, symbols: &[&Symbol], limit: usize) {
        for symbol in symbols {
            let Some(shown) = self.looked_at(to_answer_symbol(symbol), screen::screen_symbol) else { continue };
            let cost = tokens(&shown);
            // One symbol is given whatever it takes: an empty answer would help nobody.
            if self.tokens + cost > limit && !self.symbols.is_empty() {
                self.truncated = true;
                break;
            }
            self.tokens += cost;
            self.symbols.push(shown);
        }
    }

    fn add_snippets(&mut self, snippets: impl Iterator<Item = Snippet>, limit: usize) {
        for snippet in snippets {
            let Some(mut snippet) = self.looked_at(snippet, screen::screen_snippet) else { continue };
            let text = without_decoration(&snippet.text);
            if text.is_empty() {
                continue;
            }
            let left = limit.saturating_sub(self.tokens) * CHARACTERS;
            if left < 200 {
                self.truncated = true;
                break;
            }
            snippet.text = clip(&text, SECTION.min(left.saturating_sub(120)));
            self.tokens += tokens(&snippet);
            self.snippets.push(snippet);
        }
    }
}

fn to_answer_symbol(symbol: &Symbol) -> AnswerSymbol {
    AnswerSymbol {
        path: symbol.path.clone(),
        kind: symbol.kind,
        signature: symbol.signature.clone(),
        overloads: symbol.overloads.iter().take(4).cloned().collect(),
        doc: symbol.doc.clone(),
        since: symbol.since.clone(),
        deprecated: symbol.deprecated.clone(),
        at: format!("{}:{}", symbol.file, symbol.line),
    }
}

fn example(symbol: &Symbol) -> Option<Snippet> {
    Some(Snippet {
        title: format!("Example of {}", symbol.path),
        text: symbol.example.clone()?,
        at: format!("{}:{}", symbol.file, symbol.line),
    })
}

fn guide_snippet(guide: &Guide) -> Snippet {
    Snippet { title: guide.heading.clone(), text: guide.text.clone(), at: guide.file.clone() }
}

/// About how many tokens a part of an answer takes.
fn tokens(part: &impl serde::Serialize) -> usize {
    serde_json::to_string(part).map_or(0, |text| text.chars().count().div_ceil(CHARACTERS))
}
