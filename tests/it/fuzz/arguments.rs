//! Calls of every tool, made from its own schema and from what there is in the project, so that most of them do something.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Cases, Rng, TOKENS};
use crate::mcp_process::Process;
use crate::mcp_tools::tools;
use crate::toolchain_git_support::{commit_all, git};
use crate::toolchain_support::{program, settings, toolchain};

const FILES: &[(&str, &str)] = &[
    (
        "src/shop.py",
        "\"\"\"Shop.\"\"\"\n\nimport os\n\nfrom src.prices import price\n\n\nclass Cart:\n    \"\"\"C.\"\"\"\n\n    def total(self, items):\n        return sum(price(item) for item in items)\n\n\ndef run(command):\n    return os.system(command)\n",
    ),
    ("src/prices.py", "def price(item):\n    return 1\n\n\ndef unused():\n    return price(None)\n"),
    ("src/__init__.py", ""),
    (
        "web/main.ts",
        "import { load } from \"./load\";\n\nexport function main(name: string): string {\n  return load(name);\n}\n",
    ),
    ("web/load.ts", "export const load = (name: string): string => name.trim();\n"),
    ("tests/test_shop.py", "from src.shop import Cart\n\n\ndef test_total():\n    assert Cart().total([1]) == 1\n"),
    ("Dockerfile", "FROM python\nRUN pip install a\n"),
    ("compose.yaml", "services:\n  a:\n    image: b\n"),
    ("requirements.txt", "requests==2.32.5\n"),
    ("README.md", "# Shop\n\n@Fn/src/shop.py#run:15\n"),
    ("vault/one.md", "---\ntags: [alpha, beta/gamma]\n---\n# One\n#inline\n"),
    ("vault/two.md", "# Two\n#alpha text\n"),
];

/// Values that mean something, by the name of the argument.
fn meant(rng: &mut Rng, name: &str, root: &str) -> Option<Value> {
    let paths: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
    let code: Vec<&str> = paths[..6].to_vec();
    let pick = |rng: &mut Rng, from: &[&str]| Some(json!(rng.pick(from)));
    match name {
        "file_path" | "file_paths" | "referenced_paths" => pick(rng, &code),
        "test_files" => pick(rng, &["tests/test_shop.py"]),
        "implementation_files" => pick(rng, &["src/shop.py", "src/prices.py"]),
        "project_path" => Some(json!(root)),
        "root" => Some(json!(if rng.once_in(2) { format!("{root}/vault") } else { root.to_owned() })),
        "path" => Some(json!(if rng.once_in(2) { format!("{root}/src") } else { "src".to_owned() })),
        "element" | "target" | "source" | "focus" | "symbol" => pick(
            rng,
            &[
                "run",
                "price",
                "Cart",
                "Cart.total",
                "main",
                "load",
                "src/shop.py",
                "web/main.ts",
                "@Fn/src/shop.py#run:15",
            ],
        ),
        "languages" | "lang" => pick(rng, &["py", "ts"]),
        "types" => pick(rng, &["function", "class", "method"]),
        "pattern_type" => pick(rng, &["all", "errors", "async", "injection"]),
        "index_path" => pick(rng, &[".coderef/index.json"]),
        "output_path" => pick(rng, &["graph.json", "out/graph.json"]),
        "pattern" => pick(rng, &["*", "a*", "**/*.md"]),
        "exclude" => pick(rng, &["*.ts", "tests/"]),
        "base_ref" => pick(rng, &["HEAD"]),
        "categories" => pick(rng, &["complexity", "security", "maintainability"]),
        "tags" => pick(rng, &["alpha", "beta/gamma", "inline"]),
        "old_tag" | "old" | "from" => pick(rng, &["alpha", "inline"]),
        "new_tag" | "new" | "to" => pick(rng, &["delta", "eps/zeta"]),
        "run_tests" => pick(rng, &["true", "python3 -m pytest"]),
        "library" => pick(rng, &["requests"]),
        "rule" => pick(rng, &["ruff:F401", "bandit:B605", "tapps:deep-nesting"]),
        "tool" => pick(rng, &["tapps_score_file", "tapps_quality_gate"]),
        "key" => pick(rng, &["one", "two"]),
        "template_name" => pick(rng, &["feature-development", "bug-fix"]),
        "question" => pick(rng, &["How fast should CI be?", "How do I hash passwords?"]),
        "cursor" | "session_id" | "step_token" | "request_key" => None,
        _ => pick(rng, &["text", "1", "a longer text about something"]),
    }
}

/// What nobody means.
fn odd(rng: &mut Rng) -> Value {
    match rng.below(8) {
        0 => json!(rng.pick(&TOKENS).repeat(1 << rng.below(14))),
        1 => json!("../../../etc/passwd"),
        2 => json!("/proc/self/environ"),
        3 => json!(i64::MIN),
        4 => json!(u64::MAX),
        5 => json!([[[[{}]]]]),
        6 => Value::Null,
        _ => json!("a\u{0}b\u{202e}"),
    }
}

struct Caller {
    root: String,
    /// Strings of replies by their keys: identifiers, tokens, cursors.
    learned: BTreeMap<String, Vec<String>>,
}

