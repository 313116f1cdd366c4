//! Where clients connect: standard streams, and HTTP.

mod admission;
mod authority;
mod connections;
mod decode;
mod http;
mod in_flight;
mod limits;
mod lines;
mod observe;
mod refusal;
mod request_id;
mod request_rate;
mod stdio;
mod token;

pub use http::{HttpOptions, Listening, bind};
pub use limits::HttpLimits;
pub use observe::Observed;
pub use stdio::{serve_stdio, serve_streams};
pub use token::Token;
