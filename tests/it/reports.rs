//! Reports in every format: valid by the schema of each, relative, the same everywhere, and steady while code moves.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use regex::Regex;
use serde_json::{Value, json};
use tapps_report::QualityReport;

use crate::corpus;
use crate::mcp_process::Process;
use crate::toolchain_support::{copy_tree, folder, program, settings, stderr, stdout, toolchain};

/// A file that passes, one that blocks, one whose name and text mean something to every format.
const FILES: [(&str, &str); 6] = [
    ("README.md", "# shop\n"),
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1.0\"\n"),
    ("shop/__init__.py", ""),
    ("shop/a, b%c.py", "\"\"\"Odd.\"\"\"\n\nX = {\"<b>&]]>|`\": 1, \"<b>&]]>|`\": 2}\n"),
    ("shop/prices.py", "import os\n\n\ndef total(prices: list[int]) -> int:\n    return sum(price)\n"),
    ("tests/test_prices.py", "from shop.prices import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"),
];

struct Shop {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Shop {
    fn new() -> Self {
        toolchain();
        let folder = folder();
        let root = folder.path().join("project");
        for (name, text) in FILES {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), text).unwrap();
        }
        Self { _folder: folder, root }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run_in(&self.root, arguments)
    }

    fn report(&self, format: &str) -> String {
        report_in(&self.root, format)
    }
}

fn run_in(root: &Path, arguments: &[&str]) -> Output {
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(root).args(arguments).arg("-q");
    command.output().unwrap()
}

fn report_in(root: &Path, format: &str) -> String {
    let output = run_in(root, &["report", "--format", format, "shop", "tests"]);
    assert_eq!(output.status.code(), Some(0), "{format}: {}", stderr(&output));
    stdout(&output)
}

const FORMATS: [&str; 7] = ["json", "markdown", "html", "sarif", "junit", "gitlab", "github"];

#[test]
fn every_format_is_the_same_everywhere_and_names_no_place_of_this_machine() {
    let shop = Shop::new();
    let elsewhere = folder();
    let copy = elsewhere.path().join("another place");
    copy_tree(&shop.root, &copy);
    for format in FORMATS {
        let text = shop.report(format);
        assert_eq!(report_in(&copy, format), text, "{format}");
        assert!(!text.contains(shop.root.to_str().unwrap()), "{format}");
        assert!(text.contains("prices.py") && text.ends_with('\n'), "{format}");
        let file = shop.root.join("out").with_extension(format);
        let output = shop.run(&["report", "--format", format, "--output", file.to_str().unwrap(), "shop", "tests"]);
        assert!(output.status.success() && output.stdout.is_empty(), "{format}: {}", stderr(&output));
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{format}");
    }
    assert_eq!(shop.run(&["report", "--fail", "shop"]).status.code(), Some(1));
}

#[test]
fn gate_and_score_speak_the_formats_of_a_report() {
    let shop = Shop::new();
    for format in &FORMATS[1..] {
        let gate = shop.run(&["gate", "--format", format, "shop", "tests"]);
        assert_eq!(gate.status.code(), Some(1), "{format}: {}", stderr(&gate));
        assert_eq!(stdout(&gate), shop.report(format), "{format}");
        let score = shop.run(&["score", "--format", format, "shop/prices.py"]);
        assert_eq!(score.status.code(), Some(1), "{format}: {}", stderr(&score));
        assert!(stdout(&score).contains("F821"), "{format}");
    }
}

#[test]
fn the_json_report_fits_its_schema_and_adds_up() {
    let shop = Shop::new();
    let report: Value = serde_json::from_str(&shop.report("json")).unwrap();
    let schema = serde_json::to_value(schemars::schema_for!(QualityReport)).unwrap();
    assert_valid(&schema, &report);
    let files = report["files"].as_array().unwrap();
    assert_eq!(report["summary"]["files"], files.len());
    let findings: usize = files.iter().map(|file| file["findings"].as_array().unwrap().len()).sum();
    assert_eq!(report["summary"]["findings"], findings);
    let by_severity = report["summary"]["severities"].as_object().unwrap().values();
    assert_eq!(by_severity.map(|count| count.as_u64().unwrap()).sum::<u64>(), findings as u64);
    let failed = files.iter().filter(|file| file["passed"] == false).count();
    assert_eq!((report["passed"].clone(), report["summary"]["failed"].clone()), (json!(false), json!(failed)));
    assert!(report.get("meta").is_none() && !report.to_string().contains("elapsed_ms"));
}

