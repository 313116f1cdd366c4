//! No value of any key makes the program hang, panic or take memory without bound: it is refused with its place, or works.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tapps_base::{Error, ErrorCode};
use tapps_config::{Config, Loaded, Sources, load_config};

use crate::mcp_process::Process;

/// Longer than anything takes on a busy machine; a program that takes this long hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// Address space of a program under test, in KiB: its threads reserve much, and use little.
const ADDRESS_SPACE: &str = "16000000";

/// One key of the JSON Schema.
struct Key {
    /// Dotted; presets and contracts are called `team`.
    path: String,
    schema: Value,
}

impl Key {
    /// The key as the variable of the environment that sets it; presets and contracts have none.
    fn variable(&self) -> Option<String> {
        (!self.path.contains(".team.")).then(|| format!("TAPPS_MCP_{}", self.path.replace('.', "_").to_uppercase()))
    }

    fn has_type(&self, wanted: &str) -> bool {
        match &self.schema["type"] {
            Value::String(name) => name == wanted,
            Value::Array(names) => names.contains(&wanted.into()),
            _ => false,
        }
    }
}

/// Every key that the committed schema names.
fn keys() -> Vec<Key> {
    fn collect(root: &Value, node: &Value, path: &str, found: &mut Vec<Key>) {
        let target = match node["$ref"].as_str() {
            Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap(),
            None => node,
        };
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        if let Some(properties) = target["properties"].as_object() {
            properties.iter().for_each(|(name, child)| collect(root, child, &below(name), found));
        } else if target["additionalProperties"].is_object() {
            collect(root, &target["additionalProperties"], &below("team"), found);
        } else {
            found.push(Key { path: path.to_owned(), schema: target.clone() });
        }
    }
    let schema: Value = serde_json::from_str(&Config::json_schema().unwrap()).unwrap();
    let mut found = Vec::new();
    collect(&schema, &schema, "", &mut found);
    assert!(found.len() > 50, "{}", found.len());
    found
}

/// Values as TOML that no key is meant for, and some that sit at an edge.
fn extremes() -> Vec<String> {
    let nested = |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    let mut values: Vec<String> = [
        "0",
        "1",
        "-1",
        "0.5",
        "-0.0",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "99999999999999999999999999999999999999",
        "0x7fffffffffffffff",
        "nan",
        "-inf",
        "inf",
        "1e308",
        "1e-308",
        "5e-324",
        "true",
        "\"\"",
        "\"nan\"",
        "\"Infinity\"",
        "\"9223372036854775807\"",
        "\"a\\u0000b\"",
        "\"../../../../../../etc/passwd\"",
        "\"\u{202e}\u{7}\"",
        "[]",
        "[\"\"]",
        "[1]",
        "{}",
        "1979-05-27",
    ]
    .map(str::to_owned)
    .to_vec();
    values.push(format!("\"{}\"", "x".repeat(100_000)));
    values.push(format!("[\"{}\"]", "{a,".repeat(10_000)));
    values.push(format!("[{}]", "\"**/?*[!a]\",".repeat(20_000)));
    values.push(format!("[{}]", "\"**/?*[!a]\",".repeat(256)));
    for depth in [70, 1_000, 20_000] {
        values.push(nested("[", "]", depth));
        values.push(nested("{a=", "}", depth));
    }
    values
}

/// The configuration that a file of the user's own with this text gives.
fn read(folder: &Path, text: &str) -> Result<Loaded, Error> {
    let file = folder.join("any.toml");
    std::fs::write(&file, text).unwrap();
    load_config(&Sources {
        root: folder.to_owned(),
        current_dir: folder.to_owned(),
        named_file: Some("any.toml".into()),
        ..Sources::default()
    })
}

/// The error says where, which key, and what to do, in few words.
fn is_told(error: &Error, place: &str, key: &str) {
    let (message, hint) = (error.message(), error.body().hint.as_deref().unwrap_or_default());
    assert!(matches!(error.code(), ErrorCode::ConfigError | ErrorCode::InvalidArgument), "{key}: {message}");
    assert!(message.starts_with(place) && !hint.is_empty(), "{key}: {message}; {hint}");
    assert!(message.len() < 600 && hint.len() < 1_000, "{key}: {} {}", message.len(), hint.len());
    // The weights are judged together; text that is no TOML has no keys.
    let word = key.split('.').next().unwrap().trim_end_matches('s');
    assert!(
        message.contains(word) || message.contains("preset") || message.contains("not valid TOML"),
        "{key}: {message}"
    );
}

