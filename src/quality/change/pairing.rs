//! Which definition of the head is which of the base.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::likeness::alike_definitions;
use super::side::{Definition, FilePair};

/// A definition by the position of its file in the change and its own in the file.
pub(super) type DefinitionId = (usize, usize);

/// Definitions of the base that are still there, under whatever name and in whatever file.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    head_of: HashMap<DefinitionId, DefinitionId>,
    base_of: HashMap<DefinitionId, DefinitionId>,
}

impl Pairing {
    /// First by name in the same file, then by an equal body wherever it is, then by name inside of what was found, then by
    /// name in another file of the change, and last by a body that is much the same in the same file and the same holder.
    pub(super) fn of_files(pairs: &[FilePair]) -> Self {
        let mut pairing = Self::default();
        let base = all_definitions(pairs, |pair| pair.base.as_ref().map(|side| side.definitions.as_slice()));
        let head = all_definitions(pairs, |pair| pair.head.as_ref().map(|side| side.definitions.as_slice()));
        let changed: BTreeSet<usize> =
            pairs.iter().enumerate().filter(|(_, pair)| pair.because.is_none()).map(|(at, _)| at).collect();
        pairing.pair_by(&base, &head, |id, one| (Some(id.0), one.is_class, one.path.clone()));
        let in_file = |id: DefinitionId, one: &Definition| (id.0, one.is_class, one.body, one.name.clone());
        pairing.pair_by(&base, &head, in_file);
        pairing.pair_by(&base, &head, |id, one| (id.0, one.is_class, one.body));
        let (moved_base, moved_head) = (retain_files(&base, &changed), retain_files(&head, &changed));
        pairing.pair_by(&moved_base, &moved_head, |_, one| (one.is_class, one.body, one.name.clone()));
        pairing.pair_by(&moved_base, &moved_head, |_, one| (one.is_class, one.body));
        pairing.pair_members(&base, &head);
        pairing.pair_by(&moved_base, &moved_head, |_, one| (one.is_class, one.path.clone()));
        pairing.pair_members(&base, &head);
        loop {
            let known = pairing.head_of.len();
            changed.iter().for_each(|file| pairing.pair_alike(*file, &pairs[*file]));
            pairing.pair_members(&base, &head);
            if pairing.head_of.len() == known {
                break;
            }
        }
        pairing
    }

    pub(super) fn head_of(&self, base: DefinitionId) -> Option<DefinitionId> {
        self.head_of.get(&base).copied()
    }

    pub(super) fn base_of(&self, head: DefinitionId) -> Option<DefinitionId> {
        self.base_of.get(&head).copied()
    }

    fn record(&mut self, base: DefinitionId, head: DefinitionId) {
        self.head_of.insert(base, head);
        self.base_of.insert(head, base);
    }

    /// Pairs what is left, first with first, where the keys are equal.
    fn pair_by<K: Ord>(
        &mut self,
        base: &[(DefinitionId, &Definition)],
        head: &[(DefinitionId, &Definition)],
        key: impl Fn(DefinitionId, &Definition) -> K,
    ) {
        let mut open: BTreeMap<K, Vec<DefinitionId>> = BTreeMap::new();
        for (id, one) in base.iter().rev().filter(|(id, _)| !self.head_of.contains_key(id)) {
            open.entry(key(*id, one)).or_default().push(*id);
        }
        for (id, one) in head {
            if !self.base_of.contains_key(id)
                && let Some(found) = open.get_mut(&key(*id, one)).and_then(Vec::pop)
            {
                self.record(found, *id);
            }
        }
    }

    /// Pairs what got another name and was edited, in holders that are paired.
    fn pair_alike(&mut self, file: usize, pair: &FilePair) {
        let (Some(before), Some(after)) = (&pair.base, &pair.head) else { return };
        let base: Vec<usize> =
            (0..before.definitions.len()).filter(|at| !self.head_of.contains_key(&(file, *at))).collect();
        let head: Vec<usize> =
            (0..after.definitions.len()).filter(|at| !self.base_of.contains_key(&(file, *at))).collect();
        if base.is_empty() || head.is_empty() {
            return;
        }
        let mut alike = alike_definitions(pair, file, &base, &head);
        // Members of what is found here come by their names first.
        alike.retain(|(one, other)| {
            let holder = before.definitions[one.1].parent.map(|parent| self.head_of((file, parent)));
            match (holder, after.definitions[other.1].parent) {
                (None, None) => true,
                (Some(Some(holder)), Some(parent)) => holder == (file, parent),
                _ => false,
            }
        });
        for (one, other) in alike {
            if !self.head_of.contains_key(&one) && !self.base_of.contains_key(&other) {
                self.record(one, other);
            }
        }
    }

    /// Pairs what bears one name inside of definitions that are paired.
    fn pair_members(&mut self, base: &[(DefinitionId, &Definition)], head: &[(DefinitionId, &Definition)]) {
        let mut open: HashMap<(DefinitionId, &str), DefinitionId> = HashMap::new();
        for (id, one) in head.iter().rev() {
            if let Some(parent) = one.parent {
                open.insert(((id.0, parent), one.name.as_str()), *id);
            }
        }
        // What holds a definition stands before it, so one pass finds members of members.
        for (id, one) in base {
            let holder = one.parent.and_then(|parent| self.head_of((id.0, parent)));
            if let Some(found) = holder.and_then(|holder| open.get(&(holder, one.name.as_str())))
                && !self.head_of.contains_key(id)
                && !self.base_of.contains_key(found)
            {
                self.record(*id, *found);
            }
        }
    }
}

fn all_definitions<'p>(
    pairs: &'p [FilePair],
    of: impl Fn(&'p FilePair) -> Option<&'p [Definition]>,
) -> Vec<(DefinitionId, &'p Definition)> {
    let mut all = Vec::new();
    for (file, pair) in pairs.iter().enumerate() {
        all.extend(of(pair).into_iter().flatten().enumerate().map(|(at, one)| ((file, at), one)));
    }
    all
}

fn retain_files<'p>(
    all: &[(DefinitionId, &'p Definition)],
    files: &BTreeSet<usize>,
) -> Vec<(DefinitionId, &'p Definition)> {
    all.iter().filter(|((file, _), _)| files.contains(file)).copied().collect()
}
