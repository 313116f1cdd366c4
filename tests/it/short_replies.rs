//! Replies that are short say what they leave out, and how to get it.

use serde_json::{Value, json};

use crate::mcp_process::Process;
use crate::mcp_tools::{program_in, serve_toolset, structured};

fn serve(folder: &tempfile::TempDir) -> Process {
    let mut server = Process::start(program_in(folder.path(), &["serve"]));
    server.handshake();
    server
}

/// What a tool answers, page after page, with the entries of some lists put together.
fn all_pages(server: &mut Process, tool: &str, arguments: &Value, lists: &[&str]) -> (Value, Vec<Vec<Value>>) {
    let (mut first, mut found) = (Value::Null, vec![Vec::new(); lists.len()]);
    let mut arguments = arguments.clone();
    loop {
        let reply = server.call(tool, arguments.clone());
        let page = structured(&reply);
        assert!(page.to_string().len() <= 6_000, "{}", page.to_string().len());
        assert_eq!(page["truncated"] == true, page["next_cursor"].is_string(), "{page}");
        for (list, all) in lists.iter().zip(&mut found) {
            all.extend(page[list].as_array().unwrap().clone());
        }
        if first.is_null() {
            first = page.clone();
        }
        match page["next_cursor"].as_str() {
            Some(next) => arguments["cursor"] = next.into(),
            None => return (first, found),
        }
    }
}

#[test]
fn every_list_that_was_cut_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("base.py"), "def shared():\n    return 1\n").unwrap();
    for number in 0..90 {
        let text = format!("from base import shared\n\n\ndef caller_number_{number}():\n    return shared()\n");
        std::fs::write(folder.path().join(format!("user_{number:02}.py")), text).unwrap();
    }
    let mut server = serve(&folder);
    let asked = json!({"file_path": "base.py"});
    let lists = ["callers", "direct_dependents", "transitive_dependents"];
    let (first, found) = all_pages(&mut server, "tapps_impact_analysis", &asked, &lists);
    assert_eq!(first["cut"], json!({"callers": 90, "direct_dependents": 90}));
    let whole = server.call("tapps_impact_analysis", json!({"file_path": "base.py", "detail": "full"}));
    let whole = structured(&whole);
    assert_eq!(whole["callers_total"], 90);
    for (list, all) in lists.iter().zip(found) {
        assert_eq!(&json!(all), &whole[list], "{list}");
    }
    let mut other = asked;
    other["cursor"] = first["next_cursor"].clone();
    other["file_path"] = json!("user_00.py");
    let refused = server.call("tapps_impact_analysis", other);
    assert_eq!(refused["structuredContent"]["error_code"], "invalid_argument", "{refused}");
}

#[test]
fn an_expert_cites_what_can_be_read_and_names_only_tools_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve(&folder);
    let listed = server.request("tools/list", json!({}));
    let offered: Vec<&Value> = listed["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    let (mut suggested, mut cut) = (0, 0);
    for question in [
        "How do I retry HTTP requests safely?",
        "How large should a PostgreSQL connection pool be?",
        "How do I store passwords?",
        "Which caller of a function breaks when I change it?",
    ] {
        let reply = server.call("tapps_consult_expert", json!({"question": question}));
        let short = structured(&reply);
        for tool in short["suggested_tools"].as_array().unwrap() {
            assert!(offered.contains(&tool), "{question}: {tool}");
            suggested += 1;
        }
        for source in short["sources"].as_array().unwrap() {
            assert_eq!((source.get("sha256"), source.get("title")), (None, None), "{source}");
            let read = server.request("resources/read", json!({"uri": source["file"]}));
            let text = read["result"]["contents"][0]["text"].as_str().unwrap();
            assert!(text.contains(source["heading"].as_str().unwrap()), "{source}");
        }
        assert_eq!(short["truncated"] == true, short["more"].is_string(), "{short}");
        if let Some(more) = short["more"].as_str() {
            cut += 1;
            let tokens: u64 = more.strip_prefix("max_tokens: ").unwrap().parse().unwrap();
            let longer = server.call("tapps_consult_expert", json!({"question": question, "max_tokens": tokens}));
            let longer = structured(&longer)["answer"].as_str().unwrap().len();
            assert!(longer > short["answer"].as_str().unwrap().len(), "{question}");
        }
        let full = server.call("tapps_consult_expert", json!({"question": question, "detail": "full"}));
        let full = structured(&full);
        // What is told of each source takes room of the same bound, which is the answer's as well.
        let (said, kept) = (short["answer"].as_str().unwrap(), full["answer"].as_str().unwrap());
        assert!(kept == said || full["truncated"] == true && kept.len() < said.len(), "{question}: {full}");
        assert!(kept.lines().all(|line| said.contains(line)), "{question}: {kept}");
        assert!(full["sources"].as_array().unwrap().iter().all(|one| one["sha256"].as_str().unwrap().len() == 64));
    }
    assert!(suggested > 0 && cut > 0, "{suggested} {cut}");
}

