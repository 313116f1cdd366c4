//! Places for boxes: layers from top to bottom, so that most lines lead down, with few crossings.

use std::collections::BTreeMap;

use super::Picture;
use crate::cycles::strongly_connected_components;

/// Pixels.
const ROW: i64 = 84;
const GAP: i64 = 18;
const BEND: i64 = 8;
const MARGIN: i64 = 16;
/// A row of more than so many pixels goes on in another.
const WIDEST: i64 = 1_600;
const HEIGHT: i64 = 36;

/// How often rows are ordered by their neighbours; more changes little.
const SWEEPS: usize = 8;

/// A box with its place: the centre of its top edge, and how wide it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
}

/// Everything placed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) spots: Vec<Spot>,
    /// For each line of the picture its points, from box to box.
    pub(super) routes: Vec<Vec<(i64, i64)>>,
    pub(super) width: i64,
    pub(super) height: i64,
}

pub(super) const fn height() -> i64 {
    HEIGHT
}

/// Places boxes of these widths.
pub(super) fn compute_layout(picture: &Picture, widths: &[i64]) -> Layout {
    let count = picture.boxes.len();
    let layers = layers(picture);
    // Bends of lines over several rows are placed as if they were small boxes.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers.iter().max().map_or(0, |deepest| deepest + 1)];
    let mut items: Vec<i64> = widths.to_vec();
    for (item, layer) in layers.iter().enumerate() {
        push_to_row(&mut rows, *layer, item);
    }
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for line in &picture.lines {
        let (top, bottom) = (value_at(&layers, line.from), value_at(&layers, line.to));
        let (first, last) = (top.min(bottom), top.max(bottom));
        let mut bends: Vec<usize> = Vec::new();
        for row in first + 1..last {
            push_to_row(&mut rows, row, items.len());
            bends.push(items.len());
            items.push(BEND);
        }
        if top > bottom {
            bends.reverse();
        }
        chains.push(std::iter::once(line.from).chain(bends).chain([line.to]).collect());
    }
    let neighbours = neighbours(&chains, items.len());
    let mut place: Vec<i64> = vec![0; items.len()];
    for row in &rows {
        pack(row, &items, &mut place);
    }
    for sweep in 0..SWEEPS {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        if sweep % 2 == 1 {
            order.reverse();
        }
        for row in order {
            if let Some(row) = rows.get_mut(row) {
                order_row(row, &items, &neighbours, &mut place);
            }
        }
    }
    let left = rows
        .iter()
        .flatten()
        .map(|&item| value_at(&place, item) - value_at(&items, item) / 2)
        .min()
        .unwrap_or_default();
    let mut depth = vec![0_i64; items.len()];
    for (number, row) in rows.iter().enumerate() {
        let y = MARGIN + i64::try_from(number).unwrap_or_default() * ROW;
        row.iter().for_each(|&item| set_value_at(&mut depth, item, y));
    }
    place.iter_mut().for_each(|x| *x += MARGIN - left);
    let spots: Vec<Spot> = (0..count)
        .map(|item| Spot { x: value_at(&place, item), y: value_at(&depth, item), width: value_at(&items, item) })
        .collect();
    let routes = chains.iter().map(|chain| route(chain, count, &place, &depth)).collect();
    let right =
        (0..items.len()).map(|item| value_at(&place, item) + value_at(&items, item) / 2).max().unwrap_or_default();
    let bottom = spots.iter().map(|spot| spot.y + HEIGHT).max().unwrap_or_default();
    Layout { spots, routes, width: right + MARGIN, height: bottom + MARGIN }
}

fn value_at<T: Copy + Default>(values: &[T], position: usize) -> T {
    values.get(position).copied().unwrap_or_default()
}

fn set_value_at(values: &mut [i64], position: usize, value: i64) {
    if let Some(slot) = values.get_mut(position) {
        *slot = value;
    }
}

fn push_to_row(rows: &mut [Vec<usize>], row: usize, item: usize) {
    if let Some(row) = rows.get_mut(row) {
        row.push(item);
    }
}

