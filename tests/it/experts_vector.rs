//! The experts searched by meaning: with a real model, and with broken ones.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rstest::rstest;
use serde_json::{Value, json};
use tapps_base::digest;
use tapps_config::SearchMode;
use tapps_experts::{
    DEFAULT_TOKENS, Evaluation, EvaluationQuestion, ExpertCorpus, ExpertQuestion, Reason, SearchBackend, evaluate,
    halves,
};

use crate::experts_fallback::{QUESTION, check, fell_back, json_of, program};
use crate::experts_model::{TABLE, TOKENIZER, folder as model, spoilt};
use crate::mcp_process::Process;
use crate::toolchain_support::{folder, stderr, stdout};

fn questions() -> Vec<EvaluationQuestion> {
    serde_json::from_str(include_str!("../experts/questions.json")).unwrap()
}

fn experts(mode: SearchMode) -> ExpertCorpus {
    ExpertCorpus::builtin_only().with_search(Arc::new(SearchBackend::new(mode, Some(model()), None)))
}

fn asked(text: &str) -> ExpertQuestion {
    ExpertQuestion { text: text.to_owned(), ..ExpertQuestion::default() }
}

/// Milliseconds within which 95 of a hundred questions are answered.
fn p95(experts: &ExpertCorpus, questions: &[EvaluationQuestion]) -> f64 {
    let timed = |one: &EvaluationQuestion| {
        let begun = Instant::now();
        experts.ask(&asked(&one.question)).unwrap();
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    let mut times: Vec<f64> = questions.iter().map(timed).collect();
    times.sort_by(f64::total_cmp);
    times[(times.len() - 1) * 95 / 100]
}

/// `cargo test --test it experts_vector::questions -- --nocapture` prints the table of `docs/experts.md`.
#[test]
fn questions_find_their_files_by_words_by_vectors_and_by_both() {
    let questions = questions();
    let (fitted, held) = halves(&questions);
    println!("| search | questions | recall@3 | nDCG@5 | answered | off topic, declined | p95 in ms |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let measured = [SearchMode::Lexical, SearchMode::Vector, SearchMode::Hybrid].map(|mode| {
        let experts = experts(mode);
        let [fitted, held] = [("fitted to", &fitted), ("held back", &held)].map(|(which, questions)| {
            let found: Evaluation = evaluate(&experts, questions).unwrap();
            let [recall, gain, answered] = [found.recall_at_3, found.ndcg_at_5, found.answered];
            let (declined, of) = (found.declined, found.off_topic);
            let time = p95(&experts, questions);
            println!(
                "| {mode}, {which} | {} | {recall:.3} | {gain:.3} | {answered:.3} | {declined:.3} of {of} | {time:.1} |",
                found.questions
            );
            found
        });
        (fitted, held)
    });
    let [(_, words), (_, vectors), (_, both)] = &measured;
    assert!(vectors.recall_at_3 >= 0.734 && vectors.ndcg_at_5 >= 0.628, "{vectors:?}");
    assert!(both.recall_at_3 >= words.recall_at_3 - 0.01 && both.ndcg_at_5 >= words.ndcg_at_5 - 0.01, "{both:?}");
    for found in [vectors, both] {
        assert!(found.answered >= 0.85 && found.declined >= 0.85, "{found:?}");
    }
}

