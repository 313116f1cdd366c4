//! What every reader of Python needs: how deeply a text nests, lines and columns, names, cyclomatic complexity; and what
//! several readers look for: imports, values that are followed, calls about embeddings and models, weights.

pub mod complexity;
pub mod depth;
pub mod dynamic;
pub mod entry;
pub mod equality;
pub mod flow;
pub mod imported;
pub mod lines;
pub mod model_packages;
pub mod names;
pub mod parse;
pub mod retrieval;
pub mod type_comment;
pub mod weighted_sums;
pub mod weights;
