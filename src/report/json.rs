//! JSON: the report as it is.

use serde::Serialize;

use tapps_base::{Error, Result};

/// Indented JSON with a final line end.
pub(super) fn render(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Error::internal(format!("the report has no JSON form: {e}")))?;
    Ok(text + "\n")
}
