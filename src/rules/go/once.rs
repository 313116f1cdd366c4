//! Functions that a program runs once.

use tapps_syntax::nodes::Node;

use super::context::GoContext;
use crate::tree::nodes::field;

/// Longer chains of functions that call one another are not followed.
const HOPS: usize = 6;

/// True for a function that a program runs once: `init`, `main`, and what in a program is named in one place alone, which is a
/// call outside of loops and of functions that are values, by a function that is run once.
pub(super) fn runs_once<'c>(context: &GoContext<'c>, function: Node<'c>) -> bool {
    let mut at = function;
    for _ in 0..HOPS {
        let name = field(at, "name").map_or("", |name| context.text(name));
        if at.kind() != "function_declaration" {
            return false;
        }
        if matches!(name, "init" | "main") {
            return true;
        }
        let calls = context.mentions().calls.get(name).map_or(&[][..], Vec::as_slice);
        // The declaration and the call.
        let is_named_elsewhere = context.mentions().names_from(name, 0).len() != 2;
        let [call] = calls else { return false };
        if !context.is_main_package() || is_named_elsewhere || context.loop_around(*call).is_some() {
            return false;
        }
        match context.function_around(*call) {
            Some(caller) => at = caller,
            None => return false,
        }
    }
    false
}
