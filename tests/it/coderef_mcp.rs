//! The toolset `coderef`: the same answers as the program, within bounds.

use std::time::Duration;

use serde_json::{Value, json};
use tapps_base::digest::sha256;

use crate::coderef_query::Project;
use crate::mcp_process::Process;
use crate::mcp_tools::{canonical, names, output_schemas, program_in, serve_toolset, structured, tokens, tools};
use crate::systems::{self, System};

const NAMES: &[&str] = &[
    "coderef_complexity",
    "coderef_context",
    "coderef_coverage",
    "coderef_diagram",
    "coderef_drift",
    "coderef_export",
    "coderef_impact",
    "coderef_patterns",
    "coderef_query",
    "coderef_scan",
    "coderef_similar",
    "coderef_tag",
    "coderef_validate",
];

#[test]
fn the_tools_are_listed_within_their_budget() {
    let project = Project::new();
    let mut server = serve_toolset(project.0.path(), "coderef", &[]);
    let listed = tools(&mut server);
    assert_eq!(names(&listed), NAMES);
    assert!(tokens(&listed) <= 2_300, "{} tokens", tokens(&listed));
    for tool in &listed {
        let about = tool["description"].as_str().unwrap();
        assert!((40..600).contains(&about.chars().count()), "{about}");
        let writes = ["coderef_tag", "coderef_export", "coderef_drift"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["annotations"]["readOnlyHint"], !writes, "{}", tool["name"]);
        assert_eq!(tool["annotations"]["openWorldHint"], false);
    }
    let mut reading = serve_toolset(project.0.path(), "coderef", &["--read-only"]);
    let left = tools(&mut reading);
    let expected: Vec<&str> =
        NAMES.iter().copied().filter(|name| !["coderef_tag", "coderef_export"].contains(name)).collect();
    assert_eq!(names(&left), expected);
    let save = json!({"project_path": project.root(), "save": true});
    assert_eq!(reading.call("coderef_drift", save)["isError"], true);
    let mut all = Process::start(program_in(project.0.path(), &["serve", "--toolsets", "all"]));
    all.handshake();
    let everything = tools(&mut all);
    assert!(tokens(&everything) <= 11_000, "{} tokens", tokens(&everything));
    let mut usual = Process::start(program_in(project.0.path(), &["serve"]));
    usual.handshake();
    assert!(!names(&tools(&mut usual)).contains(&"coderef_scan"), "off unless asked for");
}

