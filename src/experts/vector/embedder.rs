//! What turns texts into vectors, and why there may be none.

use std::fmt;
#[cfg(feature = "vector")]
use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::files::ModelFiles;

/// Turns texts into vectors; the same text into the same vector, always.
pub trait Embedder: fmt::Debug + Send + Sync {
    /// What it is known by.
    fn model(&self) -> &Model;

    /// The sum of the vectors of a text's tokens; zero for a text without a token that it knows.
    fn sum(&self, text: &str) -> Vec<f32>;
}

/// What a model is known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Model {
    /// Of `model.safetensors`.
    pub sha256: String,
    /// Of `tokenizer.json`.
    pub tokenizer_sha256: String,
    /// Numbers in a vector.
    pub dimensions: usize,
}

/// Why there is no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// This program was built without the feature `vector`.
    NotBuiltIn,
    /// The configuration names no model, and none lies beside this program.
    NoModel,
    /// There is one that cannot be read, or not the one that is locked.
    ModelUnreadable,
}

/// Why words alone were compared although more was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fallback {
    pub reason: Reason,
    /// What is wrong, with the file concerned.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Fallback {
    pub(super) fn no_model() -> Self {
        Self {
            reason: Reason::NoModel,
            message: "no model is configured".to_owned(),
            hint:
                "set experts.model in the user's configuration, or TAPPS_MCP_EXPERTS_MODEL, to the folder of a model, \
                   or install this program with `pip install 'tapps-mcp[vector]'`"
                    .to_owned(),
        }
    }

    pub(super) fn not_built_in() -> Self {
        Self {
            reason: Reason::NotBuiltIn,
            message: "this program cannot read models".to_owned(),
            hint: "build it with `cargo build --release --features vector`, or set experts.search to \"lexical\""
                .to_owned(),
        }
    }

    #[cfg(feature = "vector")]
    pub(super) fn model_unreadable(file: &Path, what: impl fmt::Display, hint: &str) -> Self {
        Self { reason: Reason::ModelUnreadable, message: format!("{}: {what}", file.display()), hint: hint.to_owned() }
    }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.hint)
    }
}

/// Reads the model in two files.
pub(super) type Opener = fn(&ModelFiles) -> Result<Arc<dyn Embedder>, Fallback>;

/// What this program opens models with; none when it was built without.
#[cfg(feature = "vector")]
pub(super) const OPENER: Option<Opener> = Some(super::model::open_model);

/// What this program opens models with; none when it was built without.
#[cfg(not(feature = "vector"))]
pub(super) const OPENER: Option<Opener> = None;
