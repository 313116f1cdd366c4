//! The reply budget: what a model has to read unless it asks for more. Whatever is cut is announced.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use tapps_base::{Error, Result, digest, log_text};

/// Bytes of a default reply: 1,500 tokens of four bytes.
pub const BUDGET_BYTES: usize = 6_000;

/// Room kept for `meta`, `truncated`, `total`, `cut` and `next_cursor`.
const RESERVE_BYTES: usize = 320;

/// How the reply of a tool may be shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fitting<'a> {
    /// Everything is sent: it was asked for, or the tool has bounds of its own.
    Whole,
    /// The lists at the top level are cut; the one that is named, if there is one, gets most of the room.
    Pages(Option<&'a str>),
}

/// A reply as it is sent, without `meta`: the page that `cursor` asks for, within the budget.
///
/// Only lists are cut, at the top level: the paged one from its end, the others (longest first) when they leave it less
/// than it needs and than half of the room. A reply with a paged list says `truncated` and `total`. Where any list is cut, `cut` names those
/// that go on, with their whole length, and `next_cursor` brings the rest of all of them; a list that was whole is on
/// every page.
///
/// # Errors
/// `invalid_argument` for a cursor that does not belong to this result, or with a result that has no pages.
pub fn fit_to_budget(
    mut value: Map<String, Value>,
    fitting: Fitting<'_>,
    cursor: Option<&str>,
) -> Result<Map<String, Value>> {
    let Fitting::Pages(paged) = fitting else {
        return match cursor {
            None => Ok(value),
            Some(_) => {
                Err(Error::invalid("a full result has no pages").hint("leave out `cursor` or `detail: \"full\"`"))
            }
        };
    };
    let whole: BTreeMap<String, Vec<Value>> =
        value.iter().filter_map(|(name, field)| Some((name.clone(), field.as_array()?.clone()))).collect();
    let read = cursor.map(|cursor| read_so_far(cursor, &whole)).transpose()?.unwrap_or_default();
    for (name, count) in &read {
        if let Some(Value::Array(list)) = value.get_mut(name) {
            list.drain(..*count);
        }
    }
    // A list that the tool has shortened itself says how long it was.
    let announced = value.get("total").and_then(Value::as_u64).unwrap_or_default();
    match paged.filter(|name| whole.contains_key(*name)) {
        Some(name) => {
            let list = take_list(&mut value, name);
            value.remove("total");
            // The other lists have what it leaves, and half of the room at least.
            let wanted: usize = list.iter().map(|item| item.to_string().len() + 1).sum();
            let left = (BUDGET_BYTES - RESERVE_BYTES).saturating_sub(wanted + name.len());
            shorten_lists(&mut value, left.max(BUDGET_BYTES / 2));
            let room = BUDGET_BYTES.saturating_sub(RESERVE_BYTES + serialized_size(&value) + name.len());
            let shown = prefix_within(&list, room);
            value.insert(name.to_owned(), list.into_iter().take(shown).collect());
            let total = whole.get(name).map_or(0, Vec::len) as u64;
            value.insert("total".into(), announced.max(total).into());
        }
        None => shorten_lists(&mut value, BUDGET_BYTES - RESERVE_BYTES),
    }
    announce_cut(&mut value, &whole, read, paged)?;
    Ok(value)
}

/// How much of each list a reader has.
type ReadSoFar = BTreeMap<String, usize>;

/// Says what was cut and how to go on.
fn announce_cut(
    value: &mut Map<String, Value>,
    whole: &BTreeMap<String, Vec<Value>>,
    mut read: ReadSoFar,
    paged: Option<&str>,
) -> Result<()> {
    let mut cut = Map::new();
    for (name, list) in whole {
        let shown = value.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        let end = read.get(name).copied().unwrap_or_default() + shown;
        if end < list.len() {
            cut.insert(name.clone(), list.len().into());
            read.insert(name.clone(), end);
        } else if let Some(before) = read.get_mut(name) {
            *before = end;
        }
    }
    let has_pages = paged.is_some_and(|name| whole.contains_key(name));
    if !cut.is_empty() || (has_pages && !value.contains_key("truncated")) {
        value.insert("truncated".into(), (!cut.is_empty()).into());
    }
    if cut.is_empty() {
        return Ok(());
    }
    let places: Vec<String> = read.iter().map(|(name, count)| format!("{name}-{count}")).collect();
    let mark = mark_of(read.keys(), whole)?;
    // What `total` says of the paged list need not be said again.
    cut.retain(|name, _| paged != Some(name.as_str()));
    if !cut.is_empty() {
        value.insert("cut".into(), Value::Object(cut));
    }
    value.insert("next_cursor".into(), format!("{mark}.{}", places.join(".")).into());
    Ok(())
}

/// Ties a cursor to the lists it was made for, so that a page of an older result is refused rather than mixed in.
fn mark_of<'a>(names: impl Iterator<Item = &'a String>, whole: &BTreeMap<String, Vec<Value>>) -> Result<String> {
    let lists: Vec<Option<&Vec<Value>>> = names.map(|name| whole.get(name)).collect();
    let mut mark = digest::of_json(&lists)?;
    mark.truncate(12);
    Ok(mark)
}

