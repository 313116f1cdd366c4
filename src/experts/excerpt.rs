//! Which rules, rows and paragraphs of the best files make up an answer: not whole sections, since what is asked for is
//! often one row here and two rules there.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{Knowledge, Section};
use super::terms;

/// What a block gains that has every word of the question.
const ASKED: f64 = 1.5;
/// What a block gains that has every term of the entries that the question is read as: whoever asks in everyday words wants the
/// passage in the field's.
const READ_AS: f64 = 1.0;
/// What a section counts that no word of the question is in, beside the best of its file.
const UNASKED: f64 = 0.6;
/// Code is long for what it says.
const CODE: f64 = 0.3;
/// Stands at the end of a section that has more.
const MORE: &str = "…\n";

/// What cannot be parted: a rule, a row, a paragraph, a piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    kind: ExcerptKind,
    /// First line and the line after the last, in the section.
    lines: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExcerptKind {
    /// A heading, or the two lines above the rows of a table: kept with the first block below it.
    Above,
    Row,
    Text,
    Code,
}

/// A section that may be in the answer.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    pub(super) file: &'a Knowledge,
    pub(super) section: &'a Section,
    /// What its file counts, 1 for the best.
    pub(super) share: f64,
    /// How well its words match, 1 for the best of its file.
    pub(super) match_share: f64,
}

/// The words that a passage is wanted to have, with what each of them weighs.
#[derive(Debug, Default)]
pub(super) struct WantedWords {
    /// Those of the question.
    pub(super) asked: BTreeMap<String, f64>,
    /// The terms of the entries that it is read as.
    pub(super) read_as: BTreeMap<String, f64>,
}

/// What is kept of a section.
#[derive(Debug)]
pub(super) struct Excerpt {
    /// Position among the candidates.
    pub(super) candidate: usize,
    pub(super) text: String,
    /// First line and the last that is kept, in the file.
    pub(super) lines: (u64, u64),
}

/// How many bytes an answer may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// For its text.
    pub(super) text: usize,
    /// For its text as JSON has it, and for what cites it.
    pub(super) reply: usize,
}

