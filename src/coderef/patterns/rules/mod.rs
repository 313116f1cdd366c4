//! The catalogue: one file a rule.

mod api_route;
mod async_function;
mod await_in_loop;
mod broad_handler;
mod decorated;
mod error_type;
mod injected;
mod middleware;
mod near_duplicate;
mod react_component;
mod react_hook;
mod swallowed_error;
mod untested;

use super::PatternRule;

/// By group and id.
pub(super) static ALL: [PatternRule; 13] = [
    react_component::RULE,
    react_hook::RULE,
    api_route::RULE,
    middleware::RULE,
    injected::RULE,
    decorated::RULE,
    broad_handler::RULE,
    error_type::RULE,
    swallowed_error::RULE,
    async_function::RULE,
    await_in_loop::RULE,
    untested::RULE,
    near_duplicate::RULE,
];
