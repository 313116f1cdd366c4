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

pub use answer::Answer;
pub(crate) use answer::render_error;
pub use budget::{BUDGET_BYTES, fit};
pub use dispatcher::{Dispatcher, Limits, TextMode};
pub use guard::{CaughtPanic, catch};
pub use human::{Asked, Human, Question, Word};
pub use journal::{Entry, Journal, NoJournal, Outcome, Touched};
pub use relay::{Pump, Relay, Update, relay};
pub use reply::{Link, Reply};
pub use ticket::{NewSession, SessionSource, Ticket};
