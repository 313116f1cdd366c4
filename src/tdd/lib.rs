//! Test-driven development sessions: events, replay, repositories, guidance, verified runs, the edit guard.
//!
//! A session is a log of events that is only ever added to; its state is computed by replay. [`Sessions`] is what the
//! faces call.

pub mod disk;
pub mod document;
pub mod event;
pub mod files;
pub mod guard;
pub mod guidance;
pub mod history;
pub mod hook;
pub mod hook_turn;
pub mod id;
pub mod listing;
mod log;
pub mod memory;
pub mod open;
pub mod phase;
pub mod prompt;
pub mod repository;
pub mod request;
pub mod session;
pub mod sessions;
pub mod state;
pub mod steps;
pub mod verify;
pub mod view;

pub use disk::FileRepository;
pub use id::SessionId;
pub use memory::MemoryRepository;
pub use phase::Phase;
pub use request::{StartRequest, UpdateRequest};
pub use sessions::{SessionSummary, Sessions};
pub use steps::NextPhase;
pub use view::StateView;
