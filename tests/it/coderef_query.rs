//! Questions about a real tree, by the program: what is called, what is imported, what a change touches.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A small shop in TypeScript with a namespace import, a `.js` specifier, heritage and a test, and a script in Python.
const FILES: [(&str, &str); 7] = [
    (
        "src/main.ts",
        "import { load } from \"./lib/load.js\";\nimport * as util from \"./lib/util\";\nimport { memo } from \"react\";\n\n\
         /** Starts. */\nexport function main(path: string): number {\n  const tree = load(path);\n  \
         if (tree && util.isFine(tree)) {\n    return 1;\n  }\n  memo(tree);\n  return [1, 2].map((x) => x + 1).length;\n}\n",
    ),
    (
        "src/lib/load.ts",
        "import { isFine } from \"./util\";\nexport abstract class Base {\n  abstract run(): void;\n  \
         protected log(text: string) {\n    return isFine(text);\n  }\n}\nexport class Loader extends Base {\n  \
         constructor(private readonly root: string) {\n    super();\n  }\n  run() {\n    this.log(this.root);\n  }\n}\n\
         export function load(path: string) {\n  const loader = new Loader(path);\n  loader.run();\n  return path;\n}\n",
    ),
    (
        "src/lib/util.ts",
        "export function isFine(x: unknown): boolean {\n  if (x === null || x === undefined) return false;\n  \
         return true;\n}\nexport const unused = () => 3;\n",
    ),
    (
        "src/[slug]/page.ts",
        "import { main } from \"../main\";\nexport default function page() {\n  return main(\"p\");\n}\n",
    ),
    (
        "test/main.test.ts",
        "import { main } from \"../src/main\";\ntest(\"it starts\", () => {\n  expect(main(\"x\")).toBe(1);\n});\n",
    ),
    (
        "tools/shop/prices.py",
        "def price(name):\n    return len(name)\n\n\nclass Till:\n    def add(self, name):\n        return price(name)\n",
    ),
    (
        "tools/shop/sell.py",
        "from .prices import Till\n\n\ndef sell(names):\n    till = Till()\n    for name in names:\n        till.add(name)\n",
    ),
];

/// A project on disk.
pub(crate) struct Project(pub(crate) TempDir);

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (path, text) in FILES {
            project.write(path, text);
        }
        project
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.path().join(path)).unwrap()
    }

    /// The absolute path, as the program itself would name it.
    pub(crate) fn root(&self) -> String {
        self.0.path().canonicalize().unwrap().to_str().unwrap().to_owned()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        run_in(self.0.path(), arguments)
    }

    /// The JSON of a command that succeeds.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_coderef"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").env("XDG_CONFIG_HOME", folder.join(".config"));
    command.output().unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// `depth name file:line status [lines]` of each result.
fn lines(report: &Value) -> Vec<String> {
    let line = |result: &Value| {
        let text = |key: &str| result[key].as_str().unwrap().to_owned();
        let (name, file, status) = (text("name"), text("file"), text("status"));
        format!("{} {name} {file}:{} {status} {}", result["depth"], result["line"], result["lines"])
    };
    report["results"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn calls_lead_through_namespaces_constructors_and_heritage() {
    let project = Project::new();
    let calls = project.json(&["query", "main", "--depth", "2"]);
    assert_eq!(
        lines(&calls),
        [
            "1 load src/lib/load.ts:16 resolved [7]",
            "1 isFine src/lib/util.ts:1 resolved [8]",
            "2 Loader.constructor src/lib/load.ts:9 resolved [17]",
            "2 Loader.run src/lib/load.ts:12 resolved [18]",
        ]
    );
    assert_eq!(calls["outside"], json!([{"module": "react", "name": "memo", "lines": [11]}]));
    assert_eq!(calls["not_followed"]["builtin"], 1);
    let callers = project.json(&["query", "isFine", "-t", "calls-me", "--depth", "1"]);
    assert_eq!(lines(&callers), ["1 Base.log src/lib/load.ts:4 resolved [5]", "1 main src/main.ts:6 resolved [8]"]);
    let python = project.json(&["query", "Till.add", "--type", "what-calls-me"]);
    assert_eq!(lines(&python), ["1 sell tools/shop/sell.py:4 resolved [7]"]);
}

#[test]
fn importers_are_found_whatever_the_specifier_looks_like() {
    let project = Project::new();
    for (target, importers) in [
        ("src/lib/load.ts", vec!["src/main.ts"]),
        ("src/lib/util.ts", vec!["src/lib/load.ts", "src/main.ts"]),
        ("src/main", vec!["src/[slug]/page.ts", "test/main.test.ts"]),
        ("tools/shop/prices.py", vec!["tools/shop/sell.py"]),
    ] {
        let report = project.json(&["query", target, "-t", "imports-me", "--depth", "1"]);
        let files: Vec<&str> =
            report["results"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect();
        assert_eq!(files, importers, "{target}");
    }
}

#[test]
fn every_reference_that_is_told_is_understood() {
    let project = Project::new();
    let scan = project.json(&["scan"]);
    let elements = scan["elements"].as_array().unwrap();
    assert!(elements.len() >= 14, "{}", elements.len());
    for element in elements {
        let reference = element["reference"].as_str().unwrap();
        let report = project.json(&["query", reference, "-t", "calls-me"]);
        assert_eq!(report["matches"][0]["reference"], reference);
        assert_eq!(report["matches"].as_array().unwrap().len(), 1, "{reference}");
    }
    let page = elements.iter().find(|element| element["file"] == "src/[slug]/page.ts").unwrap();
    assert_eq!(page["reference"], "@Fn/src/%5Bslug%5D/page.ts#page:2");
}

#[test]
fn chains_go_from_source_to_target() {
    let project = Project::new();
    let names = |report: &Value| -> Vec<Vec<String>> {
        let chain = |chain: &Value| {
            chain["steps"].as_array().unwrap().iter().map(|step| step["name"].as_str().unwrap().to_owned()).collect()
        };
        report["results"].as_array().unwrap().iter().map(chain).collect()
    };
    let shortest = project.json(&["query", "isFine", "-t", "shortest-path", "--source", "page"]);
    assert_eq!(names(&shortest), [["page", "main", "isFine"]]);
    let all = project.json(&["query", "isFine", "-t", "all-paths", "--source", "main"]);
    assert_eq!(names(&all), [vec!["main", "isFine"], vec!["main", "load", "Loader.run", "Base.log", "isFine"]]);
    let none = project.json(&["query", "main", "-t", "shortest-path", "--source", "isFine"]);
    assert_eq!((&none["total"], &none["truncated"]), (&json!(0), &json!(false)));
}

#[test]
fn the_answer_is_for_the_bytes_on_disk() {
    let project = Project::new();
    let callers = |project: &Project| project.json(&["query", "unused", "-t", "calls-me"])["total"].clone();
    assert_eq!(callers(&project), 0);
    let before = project.read("src/lib/util.ts");
    project.write("src/lib/util.ts", &(before.clone() + "export function use() {\n  return unused();\n}\n"));
    assert_eq!(callers(&project), 1);
    project.write("src/lib/util.ts", &before);
    assert_eq!(callers(&project), 0);
}
