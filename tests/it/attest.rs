//! Attestations: made, verified, and every kind of change named as the first difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tapps_base::digest;
use tapps_toolchain::ToolchainSettings;

use crate::toolchain_support::{copy_tree, folder, program, set_mode, settings, stderr, stdout, toolchain, unlock};

const FILES: [(&str, &str); 5] = [
    ("README.md", "# shop\n"),
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1.0\"\n"),
    ("shop/__init__.py", ""),
    ("shop/prices.py", "import os\n\n\ndef total(prices: list[int]) -> int:\n    return sum(prices)\n"),
    ("tests/test_prices.py", "from shop.prices import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"),
];

/// A project with the attestation of its verdict beside it.
struct Attested {
    folder: tempfile::TempDir,
    statement: PathBuf,
}

impl Attested {
    fn new() -> Self {
        let folder = folder();
        for (name, text) in FILES {
            let path = folder.path().join("project").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let attested = Self { statement: folder.path().join("verdict.json"), folder };
        let output = attested
            .command(&settings())
            .args(["gate", "shop", "tests", "-q", "--attest"])
            .arg(&attested.statement)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        attested
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn command(&self, settings: &ToolchainSettings) -> Command {
        let mut command = program(settings);
        command.current_dir(self.project());
        command
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&fs::read(&self.statement).unwrap()).unwrap()
    }

    /// The exit code and the answer of a verification.
    fn verify(&self, change: impl FnOnce(&mut Command) -> &mut Command) -> (Option<i32>, Value) {
        let mut command = self.command(&settings());
        command.args(["attest", "verify", "--format", "json", "-q"]).arg(&self.statement);
        change(&mut command);
        let output = command.output().unwrap();
        let answer = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
        (output.status.code(), answer)
    }

    fn first_difference(&self) -> String {
        let (code, answer) = self.verify(|command| command);
        assert_eq!((code, &answer["identical"]), (Some(1), &Value::from(false)), "{answer}");
        answer["first_difference"]["name"].as_str().unwrap().to_owned()
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.project().join(file), text).unwrap();
    }
}

#[test]
fn a_statement_names_every_input_and_is_identical_elsewhere() {
    let attested = Attested::new();
    let text = fs::read_to_string(&attested.statement).unwrap();
    let statement = attested.json();
    assert_eq!(text, digest::canonical_json(&statement).unwrap() + "\n", "the statement is canonical");
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(statement["predicateType"], "urn:tapps-mcp:attestation:gate:1");
    let subjects: Vec<(&str, &str)> = statement["subject"]
        .as_array()
        .unwrap()
        .iter()
        .map(|subject| (subject["name"].as_str().unwrap(), subject["digest"]["sha256"].as_str().unwrap()))
        .collect();
    let digests: Vec<(&str, String)> =
        FILES[2..].iter().map(|(name, text)| (*name, digest::sha256(text.as_bytes()))).collect();
    assert_eq!(subjects, digests.iter().map(|(name, sha256)| (*name, sha256.as_str())).collect::<Vec<_>>());
    let tools = toolchain();
    let recorded = &statement["predicate"]["toolchain"];
    assert_eq!(recorded["tools"], tools.digest());
    assert_eq!(recorded["interpreter"]["sha256"], tools.interpreter().unwrap().sha256.as_str());
    assert!(!text.contains("elapsed_ms") && !text.contains(attested.project().to_str().unwrap()));

    // In another folder, with another home, the same.
    let elsewhere = folder();
    let copy = elsewhere.path().join("another place");
    copy_tree(&attested.project(), &copy);
    let (code, answer) = attested
        .verify(|command| command.current_dir(&copy).env("HOME", elsewhere.path()).env("TZ", "Pacific/Kiritimati"));
    assert_eq!((code, &answer["identical"], &answer["files"]), (Some(0), &true.into(), &3.into()), "{answer}");
    assert_eq!(answer["first_difference"], Value::Null);
}

#[test]
fn a_changed_input_is_the_first_difference() {
    let attested = Attested::new();
    let (path, text) = FILES[3];
    attested.write(path, &text.replace("prices)", "prices )"));
    assert_eq!(attested.first_difference(), "input shop/prices.py");
    fs::remove_file(attested.project().join(path)).unwrap();
    assert_eq!(attested.first_difference(), "input shop/prices.py");
    attested.write(path, text);
    attested.write("shop/more.py", "X = 1\n");
    assert_eq!(attested.first_difference(), "input shop/more.py");
}