#[rstest]
#[case("vector")]
#[case("hybrid")]
fn every_answer_names_its_model_and_cites_file_heading_and_digest(#[case] mode: &str) {
    let experts = experts(mode.parse().unwrap());
    let sha256 = digest::sha256(&fs::read(model().join(TABLE)).unwrap());
    let mut cited = 0;
    for EvaluationQuestion { question, .. } in questions().into_iter().step_by(7) {
        let answer = experts.ask(&asked(&question)).unwrap();
        assert_eq!(
            (answer.covered, answer.answer.is_empty()),
            (!answer.sources.is_empty(), !answer.covered),
            "{question}"
        );
        assert!(answer.answer.len() <= 4 * DEFAULT_TOKENS, "{question}: {}", answer.answer.len());
        let searched = answer.search.unwrap();
        assert_eq!((searched.mode.as_str(), searched.fallback), (mode, None));
        assert_eq!(searched.model.map(|model| (model.sha256, model.dimensions)), Some((sha256.clone(), 256)));
        assert!(answer.confidence.meaning.is_some_and(|share| (0.0..=1.0).contains(&share)), "{question}");
        for source in &answer.sources {
            // The address of a built-in file is its place in the tree.
            let file = format!("{}.md", source.file.strip_prefix("tapps://").unwrap());
            let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
            assert_eq!(digest::sha256(&bytes), source.sha256, "{question}");
            let text = String::from_utf8(bytes).unwrap();
            let heading = text.lines().nth(usize::try_from(source.lines.0).unwrap() - 1).unwrap();
            assert_eq!(heading, format!("## {}", source.heading), "{question}");
            assert!(source.likeness.is_some_and(|cosine| (-1.0..=1.0).contains(&cosine)), "{source:?}");
            cited += 1;
        }
    }
    assert!(cited > 100, "{cited}");
}

#[test]
fn kept_vectors_change_no_byte_of_an_answer() {
    let project = folder();
    let model = model();
    let arguments = ["experts", "ask", QUESTION, "--search", "hybrid", "--format", "json", "--model"];
    let run = |more: &[&str]| {
        let output = program(project.path(), &arguments).arg(&model).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output.stdout
    };
    let without = run(&["--no-cache"]);
    assert!(!project.path().join(".cache").exists());
    assert_eq!(serde_json::from_slice::<Value>(&without).unwrap()["domain"], "database");
    let (first, second) = (run(&[]), run(&[]));
    assert_eq!((&first, &second), (&without, &without));
    // What was damaged is computed anew.
    let kept: Vec<_> =
        fs::read_dir(project.path().join(".cache/experts")).unwrap().map(|file| file.unwrap().path()).collect();
    let database = kept.iter().max_by_key(|file| fs::metadata(file).unwrap().len()).unwrap();
    let mut bytes = fs::read(database).unwrap();
    assert!(bytes.len() > 1_000_000, "{kept:?}");
    for at in (bytes.len() / 2..bytes.len()).step_by(1_000) {
        bytes[at] ^= 0xff;
    }
    fs::write(database, bytes).unwrap();
    assert_eq!(run(&[]), without);
}

#[rstest]
#[case("vector")]
#[case("hybrid")]
fn the_server_says_the_same_as_the_command(#[case] mode: &str) {
    let project = folder();
    let root = project.path();
    let set = |mut command: std::process::Command| {
        command.env("TAPPS_MCP_EXPERTS_SEARCH", mode).env("TAPPS_MCP_EXPERTS_MODEL", model());
        command
    };
    let mut server = Process::start(set(program(root, &["serve", "--toolsets", "all"])));
    server.handshake();
    for question in [QUESTION, "How do I bake sourdough bread?"] {
        let output = set(program(root, &["experts", "ask", question, "--format", "json"])).output().unwrap();
        let asked = json!({"question": question, "detail": "full"});
        let arguments = json!({"name": "tapps_consult_expert", "arguments": asked});
        let mut reply = server.request("tools/call", arguments)["result"]["structuredContent"].clone();
        reply.as_object_mut().unwrap().remove("meta");
        assert_eq!(reply, json_of(&output));
        assert_eq!(reply["search"]["mode"], mode);
        assert_eq!(output.status.code(), Some(if question == QUESTION { 0 } else { 1 }), "{reply:#}");
    }
    let listed = server.request("tools/call", json!({"name": "tapps_list_experts", "arguments": {}}));
    assert_eq!(listed["result"]["structuredContent"]["search"]["model"]["dimensions"], 256, "{listed}");
    let human = set(program(root, &["experts", "list"])).output().unwrap();
    assert!(stdout(&human).contains(&format!("\nsearch: {mode} with the model ")), "{}", stdout(&human));
    let doctor = set(program(root, &["doctor", "--json"])).output().unwrap();
    let check = check(&json_of(&doctor));
    assert_eq!((&check["status"], &check["remediation"]), (&"ok".into(), &Value::Null), "{check}");
}