#[test]
fn every_extreme_of_every_key_is_refused_with_its_place_or_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let (mut refused, mut taken) = (0, 0);
    for key in keys() {
        for value in extremes() {
            match read(folder.path(), &format!("# one\n{} = {value}\n", key.path)) {
                Ok(_) => taken += 1,
                Err(error) => {
                    is_told(&error, "any.toml:2: ", &key.path);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1_000 && taken > 50, "{refused} {taken}");
}

#[test]
fn every_extreme_of_every_variable_is_refused_with_its_name_or_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    for key in keys() {
        let Some(name) = key.variable() else { continue };
        for value in ["-1", "0", "18446744073709551615", "18446744073709551616", "1e999", "nan", "inf", "-0.5"]
            .map(str::to_owned)
            .into_iter()
            .chain(["x".repeat(100_000), "a,".repeat(50_000)])
        {
            let environment = [(name.clone(), value)].into();
            let sources = Sources { root: folder.path().to_owned(), environment, ..Sources::default() };
            if let Err(error) = load_config(&sources) {
                is_told(&error, &name, &key.path);
            }
        }
    }
}

#[test]
fn files_that_are_large_in_any_way_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (text, what) in [
        (format!("# {}\n", "x".repeat(1 << 20)), "is larger than 1 MiB"),
        (format!("{}=1", "a.".repeat(200_000) + "a"), "not valid TOML"),
        (format!("{} = 1", "x".repeat(1_000_000)), "cannot be used"),
        (
            (0..30_000).fold(String::new(), |text, n| text + &format!("[gates.p{n}]\nextends='p{}'\n", n + 1)),
            "30000 presets",
        ),
        ("[[gates]]\n".repeat(90_000), "must be a table"),
        ("[gates.team]\noverall = 1\n".repeat(2), "not valid TOML"),
    ] {
        let error = read(folder.path(), &text).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError);
        assert!(error.message().contains(what) && error.message().len() < 600, "{what}: {error}");
    }
}

/// A configuration with many keys at an edge: what `value` gives for each.
fn at_edges(value: impl Fn(&Key) -> Option<String>) -> String {
    keys().iter().fold(String::new(), |mut text, key| {
        if let Some(value) = value(key) {
            writeln!(text, "{} = {value}", key.path).unwrap();
        }
        text
    })
}

/// Numbers at a bound, lists and texts as long as they may be. What must fit to something else (weights to each other,
/// names to what they name, addresses to a server) stays out.
fn edge(key: &Key, bound: &str, list: &str) -> Option<String> {
    let apart = [
        "architecture.contracts.",
        "cache.remote",
        "docs.context7_url",
        "gates.team.extends",
        "preset",
        "python.",
        "server.",
        "weights.",
    ];
    let number = key.has_type("integer") || key.has_type("number");
    match () {
        () if apart.iter().any(|prefix| key.path.starts_with(prefix)) => None,
        () if number => Some(key.schema[bound].to_string()),
        () if key.has_type("array") => Some(list.to_owned()),
        () => None,
    }
}

/// The program in a folder, with little address space and nothing of this machine's configuration.
fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\"; exec \"$@\"", ADDRESS_SPACE, env!("CARGO_BIN_EXE_tapps-mcp")]);
    command.args(["--offline", "--config", "any.toml"]).args(arguments).current_dir(folder).env_clear();
    command.env("HOME", folder).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

fn edges() -> Vec<String> {
    let glob = "{?,*,[a-z]}".repeat(46);
    let long = vec![format!("\"{glob}\""); 256].join(",");
    vec![
        at_edges(|key| edge(key, "maximum", &format!("[{long}]"))),
        at_edges(|key| edge(key, "minimum", "[]")),
        "[weights]\nsecurity = 1\ncomplexity = 0\nmaintainability = 0\ntest_coverage = 0\nperformance = 5e-324\n\
         structure = 1e-308\ndevex = 0\n[workflow]\ntask_rate = 5e-324\nagent_rate = 1e-308\n"
            .to_owned(),
    ]
}

#[test]
fn a_check_comes_to_its_end_with_every_key_at_its_edge() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "X: int = 1\n").unwrap();
    for text in edges() {
        read(folder.path(), &text).unwrap();
        let mut command = program(folder.path(), &["check", "a.py"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("it hangs with:\n{text}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Without tools it may say so; with the least limits nothing can be read or waited for, and it names the limit.
        let fits = match output.status.code() {
            Some(2) => said.contains("`limits."),
            code => matches!(code, Some(0 | 1 | 3 | 4)),
        };
        assert!(fits, "{:?} {said}\n{text}", output.status);
        assert!(!said.contains("internal error"), "{said}\n{text}");
    }
}

#[test]
fn a_server_answers_with_every_key_at_its_edge() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "X: int = 1\n").unwrap();
    for text in edges() {
        read(folder.path(), &text).unwrap();
        let mut server = Process::start(program(folder.path(), &["serve", "--toolsets", "all"]));
        server.handshake();
        let info = server.call("tapps_server_info", json!({}))["structuredContent"].clone();
        assert!(info["name"] == "tapps-mcp" || info["error_code"] == "timeout", "{info}");
        for (tool, arguments) in [
            ("tapps_quick_check", json!({"file_paths": ["a.py"]})),
            ("workflow_next_step", json!({"template_name": "bug-fix"})),
            ("validate_tags", json!({"tags": ["a"]})),
        ] {
            let answer = server.call(tool, arguments)["structuredContent"].clone();
            assert!(answer.is_object() && answer["error_code"] != "internal", "{tool}: {answer}\n{text}");
        }
        server.end();
    }
}

#[test]
fn a_deadline_beyond_all_time_is_refused_where_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "X = 1\n").unwrap();
    std::fs::write(folder.path().join("any.toml"), "[limits]\ndeadline_seconds = 9223372036854775807\n").unwrap();
    let output = program(folder.path(), &["check", "a.py"]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let expected =
        "any.toml:2: `limits.deadline_seconds` must be a whole number from 1 to 86400, found 9223372036854775807";
    assert!(said.contains(expected) && said.contains("hint: set `limits.deadline_seconds` to"), "{said}");
}
