//! What of a file becomes vectors: each question that it declares, each section, and all of them together.

use super::arithmetic::{add, unit};
use super::embedder::Embedder;
use crate::file::{Knowledge, Section};

/// The vectors of one file, each of length one or zero.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Passages {
    dimensions: usize,
    questions: usize,
    /// One after the other: the whole, the questions, the sections.
    numbers: Vec<f32>,
}

impl Passages {
    pub(super) fn embed_file(file: &Knowledge, embedder: &dyn Embedder) -> Self {
        let about = format!("{}. {}", file.title(), file.front.tags.join(", "));
        let questions = file.questions().iter().map(|question| embedder.sum(question));
        let sections = file.sections.iter().map(|section| embedder.sum(&format!("{about}\n{}", prose(section))));
        let parts: Vec<Vec<f32>> = questions.chain(sections).collect();
        let dimensions = embedder.model().dimensions;
        let mut whole = vec![0.0; dimensions];
        for part in &parts {
            add(&mut whole, part, 1.0);
        }
        let numbers = std::iter::once(whole).chain(parts).flat_map(unit).collect();
        Self { dimensions, questions: file.questions().len(), numbers }
    }

    /// The whole file.
    pub(super) fn whole_file_vector(&self) -> &[f32] {
        self.vectors().next().unwrap_or_default()
    }

    /// The questions that it declares.
    pub(super) fn questions(&self) -> impl Iterator<Item = &[f32]> {
        self.vectors().skip(1).take(self.questions)
    }

    /// Its sections, in their order.
    pub(super) fn sections(&self) -> impl Iterator<Item = &[f32]> {
        self.vectors().skip(1 + self.questions)
    }

    fn vectors(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks_exact(self.dimensions.max(1))
    }

    /// As it is kept.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// What was kept for a file; none when it does not fit the file.
    pub(super) fn from_bytes(bytes: &[u8], file: &Knowledge, dimensions: usize) -> Option<Self> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
        let questions = file.questions().len();
        let fits = rest.is_empty() && numbers.len() == (1 + questions + file.sections.len()) * dimensions;
        fits.then_some(Self { dimensions, questions, numbers })
    }
}

/// The text of a section without its examples: code says little about what a question means.
fn prose(section: &Section) -> String {
    let mut fenced = false;
    let mut kept = String::with_capacity(section.text.len());
    for line in section.text.split_inclusive('\n') {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            kept.push_str(line);
        }
    }
    kept
}
