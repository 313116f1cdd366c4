//! What the project around a file tells about it: coverage data, reach from the tests, structure, and the verdicts on these;
//! and about itself: profile, dead code, import cycles, known vulnerabilities, its configuration.

pub mod advisories;
pub mod assess;
mod code;
mod compared;
pub mod coupling;
pub mod coverage;
pub mod dead_code;
pub mod designs;
pub mod facts;
mod files;
pub mod impact;
mod imports;
mod index;
pub mod ini;
mod manifest;
pub mod packages;
pub mod parse;
pub mod profile;
pub mod reach;
pub mod recorded;
mod roots;
pub mod rules;
pub mod settings_values;
pub mod test_functions;
mod users;
pub mod validate;
pub mod versions;

pub use imports::imported_modules;
pub use index::{ProjectIndex, Snapshot};
