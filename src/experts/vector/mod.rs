//! Search by meaning: a model on this machine turns texts into vectors, and texts that mean the same lie near each other.
//! The model is a folder that the user names, or the locked one beside this program; nothing is ever fetched. Without one, words
//! alone are compared.

mod arithmetic;
mod embedder;
mod files;
mod fusion;
mod meaning;
#[cfg(feature = "vector")]
mod model;
mod passages;
mod search;
#[cfg(feature = "vector")]
mod table;

pub use embedder::{Embedder, Fallback, Model, Reason};
pub use search::{SearchBackend, Searched};

pub(super) use fusion::{FusionWeights, WordOdds};
pub(super) use meaning::SemanticIndex;