#[test]
fn nothing_is_a_hundred_percent_of_no_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "def a():\n    return 1\n").unwrap();
    let mut server = serve_toolset(folder.path(), "coderef", &[]);
    let root = folder.path().canonicalize().unwrap();
    let reply = server.call("coderef_validate", json!({"project_path": root}));
    let told = structured(&reply);
    assert_eq!((&told["files"], told.get("percentage")), (&json!(0), None), "{told}");
    assert_eq!(told["hint"], "no file matches **/*.ts: pass a pattern such as **/*.py");
    let reply = server.call("coderef_validate", json!({"project_path": root, "pattern": "**/*.py"}));
    let told = structured(&reply);
    assert_eq!((&told["files"], told.get("percentage"), told.get("hint")), (&json!(1), None, None), "{told}");
}

#[test]
fn rows_of_a_query_say_a_place_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = "def target():\n    return 1\n\n\ndef user():\n    return target()\n\n\nclass Base:\n    pass\n\n\nclass Heir(Base):\n    pass\n";
    std::fs::write(folder.path().join("a.py"), text).unwrap();
    let mut server = serve_toolset(folder.path(), "coderef", &[]);
    let root = folder.path().canonicalize().unwrap();
    let mut ask = |more: Value| {
        let mut arguments = json!({"project_path": root, "query_type": "calls-me", "target": "target"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        structured(&server.call("coderef_query", arguments)).clone()
    };
    let short = ask(json!({}));
    let row = &short["results"][0];
    assert_eq!((&row["name"], &row["file"], &row["line"]), (&json!("user"), &json!("a.py"), &json!(5)), "{short}");
    assert_eq!(row.get("reference"), None);
    assert!(short["matches"][0]["reference"].as_str().unwrap().starts_with('@'));
    let full = ask(json!({"detail": "full"}));
    let reference = full["results"][0]["reference"].as_str().unwrap().to_owned();
    assert!(full["results"][0].to_string().len() > row.to_string().len() + reference.len());
    let none = ask(json!({"target": "Base"}));
    assert_eq!(
        (&none["total"], &none["hint"]),
        (&json!(0), &json!("one place refers to it in another way: ask depends-on-me"))
    );
    assert_eq!(ask(json!({"target": "Heir"})).get("hint"), None);
}

#[test]
fn errors_are_counted_by_what_they_call_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve(&folder);
    let info = server.call("tapps_server_info", json!({}));
    let session = structured(&info)["session_id"].clone();
    server.call("tapps_quality_gate", json!({"file_path": "missing.py", "session_id": session}));
    server.call("tapps_quality_gate", json!({"file_path": "../out.py", "session_id": session}));
    server.call("tapps_impact_analysis", json!({"file_path": "missing.py", "session_id": session}));
    let stats = server.call("tapps_stats", json!({"session_id": session}));
    let errors = &structured(&stats)["errors"];
    assert_eq!(
        (&errors["validation"], &errors["stall"], &errors["system"]),
        (&json!(3), &json!(0), &json!(0)),
        "{errors}"
    );
    assert_eq!(errors["codes"], json!({"file_not_found": 2, "path_denied": 1}));
    drop(server);
    let shown = program_in(folder.path(), &["stats"]).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("\nerrors: 3 validation\n"), "{shown}");
}
