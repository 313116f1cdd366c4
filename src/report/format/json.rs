//! JSON: the report as it is.

use serde::Serialize;

use super::{Form, Readers};
use tapps_base::{Error, Result};

/// The format.
pub(super) const FORM: Form =
    Form { ending: "json", media_type: "application/json", readers: Readers::Programs, render: |report| render_json(report) };

/// Indented JSON with a final line end.
pub(super) fn render_json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Error::internal(format!("the report has no JSON form: {e}")))?;
    Ok(text + "\n")
}
