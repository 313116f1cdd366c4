//! How likely the words of a question are in a file: each file is a distribution of words, mixed with that of its domain
//! and that of all files. Unlike BM25 it tells how surprising a word is in one domain and how usual in another.

use std::collections::BTreeMap;

use super::domain::Domain;
use super::words::Fields;

/// What a use of a word counts in title, declared questions and tags; one in the text counts 1.
const DECLARED: f64 = 3.0;
/// What an everyday word of an entry counts in a file that is all about the entry's terms.
const EVERYDAY: f64 = 6.0;
/// Files of its domain that an entry lends its everyday words to.
const LENT_TO: usize = 2;
/// What the distribution of the file counts; the rest is that of its domain and of all files.
const OF_FILE: f64 = 0.45;
const OF_DOMAIN: f64 = 0.1;

/// An entry's everyday words, and the files of its domain with the share of the entry's terms that each has.
#[derive(Debug)]
pub(super) struct LentWords<'a> {
    pub(super) said: &'a [u32],
    pub(super) files: Vec<(usize, f64)>,
}

/// The distributions of words of all files.
#[derive(Debug)]
pub(super) struct WordLikelihood {
    /// By word: the files that have it, with its share of their words.
    files: BTreeMap<u32, Vec<(u32, f32)>>,
    /// By word: the domains that have it, with its share of their words.
    domains: BTreeMap<u32, BTreeMap<Domain, f64>>,
    /// The share of a word among all.
    everywhere: BTreeMap<u32, f64>,
}

impl WordLikelihood {
    pub(super) fn count_words<'a>(
        fields: impl Iterator<Item = (Domain, &'a Fields)>,
        lent: impl Iterator<Item = LentWords<'a>>,
    ) -> Self {
        let mut counted: Vec<(Domain, BTreeMap<u32, f64>)> = fields
            .map(|(domain, fields)| {
                let mut counts = BTreeMap::<u32, f64>::new();
                let declared = fields.questions.iter().flatten().chain(&fields.title).chain(&fields.tags);
                declared.for_each(|word| *counts.entry(*word).or_default() += DECLARED);
                let text = fields.sections.iter().flat_map(|(heading, text)| heading.iter().chain(text));
                text.for_each(|word| *counts.entry(*word).or_default() += 1.0);
                (domain, counts)
            })
            .collect();
        for LentWords { said, mut files } in lent {
            files.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            for (file, share) in files.into_iter().take(LENT_TO) {
                let Some((_, counts)) = counted.get_mut(file) else { continue };
                said.iter().for_each(|word| *counts.entry(*word).or_default() += EVERYDAY * share * share);
            }
        }
        let mut all = Self { files: BTreeMap::new(), domains: BTreeMap::new(), everywhere: BTreeMap::new() };
        let (mut of_domain, mut total) = (BTreeMap::<Domain, f64>::new(), 0.0);
        for (file, (domain, counts)) in (0_u32..).zip(&counted) {
            let of_file: f64 = counts.values().sum();
            *of_domain.entry(*domain).or_default() += of_file;
            total += of_file;
            for (word, count) in counts {
                // Half the digits are plenty for a share, and there are many.
                all.files.entry(*word).or_default().push((file, (count / of_file) as f32));
                *all.domains.entry(*word).or_default().entry(*domain).or_default() += count;
                *all.everywhere.entry(*word).or_default() += count;
            }
        }
        for shares in all.domains.values_mut() {
            shares.iter_mut().for_each(|(domain, count)| *count /= of_domain.get(domain).copied().unwrap_or(1.0));
        }
        all.everywhere.values_mut().for_each(|count| *count /= total);
        all
    }

    /// For each file the logarithm of how much likelier the words are in it than anywhere; `domains` are those of the
    /// files. A word that is in no file says nothing.
    pub(super) fn log_ratios(&self, words: impl Iterator<Item = u32>, domains: &[Domain]) -> Vec<f64> {
        let mut ratios = vec![0.0; domains.len()];
        for word in words {
            let (Some(files), Some(of_domains), Some(everywhere)) =
                (self.files.get(&word), self.domains.get(&word), self.everywhere.get(&word))
            else {
                continue;
            };
            let mut files = files.iter().peekable();
            for ((file, domain), ratio) in (0_u32..).zip(domains).zip(&mut ratios) {
                let in_file = files.next_if(|(has, _)| *has == file).map_or(0.0, |(_, share)| f64::from(*share));
                let in_domain = of_domains.get(domain).copied().unwrap_or_default();
                let mixed = OF_FILE * in_file + OF_DOMAIN * in_domain + (1.0 - OF_FILE - OF_DOMAIN) * everywhere;
                *ratio += libm::log(mixed / everywhere);
            }
        }
        ratios
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(title: &[u32], text: &[u32]) -> Fields {
        Fields {
            title: title.to_vec(),
            questions: Vec::new(),
            tags: Vec::new(),
            sections: vec![(Vec::new(), text.to_vec())],
        }
    }

    #[test]
    fn words_are_likelier_where_they_are_used() {
        let files = [
            (Domain::Database, fields(&[1], &[1, 2, 2, 3])),
            (Domain::Database, fields(&[4], &[3, 3, 5])),
            (Domain::Ux, fields(&[6], &[3, 5, 6])),
        ];
        let domains: Vec<Domain> = files.iter().map(|(domain, _)| *domain).collect();
        let of = |lent: Vec<LentWords<'_>>| {
            WordLikelihood::count_words(files.iter().map(|(domain, fields)| (*domain, fields)), lent.into_iter())
        };
        let plain = of(Vec::new());
        let ratios = plain.log_ratios([1].into_iter(), &domains);
        // 4 of 7 in the file, 4 of 13 in the domain, 4 of 19 everywhere.
        let mixed: f64 = 0.45 * 4.0 / 7.0 + 0.1 * 4.0 / 13.0 + 0.45 * 4.0 / 19.0;
        assert!((ratios[0] - (mixed * 19.0 / 4.0).ln()).abs() < 1e-6, "{ratios:?}");
        // The other file of the domain comes before one of another domain.
        assert!(ratios[0] > ratios[1] && ratios[1] > ratios[2], "{ratios:?}");
        assert_eq!(plain.log_ratios([99].into_iter(), &domains), [0.0; 3]);
        // An everyday word points to the file whose terms it stands for.
        let lent = of(vec![LentWords { said: &[99], files: vec![(1, 0.9), (0, 0.2)] }]);
        let ratios = lent.log_ratios([99].into_iter(), &domains);
        assert!(ratios[1] > ratios[0] && ratios[0] > ratios[2], "{ratios:?}");
    }
}