#[test]
fn a_model_that_cannot_be_read_is_named_with_its_file() {
    let table = fs::read(model().join(TABLE)).unwrap();
    let tokenizer = fs::read(model().join(TOKENIZER)).unwrap();
    let endless = [&(1_u64 << 60).to_le_bytes()[..], b"{}"].concat();
    let header = br#"{"embedding.weight":{"dtype":"F16","shape":[1,256],"data_offsets":[0,512]}}"#;
    let one_row = [&(header.len() as u64).to_le_bytes()[..], header, &[0; 512]].concat();
    let mut described: Value = serde_json::from_slice(&tokenizer).unwrap();
    described["model"]["dropout"] = json!(0.1);
    let by_chance = serde_json::to_vec(&described).unwrap();
    let cases: [(&str, &[u8], &str); 9] = [
        (TABLE, &table[..table.len() / 2], "are not in the file"),
        (TABLE, &table[..5], "the file ends before its header begins"),
        (TABLE, &endless, "the header is said to have 1152921504606846976 bytes"),
        (TABLE, b"version https://git-lfs.github.com/spec/v1\n", "the header is said to have"),
        (TOKENIZER, &tokenizer[..tokenizer.len() / 2], "it describes no tokenizer"),
        (TOKENIZER, b"", "it describes no tokenizer"),
        (TOKENIZER, br#"{"model": {"type": "BPE", "vocab": {}, "merges": ["a b"]}}"#, "it describes no tokenizer"),
        (TOKENIZER, &by_chance, "its tokens are drawn by chance"),
        (TABLE, &one_row, "it knows 32000 tokens, and model.safetensors has vectors for 1"),
    ];
    for (file, bytes, said) in cases {
        let folder = spoilt(file, bytes);
        let search = SearchBackend::new(SearchMode::Vector, Some(folder.path().to_owned()), None);
        let fallback = search.status().unwrap().fallback.unwrap_or_else(|| panic!("{said}"));
        assert_eq!(fallback.reason, Reason::ModelUnreadable);
        assert!(fallback.message.contains(said), "{fallback}");
        // The tokenizer is held against the table, and is named when the two do not fit.
        let named = if bytes == one_row { TOKENIZER } else { file };
        assert!(fallback.message.starts_with(&folder.path().join(named).display().to_string()), "{fallback}");
        assert!(!fallback.hint.is_empty());
    }
}

#[test]
fn a_broken_model_costs_the_vectors_and_not_the_answer() {
    let project = folder();
    let broken = spoilt(TABLE, b"nothing");
    let arguments = ["experts", "ask", QUESTION, "--format", "json", "--search", "hybrid", "--model"];
    let ask = || json_of(&program(project.path(), &arguments).arg(broken.path()).output().unwrap());
    let (reason, message) = fell_back(&ask(), project.path());
    assert_eq!(reason, "model_unreadable");
    assert!(message.ends_with("model.safetensors: the file ends before its header begins"), "{message}");
    // A server uses a model once it has been mended.
    let mut command = program(project.path(), &["serve"]);
    command.env("TAPPS_MCP_EXPERTS_SEARCH", "vector").env("TAPPS_MCP_EXPERTS_MODEL", broken.path());
    let mut server = Process::start(command);
    server.handshake();
    let mut mode = || {
        let arguments = json!({"name": "tapps_consult_expert", "arguments": {"question": QUESTION}});
        server.request("tools/call", arguments)["result"]["structuredContent"]["search"]["mode"].clone()
    };
    assert_eq!(mode(), "lexical");
    fs::copy(model().join(TABLE), broken.path().join(TABLE)).unwrap();
    assert_eq!(mode(), "vector");
}
