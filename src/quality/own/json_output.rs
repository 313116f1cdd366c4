//! Values inside of JSON, by paths that a description gives.

use serde_json::Value;

/// Most values that a path may lead to.
const MOST: usize = 20_000;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// Back to what holds the value.
    Up,
    /// Every element of a list, or value of an object.
    Each,
    Key(String),
    Index(usize),
}

/// Steps with dots between them: a key, a number, `*` for each, `^` for what holds the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath(Vec<Step>);

/// A value with everything that it is inside of, the outermost first.
pub(super) type Trail<'v> = Vec<&'v Value>;

impl JsonPath {
    /// None for what is no path.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > 200 {
            return None;
        }
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        let step = |part: &str| match part {
            "" => None,
            "*" => Some(Step::Each),
            "^" => Some(Step::Up),
            number if number.bytes().all(|b| b.is_ascii_digit()) => number.parse().ok().map(Step::Index),
            key => Some(Step::Key(key.to_owned())),
        };
        text.split('.').map(step).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Every value that the path leads to from the end of a trail; none when there are too many.
    pub(super) fn all<'v>(&self, from: &Trail<'v>) -> Option<Vec<Trail<'v>>> {
        let mut trails = vec![from.clone()];
        for step in &self.0 {
            let mut next: Vec<Trail<'v>> = Vec::new();
            for mut trail in trails {
                let Some(value) = trail.last().copied() else { continue };
                let inside: Vec<&Value> = match (step, value) {
                    (Step::Up, _) => {
                        trail.pop();
                        next.push(trail);
                        continue;
                    }
                    (Step::Each, Value::Array(list)) => list.iter().collect(),
                    (Step::Each, Value::Object(object)) => object.values().collect(),
                    (Step::Key(key), Value::Object(object)) => object.get(key).into_iter().collect(),
                    (Step::Index(at), Value::Array(list)) => list.get(*at).into_iter().collect(),
                    _ => Vec::new(),
                };
                for one in inside {
                    next.push(trail.iter().copied().chain([one]).collect());
                }
                if next.len() > MOST {
                    return None;
                }
            }
            trails = next;
        }
        Some(trails)
    }

    /// The one value that the path leads to.
    pub(super) fn one<'v>(&self, from: &Trail<'v>) -> Option<&'v Value> {
        self.all(from)?.into_iter().next()?.last().copied().filter(|value| !value.is_null())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_lead_into_values_and_back() {
        let value = json!([{"file": "a", "found": [{"at": [3, 4]}, {"at": [5]}]}, {"file": "b", "found": []}]);
        let path = |text: &str| JsonPath::parse(text).unwrap();
        let items = path("*.found.*").all(&vec![&value]).unwrap();
        assert_eq!(items.len(), 2);
        assert_eq!(path("^.^.file").one(&items[1]), Some(&json!("a")));
        assert_eq!(path("at.0").one(&items[1]), Some(&json!(5)));
        assert_eq!(path("at.1").one(&items[1]), None);
        assert_eq!(path("^.^.^.^.^.x").one(&items[0]), None);
        assert_eq!(JsonPath::parse("a..b"), None);
    }
}