impl Caller {
    /// A value that fits a schema.
    fn value(&self, rng: &mut Rng, name: &str, schema: &Value, whole: &Value) -> Option<Value> {
        if let Some(path) = schema["$ref"].as_str() {
            return self.value(rng, name, whole.pointer(path.trim_start_matches('#'))?, whole);
        }
        if let Some(known) = schema["enum"].as_array() {
            return Some(rng.pick(known).clone());
        }
        if let Some(one) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
            let one = rng.pick(one).clone();
            return self.value(rng, name, &one, whole);
        }
        match schema["type"].as_str() {
            Some("boolean") => Some(json!(rng.once_in(2))),
            Some("integer" | "number") => {
                let bound = |key: &str, other: i64| schema[key].as_i64().unwrap_or(other);
                let (least, most) = (bound("minimum", 1), bound("maximum", 50).min(bound("minimum", 1) + 200));
                Some(json!(least + i64::try_from(rng.below(usize::try_from(most - least).unwrap_or(0) + 1)).unwrap()))
            }
            Some("array") => {
                let count = 1 + rng.below(3);
                let items: Vec<Value> =
                    (0..count).filter_map(|_| self.value(rng, name, &schema["items"], whole)).collect();
                (!items.is_empty()).then_some(Value::Array(items))
            }
            Some("object") => Some(Value::Object(self.arguments(rng, schema, whole))),
            _ => {
                if let Some(seen) = self.learned.get(name).filter(|_| !rng.once_in(3)) {
                    return Some(json!(rng.pick(seen)));
                }
                meant(rng, name, &self.root)
            }
        }
    }

    fn arguments(&self, rng: &mut Rng, schema: &Value, whole: &Value) -> Map<String, Value> {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut arguments = Map::new();
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            if !required.contains(&&**name) && !rng.once_in(3) {
                continue;
            }
            if let Some(value) = self.value(rng, name, schema, whole) {
                arguments.insert(name.clone(), value);
            }
        }
        arguments
    }

    fn learn(&mut self, reply: &Value) {
        match reply {
            Value::Object(object) => {
                for (key, value) in object {
                    let name = if key == "next_cursor" { "cursor" } else { key };
                    if let (Some(text), true) = (value.as_str(), ["cursor", "session_id", "step_token"].contains(&name))
                    {
                        let seen = self.learned.entry(name.to_owned()).or_default();
                        seen.push(text.to_owned());
                        // A cursor belongs to one question: the latest are worth trying.
                        if seen.len() > 4 {
                            seen.remove(0);
                        }
                    }
                    self.learn(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            _ => {}
        }
    }
}

fn write_project(root: &Path) {
    for (path, text) in FILES {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    git(root, &["init", "--quiet"]);
    commit_all(root, "one");
}

#[test]
fn every_tool_answers_whatever_it_is_asked() {
    toolchain();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    fs::create_dir(&root).unwrap();
    fs::write(folder.path().join("canary"), "untouched").unwrap();
    write_project(&root);
    let mut command = program(&settings());
    command.current_dir(&root).env_remove("TAPPS_MCP_PROJECT_ROOT").env("TAPPS_MCP_OFFLINE", "1");
    command.args(["serve", "--toolsets", "all"]);
    let mut server = Process::start(command);
    server.handshake();
    let tools = tools(&mut server);
    assert!(tools.len() > 50, "{}", tools.len());
    let mut caller = Caller { root: root.to_str().unwrap().to_owned(), learned: BTreeMap::new() };
    // What each tool said, by the code of the error: sound calls, and those with one odd value.
    let (mut sound, mut spoilt) = (BTreeMap::<(String, String), u32>::new(), 0_u32);
    for case in Cases::new(250) {
        let mut rng = Rng::new(case);
        let tool = &tools[usize::try_from(case).unwrap() % tools.len()];
        let (name, schema) = (tool["name"].as_str().unwrap(), &tool["inputSchema"]);
        let mut arguments = caller.arguments(&mut rng, schema, schema);
        let is_spoilt = rng.once_in(5);
        if is_spoilt {
            let properties: Vec<String> =
                schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
            let property = if properties.is_empty() { "unknown".to_owned() } else { rng.pick(&properties).clone() };
            arguments.insert(property, odd(&mut rng));
        }
        let asked = Value::Object(arguments);
        let reply = server.call(name, asked.clone());
        let said = &reply["structuredContent"];
        let code = said["error_code"].as_str().unwrap_or(if said.is_object() { "answered" } else { "no content" });
        assert_ne!(code, "internal", "case {case}: {name} {asked}: {reply}");
        assert!(reply.get("content").is_some(), "case {case}: {name} {asked}: {reply}");
        if is_spoilt {
            spoilt += 1;
        } else {
            *sound.entry((name.to_owned(), code.to_owned())).or_default() += 1;
        }
        caller.learn(said);
    }
    let (memory, _) = server.usage().unwrap_or_default();
    assert!(memory < 3 << 20, "{memory} KiB");
    assert!(server.end().1.success());
    assert_eq!(fs::read_to_string(folder.path().join("canary")).unwrap(), "untouched");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is written beside the project");
    let all: u32 = sound.values().sum();
    let refused: u32 = sound.iter().filter(|((_, code), _)| code == "invalid_argument").map(|(_, count)| count).sum();
    println!("{all} sound calls, {refused} refused as invalid_argument, {spoilt} with an odd value: {sound:#?}");
    if std::env::var_os("TAPPS_FUZZ_CASE").is_none() {
        assert!(refused * 10 <= all * 3, "{refused} of {all} calls never came to anything: {sound:#?}");
    }
}
