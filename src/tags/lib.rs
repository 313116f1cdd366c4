//! Tags of a vault of markdown notes: who has which, and renaming them without touching anything else.
//!
//! A note is read once into the byte spans of its tags ([`note`]); an index keeps what was read for as long as the file's
//! stamp stays the same ([`index`]); questions are answered from the index ([`vault`]), and renames are edits of spans
//! ([`edit`]) that a journal makes resumable ([`batch`]).

pub mod batch;
pub mod classic;
pub mod diff;
pub mod edit;
pub mod front_matter;
pub mod grammar;
pub mod index;
pub mod journal;
pub mod list_edit;
pub mod markdown;
pub mod note;
pub mod profile;
pub mod query;
pub mod rename;
pub mod report;
pub mod roots;
pub mod scan;
pub mod validate;
pub mod vault;

pub use profile::Profile;
pub use rename::Replacement;
pub use vault::Vaults;
