//! What is made of results: reports in the formats that people and platforms read, statements that others can verify,
//! comparisons of two toolchains.

pub mod app;
pub mod attest;
pub mod comparison;
pub mod document;
mod escape;
pub mod format;
mod github;
mod gitlab;
pub mod history;
mod html;
mod identity;
mod json;
mod junit;
pub mod kept;
mod markdown;
mod sarif;

pub use document::Report;
pub use format::Format;
pub use history::TrendPoint;