#[test]
fn every_tool_answers_within_its_schema_and_the_budget() {
    let project = Project::new();
    for number in 0..300 {
        let text = format!(
            "import {{ isFine }} from \"../lib/util\";\nexport function aRatherLongNameOfAFunctionNumber{number}() {{\n  \
             return isFine({number});\n}}\n"
        );
        project.write(&format!("src/many/file{number:03}.ts"), &text);
    }
    let mut server = serve_toolset(project.0.path(), "coderef", &[]);
    let schemas = output_schemas(&mut server);
    let root = project.root();
    for (tool, arguments, total) in [
        ("coderef_scan", json!({}), Some(316)),
        ("coderef_scan", json!({"languages": ["py"], "use_ast": false, "types": ["class"]}), Some(1)),
        ("coderef_query", json!({"query_type": "calls-me", "target": "isFine", "max_depth": 1}), Some(302)),
        ("coderef_query", json!({"query_type": "all-paths", "target": "isFine", "source": "main"}), Some(2)),
        ("coderef_query", json!({"query_type": "calls", "target": "main", "detail": "full"}), None),
        ("coderef_impact", json!({"element": "isFine", "operation": "delete"}), None),
        ("coderef_impact", json!({"element": "isFine", "operation": "refactor", "max_depth": 9}), None),
        ("coderef_complexity", json!({"element": "Loader"}), Some(2)),
        ("coderef_patterns", json!({}), None),
        ("coderef_patterns", json!({"pattern_type": "error_handling", "limit": 2}), None),
        ("coderef_similar", json!({"text": "is a value fine"}), None),
        (
            "coderef_similar",
            json!({"text": "export function fine(n) {\n  return isFine(n);\n}\n", "language": "ts"}),
            None,
        ),
        ("coderef_coverage", json!({}), None),
        ("coderef_coverage", json!({"format": "detailed"}), None),
        ("coderef_context", json!({}), None),
        ("coderef_context", json!({"output_format": "both", "languages": ["ts"], "max_tokens": 900}), None),
        ("coderef_validate", json!({}), Some(0)),
        ("coderef_drift", json!({"save": true}), None),
        ("coderef_drift", json!({}), None),
        ("coderef_diagram", json!({}), None),
        ("coderef_diagram", json!({"diagram_type": "calls", "format": "dot", "focus": "main", "depth": 1}), None),
        ("coderef_diagram", json!({"format": "svg"}), None),
        ("coderef_export", json!({"format": "json"}), None),
        ("coderef_export", json!({"format": "mermaid", "max_nodes": 5}), None),
        ("coderef_export", json!({"format": "scip", "output_path": "index.scip"}), None),
        ("coderef_tag", json!({"path": format!("{root}/src"), "dry_run": true}), None),
        ("coderef_query", json!({"query_type": "calls", "target": "nobody"}), None),
    ] {
        let mut arguments = arguments;
        if tool != "coderef_tag" {
            arguments["project_path"] = json!(root);
        }
        let result = server.call(tool, arguments.clone());
        let reply = &result["structuredContent"];
        let validator = jsonschema::validator_for(&schemas[tool]).unwrap();
        let errors: Vec<String> = validator.iter_errors(reply).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool} {arguments}: {errors:?}\n{reply}");
        assert_eq!(result["isError"], arguments["target"] == "nobody", "{tool} {arguments}: {reply}");
        if let Some(total) = total {
            assert_eq!(reply["total"], total, "{tool} {arguments}");
            assert!(reply["truncated"].is_boolean(), "{tool}");
        }
        if arguments["detail"] != "full" {
            assert!(reply.to_string().len() <= 6_000, "{tool} {arguments}: {}", reply.to_string().len());
        }
    }
    assert!(std::fs::metadata(project.0.path().join("index.scip")).unwrap().len() > 1_000);
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut arguments = json!({"project_path": root, "query_type": "calls-me", "target": "isFine", "max_depth": 1});
        if cursor.is_string() {
            arguments["cursor"] = cursor;
        }
        let page = structured(&server.call("coderef_query", arguments)).clone();
        found.extend(page["results"].as_array().unwrap().clone());
        cursor = page["next_cursor"].clone();
        if !cursor.is_string() {
            break;
        }
    }
    assert_eq!(found.len(), 302);
}

#[test]
fn commands_and_tools_say_the_same() {
    let project = Project::new();
    let mut server = serve_toolset(project.0.path(), "coderef", &[]);
    for (tool, arguments, command) in [
        ("coderef_scan", json!({}), vec!["scan"]),
        ("coderef_scan", json!({"path": "src/lib", "types": ["class"]}), vec!["scan", "src/lib", "--type", "class"]),
        (
            "coderef_query",
            json!({"query_type": "depends-on", "target": "page"}),
            vec!["query", "page", "-t", "depends-on"],
        ),
        (
            "coderef_query",
            json!({"query_type": "shortest-path", "target": "isFine", "source": "page"}),
            vec!["query", "isFine", "-t", "shortest-path", "--source", "page"],
        ),
        (
            "coderef_impact",
            json!({"element": "Base", "operation": "delete", "max_depth": 5}),
            vec!["impact", "Base", "--operation", "delete", "--depth", "5"],
        ),
        ("coderef_complexity", json!({"element": "src/lib/load.ts"}), vec!["complexity", "src/lib/load.ts"]),
        ("coderef_patterns", json!({"pattern_type": "async", "limit": 3}), vec!["patterns", "async", "--limit", "3"]),
        ("coderef_similar", json!({"text": "load", "limit": 3}), vec!["similar", "load", "--limit", "3"]),
        ("coderef_coverage", json!({"format": "detailed"}), vec!["coverage", "-f", "detailed"]),
        ("coderef_context", json!({"output_format": "json"}), vec!["context", "-f", "json"]),
        ("coderef_validate", json!({"pattern": "**/*.md"}), vec!["validate", "--pattern", "**/*.md"]),
        ("coderef_export", json!({"format": "jsonld"}), vec!["export", "-f", "jsonld"]),
    ] {
        let mut full = arguments.clone();
        full["project_path"] = json!(project.root());
        if !["coderef_context", "coderef_similar"].contains(&tool) {
            full["detail"] = json!("full");
        }
        let by_tool = server.call(tool, full);
        assert_eq!(canonical(structured(&by_tool)), canonical(&project.json(&command)), "{tool} {arguments}");
    }
}