/// The row of each box: below everything that leads to it, where circles do not forbid that; full rows go on below.
fn layers(picture: &Picture) -> Vec<usize> {
    let count = picture.boxes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for line in &picture.lines {
        if let Some(next) = next.get_mut(line.from) {
            next.push(line.to);
        }
    }
    // Components come last first, so the order of their reverse is one in which most lines lead on.
    let mut rank = vec![0_usize; count];
    for (number, member) in strongly_connected_components(&next).into_iter().rev().flatten().enumerate() {
        if let Some(rank) = rank.get_mut(member) {
            *rank = number;
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|item| value_at(&rank, *item));
    let mut layer = vec![0_usize; count];
    for &from in &order {
        let below = value_at(&layer, from) + 1;
        for &to in next.get(from).into_iter().flatten() {
            if value_at(&rank, to) > value_at(&rank, from)
                && let Some(layer) = layer.get_mut(to)
            {
                *layer = (*layer).max(below);
            }
        }
    }
    split_wide_rows(picture, &order, &layer)
}

/// Splits rows that are too wide, and closes ranks.
fn split_wide_rows(picture: &Picture, order: &[usize], layer: &[usize]) -> Vec<usize> {
    let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &item in order {
        rows.entry(value_at(layer, item)).or_default().push(item);
    }
    let mut result = vec![0; layer.len()];
    let mut row = 0;
    for items in rows.values() {
        let mut filled = 0;
        for &item in items {
            let width = picture.boxes.get(item).map_or(0, super::svg::width) + GAP;
            if filled > 0 && filled + width > WIDEST {
                row += 1;
                filled = 0;
            }
            filled += width;
            if let Some(result) = result.get_mut(item) {
                *result = row;
            }
        }
        row += 1;
    }
    result
}

fn neighbours(chains: &[Vec<usize>], count: usize) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        if let [one, other] = pair {
            push_to_row(&mut neighbours, *one, *other);
            push_to_row(&mut neighbours, *other, *one);
        }
    }
    neighbours
}

/// Places a row from left to right around the middle.
fn pack(row: &[usize], widths: &[i64], place: &mut [i64]) {
    let total: i64 = row.iter().map(|&item| value_at(widths, item) + GAP).sum();
    let mut x = -total / 2;
    for &item in row {
        let width = value_at(widths, item);
        set_value_at(place, item, x + width / 2);
        x += width + GAP;
    }
}

/// Orders a row by where its neighbours are, then moves each item as near to them as its row allows.
fn order_row(row: &mut [usize], widths: &[i64], neighbours: &[Vec<usize>], place: &mut [i64]) {
    let wish = |item: usize, place: &[i64]| {
        let mut around: Vec<i64> =
            neighbours.get(item).into_iter().flatten().map(|&other| value_at(place, other)).collect();
        around.sort_unstable();
        around.get(around.len() / 2).copied().unwrap_or_else(|| value_at(place, item))
    };
    let mut wishes: Vec<(i64, usize)> = row.iter().map(|&item| (wish(item, place), item)).collect();
    wishes.sort_unstable();
    for (slot, (_, item)) in row.iter_mut().zip(&wishes) {
        *slot = *item;
    }
    let mut edge = i64::MIN / 2;
    for &(wish, item) in &wishes {
        let half = value_at(widths, item) / 2;
        let x = wish.max(edge + half);
        set_value_at(place, item, x);
        edge = x + half + GAP;
    }
    // Being pushed from the left alone would lean everything to the right: half of it is taken back.
    let pushed: i64 = wishes.iter().map(|&(wish, item)| value_at(place, item) - wish).sum();
    let shift = pushed / i64::try_from(wishes.len().max(1)).unwrap_or(1) / 2;
    for &(_, item) in &wishes {
        let x = value_at(place, item) - shift;
        set_value_at(place, item, x);
    }
}

/// The points of a line: out of the lower or upper edge of a box, through its bends, into the other box.
fn route(chain: &[usize], boxes: usize, place: &[i64], depth: &[i64]) -> Vec<(i64, i64)> {
    let (Some(&from), Some(&to)) = (chain.first(), chain.last()) else { return Vec::new() };
    let (start, end) = (value_at(depth, from), value_at(depth, to));
    let mut points = Vec::with_capacity(chain.len());
    for &item in chain {
        let y = value_at(depth, item);
        let y = match item {
            item if item >= boxes => y + HEIGHT / 2,
            item if item == from => {
                if start <= end {
                    y + HEIGHT
                } else {
                    y
                }
            }
            _ if start < end => y,
            _ => y + HEIGHT,
        };
        points.push((value_at(place, item), y));
    }
    points
}
