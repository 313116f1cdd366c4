//! The schemas of what tools answer: committed for readers, and never taken back once they are released.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tapps_report::attest::{PREDICATE_TYPE, Statement};

use crate::mcp_process::Process;
use crate::toolchain_support::{folder, program, settings};

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas")
}

/// The fields that were released, one to a line: tool, place, kinds.
fn released_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released/results.tsv")
}

/// The output schema of every tool, as the server lists it.
fn schemas() -> BTreeMap<String, Value> {
    let folder = folder();
    let mut command: Command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path());
    command.args(["serve", "--toolsets", "all", "--offline", "--workers", "off"]);
    let mut server = Process::start(command);
    server.handshake();
    let (mut found, mut cursor) = (BTreeMap::new(), Value::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let listed = server.request("tools/list", params)["result"].clone();
        for tool in listed["tools"].as_array().unwrap() {
            found.insert(tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone());
        }
        cursor = listed["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    server.end();
    found
}

/// A schema as a document of its own.
fn document(tool: &str, schema: &Value) -> String {
    let mut document = serde_json::Map::new();
    document.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    document.insert("title".into(), format!("structuredContent of {tool}").into());
    document.extend(schema.as_object().unwrap().iter().map(|(key, value)| (key.clone(), value.clone())));
    serde_json::to_string_pretty(&Value::Object(document)).unwrap() + "\n"
}

/// The places of a schema where one that admits anything stands bare, which several readers refuse.
fn bare(schema: &Value, at: &str, found: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            for (keyword, value) in object {
                // Here it is a word of its own, which every reader knows.
                let free = keyword == "additionalProperties" && value.is_boolean();
                bare(if free { &Value::Null } else { value }, &format!("{at}/{keyword}"), found);
            }
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(n, item)| bare(item, &format!("{at}/{n}"), found)),
        Value::Bool(true) => found.push(at.to_owned()),
        _ => {}
    }
}

#[test]
fn no_schema_of_any_toolset_admits_anything_without_a_word() {
    let mut found = Vec::new();
    for (tool, schema) in schemas() {
        bare(&schema, &tool, &mut found);
    }
    assert_eq!(found, [""; 0]);
}

#[test]
fn the_committed_schemas_are_current() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let folder = committed();
    let mut known = BTreeSet::new();
    for (tool, schema) in schemas() {
        let current = document(&tool, &schema);
        jsonschema::draft202012::meta::validate(&serde_json::from_str(&current).unwrap()).unwrap();
        let path = folder.join(format!("{tool}.json"));
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &current).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == current, "run the tests with UPDATE_DOCS=1 to write {} anew", path.display());
        known.insert(path);
    }
    assert!(known.len() > 40, "{}", known.len());
    known.insert(attestation_schema());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(known.contains(&path), "{} belongs to no tool", path.display());
    }
}

/// The schema of attestations, which is where their type of predicate says.
fn attestation_schema() -> PathBuf {
    committed().join(PREDICATE_TYPE.rsplit('/').next().unwrap())
}

#[test]
fn the_schema_of_attestations_is_current_and_where_their_type_says() {
    let mut schema = serde_json::to_value(schemars::schema_for!(Statement)).unwrap();
    schema["$id"] = PREDICATE_TYPE.into();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = attestation_schema();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &current).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == current, "run the tests with UPDATE_DOCS=1 to write {} anew", path.display());
}

/// What can stand at each place of a reply.
type Kinds = BTreeMap<String, BTreeSet<String>>;

struct Walk<'s> {
    whole: &'s Value,
    /// References that are being followed; a type that holds itself ends there.
    within: Vec<&'s str>,
    found: Kinds,
}

impl<'s> Walk<'s> {
    fn of(schema: &'s Value) -> Kinds {
        let mut walk = Self { whole: schema, within: Vec::new(), found: Kinds::new() };
        walk.visit(schema, "$");
        walk.found
    }