/// Files that nobody has touched for so long are told from changed ones by the file system, so what was read of them counts.
const SETTLED: Duration = Duration::from_millis(2_100);

#[test]
fn a_server_that_keeps_the_graph_in_memory_answers_for_the_bytes_on_disk() {
    let project = Project::new();
    let remove = |path: &str| std::fs::remove_file(project.0.path().join(path)).unwrap();
    let mut server = serve_toolset(project.0.path(), "coderef,project", &[]);
    let (query, root) = (vec!["query", "isFine", "-t", "calls-me"], project.root());
    let asked = json!({"project_path": root, "query_type": "calls-me", "target": "isFine", "detail": "full"});
    let user = "import { isFine } from './util';\nexport function another() {\n  return isFine(1);\n}\n";
    let mut seen = Vec::new();
    for change in [
        "nothing",
        "an addition",
        "an edit",
        "a renaming",
        "a deletion",
        "configuration, and a name that only it explains",
    ] {
        std::thread::sleep(SETTLED);
        let before = canonical(structured(&server.call("coderef_query", asked.clone())));
        assert_eq!(before, canonical(structured(&server.call("coderef_query", asked.clone()))), "before {change}");
        match change {
            "nothing" => {}
            "an addition" => project.write("src/lib/user.ts", user),
            "an edit" => project.write("src/lib/user.ts", &user.replace("another", "whoever")),
            "a renaming" => {
                let at = |path: &str| project.0.path().join(path);
                std::fs::rename(at("src/lib/user.ts"), at("src/lib/renamed.ts")).unwrap();
            }
            "a deletion" => remove("src/lib/renamed.ts"),
            _ => {
                project.write("jsconfig.json", r#"{"compilerOptions": {"paths": {"~fine": ["./src/lib/util"]}}}"#);
                project.write("src/late.js", &user.replace("./util", "~fine"));
            }
        }
        let after = canonical(structured(&server.call("coderef_query", asked.clone())));
        assert_eq!(after, canonical(&project.json(&query)), "{change}");
        assert_eq!(before == after, change == "nothing", "{change}");
        let impact = server.call("tapps_impact_analysis", json!({"file_path": "src/lib/util.ts", "symbol": "isFine"}));
        let callers = structured(&impact)["callers_total"].as_u64().unwrap();
        seen.push(callers);
    }
    assert_eq!(seen[1], seen[0] + 1, "the other tool sees the same: {seen:?}");
    assert_eq!((seen[2], seen[3], seen[4]), (seen[1], seen[1], seen[0]), "{seen:?}");
}

#[test]
fn paths_stay_inside_and_are_absolute() {
    let project = Project::new();
    let outside = Project::new();
    let mut server = serve_toolset(project.0.path(), "coderef", &[]);
    let root = project.root();
    for (path, code) in [
        (outside.root(), "path_denied"),
        ("/".to_owned(), "path_denied"),
        (".".to_owned(), "invalid_argument"),
        (format!("{root}/missing"), "file_not_found"),
        (format!("{root}/src/main.ts"), "invalid_argument"),
        (format!("{root}/../x"), "path_denied"),
    ] {
        let result = server.call("coderef_scan", json!({"project_path": path}));
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["error_code"]),
            (&json!(true), &json!(code)),
            "{path}"
        );
        assert!(result["structuredContent"]["hint"].is_string(), "{path}");
    }
    let tag = server.call("coderef_tag", json!({"path": format!("{}/src", outside.root())}));
    assert_eq!(tag["structuredContent"]["error_code"], "path_denied");
    assert!(!outside.read("src/lib/util.ts").contains('@'));
    for (arguments, message) in [
        (json!({"query_type": "calls", "target": "main", "max_depth": 11}), "more than 10"),
        (json!({"query_type": "calls-you", "target": "main"}), "cannot be `calls-you`"),
        (json!({"query_type": "calls", "target": "mian"}), "nothing in the project is called `mian`"),
    ] {
        let mut arguments = arguments;
        arguments["project_path"] = json!(root);
        let result = server.call("coderef_query", arguments.clone());
        let error = &result["structuredContent"];
        assert_eq!(error["error_code"], "invalid_argument", "{arguments}");
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
        assert!(error["hint"].as_str().unwrap().contains("main") || arguments["target"] == "main", "{error}");
    }
    let below = server.call("coderef_scan", json!({"project_path": format!("{root}/src/lib")}));
    assert_eq!(structured(&below)["elements"][0]["file"], "load.ts");
}

