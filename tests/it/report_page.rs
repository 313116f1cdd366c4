//! The page of a report in a real browser: readable in light and dark, at a desk and on a phone, without scripts.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use rstest::rstest;
use serde_json::{Value, json};

use crate::acceptance_toolbox;
use crate::browser::{TO, told};
use crate::mcp_process::Process;
use crate::systems::{self, System};
use crate::toolchain_support::{folder, program, settings, stderr, toolchain};

/// The page of a project with findings of every kind, and with a past.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    toolchain();
    let folder = folder();
    let defects = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calibration/defects");
    for entry in fs::read_dir(defects).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    fs::write(folder.path().join("fine.py"), "\"\"\"Nothing.\"\"\"\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(&settings());
        command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path()).args(arguments).arg("-q");
        command.output().unwrap()
    };
    for gone in ["eval_call.py", "shell_injection.py"] {
        run(&["gate", "--record", "."]);
        fs::remove_file(folder.path().join(gone)).unwrap();
    }
    let output = run(&["report", "--format", "html"]);
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
});

#[test]
fn the_page_needs_nothing_besides_itself() {
    for outside in ["http:", "https:", "<script", "@import", "url(", "//cdn", " src=", "javascript:", "onclick"] {
        assert!(!PAGE.contains(outside), "{outside}");
    }
    assert!(PAGE.contains("default-src 'none'"), "the page forbids itself to fetch anything");
    assert!(PAGE.starts_with("<!doctype html>") && PAGE.contains("<html lang=\"en\">"));
}

/// What the browser makes of the page; none in the plain tier.
fn look(dark: bool, width: u32) -> Option<Value> {
    let browser = systems::require(System::Browser)?;
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report_html/audit.js");
    let axe = fs::read_to_string(acceptance_toolbox::installed("axe-core/axe.min.js")).unwrap();
    let audit = fs::read_to_string(source).unwrap();
    // The audit itself is a script, which the page would not let run.
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">";
    assert!(PAGE.contains(policy));
    let scripts = format!("<script>{axe}</script><script>{audit}</script></body>");
    let page = folder.path().join("page.html");
    fs::write(&page, PAGE.replace(policy, "").replace("</body>", &scripts)).unwrap();
    // A frame can be narrower than any window.
    let around = format!(
        "<!doctype html><html style='color-scheme:light dark'><body><iframe src='page.html' width='{width}' height='900' \
         style='border:0'></iframe><script>addEventListener('message', ({{ data }}) => {{ if (data.audit) \
         fetch('{TO}', {{ method: 'POST', mode: 'no-cors', body: data.audit }}) }})</script>"
    );
    Some(told(&browser, folder.path(), &around, dark))
}

#[rstest]
#[case::light_desk(false, 1_280)]
#[case::dark_desk(true, 1_280)]
#[case::light_phone(false, 390)]
#[case::dark_phone(true, 390)]
fn a_browser_shows_it_to_everyone_and_filters_work_without_scripts(#[case] dark: bool, #[case] width: u32) {
    let Some(found) = look(dark, width) else { return };
    assert_eq!((&found["dark"], found["resources"].as_array().map(Vec::len)), (&Value::from(dark), Some(0)), "{found}");
    let violations: Vec<&str> = found["violations"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n\n"));
    assert!(found["checks"].as_u64().unwrap() > 15, "{found}");
    assert_eq!(found["width"], width, "{found}");
    assert_eq!(found["overflow"], 0, "nothing is wider than the window");
    let number = |key: &str| found[key].as_u64().unwrap();
    assert!(number("medium") > 3 && number("mediumHidden") == 0, "{found}");
    assert!(number("failed") > 0 && number("failed") < number("files"), "{found}");
    assert_eq!(found["picked"], serde_json::json!(["f1"]));
    assert_eq!(found["reset"], found["files"]);
}

/// A verdict of the running server, drawn by the page it names for that, in a host that speaks the extension's protocol.
#[test]
fn the_view_draws_what_a_host_hands_it() {
    let Some(browser) = systems::require(System::Browser) else { return };
    toolchain();
    let folder = folder();
    let markup = "\"\"\"A.\"\"\"\n\n\ndef shown() -> str:\n    return missing_name + \"<img src=x onerror=document.title='owned'>\"\n";
    fs::write(folder.path().join("shown.py"), markup).unwrap();
    let mut command = program(&settings());
    command.env_remove("TAPPS_MCP_PROJECT_ROOT").current_dir(folder.path()).arg("serve");
    let mut server = Process::start(command);
    server.handshake();
    let listed = server.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let gate = tools.iter().find(|tool| tool["name"] == "tapps_quality_gate").unwrap();
    let uri = gate["_meta"]["ui"]["resourceUri"].as_str().unwrap();
    let read = server.request("resources/read", json!({"uri": uri}));
    let page = &read["result"]["contents"][0];
    assert_eq!(page["mimeType"], "text/html;profile=mcp-app");
    for outside in ["http:", "https:", "@import", "url(", " src=", "innerHTML", "eval("] {
        assert!(!page["text"].as_str().unwrap().contains(outside), "{outside}");
    }
    let verdict = server.call("tapps_quality_gate", json!({"file_path": "shown.py"}));
    let hostile = json!({"structuredContent": {"file": "<b id=planted>x</b>", "passed": true, "score": 88.25}});

    let host = include_str!("../report_html/host.html");
    let literal = |value: &Value| value.to_string().replace('<', "\\u003c");
    let host = host.replace("VIEW", &literal(&page["text"])).replace("RESULTS", &literal(&json!([verdict, hostile])));
    let seen = told(&browser, folder.path(), &host, false);
    assert_eq!(seen["initialized"], 1, "{seen}");
    assert_eq!(seen["theme"], "dark");
    assert!(seen["heights"].as_array().is_some_and(|heights| heights.len() >= 2), "{seen}");
    assert_eq!(seen["unknown"], -32601);
    let first = seen["texts"][0].as_str().unwrap();
    let score = (verdict["structuredContent"]["score"].as_f64().unwrap() * 10.0).round() / 10.0;
    assert!(first.starts_with(&format!("Failed: shown.py {score} of 100")), "{first}");
    for shown in ["ruff:F821", "Undefined name `missing_name`", "maintainability", "Tools verified"] {
        assert!(first.contains(shown), "{shown} in {first}");
    }
    assert!(seen["texts"][1].as_str().unwrap().starts_with("Passed: <b id=planted>x</b> 88.3 of 100"), "{seen}");
    assert_eq!(seen["planted"], 0, "what a tool says never becomes markup");
}
