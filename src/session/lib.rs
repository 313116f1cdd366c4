//! The call log and what is read from it: which steps of a task were really done, what was said of findings, statistics;
//! and the notes of a session.

pub mod agent_session;
pub mod call;
pub mod call_log;
pub mod checklist;
pub mod consultations;
pub mod error_counts;
pub mod feedback;
pub mod live;
pub mod notes;
pub mod policy;
mod schema;
pub mod stats;
mod store;
pub mod trace;

pub use agent_session::{AgentSession, AgentSessions, TurnEnd};
pub use call::{CheckedFile, LoggedCall, LoggedCallOutcome, NewCall};
pub use call_log::CallLog;
pub use checklist::{Checklist, Circumstances, check_session};
pub use consultations::{ConsultationSummary, NewConsultation};
pub use feedback::{FeedbackSummary, FeedbackVerdict, NewFeedback, Outcomes};
pub use live::SessionHold;
pub use notes::Notes;
pub use policy::TaskType;
pub use stats::{Stats, StatsScope};
pub use store::CallLogStorage;
pub use trace::TraceParent;