#[test]
fn a_changed_configuration_is_the_first_difference() {
    let attested = Attested::new();
    attested.write("tapps-mcp.toml", "[gates.standard]\noverall = 71.0\n");
    assert_eq!(attested.first_difference(), "configuration.gate.overall");
    attested.write("tapps-mcp.toml", "[weights]\ncomplexity = 0.19\nsecurity = 0.26\n");
    assert_eq!(attested.first_difference(), "configuration.digest");
}

#[test]
fn a_changed_tool_is_the_first_difference() {
    let attested = Attested::new();
    let tools = toolchain();
    let elsewhere = folder();
    let copy = elsewhere.path().join("tools");
    copy_tree(tools.root(), &copy);
    unlock(&copy);
    let module = copy.join("lib/radon/metrics.py");
    set_mode(&module, 0o644);
    let mut bytes = fs::read(&module).unwrap();
    bytes[0] ^= 1;
    fs::write(&module, bytes).unwrap();
    set_mode(&module, 0o444);

    let changed = |more: &[&str]| attested.verify(|command| command.env("TAPPS_MCP_TOOLCHAIN_DIR", &copy).args(more));
    let (code, answer) = changed(&[]);
    assert_eq!((code, &answer["first_difference"]["name"]), (Some(1), &"toolchain.tools".into()), "{answer}");
    let found = answer["first_difference"]["found"].as_str().unwrap();
    assert!(found.contains("lib/radon/metrics.py (changed)"), "{found}");
    assert_eq!(answer["same_verdict"], Value::Null, "nothing was scored with it");

    // Where such tools may run all the same, the digest differs and the scores, which radon has no part in, agree.
    let (code, answer) = changed(&["--allow-unverified"]);
    assert_eq!((code, &answer["first_difference"]["name"]), (Some(1), &"toolchain.tools".into()), "{answer}");
    assert_eq!(answer["first_difference"]["attested"], tools.digest());
    assert_eq!(answer["same_verdict"], true);
}

#[test]
fn a_statement_that_was_edited_is_found_out() {
    let attested = Attested::new();
    let mut statement = attested.json();
    let findings = &mut statement["predicate"]["verdict"]["files"][1]["result"]["findings"];
    findings.as_array_mut().unwrap().retain(|finding| finding["rule"] != "ruff:F401");
    fs::write(&attested.statement, statement.to_string()).unwrap();
    assert_eq!(attested.first_difference(), "shop/prices.py:1 ruff:F401");
    fs::write(&attested.statement, "{\"_type\": \"https://in-toto.io/Statement/v0.1\"}").unwrap();
    let (code, answer) = attested.verify(|command| command);
    assert_eq!((code, &answer["error_code"]), (Some(2), &"corrupted_data".into()));
}

#[test]
fn only_a_signature_by_the_given_key_is_accepted() {
    let attested = Attested::new();
    let keys = [
        minisign::KeyPair::generate_unencrypted_keypair().unwrap(),
        minisign::KeyPair::generate_unencrypted_keypair().unwrap(),
    ];
    let public: Vec<String> = keys.iter().map(|pair| pair.pk.to_box().unwrap().to_string()).collect();
    let sign = |statement: &Path| {
        let bytes = fs::read(statement).unwrap();
        minisign::sign(None, &keys[0].sk, bytes.as_slice(), Some("a verdict"), None).unwrap().to_string()
    };
    fs::write(attested.folder.path().join("verdict.json.minisig"), sign(&attested.statement)).unwrap();
    let key = attested.folder.path().join("minisign.pub");
    fs::write(&key, &public[0]).unwrap();

    let (code, answer) = attested.verify(|command| command.arg("--public-key").arg(&key));
    assert_eq!((code, &answer["identical"]), (Some(0), &true.into()), "{answer}");
    // The one line of the key will do as well.
    let line = public[0].lines().nth(1).unwrap();
    assert_eq!(attested.verify(|command| command.args(["--public-key", line])).0, Some(0));

    let forged = |key: &str| {
        let (code, answer) = attested.verify(|command| command.args(["--public-key", key]));
        assert_eq!((code, &answer["first_difference"]["name"]), (Some(1), &"signature".into()), "{answer}");
        assert_eq!(answer["same_verdict"], Value::Null, "nothing was scored");
    };
    forged(&public[1]);
    let text = fs::read_to_string(&attested.statement).unwrap();
    fs::write(&attested.statement, text.replace("\"passed\":true", "\"passed\":false")).unwrap();
    forged(&public[0]);
}
