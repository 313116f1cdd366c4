//! The one layer in front of all tools: checks, guard, deadline, cancellation, budget, progress and call log.

mod answer;
mod budget;
mod dispatcher;
mod guard;
mod human;
mod journal;
mod relay;
mod reply;
mod ticket;

pub use answer::ToolCallAnswer;
pub(crate) use answer::render_error;
pub use budget::{BUDGET_BYTES, Fitting, fit_to_budget};
pub use dispatcher::{DispatchLimits, Dispatcher, TextMode};
pub use guard::{CaughtPanic, catch_panic};
pub use human::{ConfirmationOutcome, ConfirmationQuestion, ConfirmationReply, Human};
pub use journal::{NoJournal, ToolCallJournal, ToolCallOutcome, ToolCallRecord, Touched};
pub use relay::{Pump, Relay, Update, progress_relay};
pub use reply::{Reply, ReplyResourceLink};
pub use ticket::{NewSession, SessionSource, Ticket};
