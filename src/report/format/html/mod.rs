//! One page that needs nothing besides itself: no script, no font, no picture from elsewhere.

mod charts;
mod page;

use super::{Form, Readers};
pub(super) use page::severity_word;

/// The format.
pub(super) const FORM: Form =
    Form { ending: "html", media_type: "text/html", readers: Readers::People, render: page::render_html };
