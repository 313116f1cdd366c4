//! The extra of the wheel: `pip install tapps-mcp[vector]` brings the locked model of the experts, and the program finds it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tapps_base::digest;

use crate::experts_fallback::{QUESTION, json_of};
use crate::experts_model;
use crate::packages::{json_of as json_in, root};
use crate::release::{OWN_PACKAGES, install_wheel, succeeded};
use crate::toolchain_support::{folder, stderr};

/// What the lock says of the model.
fn locked() -> Value {
    json_in(&root().join("src/experts/vector/model.lock.json"))
}

/// A wheel of the locked name with the two real files, and without what the published one asks for, which no index is there for.
fn model_wheel(folder: &Path) {
    let lock = locked();
    let text = |key: &str| lock[key].as_str().unwrap().to_owned();
    let stem = format!("{}-{}", text("package"), text("version"));
    let mut wheel = zip::ZipWriter::new(fs::File::create(folder.join(format!("{stem}-py3-none-any.whl"))).unwrap());
    let mut add = |name: &str, content: &[u8]| {
        wheel.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        wheel.write_all(content).unwrap();
    };
    let mut record = String::new();
    for (part, file) in [("table", experts_model::TABLE), ("tokenizer", experts_model::TOKENIZER)] {
        let name = lock[part]["file"].as_str().unwrap();
        let content = fs::read(experts_model::folder().join(file)).unwrap();
        assert_eq!(digest::sha256(&content), lock[part]["sha256"].as_str().unwrap(), "{part}");
        add(name, &content);
        record += &format!("{name},,\n");
    }
    let info = format!("{stem}.dist-info");
    let about = format!("Metadata-Version: 2.1\nName: {}\nVersion: {}\n", text("package"), text("version"));
    add(&format!("{info}/METADATA"), about.as_bytes());
    add(&format!("{info}/WHEEL"), b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
    for name in ["METADATA", "WHEEL", "RECORD"] {
        record += &format!("{info}/{name},,\n");
    }
    add(&format!("{info}/RECORD"), record.as_bytes());
    wheel.finish().unwrap();
}

/// What the experts of an environment compared, and their answer.
fn asked(environment: &Path, project: &Path, search: &str) -> Value {
    let mut command = Command::new(environment.join("bin/tapps-mcp"));
    command.args(["experts", "ask", QUESTION, "--search", search, "--format", "json"]).current_dir(project);
    for name in ["TAPPS_MCP_PROJECT_ROOT", "TAPPS_MCP_EXPERTS_SEARCH", "TAPPS_MCP_EXPERTS_MODEL"] {
        command.env_remove(name);
    }
    command.env("TAPPS_MCP_OFFLINE", "1").env("XDG_CONFIG_HOME", project.join(".config"));
    command.env("TAPPS_MCP_CACHE_DIR", project.join(".cache")).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json_of(&output)
}

#[test]
fn the_extra_brings_the_locked_model_which_the_program_finds() {
    let (folder, project) = (folder(), folder());
    let index = folder.path().join("index");
    fs::create_dir(&index).unwrap();
    model_wheel(&index);
    let wheel = crate::release::file_ending(&OWN_PACKAGES, ".whl");

    let plain = folder.path().join("plain");
    install_wheel(&wheel, &plain);
    let without = asked(&plain, project.path(), "hybrid")["search"].clone();
    assert_eq!((&without["mode"], &without["fallback"]["reason"]), (&"lexical".into(), &"no_model".into()));
    let hint = without["fallback"]["hint"].as_str().unwrap();
    assert!(hint.contains("pip install 'tapps-mcp[vector]'"), "{hint}");
    assert_eq!(asked(&plain, project.path(), "auto").get("search"), None);

    // As an index would be asked, in an environment that may use a link to the program.
    let environment = folder.path().join("environment");
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(&environment);
    succeeded(make);
    let mut install = Command::new(environment.join("bin/python"));
    install.args(["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", "--find-links"]);
    install.arg(&index).arg("--find-links").arg(&*OWN_PACKAGES).arg("tapps-mcp[vector]");
    succeeded(install);
    let lock = locked();
    let with = asked(&environment, project.path(), "hybrid");
    assert_eq!((&with["search"]["mode"], &with["search"]["fallback"]), (&"hybrid".into(), &Value::Null), "{with:#}");
    assert_eq!(with["search"]["model"]["sha256"], lock["table"]["sha256"]);
    assert_eq!(with["search"]["model"]["tokenizer_sha256"], lock["tokenizer"]["sha256"]);
    assert_eq!(with["domain"], "database");
    // Nobody has to ask for it.
    let mut by_itself = asked(&environment, project.path(), "auto");
    assert_eq!(by_itself["search"]["wanted"], "auto");
    by_itself["search"]["wanted"] = "hybrid".into();
    assert_eq!(by_itself, with);
    // The same as with the same files in a folder that the user names.
    let mut named =
        crate::experts_fallback::program(project.path(), &["experts", "ask", QUESTION, "--search", "hybrid"]);
    named.args(["--format", "json", "--model"]).arg(experts_model::folder());
    assert_eq!(json_of(&named.output().unwrap()), with);

    let table = installed_file(&environment, lock["table"]["file"].as_str().unwrap());
    let mut bytes = fs::read(&table).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let changed = digest::sha256(&bytes);
    fs::write(&table, bytes).unwrap();
    let refused = asked(&environment, project.path(), "hybrid")["search"].clone();
    assert_eq!((&refused["mode"], &refused["fallback"]["reason"]), (&"lexical".into(), &"model_unreadable".into()));
    let said = format!("{}: it has the digest {changed} instead of the locked ", table.display());
    assert!(refused["fallback"]["message"].as_str().unwrap().starts_with(&said), "{refused}");
}

/// A file of an installed package by its path below the packages.
fn installed_file(environment: &Path, name: &str) -> PathBuf {
    let libraries = fs::read_dir(environment.join("lib")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = libraries.map(|python| python.join("site-packages").join(name)).filter(|path| path.is_file());
    let path = found.next().unwrap_or_else(|| panic!("{name} is not installed")).canonicalize().unwrap();
    assert_eq!(found.next(), None);
    path
}
