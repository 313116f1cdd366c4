//! Where two places may be the same: beginnings of statements from which on the shapes are equal for a while.

use rayon::prelude::*;

use super::statement::Statement;

/// Tokens of a seed: few, so that what stands between two changes is still found.
const SEED_TOKENS: u16 = 20;
/// Fewest statements of a seed.
const SEED_STATEMENTS: usize = 2;
/// Of so many places with one seed each is compared with each; of more only those that go on alike.
const MOST_COMPARED: usize = 16;
/// How many of the places that go on alike each of many is compared with.
const NEIGHBOURS: usize = 2;
/// Statements by which it is told how places go on.
const LOOK_AHEAD: usize = 48;

/// A statement by the number of its file and its position.
pub(super) type StatementId = (u32, u32);

/// The pairs of places that may be the same, the one that stands first before the other; sorted and single. Files are given with a
/// number that only those share whose languages are compared with each other.
pub(super) fn seed_pairs(files: &[(u64, &[Statement])]) -> Vec<(StatementId, StatementId)> {
    let numbered: Vec<(u32, &(u64, &[Statement]))> = (0..).zip(files).collect();
    let mut seeds: Vec<(u64, StatementId)> = numbered
        .par_iter()
        .flat_map_iter(|(file, (group, statements))| {
            (0..)
                .zip(0..statements.len())
                .filter_map(|(number, at)| Some((seed_key(*group, statements.get(at..)?)?, (*file, number))))
        })
        .collect();
    seeds.par_sort_unstable();
    let groups: Vec<&[(u64, StatementId)]> =
        seeds.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1).collect();
    let mut pairs: Vec<(StatementId, StatementId)> =
        groups.into_par_iter().flat_map_iter(|group| pairs_of_group(group, files)).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

/// The key of the seed that begins the statements; none when there is none.
fn seed_key(group: u64, statements: &[Statement]) -> Option<u64> {
    let first = statements.first()?;
    let mut key = group;
    let mut tokens = 0_u16;
    let mut is_varied = false;
    for (count, statement) in statements.iter().enumerate() {
        if tokens >= SEED_TOKENS && count >= SEED_STATEMENTS {
            break;
        }
        if statement.is_import && (statement.depth == 0 || count == 0) {
            return None;
        }
        tokens = tokens.saturating_add(statement.tokens);
        is_varied |= statement.shape != first.shape;
        let depth = i64::from(statement.depth) - i64::from(first.depth);
        for part in [depth.cast_unsigned(), u64::from(statement.shape)] {
            key = (key ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
    // Rows of one shape are a table.
    (tokens >= SEED_TOKENS && is_varied).then_some(key)
}

fn pairs_of_group(group: &[(u64, StatementId)], files: &[(u64, &[Statement])]) -> Vec<(StatementId, StatementId)> {
    let mut places: Vec<StatementId> = group.iter().map(|(_, id)| *id).collect();
    let reach = if places.len() <= MOST_COMPARED {
        places.len()
    } else {
        let rest = |(file, at): StatementId| {
            let statements = files.get(file as usize).and_then(|(_, statements)| statements.get(at as usize..));
            statements.unwrap_or_default().iter().take(LOOK_AHEAD).map(|statement| statement.shape)
        };
        places.sort_by(|a, b| rest(*a).cmp(rest(*b)).then(a.cmp(b)));
        NEIGHBOURS
    };
    let mut pairs = Vec::new();
    for (at, one) in places.iter().enumerate() {
        for other in places.iter().skip(at + 1).take(reach) {
            pairs.push(if one < other { (*one, *other) } else { (*other, *one) });
        }
    }
    pairs
}