/// The blocks that say most for their length of room, in the order of the candidates; and whether any was left out.
/// `opens` gives the bytes that the first block of a file takes besides, and `cites` those that cite a section.
pub(super) fn choose_excerpts(
    candidates: &[Candidate<'_>],
    wanted: &WantedWords,
    mut room: Room,
    opens: impl Fn(&Knowledge) -> usize,
    cites: impl Fn(&Candidate<'_>) -> usize,
) -> (Vec<Excerpt>, bool) {
    let sections: Vec<(Vec<&str>, Vec<Block>)> = candidates
        .iter()
        .map(|candidate| {
            let lines: Vec<&str> = candidate.section.text.split_inclusive('\n').collect();
            let blocks = split_into_blocks(&lines);
            (lines, blocks)
        })
        .collect();
    let mut order: Vec<(f64, usize, usize)> = Vec::new();
    for (at, (candidate, (lines, blocks))) in candidates.iter().zip(&sections).enumerate() {
        let section =
            weight(&candidate.section.heading) * candidate.share * (UNASKED + (1.0 - UNASKED) * candidate.match_share);
        for (number, block) in blocks.iter().enumerate().filter(|(_, block)| block.kind != ExcerptKind::Above) {
            let words: BTreeSet<String> = block.of(lines).iter().flat_map(|line| terms::term_sequence(line)).collect();
            let kind = if block.kind == ExcerptKind::Code { CODE } else { 1.0 };
            order.push((section * kind * (1.0 + wanted.gain(&words)), at, number));
        }
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut kept: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut opened: BTreeSet<&str> = BTreeSet::new();
    let mut left_out = false;
    for (_, at, number) in order {
        let (Some(candidate), Some((lines, blocks))) = (candidates.get(at), sections.get(at)) else { continue };
        let held = kept.get(&at);
        let wanted: Vec<usize> = with_what_is_above(blocks, number)
            .into_iter()
            .filter(|number| held.is_none_or(|held| !held.contains(number)))
            .collect();
        let texts = wanted.iter().filter_map(|number| blocks.get(*number)).flat_map(|block| block.of(lines));
        let (mut text, mut reply) =
            texts.fold((0, 0), |(text, reply), line| (text + line.len(), reply + json_bytes(line)));
        if held.is_none() {
            text += MORE.len();
            reply += MORE.len() + 1 + cites(candidate);
        }
        if !opened.contains(candidate.file.name.as_str()) {
            text += opens(candidate.file);
            reply += opens(candidate.file) + 1;
        }
        let (Some(rest), Some(rest_of_reply)) = (room.text.checked_sub(text), room.reply.checked_sub(reply)) else {
            left_out = true;
            continue;
        };
        room = Room { text: rest, reply: rest_of_reply };
        opened.insert(&candidate.file.name);
        kept.entry(at).or_default().extend(wanted);
    }
    let excerpts = kept.into_iter().filter_map(|(at, numbers)| {
        let (lines, blocks) = sections.get(at)?;
        let first = candidates.get(at)?.section.lines.start;
        let of = |number: &usize| blocks.get(*number);
        let mut text: String = numbers.iter().filter_map(of).flat_map(|block| block.of(lines)).copied().collect();
        let last = numbers.iter().filter_map(of).map(|block| block.lines.1).max()?;
        if numbers.len() < blocks.len() {
            text.push_str(MORE);
        }
        Some(Excerpt { candidate: at, text, lines: (first, first + last as u64 - 1) })
    });
    (excerpts.collect(), left_out)
}

impl WantedWords {
    /// What a block gains by its words.
    fn gain(&self, words: &BTreeSet<String>) -> f64 {
        ASKED * share_of_weights(&self.asked, words) + READ_AS * share_of_weights(&self.read_as, words)
    }
}

/// The share of what all words weigh that some have.
fn share_of_weights(weights: &BTreeMap<String, f64>, words: &BTreeSet<String>) -> f64 {
    let all: f64 = weights.values().sum();
    let has: f64 = words.iter().filter_map(|word| weights.get(word)).sum();
    if all > 0.0 { has / all } else { 0.0 }
}

impl Block {
    fn of<'a, 'l>(&self, lines: &'a [&'l str]) -> &'a [&'l str] {
        lines.get(self.lines.0..self.lines.1).unwrap_or_default()
    }
}

/// Bytes of a line in a JSON string.
fn json_bytes(line: &str) -> usize {
    line.len() + line.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\t')).count()
}

/// The block, and those that it makes no sense without: the heading of the section, the subheading above it, and the head
/// of its table.
fn with_what_is_above(blocks: &[Block], number: usize) -> Vec<usize> {
    let above = blocks.iter().take(number).rposition(|block| block.kind == ExcerptKind::Above);
    let mut wanted: Vec<usize> = above.into_iter().chain(std::iter::once(number)).collect();
    if blocks.first().is_some_and(|first| first.kind == ExcerptKind::Above) && !wanted.contains(&0) {
        wanted.push(0);
    }
    wanted.sort_unstable();
    wanted
}

fn split_into_blocks(lines: &[&str]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fenced = false;
    // True where the line before belongs to a block that the next one may go on with.
    let mut open = false;
    for (at, line) in lines.iter().enumerate() {
        let before = blocks.last().map(|block| block.kind);
        let extend = |blocks: &mut Vec<Block>| {
            if let Some(block) = blocks.last_mut() {
                block.lines.1 = at + 1;
            }
        };
        let mut begin = |kind| blocks.push(Block { kind, lines: (at, at + 1) });
        if line.starts_with("```") || fenced {
            let fence = line.starts_with("```");
            if fence && !fenced {
                begin(ExcerptKind::Code)
            } else {
                extend(&mut blocks)
            }
            fenced ^= fence;
            open = false;
        } else if line.trim().is_empty() {
            // An empty line goes with what is before it.
            if before.is_some() {
                extend(&mut blocks)
            }
            open = false;
        } else if line.starts_with('#') {
            begin(ExcerptKind::Above);
            open = false;
        } else if line.starts_with('|') {
            let head = lines.get(at + 1).is_some_and(|next| is_separator(next));
            if is_separator(line) && before == Some(ExcerptKind::Above) {
                extend(&mut blocks);
            } else if head && !is_separator(line) {
                begin(ExcerptKind::Above);
            } else {
                begin(ExcerptKind::Row);
            }
            open = false;
        } else if open && !is_item(line) {
            extend(&mut blocks);
        } else {
            begin(ExcerptKind::Text);
            open = true;
        }
    }
    blocks
}

fn is_separator(line: &str) -> bool {
    line.starts_with('|') && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\n' | b'\r'))
}

fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || line.starts_with("* ") || (rest.len() < line.len() && rest.starts_with(". "))
}

