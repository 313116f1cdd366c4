//! What is made of results: reports in the formats that people and platforms read, statements that others can verify,
//! comparisons of two toolchains.

pub mod app;
pub mod attest;
pub mod comparison;
pub mod document;
pub mod format;
pub mod history;
pub mod kept;

pub use document::QualityReport;
pub use format::ReportFormat;
pub use history::TrendPoint;
