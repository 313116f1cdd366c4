//! The reply budget: what a model has to read unless it asks for more. Whatever is cut is announced.

use serde_json::{Map, Value};

use tapps_base::{Error, Result, digest};

/// Bytes of a default reply: 1,500 tokens of four bytes.
pub const BUDGET_BYTES: usize = 6_000;

/// Room kept for `meta`, `truncated`, `total` and `next_cursor`.
const RESERVE_BYTES: usize = 160;

/// A reply as it is sent, without `meta`: the page of the list `paged` that `cursor` asks for, within the budget; with
/// `whole`, everything.
///
/// A reply with a paged list says `truncated` and `total`, and `next_cursor` when there is more. Only lists are cut, at
/// the top level: the paged one from its end, the others (longest first) when they leave it less than half of the room.
///
/// # Errors
/// `invalid_argument` for a cursor that does not belong to this result, or with a result that has no pages.
pub fn fit_to_budget(
    mut value: Map<String, Value>,
    paged: Option<&str>,
    whole: bool,
    cursor: Option<&str>,
) -> Result<Map<String, Value>> {
    if whole {
        return match cursor {
            None => Ok(value),
            Some(_) => {
                Err(Error::invalid("a full result has no pages").hint("leave out `cursor` or `detail: \"full\"`"))
            }
        };
    }
    let Some((name, list)) = paged.and_then(|name| take_list(&mut value, name).map(|list| (name, list))) else {
        if cursor.is_some() {
            return Err(Error::invalid("this result has no pages").hint("leave out `cursor`"));
        }
        cut_lists(&mut value, BUDGET_BYTES - RESERVE_BYTES);
        return Ok(value);
    };
    cut_lists(&mut value, BUDGET_BYTES / 2);
    let mark = mark_of(&list)?;
    let start = match cursor {
        Some(cursor) => offset_of(cursor, &mark, list.len())?,
        None => 0,
    };
    let total = list.len();
    // A list that the tool has shortened itself says how long it was.
    let announced = value.remove("total").and_then(|announced| announced.as_u64()).unwrap_or_default();
    let room = BUDGET_BYTES.saturating_sub(RESERVE_BYTES + serialized_size(&value) + name.len());
    let shown = prefix_within(list.get(start..).unwrap_or_default(), room);
    let end = start + shown;
    let page: Vec<Value> = list.into_iter().skip(start).take(shown).collect();
    value.insert(name.to_owned(), Value::Array(page));
    value.insert("total".into(), announced.max(total as u64).into());
    if end < total || !value.contains_key("truncated") {
        value.insert("truncated".into(), (end < total).into());
    }
    if end < total && shown > 0 {
        value.insert("next_cursor".into(), format!("{mark}.{end}").into());
    }
    Ok(value)
}

fn take_list(value: &mut Map<String, Value>, name: &str) -> Option<Vec<Value>> {
    match value.remove(name) {
        Some(Value::Array(list)) => Some(list),
        Some(other) => {
            value.insert(name.to_owned(), other);
            None
        }
        None => None,
    }
}

/// Ties a cursor to the list it was made for, so that a page of an older result is refused rather than mixed in.
fn mark_of(list: &[Value]) -> Result<String> {
    let mut mark = digest::of_json(&list)?;
    mark.truncate(12);
    Ok(mark)
}

fn offset_of(cursor: &str, mark: &str, total: usize) -> Result<usize> {
    let foreign = || {
        Error::invalid(format!("the cursor `{cursor}` does not belong to this result"))
            .hint("call again without `cursor`: the files have changed since, or the cursor is from another call")
    };
    let (given, offset) = cursor.split_once('.').ok_or_else(foreign)?;
    let offset: usize = offset.parse().map_err(|_| foreign())?;
    if given == mark && offset <= total { Ok(offset) } else { Err(foreign()) }
}

/// How many items fit into `room` bytes; at least one, so that paging always moves.
fn prefix_within(items: &[Value], room: usize) -> usize {
    let mut used = 0;
    for (index, item) in items.iter().enumerate() {
        used += item.to_string().len() + 1;
        if used > room {
            return index.max(1);
        }
    }
    items.len()
}

/// Shortens the longest top-level lists until the object has at most `limit` bytes, and says so.
fn cut_lists(value: &mut Map<String, Value>, limit: usize) {
    while serialized_size(value) > limit {
        let longest = value
            .iter()
            .filter_map(|(name, field)| field.as_array().filter(|list| list.len() > 1).map(|list| (name, list)))
            .max_by_key(|(_, list)| list.iter().map(|item| item.to_string().len()).sum::<usize>())
            .map(|(name, _)| name.clone());
        let Some(Value::Array(list)) = longest.and_then(|name| value.get_mut(&name)) else { return };
        list.truncate(list.len() / 2);
        value.insert("truncated".into(), true.into());
    }
}

pub(super) fn serialized_size(value: &Map<String, Value>) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn items(count: usize) -> Vec<Value> {
        (0..count).map(|index| json!({"index": index, "text": "x".repeat(90)})).collect()
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn reply(count: usize, cursor: Option<&str>) -> Result<Map<String, Value>> {
        fit_to_budget(object(json!({"file": "a.py", "findings": items(count)})), Some("findings"), false, cursor)
    }

    fn everything(count: usize, cursor: Option<&str>) -> Result<Map<String, Value>> {
        fit_to_budget(object(json!({"findings": items(count)})), Some("findings"), true, cursor)
    }

    #[test]
    fn pages_put_together_are_the_list_and_each_is_within_budget() {
        let mut cursor: Option<String> = None;
        let mut seen = Vec::new();
        for _ in 0..100 {
            let page = reply(300, cursor.as_deref()).unwrap();
            assert!(serialized_size(&page) <= BUDGET_BYTES, "{}", serialized_size(&page));
            assert_eq!(page["total"], 300);
            seen.extend(page["findings"].as_array().unwrap().clone());
            cursor = page.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
            assert_eq!(page["truncated"], json!(cursor.is_some()));
            if cursor.is_none() {
                break;
            }
        }
        assert!(seen == items(300), "{} items", seen.len());
    }

    #[test]
    fn a_short_list_is_whole_and_says_so() {
        let page = reply(3, None).unwrap();
        assert_eq!(page["truncated"], false);
        assert_eq!(page["total"], 3);
        assert_eq!(page.get("next_cursor"), None);
    }

    #[test]
    fn a_cursor_of_another_result_is_refused() {
        let page = reply(300, None).unwrap();
        let cursor = page["next_cursor"].as_str().unwrap();
        for foreign in [cursor, "x", "x.1", "0.99999"] {
            let error = reply(299, Some(foreign)).unwrap_err();
            assert_eq!(error.code(), tapps_base::ErrorCode::InvalidArgument, "{foreign}");
        }
        assert!(reply(300, Some(cursor)).is_ok());
    }

    #[test]
    fn other_long_lists_are_cut_and_announced() {
        let value = json!({"tools": items(200), "names": ["a", "b"]});
        let cut = fit_to_budget(object(value), None, false, None).unwrap();
        assert!(serialized_size(&cut) <= BUDGET_BYTES);
        assert_eq!(cut["truncated"], true);
        assert_eq!(cut["names"], json!(["a", "b"]));
    }

    #[test]
    fn everything_means_everything() {
        let page = everything(300, None).unwrap();
        assert_eq!(page["findings"].as_array().unwrap().len(), 300);
        assert_eq!(page.get("truncated"), None);
        assert!(everything(300, Some("x.1")).is_err());
    }
}