fn assert_valid(schema: &Value, instance: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn sarif_is_valid_by_the_schema_of_its_committee() {
    let shop = Shop::new();
    let log: Value = serde_json::from_str(&shop.report("sarif")).unwrap();
    let schema = fs::read_to_string(corpus::dir("serde-sarif").join("src/schema.json")).unwrap();
    // One of its patterns has a bracket that strict readers of regular expressions want escaped.
    let schema = schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}\\\\]?$");
    assert_valid(&serde_json::from_str(&schema).unwrap(), &log);
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uriBaseId"], "SRCROOT");
        let uri = place["uri"].as_str().unwrap();
        assert!(!uri.starts_with('/') && !uri.contains([' ', '#']), "{uri}");
    }
    let undefined = results.iter().find(|result| result["ruleId"] == "ruff:F821").unwrap();
    let region = json!({"startLine": 5, "endLine": 5, "startColumn": 16});
    assert_eq!(undefined["locations"][0]["physicalLocation"]["region"], region);
    assert_eq!(undefined["level"], "error");
    assert!(
        results
            .iter()
            .any(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "shop/a%2C%20b%25c.py")
    );
    let project = results.iter().filter(|result| result["ruleId"] == "tapps:no-ci").count();
    assert_eq!(project, 1, "what is said of the project is said once");
}

#[test]
fn names_of_findings_are_unique_and_stay_while_code_moves() {
    let shop = Shop::new();
    let names = |shop: &Shop| -> BTreeSet<(String, String)> {
        let issues: Vec<Value> = serde_json::from_str(&shop.report("gitlab")).unwrap();
        let lines = issues.iter().filter(|issue| issue["check_name"].as_str().unwrap().starts_with("ruff:"));
        let text = |issue: &Value, key: &str| issue[key].as_str().unwrap().to_owned();
        let names: Vec<_> = lines.map(|issue| (text(issue, "check_name"), text(issue, "fingerprint"))).collect();
        let unique: BTreeSet<_> = names.iter().cloned().collect();
        assert_eq!(unique.len(), names.len());
        unique
    };
    let before = names(&shop);
    assert!(before.iter().any(|(rule, _)| rule == "ruff:F821"));
    let prices = shop.root.join("shop/prices.py");
    let moved = fs::read_to_string(&prices).unwrap().replace("\n\n\ndef", "\n\n# moved\n# down\n\n\ndef");
    fs::write(&prices, moved).unwrap();
    assert_eq!(names(&shop), before);
    fs::write(&prices, "def total(prices: list[int]) -> int:\n    return sum(cost)\n").unwrap();
    assert_ne!(names(&shop), before);
}

#[test]
fn gitlab_gets_what_its_documentation_asks_for() {
    let shop = Shop::new();
    let schema = json!({
        "type": "array",
        "minItems": 3,
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": {"type": "string", "minLength": 1},
                "check_name": {"type": "string", "minLength": 1},
                "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        "path": {"type": "string", "pattern": "^[^./]"},
                        "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}}
                    }
                }
            }
        }
    });
    assert_valid(&schema, &serde_json::from_str(&shop.report("gitlab")).unwrap());
}

#[test]
fn junit_is_valid_by_the_schema_that_build_servers_use() {
    let shop = Shop::new();
    let text = shop.report("junit");
    let file = shop.root.join("junit.xml");
    fs::write(&file, &text).unwrap();
    let schema = corpus::dir("pytest-source").join("testing/example_scripts/junit-10.xsd");
    let libraries = std::env::join_paths(["xmlschema", "elementpath"].map(corpus::dir)).unwrap();
    let output = Command::new("python3")
        .env("PYTHONPATH", libraries)
        .args(["-c", "import sys, xmlschema; xmlschema.XMLSchema(sys.argv[1]).validate(sys.argv[2])"])
        .args([&schema, &file])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("tests=\"4\"") && text.contains("failures=\"1\""), "{text}");
    assert!(text.contains("<testcase name=\"shop/prices.py\" classname=\"shop\">"), "{text}");
}

