//! The tools and the commands: the same answers, within bounds, and nothing written by accident.

use serde_json::{Value, json};

use super::vault::Vault;
use crate::mcp_tools::{canonical, names, output_schemas, program_in, serve_toolset, structured, tokens, tools};

const NAMES: [&str; 7] = [
    "find_files_by_tags",
    "get_files_tags",
    "get_tags_info",
    "get_untagged_files",
    "list_all_tags",
    "replace_tags_batch",
    "validate_tags",
];

fn vault() -> Vault {
    Vault::new(&[
        ("a.md", "---\ntags: [Alpha, two words]\n---\n#beta\n"),
        ("b/c.md", "#alpha #project/x\n"),
        ("b/d.md", "#alpha\n"),
        ("broken.md", "---\ntags: [x\n---\n"),
        ("none.md", "# Nothing\n"),
    ])
}

#[test]
fn seven_tools_are_listed_and_a_read_only_server_keeps_six() {
    let vault = vault();
    let mut server = serve_toolset(vault.0.path(), "tags", &[]);
    let listed = tools(&mut server);
    assert_eq!(names(&listed), NAMES);
    assert!(tokens(&listed) <= 2_000, "{} tokens", tokens(&listed));
    for tool in &listed {
        let about = tool["description"].as_str().unwrap();
        assert!((40..600).contains(&about.chars().count()), "{about}");
        let writes = tool["name"] == "replace_tags_batch";
        assert_eq!(tool["annotations"]["readOnlyHint"], !writes);
        assert_eq!(tool["annotations"]["destructiveHint"], writes);
    }
    assert_eq!(listed[5]["annotations"]["idempotentHint"], false);
    let mut reading = serve_toolset(vault.0.path(), "tags", &["--read-only"]);
    let left: Vec<&str> = NAMES.into_iter().filter(|name| *name != "replace_tags_batch").collect();
    assert_eq!(names(&tools(&mut reading)), left);
    let arguments =
        json!({"root": vault.root(), "replacements": [{"old_tag": "alpha", "new_tag": "x"}], "dry_run": false});
    assert_eq!(reading.call("replace_tags_batch", arguments)["error"]["code"], -32602);
}

#[test]
fn every_tool_answers_within_its_schema_and_the_budget() {
    let vault = vault();
    for number in 0..400 {
        vault.write(&format!("many/a rather long name of a note, number {number}.md"), "#alpha #every/one");
    }
    let mut server = serve_toolset(vault.0.path(), "tags", &[]);
    let schemas = output_schemas(&mut server);
    let root = vault.root();
    let rename = json!([{"old_tag": "alpha", "new_tag": "omega"}]);
    for (tool, arguments, total) in [
        ("find_files_by_tags", json!({"root": root, "tags": ["alpha", "beta"]}), 403),
        ("find_files_by_tags", json!({"root": root, "tags": ["project"], "nested": true}), 1),
        ("find_files_by_tags", json!({"root": root, "tags": ["alpha"], "max_results": 3}), 403),
        ("get_tags_info", json!({"root": root, "tags": ["alpha", "beta", "missing"]}), 3),
        ("get_tags_info", json!({"root": root, "tags": ["alpha"], "max_files_per_tag": 300, "detail": "full"}), 1),
        ("list_all_tags", json!({"root": root}), 4),
        ("list_all_tags", json!({"root": root, "min_count": 2, "pattern": "^a", "profile": "tag-manager"}), 1),
        ("get_untagged_files", json!({"root": root, "max_results": 1}), 1),
        ("validate_tags", json!({"tags": ["fine", "two words"]}), 2),
        ("get_files_tags", json!({"file_paths": [format!("{root}/a.md"), format!("{root}/missing.md")]}), 2),
        ("replace_tags_batch", json!({"root": root, "replacements": rename}), 403),
        ("replace_tags_batch", json!({"root": root, "replacements": rename, "detail": "full"}), 403),
    ] {
        let result = server.call(tool, arguments.clone());
        let reply = structured(&result);
        let validator = jsonschema::validator_for(&schemas[tool]).unwrap();
        let errors: Vec<String> = validator.iter_errors(reply).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{tool} {arguments}: {errors:?}\n{reply}");
        assert_eq!(reply["total"], total, "{tool} {arguments}");
        assert!(reply["truncated"].is_boolean(), "{tool}");
        if arguments["detail"] != "full" {
            assert!(reply.to_string().len() <= 6_000, "{tool}: {}", reply.to_string().len());
        }
    }
    let first = server.call("find_files_by_tags", json!({"root": root, "tags": ["alpha"]}));
    let first = structured(&first);
    assert_eq!((&first["truncated"], &first["counts"]), (&json!(true), &json!([{"name": "alpha", "count": 403}])));
    let mut files = first["files"].as_array().unwrap().clone();
    let mut cursor = first["next_cursor"].clone();
    while cursor.is_string() {
        let page = server.call("find_files_by_tags", json!({"root": root, "tags": ["alpha"], "cursor": cursor}));
        let page = structured(&page).clone();
        files.extend(page["files"].as_array().unwrap().clone());
        cursor = page["next_cursor"].clone();
    }
    assert_eq!(files.len(), 403);
    let paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(paths.is_sorted());
    assert_eq!(files[1], json!({"path": "b/c.md", "tags": ["alpha"]}));
}

