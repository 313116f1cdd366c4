//! Attestations: made, verified, and every kind of change named as the first difference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use tapps_base::digest;
use tapps_report::attest::{PREDICATE_TYPE, Statement};
use tapps_toolchain::ToolchainSettings;

use crate::toolchain_interpreter::{CopiedPython, other_pythons};
use crate::toolchain_support::{copy_tree, folder, program, set_mode, settings, stderr, stdout, toolchain, unlock};

const FILES: [(&str, &str); 5] = [
    ("README.md", "# shop\n"),
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1.0\"\n"),
    ("shop/__init__.py", ""),
    ("shop/prices.py", "import os\n\n\ndef total(prices: list[int]) -> int:\n    return sum(prices)\n"),
    ("tests/test_prices.py", "from shop.prices import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"),
];

/// The statement inside an attestation.
pub(crate) fn attested_statement(file: &Path) -> Value {
    let envelope: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(envelope["payloadType"], "application/vnd.in-toto+json");
    serde_json::from_slice(&STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap()).unwrap()
}

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
        attested_statement(&self.statement)
    }

    /// Puts another statement into the envelope.
    fn replace_statement(&self, statement: &Value) {
        let payload = STANDARD.encode(statement.to_string());
        let envelope = json!({"payload": payload, "payloadType": "application/vnd.in-toto+json", "signatures": []});
        fs::write(&self.statement, envelope.to_string()).unwrap();
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
        let path = self.project().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a_statement_names_every_input_and_is_identical_elsewhere() {
    let attested = Attested::new();
    let envelope: Value = serde_json::from_slice(&fs::read(&attested.statement).unwrap()).unwrap();
    let text = String::from_utf8(STANDARD.decode(envelope["payload"].as_str().unwrap()).unwrap()).unwrap();
    let statement = attested.json();
    assert_eq!(text, digest::canonical_json(&statement).unwrap() + "\n", "the statement is canonical");
    assert_eq!(envelope["signatures"], json!([]), "nobody has signed yet");
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    assert_eq!(statement["predicateType"], PREDICATE_TYPE);
    let schema = serde_json::to_value(schemars::schema_for!(Statement)).unwrap();
    jsonschema::validator_for(&schema).unwrap().validate(&statement).unwrap();
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
    let interpreter = tools.interpreter().unwrap();
    assert_eq!(recorded["interpreter"]["digest"], interpreter.digest.as_deref().unwrap());
    assert_eq!(recorded["lock"], tools.lock_digest());
    let resolved = statement["predicate"]["resolvedDependencies"].as_array().unwrap();
    let sha256_of = |uri: &str| {
        resolved.iter().find(|one| one["uri"].as_str().unwrap().starts_with(uri)).map(|one| &one["digest"]["sha256"])
    };
    let ruff = tools.artifacts().unwrap().into_iter().find(|artifact| artifact.name == "ruff").unwrap();
    assert_eq!(sha256_of(&format!("pkg:pypi/ruff@{}?file_name=ruff-", ruff.version)).unwrap(), ruff.sha256.as_str());
    let cpython = sha256_of(&format!("pkg:generic/cpython@{}", interpreter.version)).unwrap();
    assert_eq!(cpython, interpreter.digest.as_deref().unwrap());
    assert_eq!(resolved.len(), tools.artifacts().unwrap().len() + 1);
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
    attested.replace_statement(&statement);
    assert_eq!(attested.first_difference(), "shop/prices.py:1 ruff:F401");
}

#[test]
fn damaged_input_is_no_fault_of_the_program() {
    let attested = Attested::new();
    let whole = fs::read_to_string(&attested.statement).unwrap();
    let bare = attested.json().to_string();
    for (what, text) in [
        ("nothing", String::new()),
        ("half of it", whole[..whole.len() / 2].to_owned()),
        ("a byte more", format!("{whole}x")),
        ("no envelope", bare),
    ] {
        fs::write(&attested.statement, text).unwrap();
        let (code, answer) = attested.verify(|command| command);
        assert_eq!((code, &answer["error_code"]), (Some(2), &"corrupted_data".into()), "{what}: {answer}");
    }
    for (field, value) in [("_type", "https://in-toto.io/Statement/v0.1"), ("predicateType", "https://example.com/x")] {
        fs::write(&attested.statement, &whole).unwrap();
        let mut statement = attested.json();
        statement[field] = value.into();
        attested.replace_statement(&statement);
        let (code, answer) = attested.verify(|command| command);
        assert_eq!((code, &answer["error_code"]), (Some(2), &"corrupted_data".into()), "{field}: {answer}");
    }
    // Bytes that are no text.
    fs::write(&attested.statement, [0xff, 0xfe, 0x00]).unwrap();
    let (code, answer) = attested.verify(|command| command);
    assert_eq!((code, &answer["error_code"]), (Some(2), &"corrupted_data".into()), "{answer}");
}

/// An attestation made here is verified with `settings`: the exit codes without and with the option, and the answer.
fn verified_with(attested: &Attested, settings: &ToolchainSettings) -> (Option<i32>, Option<i32>, Value) {
    let python = settings.python.as_ref().unwrap();
    let (strict, answer) = attested.verify(|command| command.env("TAPPS_MCP_PYTHON", python));
    let allowing = |command: &mut Command| {
        command.arg("--allow-interpreter").env("TAPPS_MCP_PYTHON", python);
    };
    let (lenient, again) = attested.verify(|command| {
        allowing(command);
        command
    });
    assert_eq!(answer, again);
    (strict, lenient, answer)
}

#[test]
fn another_interpreter_with_the_same_verdict_is_an_outcome_of_its_own() {
    let attested = Attested::new();
    let copy = CopiedPython::new();
    let (strict, lenient, answer) = verified_with(&attested, &copy.settings());
    assert_eq!(
        (strict, lenient, &answer["outcome"]),
        (Some(0), Some(0), &"identical".into()),
        "the same bytes: {answer}"
    );

    copy.change_module("ast.py");
    let (strict, lenient, answer) = verified_with(&attested, &copy.settings());
    assert_eq!((strict, lenient, &answer["outcome"]), (Some(1), Some(0), &"interpreter".into()), "{answer}");
    assert_eq!(answer["first_difference"]["name"], "toolchain.interpreter.digest");
    assert_eq!((&answer["same_verdict"], &answer["identical"]), (&true.into(), &false.into()));

    // A difference that is more than that is not allowed.
    attested.write(FILES[3].0, &FILES[3].1.replace("prices)", "prices )"));
    let (strict, lenient, answer) = verified_with(&attested, &copy.settings());
    assert_eq!((strict, lenient, &answer["outcome"]), (Some(1), Some(1), &"differs".into()), "{answer}");
}

/// Every other CPython of this machine that there are tools for, of another patch release or another version.
#[test]
fn other_releases_of_python_give_the_same_verdict() {
    let attested = Attested::new();
    for (python, version) in other_pythons() {
        let (strict, lenient, answer) =
            verified_with(&attested, &ToolchainSettings { python: Some(python), ..settings() });
        assert_eq!(
            (strict, lenient, &answer["outcome"]),
            (Some(1), Some(0), &"interpreter".into()),
            "{version}: {answer}"
        );
        let difference = &answer["first_difference"];
        assert_eq!(difference["name"], "toolchain.interpreter.version", "{answer}");
        assert_eq!(difference["found"], version, "{answer}");
    }
}

#[test]
fn a_verdict_without_an_interpreter_is_identical_on_any() {
    let attested = Attested::new();
    attested.write("web/app.ts", "export const one: number = 1;\n");
    let mut command = attested.command(&settings());
    command.args(["gate", "web", "-q", "--attest"]).arg(&attested.statement);
    assert_eq!(command.output().unwrap().status.code(), Some(0));
    assert_eq!(attested.json()["predicate"]["toolchain"]["interpreter"], Value::Null);
    let copy = CopiedPython::new();
    copy.change_module("ast.py");
    let (strict, _, answer) = verified_with(&attested, &copy.settings());
    assert_eq!((strict, &answer["outcome"]), (Some(0), &"identical".into()), "{answer}");
}

#[test]
fn a_failed_gate_is_attested_as_such() {
    let attested = Attested::new();
    attested.write("shop/prices.py", "def total(prices: list[int]) -> int:\n    return sum(price)\n");
    let mut command = attested.command(&settings());
    command.args(["gate", "shop", "-q", "--attest"]).arg(&attested.statement);
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    let (code, answer) = attested.verify(|command| command);
    assert_eq!((code, &answer["outcome"], &answer["passed"]), (Some(0), &"identical".into(), &false.into()));
    let (code, answer) = attested.verify(|command| command.arg("--require-passed"));
    assert_eq!((code, &answer["outcome"]), (Some(1), &"identical".into()), "{answer}");
}

#[test]
fn what_else_could_change_the_verdict_is_listed() {
    let attested = Attested::new();
    let listed = |statement: &Value| -> Vec<(String, String)> {
        let inputs = statement["predicate"]["inputs"].as_array().unwrap();
        inputs.iter().map(|one| (text(&one["name"]), text(&one["role"]))).collect()
    };
    let pair = |name: &str, role: &str| (name.to_owned(), role.to_owned());
    assert_eq!(listed(&attested.json()), [pair("README.md", "evidence"), pair("pyproject.toml", "configuration")]);

    // Judged alone, the other modules are inputs.
    attested.write("shop/data.py", "PRICES = [1]\n");
    attested.write("shop/prices.py", "from shop.data import PRICES\n\n\ndef first() -> int:\n    return PRICES[0]\n");
    attested.write("lcov.info", "TN:\nSF:shop/prices.py\nDA:1,1\nend_of_record\n");
    let mut command = attested.command(&settings());
    command.args(["gate", "shop/prices.py", "-q", "--attest"]).arg(&attested.statement);
    assert!(command.output().unwrap().status.code() < Some(2));
    let inputs = listed(&attested.json());
    for (name, role) in [("shop/data.py", "module"), ("tests/test_prices.py", "module"), ("lcov.info", "coverage")] {
        assert!(inputs.contains(&pair(name, role)), "{name}: {inputs:?}");
    }
    assert!(!inputs.iter().any(|(name, _)| name == "shop/prices.py"), "it is a subject: {inputs:?}");

    // A change of one is told, and is a difference when the verdict is another.
    attested.write("shop/data.py", "PRICES = [2]\n");
    let (code, answer) = attested.verify(|command| command);
    assert_eq!((code, &answer["changed_inputs"]), (Some(0), &json!(["shop/data.py"])), "{answer}");
    attested.write("shop/data.py", "PRICES = ['2']\n");
    assert_eq!(attested.first_difference(), "input shop/data.py");
}

#[test]
fn the_commit_is_a_subject_where_the_files_are_as_committed() {
    let attested = Attested::new();
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
        let output = Command::new("git").args(author).args(arguments).current_dir(attested.project()).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).trim().to_owned()
    };
    let attest = || {
        let mut command = attested.command(&settings());
        command.args(["gate", "shop", "-q", "--attest"]).arg(&attested.statement);
        assert_eq!(command.output().unwrap().status.code(), Some(0));
        let subjects = attested.json()["subject"].as_array().unwrap().clone();
        subjects.into_iter().filter(|subject| subject["name"].as_str().unwrap().starts_with("git:")).collect::<Vec<_>>()
    };
    git(&["init", "-q"]);
    assert_eq!(attest(), [Value::Null; 0], "nothing is committed");
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    let commit = json!({"name": "git:commit", "digest": {"gitCommit": git(&["rev-parse", "HEAD"])}});
    let tree = json!({"name": "git:tree", "digest": {"gitTree": git(&["rev-parse", "HEAD^{tree}"])}});
    assert_eq!(attest(), [commit, tree]);
    // Another commit with the same files is another commit.
    git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    assert_eq!(attested.first_difference(), "git:commit");
    attested.write("shop/more.py", "X = 1\n");
    assert_eq!(attest(), [Value::Null; 0], "a judged file is not committed");
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A minisign key and what `minisign -S -l` writes with it: a signature of the bytes themselves.
struct PlainSigner(Ed25519KeyPair);