#[test]
fn github_gets_commands_it_can_read_worst_first() {
    let shop = Shop::new();
    let text = shop.report("github");
    let command = Regex::new(
        r"^::(error|warning|notice) file=([^,:]+)(?:,line=(\d+),endLine=\d+)?(?:,col=\d+)?,title=([^,:]+)::(.+)$",
    )
    .unwrap();
    let mut levels = Vec::new();
    for line in text.lines() {
        let parts = command.captures(line).unwrap_or_else(|| panic!("{line}"));
        let file = parts[2].replace("%2C", ",").replace("%3A", ":").replace("%25", "%");
        assert!(shop.root.join(&file).is_file(), "{file}");
        levels.push(["error", "warning", "notice"].iter().position(|level| *level == &parts[1]).unwrap());
    }
    assert!(levels.is_sorted() && levels.contains(&0) && levels.contains(&2), "{levels:?}");
    assert!(text.starts_with("::error file=shop/prices.py,title=gate failed::ruff:F821 at line 5"), "{text}");
}

#[test]
fn markdown_says_the_verdict_first_and_hostile_text_stays_text() {
    let shop = Shop::new();
    let text = shop.report("markdown");
    assert!(text.starts_with("# Quality report\n\n**Failed** the gate `standard`: 1 of 4 files."), "{text}");
    assert!(text.contains("| `shop/a, b%c.py` |") && text.contains("### `shop/prices.py`"));
    for format in ["markdown", "html"] {
        assert!(!shop.report(format).contains("<b>"), "{format}");
    }
}

#[test]
fn recorded_verdicts_make_the_trend() {
    let shop = Shop::new();
    assert_eq!(shop.run(&["gate", "--record", "shop", "tests"]).status.code(), Some(1));
    fs::write(shop.root.join("shop/prices.py"), FILES[4].1.replace("sum(price)", "sum(prices)")).unwrap();
    assert_eq!(shop.run(&["gate", "--record", "shop", "tests"]).status.code(), Some(0));
    let report: Value = serde_json::from_str(&shop.report("json")).unwrap();
    let trend = report["trend"].as_array().unwrap();
    let failed: Vec<u64> = trend.iter().map(|point| point["failed"].as_u64().unwrap()).collect();
    assert_eq!(failed, [1, 0]);
    assert!(trend[0]["mean"].as_f64() < trend[1]["mean"].as_f64());
    assert!(shop.report("html").contains("<polyline"));
    // A recorded verdict is an attestation as any other.
    let history = shop.root.join(".tapps-mcp/history");
    let latest = history.join(format!("{}.json", trend[1]["label"].as_str().unwrap()));
    let verified = shop.run(&["attest", "verify", latest.to_str().unwrap()]);
    assert!(stdout(&verified).starts_with("identical"), "{}{}", stdout(&verified), stderr(&verified));
    fs::write(history.join("0.json"), "{}").unwrap();
    let broken = shop.run(&["report", "shop"]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(stderr(&broken).contains(".tapps-mcp/history/0.json"), "{}", stderr(&broken));
}

#[test]
fn the_tool_writes_what_the_command_writes_and_it_can_be_read_again() {
    let shop = Shop::new();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(&shop.root).arg("serve");
    let mut server = Process::start(command);
    server.handshake();
    for (format, mime) in [("html", "text/html"), ("sarif", "application/sarif+json"), ("markdown", "text/markdown")] {
        let answer = server.call("tapps_report", json!({"format": format, "file_path": "shop"}));
        let reply = &answer["structuredContent"];
        assert_eq!((&reply["passed"], &reply["summary"]["failed"]), (&json!(false), &json!(1)), "{reply}");
        assert!(reply.to_string().len() <= 6_000);
        let whole = format!("{}?part=all", reply["uri"].as_str().unwrap());
        let read = server.request("resources/read", json!({"uri": whole}));
        let contents = &read["result"]["contents"][0];
        assert_eq!(contents["mimeType"], mime, "{read}");
        let text = contents["text"].as_str().unwrap();
        assert_eq!(text, stdout(&shop.run(&["report", "--format", format, "shop"])), "{format}");
        assert_eq!(reply["bytes"], text.len());
    }
    let params = json!({
        "ref": {"type": "ref/resource", "uri": "tapps://report/{id}"},
        "argument": {"name": "id", "value": ""}
    });
    let known = server.request("completion/complete", params)["result"]["completion"]["values"].clone();
    assert_eq!(known.as_array().unwrap().len(), 3, "{known}");
    let missing = server.request("resources/read", json!({"uri": "tapps://report/0123456789abcdef.html"}));
    assert_eq!(missing["error"]["code"], -32002);
    let outside = server.call("tapps_report", json!({"file_path": "../elsewhere"}));
    assert_eq!(outside["structuredContent"]["error_code"], "path_denied");
    server.end();
}
