//! Merging boxes until there are few enough: folders are opened while there is room, the fullest first.

use std::collections::{BTreeMap, BTreeSet};

use super::collect::{Fine, Leaf};
use super::{DiagramEdge, Picture, Vertex, VertexShape};

/// The most detailed picture of at most `most` boxes and `most_lines` lines; folders are opened at most `levels` deep.
pub(super) fn collapse(fine: &Fine, most: usize, levels: Option<u32>, most_lines: usize) -> Picture {
    let opened = opened_levels(fine, most, levels);
    let keys: Vec<&str> = fine.leaves.iter().zip(&opened).map(|(leaf, level)| box_key(leaf, *level)).collect();
    let mut order: Vec<&str> = keys.clone();
    order.sort_unstable();
    order.dedup();
    let mut members: BTreeMap<&str, Vec<&Leaf>> = BTreeMap::new();
    for (leaf, key) in fine.leaves.iter().zip(&keys) {
        members.entry(key).or_default().push(leaf);
    }
    let mut boxes: Vec<Vertex> = members.iter().map(|(key, leaves)| merged_vertex(key, leaves)).collect();
    let position = |leaf: usize| keys.get(leaf).and_then(|key| order.binary_search(key).ok());
    let mut sums: BTreeMap<(usize, usize), (usize, bool)> = BTreeMap::new();
    for ((from, to), (weight, faint)) in &fine.references {
        if let (Some(from), Some(to)) = (position(*from), position(*to))
            && from != to
        {
            let known = sums.entry((from, to)).or_insert((0, true));
            *known = (known.0 + weight, known.1 && *faint);
        }
    }
    let line = |((from, to), (weight, faint))| DiagramEdge { from, to, weight, faint };
    let mut lines: Vec<DiagramEdge> = sums.into_iter().map(line).collect();
    let hidden = lines.len().saturating_sub(most_lines);
    if hidden > 0 {
        lines = heaviest(lines, most_lines);
    }
    let covered = fine.leaves.len();
    let crowd = boxes.len().saturating_sub(most);
    if crowd > 0 {
        merge_rest(&mut boxes, &mut lines, most);
    }
    Picture { boxes, lines, hidden, covered }
}

/// So many lines: first the heaviest that gives a box its first one, so that none stands alone which does not have to; then
/// the heaviest of the others.
fn heaviest(mut lines: Vec<DiagramEdge>, most: usize) -> Vec<DiagramEdge> {
    lines.sort_by_key(|line| (std::cmp::Reverse(line.weight), line.from, line.to));
    let mut joined: BTreeSet<usize> = BTreeSet::new();
    let is_first = |line: &DiagramEdge| {
        let (from, to) = (joined.insert(line.from), joined.insert(line.to));
        from || to
    };
    let (mut kept, others): (Vec<DiagramEdge>, Vec<DiagramEdge>) = lines.into_iter().partition(is_first);
    kept.extend(others);
    kept.truncate(most);
    kept.sort_by_key(|line| (line.from, line.to));
    kept
}

/// The name of the box that a leaf is in when its chain is opened so far.
fn box_key(leaf: &Leaf, level: usize) -> &str {
    leaf.chain.get(level).or(leaf.chain.last()).map_or("", String::as_str)
}

/// For each leaf how far its chain is opened.
fn opened_levels(fine: &Fine, most: usize, levels: Option<u32>) -> Vec<usize> {
    let mut level = vec![0_usize; fine.leaves.len()];
    let deepest = levels.map_or(usize::MAX, |levels| (levels as usize).saturating_sub(1));
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (position, leaf) in fine.leaves.iter().enumerate() {
        groups.entry(box_key(leaf, 0)).or_default().push(position);
    }
    let mut count = groups.len();
    let mut closed: Vec<(usize, &str, Vec<usize>)> = Vec::new();
    let mut waiting: BTreeSet<(std::cmp::Reverse<usize>, &str, usize)> =
        groups.iter().map(|(key, members)| (std::cmp::Reverse(members.len()), *key, 0)).collect();
    while let Some((_, name, at)) = waiting.pop_first() {
        let Some(members) = groups.remove(name) else { continue };
        let mut below: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &member in &members {
            if let Some(leaf) = fine.leaves.get(member) {
                below.entry(box_key(leaf, at + 1)).or_default().push(member);
            }
        }
        let is_whole = below.len() == 1 && below.contains_key(name);
        let grown = count - 1 + below.len();
        if is_whole || at >= deepest || grown > most.max(count) {
            closed.push((at, name, members));
            continue;
        }
        count = grown;
        for (name, members) in below {
            for &member in &members {
                if let Some(level) = level.get_mut(member) {
                    *level = at + 1;
                }
            }
            waiting.insert((std::cmp::Reverse(members.len()), name, at + 1));
            groups.insert(name, members);
        }
    }
    level
}

fn merged_vertex(key: &str, leaves: &[&Leaf]) -> Vertex {
    match leaves {
        [only] if only.chain.last().is_some_and(|last| last == key) => {
            Vertex { label: only.label.clone(), shape: only.shape, group: only.group.clone(), size: 1 }
        }
        [first, ..] if first.group.as_deref() == Some(key) || first.label == key => Vertex {
            label: format!("{key} ({})", leaves.len()),
            shape: VertexShape::File,
            group: None,
            size: leaves.len(),
        },
        _ => Vertex {
            label: format!("{key}/ ({})", leaves.len()),
            shape: VertexShape::Folder,
            group: None,
            size: leaves.len(),
        },
    }
}

/// Where even the top has too many entries, those with the fewest lines become one.
fn merge_rest(boxes: &mut Vec<Vertex>, lines: &mut Vec<DiagramEdge>, most: usize) {
    let mut weight = vec![0_usize; boxes.len()];
    for line in &*lines {
        for end in [line.from, line.to] {
            if let Some(weight) = weight.get_mut(end) {
                *weight += line.weight;
            }
        }
    }
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|position| (std::cmp::Reverse(weight.get(*position).copied()), *position));
    let mut kept: Vec<usize> = order.iter().copied().take(most.saturating_sub(1)).collect();
    kept.sort_unstable();
    let rest: usize =
        order.iter().skip(kept.len()).filter_map(|position| boxes.get(*position)).map(|one| one.size).sum();
    let of = |end: usize| kept.binary_search(&end).unwrap_or(kept.len());
    let mut sums: BTreeMap<(usize, usize), (usize, bool)> = BTreeMap::new();
    for line in &*lines {
        let ends = (of(line.from), of(line.to));
        if ends.0 != ends.1 {
            let known = sums.entry(ends).or_insert((0, true));
            *known = (known.0 + line.weight, known.1 && line.faint);
        }
    }
    let mut remaining: Vec<Vertex> = kept.iter().filter_map(|position| boxes.get(*position).cloned()).collect();
    remaining.push(Vertex { label: format!("{rest} others"), shape: VertexShape::Folder, group: None, size: rest });
    *boxes = remaining;
    *lines = sums.into_iter().map(|((from, to), (weight, faint))| DiagramEdge { from, to, weight, faint }).collect();
}