#[test]
fn commands_and_tools_say_the_same() {
    let vault = vault();
    let mut server = serve_toolset(vault.0.path(), "tags", &[]);
    let root = vault.root();
    let note = format!("{root}/a.md");
    for (tool, arguments, command, code) in [
        ("list_all_tags", json!({"root": root}), vec!["list"], 0),
        (
            "list_all_tags",
            json!({"root": root, "pattern": "a$", "max_results": 1}),
            vec!["list", "--pattern", "a$", "--max-results", "1"],
            0,
        ),
        ("find_files_by_tags", json!({"root": root, "tags": ["#alpha"]}), vec!["find", "#alpha"], 0),
        ("get_tags_info", json!({"root": root, "tags": ["alpha"]}), vec!["info", "alpha"], 0),
        ("get_untagged_files", json!({"root": root}), vec!["untagged"], 0),
        ("validate_tags", json!({"tags": ["a b"]}), vec!["validate", "a b"], 1),
        ("get_files_tags", json!({"file_paths": [note]}), vec!["files", &note], 0),
        (
            "replace_tags_batch",
            json!({"root": root, "replacements": [{"old_tag": "beta", "new_tag": "gamma"}]}),
            vec!["replace", "beta=gamma"],
            0,
        ),
    ] {
        let output = program_in(vault.0.path(), &[&["tags"], command.as_slice(), &["--format", "json"]].concat())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        let by_command: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut full = arguments.clone();
        full["detail"] = json!("full");
        let by_tool = server.call(tool, full);
        assert_eq!(canonical(structured(&by_tool)), canonical(&by_command), "{tool} {arguments}");
    }
}

#[test]
fn answers_are_what_the_notes_say() {
    let vault = vault();
    let mut server = serve_toolset(vault.0.path(), "tags", &[]);
    let root = vault.root();
    let mut ask = |tool: &str, arguments: Value| structured(&server.call(tool, arguments)).clone();
    let all = ask("list_all_tags", json!({"root": root}));
    assert_eq!(
        all["tags"],
        json!([{"name": "alpha", "count": 3}, {"name": "beta", "count": 1}, {"name": "project/x", "count": 1}])
    );
    assert_eq!((&all["notes"], &all["profile"], &all["root"]), (&json!(5), &json!("obsidian"), &json!(root)));
    assert_eq!(all["unreadable"][0]["path"], "broken.md");
    let info = ask("get_tags_info", json!({"root": root, "tags": ["beta", "ALPHA"], "max_files_per_tag": 1}));
    let expected = json!([
        {"name": "ALPHA", "count": 3, "files": ["a.md"], "files_truncated": true},
        {"name": "beta", "count": 1, "files": ["a.md"]},
    ]);
    assert_eq!((&info["tags"], &info["truncated"]), (&expected, &json!(true)));
    assert_eq!(ask("get_untagged_files", json!({"root": root}))["files"], json!(["none.md"]));
    let notes = ask(
        "get_files_tags",
        json!({"file_paths": [format!("{root}/a.md"), format!("{root}/x.txt"), "a.md", "/etc/passwd"]}),
    );
    assert_eq!(notes["files"][0]["tags"], json!(["Alpha", "beta"]));
    assert_eq!(notes["files"][0]["invalid"], json!(["two words"]));
    let codes: Vec<&Value> =
        notes["files"].as_array().unwrap().iter().map(|file| &file["error"]["error_code"]).collect();
    assert_eq!(codes, [&Value::Null, &json!("file_not_found"), &json!("invalid_argument"), &json!("path_denied")]);
}

#[test]
fn nothing_but_a_literal_false_writes() {
    let vault = vault();
    let before = vault.files();
    let mut server = serve_toolset(vault.0.path(), "tags", &[]);
    let rename = json!([{"old_tag": "alpha", "new_tag": "omega"}]);
    for dry_run in [None, Some(json!(null)), Some(json!(true))] {
        let mut arguments = json!({"root": vault.root(), "replacements": rename});
        if let Some(dry_run) = dry_run {
            arguments["dry_run"] = dry_run;
        }
        let result = server.call("replace_tags_batch", arguments);
        assert_eq!((&structured(&result)["dry_run"], &structured(&result)["occurrences"]), (&json!(true), &json!(3)));
    }
    for dry_run in [json!("false"), json!(0), json!("no"), json!([false])] {
        let arguments = json!({"root": vault.root(), "replacements": rename, "dry_run": dry_run});
        assert_eq!(server.call("replace_tags_batch", arguments)["structuredContent"]["error_code"], "invalid_argument");
    }
    assert_eq!(vault.files(), before);
    let arguments = json!({"root": vault.root(), "replacements": rename, "dry_run": false});
    let result = server.call("replace_tags_batch", arguments);
    assert_eq!(structured(&result)["occurrences"], 3);
    assert_eq!(vault.text("b/d.md"), "#omega\n");
}