#[test]
fn the_index_can_be_read() {
    let project = Project::new();
    let mut server = serve_toolset(project.0.path(), "coderef", &[]);
    let read = |server: &mut Process, uri: &str| -> Value {
        let answer = server.request("resources/read", json!({"uri": uri}));
        serde_json::from_str(answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")))
            .unwrap()
    };
    let index = read(&mut server, "tapps://coderef/index");
    assert_eq!(index["files"].as_array().unwrap().len(), 7);
    assert_eq!(index["files"][3]["sha256"], sha256(project.read("src/main.ts").as_bytes()));
    let file = read(&mut server, "tapps://coderef/files/src/lib/util.ts");
    assert_eq!(file["elements"][0]["name"], "isFine");
}

#[cfg(unix)]
#[test]
fn another_program_answers_when_it_is_named() {
    let Some(node) = systems::require(System::Node) else { return };
    let project = Project::new();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("dist")).unwrap();
    let script = "if (process.argv[2] === 'query') { console.error('no such element'); process.exit(4); }\n\
                  console.log('Scanning...');\nconsole.log('[1/2] files');\n\
                  console.log(JSON.stringify([{argv: process.argv.slice(2), cwd: process.cwd()}]));\n";
    std::fs::write(folder.path().join("dist/cli.js"), script).unwrap();
    let mut command = program_in(project.0.path(), &["serve", "--toolsets", "coderef"]);
    command.env("CODEREF_CLI_PATH", folder.path());
    command.env("PATH", node.parent().unwrap());
    let mut server = Process::start(command);
    server.handshake();
    let root = project.root();
    let scan = server.call("coderef_scan", json!({"project_path": root, "languages": ["ts", "tsx"]}));
    let reply = structured(&scan);
    assert_eq!(reply["items"], json!([{"argv": ["scan", ".", "--lang", "ts,tsx", "--json", "--ast"], "cwd": root}]));
    let line = format!("{}  cli.js\n", sha256(script.as_bytes()));
    // It answers to everything alike, so that it tells no version.
    let own = env!("CARGO_PKG_VERSION");
    let note = format!("CODEREF_CLI_PATH names a program that tells no version; the engine of this program is {own}");
    assert_eq!(reply["external"], json!({"name": "coderef", "sha256": sha256(line.as_bytes()), "note": note}));
    let impact = server.call("coderef_impact", json!({"project_path": root, "element": "main", "max_depth": 2}));
    assert_eq!(structured(&impact)["items"][0]["argv"], json!(["impact", "main", "--depth", "2", "--format", "json"]));
    let failed = server.call("coderef_query", json!({"project_path": root, "query_type": "calls", "target": "x"}));
    assert_eq!(failed["structuredContent"]["message"], "coderef ended with exit code 4: no such element");
}