    fn visit(&mut self, schema: &'s Value, place: &str) {
        if let Some(reference) = schema["$ref"].as_str() {
            if self.within.contains(&reference) {
                self.note(place, "again");
                return;
            }
            let target = self.whole.pointer(reference.trim_start_matches('#')).unwrap_or_else(|| panic!("{reference}"));
            self.within.push(reference);
            self.visit(target, place);
            self.within.pop();
        }
        match &schema["type"] {
            Value::String(kind) => self.note(place, kind),
            Value::Array(kinds) => kinds.iter().for_each(|kind| self.note(place, kind.as_str().unwrap())),
            _ => {}
        }
        for (name, below) in schema["properties"].as_object().into_iter().flatten() {
            self.visit(below, &format!("{place}.{name}"));
        }
        for list in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            for below in schema[list].as_array().into_iter().flatten() {
                self.visit(below, place);
            }
        }
        for (keyword, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
            if schema[keyword].is_object() {
                self.visit(&schema[keyword], &format!("{place}{mark}"));
            }
        }
    }

    fn note(&mut self, place: &str, kind: &str) {
        self.found.entry(place.to_owned()).or_default().insert(kind.to_owned());
    }
}

/// `(tool, place)` with the kinds.
type Fields = BTreeMap<(String, String), String>;

fn fields(schemas: &BTreeMap<String, Value>) -> Fields {
    let of = |(tool, schema): (&String, &Value)| {
        let tool = tool.clone();
        let line = move |(place, kinds): (String, BTreeSet<String>)| {
            ((tool.clone(), place), kinds.into_iter().collect::<Vec<_>>().join("|"))
        };
        Walk::of(schema).into_iter().map(line).collect::<Vec<_>>()
    };
    schemas.iter().flat_map(of).collect()
}

/// What readers of the released form would miss in the present one.
fn taken_back(released: &Fields, now: &Fields) -> Vec<String> {
    released
        .iter()
        .filter_map(|((tool, place), kinds)| match now.get(&(tool.clone(), place.clone())) {
            None => Some(format!("{tool}: {place} has gone")),
            Some(present) if present != kinds => Some(format!("{tool}: {place} was {kinds} and is {present}")),
            Some(_) => None,
        })
        .collect()
}

fn read(text: &str) -> Fields {
    let line = |line: &str| {
        let mut parts = line.split('\t').map(str::to_owned);
        ((parts.next().unwrap(), parts.next().unwrap()), parts.next().unwrap())
    };
    text.lines().map(line).collect()
}

/// `UPDATE_RELEASED=1` adds what is new; what was released once stays in the file.
#[test]
fn what_was_released_stays() {
    let now = fields(&schemas());
    let text = fs::read_to_string(released_file()).unwrap_or_default();
    let mut released = read(&text);
    let taken = taken_back(&released, &now);
    assert!(taken.is_empty(), "replies may only gain fields:\n{}", taken.join("\n"));
    if std::env::var_os("UPDATE_RELEASED").is_some() {
        released.extend(now);
        let lines = released.iter().map(|((tool, place), kinds)| format!("{tool}\t{place}\t{kinds}\n"));
        fs::create_dir_all(released_file().parent().unwrap()).unwrap();
        fs::write(released_file(), lines.collect::<String>()).unwrap();
    }
    let gate = |place: &str| released.get(&("tapps_quality_gate".to_owned(), place.to_owned())).cloned();
    assert_eq!(gate("$.passed").as_deref(), Some("boolean"), "the snapshot has been read");
}

#[test]
fn a_field_that_goes_or_changes_is_found() {
    let schema = |about: Value| BTreeMap::from([("t".to_owned(), about)]);
    let before = fields(&schema(json!({
        "$defs": { "Node": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } } } },
        "anyOf": [{ "type": "object", "properties": {
            "a": { "type": ["string", "null"] }, "list": { "type": "array", "items": { "$ref": "#/$defs/Node" } }
        } }]
    })));
    assert_eq!(before[&("t".into(), "$.a".into())], "null|string");
    assert_eq!(before[&("t".into(), "$.list[].next".into())], "again");
    let after = fields(&schema(json!({
        "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "integer" } }
    })));
    let taken = taken_back(&before, &after);
    assert_eq!(
        taken,
        [
            "t: $.a was null|string and is string",
            "t: $.list has gone",
            "t: $.list[] has gone",
            "t: $.list[].next has gone"
        ]
    );
    assert_eq!(taken_back(&after, &after), Vec::<String>::new());
}
