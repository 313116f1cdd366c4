//! The same through the program: the command line and the server, with what they write.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::context7_server::{Answer, CANARY, Server, context, search};
use crate::mcp_process::Process;
use crate::toolchain_support::{eventually, stderr, stdout};

/// A project that locks a library without having it.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("project")).unwrap();
    fs::write(
        folder.path().join("project/uv.lock"),
        "version = 1\n[[package]]\nname = \"fastapi\"\nversion = \"0.116.1\"\n",
    )
    .unwrap();
    folder
}

fn program(home: &Path, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
    for name in ["TAPPS_MCP_OFFLINE", "TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_BUNDLES", "http_proxy", "HTTP_PROXY"] {
        command.env_remove(name);
    }
    command
        .arg("--project-root")
        .arg(home.join("project"))
        .args(arguments)
        .env("TAPPS_MCP_DATA_DIR", home.join("data"))
        .env("TAPPS_MCP_CACHE_DIR", home.join("cache"))
        // No tools are installed on the way.
        .env("TAPPS_MCP_TOOLCHAIN_DIR", home.join("tools"))
        .env("TAPPS_MCP_LOG", "trace")
        .env("CONTEXT7_API_KEY", CANARY)
        .env("CONTEXT7_API_URL", url);
    command
}

async fn run(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn assert_no_key(home: &Path, output: &Output) {
    for stream in [stdout(output), stderr(output)] {
        assert!(!stream.contains(CANARY), "{stream}");
    }
    assert_no_key_in(home);
}

fn assert_no_key_in(home: &Path) {
    for entry in ignore::WalkBuilder::new(home).standard_filters(false).build() {
        let path = entry.unwrap().into_path();
        if path.is_file() {
            let bytes = fs::read(&path).unwrap();
            assert!(!bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes()), "{}", path.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_asks_keeps_and_never_shows_the_key() {
    let mut echo = context();
    echo["infoSnippets"][0]["content"] = format!("your key is {CANARY}").into();
    let server = Server::with(vec![Answer::Speaks(search(), echo)]).await;
    let home = project();
    let lookup = ["docs", "lookup", "fastapi", "how", "to", "stream", "--format", "json"];
    for source in ["context7", "cache"] {
        let output = run(program(home.path(), &server.url, &lookup)).await;
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        assert_eq!((&answer["source"], &answer["version"]), (&json!(source), &json!("0.116.1")), "{answer}");
        assert_no_key(home.path(), &output);
    }
    assert_eq!(server.seen().len(), 2);
    assert!(server.seen().iter().all(|seen| seen.authorization.as_deref() == Some(&format!("Bearer {CANARY}"))));
    let shown = run(program(home.path(), &server.url, &["docs", "lookup", "fastapi", "how to stream"])).await;
    assert!(stdout(&shown).starts_with("fastapi 0.116.1 (cache, sha256 "), "{}", stdout(&shown));

    server.answers(Answer::Text(401, CANARY));
    let refused = run(program(home.path(), &server.url, &["docs", "lookup", "fastapi", "something else"])).await;
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("CONTEXT7_API_KEY"), "{}", stderr(&refused));
    assert_no_key(home.path(), &refused);
    let settings = run(program(home.path(), &server.url, &["config", "show"])).await;
    assert_no_key(home.path(), &settings);
}

/// What a server says of the locked library when it is asked twice, and to somebody nobody knows.
fn served(command: Command) -> Vec<Value> {
    let mut server = Process::start(command);
    server.handshake();
    let asked =
        ["fastapi", "nobody-knows-this"].map(|library| server.call("tapps_lookup_docs", json!({"library": library})));
    assert!(server.end().1.success());
    asked.map(|answer| answer["structuredContent"].clone()).into()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_asks_ahead_where_that_is_allowed() {
    let mut echo = context();
    echo["infoSnippets"][0]["content"] = format!("your key is {CANARY}").into();
    let server = Server::with(vec![Answer::Speaks(search(), echo)]).await;
    let home = project();
    let mut serving = Process::start(program(home.path(), &server.url, &["serve"]));
    serving.handshake();
    eventually("the locked library is asked about", || server.seen().len() >= 2);
    assert_eq!(server.seen()[1].query["libraryId"], "/fastapi/fastapi/0_116_1");
    let answer = serving.call("tapps_lookup_docs", json!({"library": "fastapi"}));
    assert!(!answer.to_string().contains(CANARY), "{answer}");
    let answer = &answer["structuredContent"];
    assert_eq!(
        (&answer["exact"], &answer["snippets"][0]["title"]),
        (&json!(true), &json!("Stream a response")),
        "{answer}"
    );
    assert!(serving.end().1.success());
    assert!(home.path().join("cache").is_dir(), "what was said is kept");
    assert_no_key_in(home.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_connection_is_tried_where_none_is_allowed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    let untouched = || match listener.accept() {
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock),
        Ok((_, from)) => panic!("somebody connected from {from}"),
    };
    let home = project();
    let switches: [fn(&mut Command) -> &mut Command; 3] = [
        |command| command.arg("--offline"),
        |command| command.env("TAPPS_MCP_OFFLINE", "1"),
        |command| command.env("TAPPS_MCP_DOCS_CONTEXT7", "false"),
    ];
    for switch in switches {
        let command = |arguments: &[&str]| {
            let mut command = program(home.path(), &url, arguments);
            switch(&mut command);
            command
        };
        let output = run(command(&["docs", "lookup", "fastapi"])).await;
        assert!(stderr(&output).contains("fastapi 0.116.1 is not on this machine"), "{}", stderr(&output));
        let serve = command(&["serve"]);
        let said = tokio::task::spawn_blocking(|| served(serve)).await.unwrap();
        let codes: Vec<&Value> = said.iter().map(|answer| &answer["error_code"]).collect();
        assert_eq!(codes, ["version_unavailable", "invalid_argument"], "{said:?}");
        untouched();
    }
    // The same listener notices when somebody does come.
    let asking = program(home.path(), &url, &["docs", "lookup", "fastapi"]).spawn();
    let mut asking = asking.unwrap();
    eventually("a connection", || listener.accept().is_ok());
    asking.kill().unwrap();
    asking.wait().unwrap();
}
