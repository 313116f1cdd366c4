//! What becomes of options that the locked compiler has dropped, or refuses in the company of others.

use serde_json::{Map, Value, json};

use super::settings::words_of;

/// A word as the locked compiler knows it: what it has dropped is what took its place.
pub(super) fn settled_words(key: &str, value: Option<&Value>) -> Option<Value> {
    let word = || value?.as_str().map(str::to_lowercase);
    let known = |all: &[&str]| word().filter(|word| all.contains(&word.as_str())).map(Value::String);
    match key {
        "target" => match word()?.as_str() {
            "es3" | "es5" => Some(json!("es2015")),
            word if word == "esnext" || word.starts_with("es20") || word == "es6" => Some(json!(word)),
            _ => None,
        },
        "module" => match word()?.as_str() {
            "amd" | "umd" | "system" | "none" => Some(json!("esnext")),
            _ => known(&[
                "commonjs", "es6", "es2015", "es2020", "es2022", "esnext", "node16", "node18", "node20", "nodenext",
                "preserve",
            ]),
        },
        "moduleResolution" => match word()?.as_str() {
            "node" | "node10" | "classic" => Some(json!("bundler")),
            _ => known(&["bundler", "node16", "nodenext"]),
        },
        "moduleDetection" => known(&["auto", "force"]),
        "jsx" => known(&["preserve", "react", "react-jsx", "react-jsxdev", "react-native"]),
        "lib" => value?.as_array().map(|_| json!(words_of(value).iter().map(|word| word.to_lowercase()).collect::<Vec<_>>())),
        "customConditions" | "moduleSuffixes" | "types" => value?.as_array().map(|_| json!(words_of(value))),
        _ => value.filter(|value| value.is_string()).cloned(),
    }
}

/// Options that the compiler refuses in the company of others.
pub(super) fn drop_contradictions(options: &mut Map<String, Value>) {
    let is = |options: &Map<String, Value>, key: &str| options.get(key) == Some(&Value::Bool(true));
    let word = |options: &Map<String, Value>, key: &str| {
        options.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let resolution = word(options, "moduleResolution");
    if word(options, "module").starts_with("node") {
        options.remove("moduleResolution");
    } else if resolution.starts_with("node") {
        options.insert("module".to_owned(), json!(resolution));
    }
    if !is(options, "strict") && !is(options, "strictNullChecks") {
        options.remove("strictPropertyInitialization");
        options.remove("exactOptionalPropertyTypes");
    }
    if options.get("strictNullChecks") == Some(&Value::Bool(false)) {
        options.remove("strictPropertyInitialization");
        options.remove("exactOptionalPropertyTypes");
    }
    if !is(options, "experimentalDecorators") {
        options.remove("emitDecoratorMetadata");
    }
    match word(options, "jsx").as_str() {
        "react" => drop(options.remove("jsxImportSource")),
        "react-jsx" | "react-jsxdev" => {
            options.remove("jsxFactory");
            options.remove("jsxFragmentFactory");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_are_settled() {
        let settled = |text: &str| {
            let mut options = serde_json::from_str::<Value>(text).unwrap().as_object().unwrap().clone();
            drop_contradictions(&mut options);
            Value::Object(options)
        };
        assert_eq!(settled(r#"{"module": "nodenext", "moduleResolution": "bundler"}"#), json!({ "module": "nodenext" }));
        let both = json!({ "module": "node16", "moduleResolution": "node16" });
        assert_eq!(settled(r#"{"module": "esnext", "moduleResolution": "node16"}"#), both);
        assert_eq!(settled(r#"{"exactOptionalPropertyTypes": true}"#), json!({}));
        assert_eq!(settled(r#"{"jsx": "react", "jsxImportSource": "x"}"#), json!({ "jsx": "react" }));
    }
}
