//! Documentation of every locked dependency of a project in a network namespace without any interface that is up.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tapps_docs::bundle::Shelf;

use crate::airgap::isolated;
use crate::docs_project::{Pinned, bundles, locks, project};
use crate::mcp_process::Process;
use crate::systems::{self, System};
use crate::toolchain_support::{folder, stdout};

/// How long the first answer about a library may take.
const FIRST: Duration = Duration::from_secs(600);

/// The server without any network; when it ends it writes what the kernel counted of attempts to send anything.
fn serve(root: &Path, counted: &Path, options: &str) -> Command {
    let script = format!(
        "\"$PROGRAM\" serve {options} --toolsets knowledge --project-root \"$ROOT\"; cat /proc/net/snmp /proc/net/snmp6 > \"$COUNTED\""
    );
    let mut command = isolated(&script);
    for name in ["TAPPS_MCP_OFFLINE", "TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_BUNDLES", "CONTEXT7_API_URL"] {
        command.env_remove(name);
    }
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(name);
    }
    let home = root.with_file_name("home");
    command.env("TAPPS_MCP_DATA_DIR", home.join("data")).env("TAPPS_MCP_CACHE_DIR", home.join("cache"));
    command.env("TAPPS_MCP_LIMITS_DEADLINE_SECONDS", "600");
    // No tools are installed on the way.
    command.env("TAPPS_MCP_TOOLCHAIN_DIR", home.join("tools"));
    command.env("CONTEXT7_API_KEY", "ctx7sk-of-nobody").env("PROGRAM", env!("CARGO_BIN_EXE_tapps-mcp"));
    command.env("ROOT", root).env("COUNTED", counted);
    command
}

/// The first question about a library has it extracted, which takes its time in a program that is not optimised.
fn patiently(server: &mut Process, asked: &Value) -> Value {
    let id = server.begin("tools/call", json!({"name": "tapps_lookup_docs", "arguments": asked}));
    loop {
        let line = server.line_within(FIRST).unwrap_or_else(|| panic!("no answer to {asked}"));
        let message: Value = serde_json::from_str(&line).unwrap();
        if message["id"] == id {
            return message["result"].clone();
        }
    }
}

/// Connections begun, datagrams sent, and packets that had no way to go.
fn attempts(counted: &Path) -> u64 {
    let text = fs::read_to_string(counted).unwrap();
    let mut lines = text.lines().peekable();
    let mut total = 0;
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["Ip6OutNoRoutes" | "Udp6OutDatagrams", count] = words[..] {
            total += count.parse::<u64>().unwrap();
        }
        // In the other file a line of names stands before the line of numbers.
        let Some(next) = lines.peek().filter(|next| next.split(' ').next() == words.first().copied()) else { continue };
        let named = words.iter().zip(next.split_whitespace());
        let of_interest = named.filter(|(name, _)| ["ActiveOpens", "OutDatagrams", "OutNoRoutes"].contains(name));
        total += of_interest.map(|(_, count)| count.parse::<u64>().unwrap()).sum::<u64>();
        lines.next();
    }
    total
}

/// Asks about every pinned library, which has to be answered from there in exactly the locked version; prints the times of
/// asking again.
fn ask_everything(server: &mut Process, pins: &[Pinned], source: &str) {
    let mut times = Vec::new();
    for (ecosystem, library, version) in pins {
        let asked = json!({"library": format!("{ecosystem}:{library}"), "topic": "how to make one"});
        let answer = patiently(server, &asked);
        let said = &answer["structuredContent"];
        let told = (&said["library"], &said["version"], &said["exact"], &said["source"]);
        assert_eq!(told, (&json!(library), &json!(version), &json!(true), &json!(source)), "{answer}");
        let lock = if *ecosystem == "npm" { "package-lock.json" } else { "uv.lock" };
        assert_eq!(said["provenance"]["pinned_by"], lock, "{answer}");
        for _ in 0..5 {
            let begun = Instant::now();
            server.call("tapps_lookup_docs", asked.clone());
            times.push(begun.elapsed());
        }
    }
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    // The bar of 20 ms is held by the benchmark `docs`, on an optimised program and a machine with nothing else to do.
    println!("{source}: {} lookups of {} libraries: p50 {:?}, p95 {:?}", times.len(), pins.len(), at(50), at(95));
}

#[test]
fn every_locked_dependency_is_documented_without_a_network() {
    let (Some(_), Some(_)) = (systems::require(System::NetworkNamespace), systems::require(System::Node)) else {
        return;
    };
    let folder = folder();
    let (root, counted) = (folder.path().join("project"), folder.path().join("counted"));
    let pins = project(&root);
    assert!(pins.len() >= 35, "{}", pins.len());

    let mut server = Process::start(serve(&root, &counted, "--offline"));
    server.handshake();
    ask_everything(&mut server, &pins, "environment");

    let missing = server.call("tapps_lookup_docs", json!({"library": "django", "version": "4.0"}));
    assert_eq!(missing["structuredContent"]["error_code"], "version_unavailable", "{missing}");
    assert!(missing["structuredContent"]["hint"].as_str().unwrap().starts_with("nearest: 5.2.7;"), "{missing}");
    let nobody = server.call("tapps_lookup_docs", json!({"library": "nobody-has-this"}));
    assert_eq!(nobody["structuredContent"]["error_code"], "invalid_argument", "{nobody}");
    assert!(server.end().1.success());
    assert_eq!(attempts(&counted), 0, "nothing was even tried: {}", fs::read_to_string(&counted).unwrap());

    // With the network allowed there is an attempt, and it is counted.
    let mut server = Process::start(serve(&root, &counted, ""));
    server.handshake();
    let nobody = server.call("tapps_lookup_docs", json!({"library": "nobody-has-this"}));
    assert_eq!(nobody["structuredContent"]["error_code"], "api_unavailable", "{nobody}");
    assert!(server.end().1.success());
    assert!(attempts(&counted) > 0);

    // The same libraries where nothing is installed, out of bundles.
    let (bare, shelf) = (folder.path().join("bare"), folder.path().join("bundles"));
    fs::create_dir(&bare).unwrap();
    assert_eq!(locks(&bare), pins);
    bundles(&root, &pins, &Shelf::new(vec![shelf.clone()]));
    let mut command = serve(&bare, &counted, "--offline");
    command.env("TAPPS_MCP_BUNDLES", &shelf);
    let mut server = Process::start(command);
    server.handshake();
    ask_everything(&mut server, &pins, "bundle");
    assert!(server.end().1.success());
    assert_eq!(attempts(&counted), 0, "nothing was even tried: {}", fs::read_to_string(&counted).unwrap());
}

#[test]
fn a_namespace_has_no_way_out() {
    if systems::require(System::NetworkNamespace).is_none() {
        return;
    }
    let mut command = isolated("tail -n +2 /proc/net/route | wc -l");
    assert_eq!(stdout(&command.output().unwrap()).trim(), "0");
}
