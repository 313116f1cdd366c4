//! An edited TypeScript file in a project of 500: the full score beside the two servers that an editor would ask, by turns.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tapps_quality::analyzer::tsc::typed_lints;

use crate::corpus;
use crate::raw::Tools;
use crate::server::Server;
use crate::table::{Table, rounds, timed};

/// One that much is built on, and the heaviest.
const FILES: [&str; 2] = ["rxjs/internal/operators/map.ts", "zod/v4/classic/schemas.ts"];
const CONFIGURATION: &str = r#"{
  "compilerOptions": {
    "strict": true, "noEmit": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
    "lib": ["es2022", "dom"], "types": [], "skipLibCheck": true
  },
  "include": ["rxjs", "zod"]
}
"#;

pub(crate) fn run(tools: &Tools) {
    let mut table = Table::default();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for (package, place) in [("rxjs", "rxjs"), ("npm-zod", "zod")] {
        copy_scripts(&corpus::dir(package).join("src"), &folder.path().join(place));
    }
    std::fs::write(folder.path().join("tsconfig.json"), CONFIGURATION).unwrap();
    let count = corpus::files(folder.path(), "ts").len();
    table.said("scripts in the project", count.to_string(), "500");
    let cache = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for file in FILES {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        let (mut server, _) = Server::start(folder.path(), cache.path());
        let mut compiler = LanguageServer::start(tools.compiler_server(), folder.path(), &Value::Null);
        let lints = cache.path().join("lints.json");
        std::fs::write(&lints, typed_lints::configuration_text()).unwrap();
        let options = json!({ "configPath": lints, "typeAware": true, "disableNestedConfig": true });
        let mut linter = LanguageServer::start(tools.linter_server(), folder.path(), &options);
        let ask = |server: &mut Server| drop(server.call("tapps_score_file", &json!({ "file_path": file })));
        ask(&mut server);
        let mut times: [Vec<Duration>; 3] = Default::default();
        for take in 0..=rounds() {
            let edited =
                format!("{text}\nasync function late{take}(): Promise<string> {{ late{take}(); return {take}; }}\n");
            std::fs::write(folder.path().join(file), &edited).unwrap();
            let took = [
                timed(|| ask(&mut server)),
                timed(|| assert!(compiler.says(folder.path(), file, &edited, "2322"))),
                timed(|| assert!(linter.says(folder.path(), file, &edited, "no-floating-promises"))),
            ];
            // The first is that of servers which have just been started.
            if take > 0 {
                times.iter_mut().zip(took).for_each(|(all, one)| all.push(one));
            }
        }
        std::fs::write(folder.path().join(file), text).unwrap();
        let (_, others, _) = server.footprint();
        table.said("memory (Pss) of the server's processes", format!("{:.0} MiB", others as f64 / 1024.0), "");
        let [ours, types, lints] = times.map(|mut all| {
            all.sort_unstable();
            all[all.len() / 2]
        });
        let bar = |is_slower: bool| if is_slower { "1.15" } else { "" };
        let what = format!("full score of an edited {file}");
        table.beside(&what, ours, "tsc --lsp", types, bar(types > lints));
        table.beside(&what, ours, "oxlint --lsp with types", lints, bar(lints >= types));
    }
    table.print();
}

fn copy_scripts(from: &Path, to: &Path) {
    for file in corpus::files(from, "ts") {
        let target = to.join(&file);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(from.join(&file), target).unwrap();
    }
}

/// A server as an editor starts it.
struct LanguageServer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    options: Value,
    next: u64,
    version: u64,
}

impl LanguageServer {
    fn start(mut command: Command, root: &Path, options: &Value) -> Self {
        command.current_dir(root).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Self { child, input, output, options: options.clone(), next: 1, version: 0 };
        let uri = uri(root);
        // Only the linter has any, by folder.
        let initial = if options.is_null() { json!({}) } else { json!([{ "workspaceUri": uri, "options": options }]) };
        server.ask(
            "initialize",
            json!({
                "processId": std::process::id(), "rootUri": uri, "workspaceFolders": [{ "uri": uri, "name": "bench" }],
                "capabilities": { "textDocument": { "diagnostic": {} }, "workspace": { "configuration": true } },
                "initializationOptions": initial,
            }),
        );
        server.tell("initialized", json!({}));
        server
    }

    /// Whether it speaks of a rule in a text that it is given.
    fn says(&mut self, root: &Path, file: &str, text: &str, rule: &str) -> bool {
        let uri = uri(&root.join(file));
        self.version += 1;
        if self.version == 1 {
            let document = json!({ "uri": uri, "languageId": "typescript", "version": 1, "text": text });
            self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        } else {
            let document = json!({ "uri": uri, "version": self.version });
            self.tell(
                "textDocument/didChange",
                json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
            );
        }
        self.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).to_string().contains(rule)
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let said = self.read();
            match (said.get("method"), said.get("id")) {
                (Some(_), Some(asked)) => {
                    let count = said.pointer("/params/items").and_then(Value::as_array).map_or(1, Vec::len);
                    let result = json!(vec![self.options.clone(); count]);
                    self.send(&json!({ "jsonrpc": "2.0", "id": asked, "result": result }));
                }
                (None, Some(answered)) if *answered == json!(id) => return said["result"].clone(),
                _ => {}
            }
        }
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "a server has ended");
            match line.trim_end().split_once(": ") {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }
}

impl Drop for LanguageServer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn uri(path: &Path) -> String {
    let path: PathBuf = path.canonicalize().unwrap();
    format!("file://{}", path.display())
}
