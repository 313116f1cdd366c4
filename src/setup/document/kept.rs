//! A last look before anything is written: no value that stood in a document may be gone.

use serde_json::Value;

use tapps_base::{Error, Result};

/// Compares a document before and after an edit; `replaced` names the keys whose values an edit may exchange.
///
/// # Errors
/// `internal` naming the place of a value that is gone.
pub(super) fn check_nothing_lost(file: &str, before: &Value, after: &Value, replaced: &[&str]) -> Result<()> {
    match lost(before, after, replaced, "") {
        None => Ok(()),
        Some(place) => Err(Error::internal(format!("the edit of {file} would lose {place}; nothing was written"))
            .hint("write the entry by hand, and please report it")),
    }
}

/// The place of the first value that is gone.
fn lost(before: &Value, after: &Value, replaced: &[&str], place: &str) -> Option<String> {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => before.iter().find_map(|(name, old)| {
            let place = format!("{place}/{name}");
            match after.get(name) {
                None => Some(place),
                Some(_) if replaced.contains(&name.as_str()) => None,
                Some(new) => lost(old, new, replaced, &place),
            }
        }),
        (Value::Array(before), Value::Array(after)) => before.iter().enumerate().find_map(|(index, old)| {
            let place = format!("{place}/{index}");
            after.get(index).map_or(Some(place.clone()), |new| lost(old, new, replaced, &place))
        }),
        _ => (before != after).then(|| if place.is_empty() { "everything".to_owned() } else { place.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!({"a": 1}), json!({"a": 1, "b": 2}), None)]
    #[case(json!({"a": [1, {"x": 1}]}), json!({"a": [1, {"x": 1, "y": 2}, 3]}), None)]
    #[case(json!({"a": {"command": "x", "env": {}}}), json!({"a": {"command": "y", "env": {}}}), None)]
    #[case(json!({"a": {"env": {"k": "v"}}}), json!({"a": {"env": {}}}), Some("/a/env/k"))]
    #[case(json!({"a": [1, 2]}), json!({"a": [1]}), Some("/a/1"))]
    #[case(json!({"a": "x"}), json!({"a": "y"}), Some("/a"))]
    #[case(json!([]), json!({}), Some("everything"))]
    fn what_is_gone_is_named(#[case] before: Value, #[case] after: Value, #[case] gone: Option<&str>) {
        assert_eq!(lost(&before, &after, &["command"], "").as_deref(), gone);
    }
}
