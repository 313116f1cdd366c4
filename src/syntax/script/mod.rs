//! Reading TypeScript and JavaScript: the grammar of a file, how deep it nests, where its bytes stand, how it branches.

pub mod branching;
pub mod depth;
pub mod dialect;
pub mod equality;
pub mod parse;
pub mod positions;