/// What a cursor says: a mark, and behind it each list that was cut with what was read of it.
fn read_so_far(cursor: &str, whole: &BTreeMap<String, Vec<Value>>) -> Result<ReadSoFar> {
    let foreign = || {
        Error::invalid(format!("the cursor `{}` does not belong to this result", log_text(cursor)))
            .hint("call again without `cursor`: the files have changed since, or the cursor is from another call")
    };
    let (mark, places) = cursor.split_once('.').ok_or_else(foreign)?;
    let mut read = ReadSoFar::new();
    for place in places.split('.') {
        let (name, count) = place.rsplit_once('-').ok_or_else(foreign)?;
        let count: usize = count.parse().map_err(|_| foreign())?;
        let known = whole.get(name).is_some_and(|list| count <= list.len());
        if !known || read.insert(name.to_owned(), count).is_some() {
            return Err(foreign());
        }
    }
    if mark_of(read.keys(), whole)? == mark { Ok(read) } else { Err(foreign()) }
}

fn take_list(value: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    match value.remove(name) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
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

/// Halves the longest top-level list until the object has at most `limit` bytes; one item of each stays.
fn shorten_lists(value: &mut Map<String, Value>, limit: usize) {
    while serialized_size(value) > limit {
        let longest = value
            .iter()
            .filter_map(|(name, field)| field.as_array().filter(|list| list.len() > 1).map(|list| (name, list)))
            .max_by_key(|(_, list)| list.iter().map(|item| item.to_string().len()).sum::<usize>())
            .map(|(name, _)| name.clone());
        let Some(Value::Array(list)) = longest.and_then(|name| value.get_mut(&name)) else { return };
        list.truncate(list.len() / 2);
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
        let reply = object(json!({"file": "a.py", "findings": items(count)}));
        fit_to_budget(reply, Fitting::Pages(Some("findings")), cursor)
    }

    fn everything(count: usize, cursor: Option<&str>) -> Result<Map<String, Value>> {
        fit_to_budget(object(json!({"findings": items(count)})), Fitting::Whole, cursor)
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
        for foreign in [cursor, "x", "x.1", "0.findings-99999", "0.other-1", "0.findings-1.findings-1"] {
            let error = reply(299, Some(foreign)).unwrap_err();
            assert_eq!(error.code(), tapps_base::ErrorCode::InvalidArgument, "{foreign}");
        }
        assert!(reply(300, Some(cursor)).is_ok());
    }

    #[test]
    fn lists_beside_the_paged_one_are_read_on_by_the_same_cursor() {
        let whole = json!({"findings": items(90), "callers": items(70), "tests": ["a", "b"], "callers_total": 70});
        let mut cursor: Option<String> = None;
        let (mut findings, mut callers, mut pages) = (Vec::new(), Vec::new(), 0);
        loop {
            let page =
                fit_to_budget(object(whole.clone()), Fitting::Pages(Some("findings")), cursor.as_deref()).unwrap();
            assert!(serialized_size(&page) <= BUDGET_BYTES, "{}", serialized_size(&page));
            assert_eq!(page["tests"], json!(["a", "b"]), "what was whole stays");
            if pages == 0 {
                assert_eq!((&page["cut"], &page["total"]), (&json!({"callers": 70}), &json!(90)));
            }
            findings.extend(page["findings"].as_array().unwrap().clone());
            callers.extend(page["callers"].as_array().unwrap().clone());
            pages += 1;
            cursor = page.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
            assert_eq!(page["truncated"], json!(cursor.is_some()));
            if cursor.is_none() {
                break;
            }
        }
        assert!(findings == items(90) && callers == items(70), "{} {}", findings.len(), callers.len());
        assert!((3..9).contains(&pages), "{pages}");
    }

    #[test]
    fn a_reply_without_a_paged_list_is_read_on_as_well() {
        let value = json!({"tools": items(200), "names": ["a", "b"]});
        let first = fit_to_budget(object(value.clone()), Fitting::Pages(None), None).unwrap();
        assert!(serialized_size(&first) <= BUDGET_BYTES);
        assert_eq!((&first["truncated"], &first["cut"]), (&json!(true), &json!({"tools": 200})));
        assert_eq!(first["names"], json!(["a", "b"]));
        let shown = first["tools"].as_array().unwrap().len();
        let next = fit_to_budget(object(value), Fitting::Pages(None), first["next_cursor"].as_str()).unwrap();
        assert_eq!(next["tools"][0], items(200)[shown]);
    }

    #[test]
    fn everything_means_everything() {
        let page = everything(300, None).unwrap();
        assert_eq!(page["findings"].as_array().unwrap().len(), 300);
        assert_eq!(page.get("truncated"), None);
        assert!(everything(300, Some("x.1")).is_err());
    }
}