/// Decisions hold most of what is asked for in the fewest bytes, rules and pitfalls come next.
fn weight(heading: &str) -> f64 {
    match heading {
        "Decision" => 2.6,
        "Rules" => 2.0,
        "Pitfalls" => 1.4,
        "Check" => 1.0,
        "When it applies" => 1.2,
        _ => 0.8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::KnowledgeOrigin;

    const TEXT: &str = "---\ntitle: Pools\ndomain: database\nreviewed: 2026-11-21\n---\n# Pools\n## Decision\n\
                        | need | size |\n|---|---|\n| web | cores |\n| batch | two |\n\n## Rules\n\
                        1. Count the cores.\n   Twice, with disks.\n2. Close what idles.\n```sql\nSELECT 1;\n\n```\n";

    /// Texts with their first and last lines, and whether something was left out.
    type ChosenTexts = (Vec<(String, (u64, u64))>, bool);

    fn pools() -> Knowledge {
        Knowledge::parse_file("database/pools", "knowledge/database/pools.md", KnowledgeOrigin::BuiltIn, TEXT).unwrap()
    }

    fn choose(asked: &[&str], room: usize) -> ChosenTexts {
        choose_by(asked, &[], room)
    }

    fn choose_by(asked: &[&str], read_as: &[&str], room: usize) -> ChosenTexts {
        let file = pools();
        let candidates: Vec<Candidate<'_>> = file
            .sections
            .iter()
            .map(|section| Candidate { file: &file, section, share: 1.0, match_share: 1.0 })
            .collect();
        let [asked, read_as] =
            [asked, read_as].map(|words| words.iter().map(|word| ((*word).to_owned(), 1.0)).collect());
        let wanted = WantedWords { asked, read_as };
        let room = Room { text: room, reply: 10 * room };
        let (excerpts, left_out) = choose_excerpts(&candidates, &wanted, room, |_| 10, |_| 50);
        (excerpts.into_iter().map(|excerpt| (excerpt.text, excerpt.lines)).collect(), left_out)
    }

    #[test]
    fn with_room_for_everything_everything_is_kept() {
        let (excerpts, left_out) = choose(&[], 1_000);
        let texts: String = excerpts.iter().map(|(text, _)| text.as_str()).collect();
        assert!(TEXT.ends_with(&texts), "{texts}");
        assert!(!left_out);
        assert_eq!(excerpts.iter().map(|(_, lines)| *lines).collect::<Vec<_>>(), [(7, 12), (13, 20)]);
    }

    #[test]
    fn a_row_brings_its_head_and_what_is_asked_for_comes_first() {
        let (excerpts, left_out) = choose(&["batch"], 70);
        assert!(left_out);
        let expected = "## Decision\n| need | size |\n|---|---|\n| batch | two |\n\n…\n";
        assert_eq!(excerpts, [(expected.to_owned(), (7, 12))]);
        // A rule keeps its second line, and the answer is for its lines alone.
        let (excerpts, _) = choose(&["core", "twice", "disk"], 72);
        assert_eq!(excerpts, [("## Rules\n1. Count the cores.\n   Twice, with disks.\n…\n".to_owned(), (13, 15))]);
    }

    #[test]
    fn terms_of_entries_speak_for_a_passage_less_than_words_that_were_asked() {
        let row = |(excerpts, _): ChosenTexts| excerpts[0].0.contains("| batch |");
        assert!(row(choose_by(&[], &["batch"], 70)));
        assert!(row(choose_by(&["batch"], &["web"], 70)));
    }

    #[test]
    fn nothing_fits_into_no_room() {
        assert_eq!(choose(&["batch"], 5), (Vec::new(), true));
    }
}
