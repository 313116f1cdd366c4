//! Where clients connect: standard streams, and HTTP.

mod http;
mod stdio;
mod token;

pub use http::{HttpOptions, Listening, bind};
pub use stdio::{serve_stdio, serve_streams};
pub use token::Token;