#[test]
fn bad_requests_are_refused_and_the_server_lives() {
    let vault = vault();
    let outside = Vault::new(&[("a.md", "#secret")]);
    let mut server = serve_toolset(vault.0.path(), "tags", &[]);
    let root = vault.root();
    for (tool, arguments, code, message) in [
        ("list_all_tags", json!({"root": outside.root()}), "path_denied", "is outside the allowed folders"),
        ("list_all_tags", json!({"root": "/"}), "path_denied", "is outside the allowed folders"),
        ("list_all_tags", json!({"root": "."}), "invalid_argument", "is not absolute"),
        ("list_all_tags", json!({"root": format!("{root}/missing")}), "file_not_found", "missing"),
        ("list_all_tags", json!({"root": format!("{root}/a.md")}), "invalid_argument", "`a.md` is not a folder"),
        ("list_all_tags", json!({"root": root, "max_results": -1}), "invalid_argument", "less than"),
        ("list_all_tags", json!({"root": root, "max_results": 0}), "invalid_argument", "less than"),
        (
            "list_all_tags",
            json!({"root": root, "pattern": "("}),
            "invalid_argument",
            "the pattern `(` cannot be used: unclosed group",
        ),
        ("find_files_by_tags", json!({"root": root, "tags": []}), "invalid_argument", "less than 1"),
        ("find_files_by_tags", json!({"root": root, "tags": ["#"]}), "invalid_argument", "tag 1 is empty"),
        ("replace_tags_batch", json!({"root": root, "replacements": []}), "invalid_argument", "less than 1"),
        (
            "replace_tags_batch",
            json!({"root": root, "replacements": [{"old_tag": "a"}]}),
            "invalid_argument",
            "new_tag",
        ),
        (
            "replace_tags_batch",
            json!({"root": outside.root(), "replacements": [{"old_tag": "secret", "new_tag": "b"}], "dry_run": false}),
            "path_denied",
            "outside",
        ),
    ] {
        let result = server.call(tool, arguments.clone());
        let error = &result["structuredContent"];
        assert_eq!(
            (&result["isError"], &error["error_code"]),
            (&json!(true), &json!(code)),
            "{tool} {arguments}: {error}"
        );
        assert!(error["message"].as_str().unwrap().contains(message), "{tool} {arguments}: {error}");
        assert!(error["hint"].is_string(), "{tool} {arguments}: {error}");
    }
    assert_eq!(outside.text("a.md"), "#secret");
    assert_eq!(structured(&server.call("list_all_tags", json!({"root": root})))["total"], 3);
}

#[test]
fn other_folders_are_allowed_by_the_user_and_not_by_the_project() {
    let vault = vault();
    let notes = Vault::new(&[("a.md", "#elsewhere")]);
    let list = ["tags", "list", "--root", &notes.root(), "--format", "json"];
    let denied = program_in(vault.0.path(), &list).output().unwrap();
    assert_eq!(denied.status.code(), Some(2));
    let error: Value = serde_json::from_slice(&denied.stdout).unwrap();
    assert_eq!(error["error_code"], "path_denied");
    let roots = format!("[tags]\nroots = [\"{}\"]\n", notes.root());
    vault.write("tapps-mcp.toml", &roots);
    let refused = program_in(vault.0.path(), &list).output().unwrap();
    let error: Value = serde_json::from_slice(&refused.stdout).unwrap_or_default();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("`tags.roots` cannot be set by a project"), "{error}");
    std::fs::remove_file(vault.at("tapps-mcp.toml")).unwrap();
    vault.write(".config/tapps-mcp/config.toml", &roots);
    let allowed = program_in(vault.0.path(), &list).output().unwrap();
    let report: Value = serde_json::from_slice(&allowed.stdout).unwrap();
    assert_eq!(report["tags"], json!([{"name": "elsewhere", "count": 1}]));
    std::fs::remove_file(vault.at(".config/tapps-mcp/config.toml")).unwrap();
    let by_variable = program_in(vault.0.path(), &list).env("TAPPS_MCP_TAGS_ROOTS", notes.root()).output().unwrap();
    assert_eq!(by_variable.status.code(), Some(0));
}

#[test]
fn people_read_lines() {
    let vault = vault();
    let shown = |arguments: &[&str]| {
        let output = program_in(vault.0.path(), arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let list = shown(&["tags", "list"]);
    assert!(list.starts_with("3 alpha\n1 beta\n1 project/x\n3 tags\nnot read: broken.md: the front matter"), "{list}");
    let replaced = shown(&["tags", "replace", "beta=gamma"]);
    let expected = "--- a/a.md\n+++ b/a.md\n@@ -3,2 +3,2 @@\n ---\n-#beta\n+#gamma\n1 tag in 1 note would be replaced; write it with --write\n";
    assert!(replaced.starts_with(expected), "{replaced}");
    assert_eq!(shown(&["tags", "validate", "ok", "a b"]), "valid   ok\ninvalid a b: it holds blanks; try a-b\n");
    assert_eq!(shown(&["tags", "resume"]), "no batch was broken off\n");
}