impl PlainSigner {
    const ID: [u8; 8] = [8, 7, 6, 5, 4, 3, 2, 1];

    fn new() -> Self {
        let seed = ring::signature::Ed25519KeyPair::generate_pkcs8(&ring::rand::SystemRandom::new()).unwrap();
        Self(Ed25519KeyPair::from_pkcs8(seed.as_ref()).unwrap())
    }

    fn public_key(&self) -> String {
        let bytes = [b"Ed", &Self::ID[..], self.0.public_key().as_ref()].concat();
        format!("untrusted comment: a key\n{}\n", STANDARD.encode(bytes))
    }

    fn sign(&self, bytes: &[u8]) -> String {
        let signature = self.0.sign(bytes);
        let line = [b"Ed", &Self::ID[..], signature.as_ref()].concat();
        let whole = self.0.sign(&[signature.as_ref(), b"a verdict"].concat());
        format!(
            "untrusted comment: signed\n{}\ntrusted comment: a verdict\n{}\n",
            STANDARD.encode(line),
            STANDARD.encode(whole)
        )
    }
}

#[test]
fn a_signature_inside_is_of_type_and_statement() {
    let attested = Attested::new();
    let (signer, other) = (PlainSigner::new(), PlainSigner::new());
    let beside = |ending: &str| PathBuf::from(format!("{}{ending}", attested.statement.display()));
    let run = |arguments: &[&str]| {
        let mut command = attested.command(&settings());
        command.args(["attest", arguments[0]]).arg(&attested.statement).args(&arguments[1..]);
        command.output().unwrap()
    };
    assert_eq!(run(&["pae"]).status.code(), Some(0));
    let bytes = fs::read(beside(".pae")).unwrap();
    let payload = attested.json();
    let payload = digest::canonical_json(&payload).unwrap() + "\n";
    let head = format!("DSSEv1 28 application/vnd.in-toto+json {} ", payload.len());
    assert_eq!(bytes, [head.as_bytes(), payload.as_bytes()].concat());

    // A signature by somebody else, or of something else, does not get in.
    for (text, why) in [(other.sign(&bytes), "another key"), (signer.sign(payload.as_bytes()), "the bare statement")] {
        fs::write(beside(".pae.minisig"), text).unwrap();
        assert_eq!(run(&["seal", "--public-key", &signer.public_key()]).status.code(), Some(2), "{why}");
    }
    fs::write(beside(".pae.minisig"), signer.sign(&bytes)).unwrap();
    assert_eq!(run(&["seal", "--public-key", &signer.public_key()]).status.code(), Some(0));
    let envelope: Value = serde_json::from_slice(&fs::read(&attested.statement).unwrap()).unwrap();
    let signature = &envelope["signatures"][0];
    assert_eq!(signature["keyid"], "0102030405060708");
    let sig = STANDARD.decode(signature["sig"].as_str().unwrap()).unwrap();
    let key = ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, signer.0.public_key().as_ref());
    key.verify(&bytes, &sig).unwrap();

    let checked = |key: &PlainSigner| attested.verify(|command| command.args(["--public-key", &key.public_key()]));
    assert_eq!(checked(&signer).0, Some(0));
    let (code, answer) = checked(&other);
    assert_eq!((code, &answer["first_difference"]["name"]), (Some(1), &"signature".into()), "{answer}");
    // Another payload below the same signature.
    let mut statement = attested.json();
    statement["predicate"]["verdict"]["passed"] = false.into();
    let mut forged = envelope.clone();
    forged["payload"] = STANDARD.encode(statement.to_string()).into();
    fs::write(&attested.statement, forged.to_string()).unwrap();
    let (code, answer) = checked(&signer);
    assert_eq!((code, &answer["first_difference"]["name"]), (Some(1), &"signature".into()), "{answer}");
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
    let mut statement = attested.json();
    statement["predicate"]["verdict"]["passed"] = false.into();
    attested.replace_statement(&statement);
    forged(&public[0]);
}
