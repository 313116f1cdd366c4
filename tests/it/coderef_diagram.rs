//! Pictures, held against the programs that draw them.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::acceptance_toolbox::TOOLBOX;
use crate::coderef_query::Project;
use crate::systems::{self, System};

/// What Mermaid's own parser makes of a text.
fn parsed(text: &str) -> Value {
    let mut command = TOOLBOX.node();
    command.arg("diagram_client.mjs").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A thousand modules in folders, each with a function that calls some of the others.
fn large() -> Project {
    let project = Project(tempfile::tempdir().unwrap());
    let path = |n: usize| format!("src/part{}/area{:02}/module{n:04}", n / 250, n / 25);
    for n in 0..1_000_usize {
        let targets = [(n + 1) % 1_000, (n * 7 + 13) % 1_000, (n * 31 + 5) % 1_000];
        let mut text = String::new();
        for to in targets.iter().filter(|to| **to != n) {
            text += &format!("import {{ work{to} }} from \"../../../{}\";\n", path(*to));
        }
        let calls: Vec<String> = targets.iter().filter(|to| **to != n).map(|to| format!("work{to}()")).collect();
        text += &format!("export function work{n}(): number {{\n  return {};\n}}\n", calls.join(" + "));
        project.write(&format!("{}.ts", path(n)), &text);
    }
    project
}

#[test]
fn mermaid_reads_what_is_drawn() {
    if systems::require(System::PublishedClients).is_none() {
        return;
    }
    let project = Project::new();
    project.write(
        "src/odd \"name\" #1 <x> __init__.ts",
        "import { main } from \"./main\";\nexport const $go = () => main(\"\");\n",
    );
    for (arguments, count) in [
        (vec!["diagram", "-t", "dependencies"], 7),
        (vec!["diagram", "-t", "imports"], 8),
        (vec!["diagram", "-t", "calls"], 0),
        (vec!["diagram", "-t", "all"], 0),
        (vec!["diagram", "main", "-t", "calls", "--depth", "1"], 6),
        (vec!["diagram", "src/main.ts"], 0),
    ] {
        let report = project.json(&arguments);
        let found = parsed(report["diagram"].as_str().unwrap());
        assert_eq!(found["type"], "flowchart-v2");
        let labels = found["labels"].as_array().unwrap();
        assert_eq!(report["nodes"], labels.len(), "{arguments:?}");
        assert_eq!(report["edges"], found["edges"], "{arguments:?}");
        if count > 0 {
            assert_eq!(labels.len(), count, "{arguments:?}: {labels:?}");
        }
        if arguments.contains(&"dependencies") {
            assert!(labels.contains(&json!("src/odd \"name\" #1 <x> __init__.ts")), "{labels:?}");
            assert!(labels.contains(&json!("src/[slug]/page.ts")), "{labels:?}");
        }
    }
}

#[test]
fn a_thousand_modules_are_drawn_as_folders() {
    let project = large();
    let report = project.json(&["diagram"]);
    assert_eq!((&report["covered"], &report["collapsed"]), (&json!(1_000), &json!(true)));
    let (nodes, edges) = (report["nodes"].as_u64().unwrap(), report["edges"].as_u64().unwrap());
    assert!((20..=40).contains(&nodes) && edges <= 80, "{nodes} boxes, {edges} lines");
    let text = report["diagram"].as_str().unwrap();
    let is_joined = |n: u64| text.contains(&format!("  n{n} -->")) || text.contains(&format!(" n{n}\n"));
    assert!((0..nodes).all(is_joined), "a box that has lines keeps one: {text}");
    assert_eq!(parsed(report["diagram"].as_str().unwrap())["edges"], edges);
    let near = project.json(&["diagram", "work7", "-t", "calls", "--depth", "1"]);
    assert_eq!(near["collapsed"], false);
    assert!((5..=12).contains(&near["nodes"].as_u64().unwrap()), "{near}");
}

#[test]
fn graphviz_reads_what_is_drawn() {
    let project = Project::new();
    project
        .write("src/odd \"name\" \\ <x>.ts", "import { main } from \"./main\";\nexport const go = () => main(\"\");\n");
    let dot = systems::require(System::Graphviz);
    let mut boxes = 0;
    for kind in ["dependencies", "calls", "imports", "all"] {
        let report = project.json(&["diagram", "-t", kind, "-f", "dot"]);
        let text = report["diagram"].as_str().unwrap();
        boxes += report["nodes"].as_u64().unwrap();
        assert_eq!(text.matches(" -> ").count() as u64, report["edges"].as_u64().unwrap());
        // The count above holds in either tier.
        let Some(dot) = &dot else { continue };
        let mut command = Command::new(dot);
        command.arg("-Tjson").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        let drawn: Value = serde_json::from_slice(&output.stdout).unwrap();
        let objects = drawn["objects"].as_array().unwrap();
        let labels: Vec<&str> =
            objects.iter().filter(|one| one.get("nodes").is_none()).map(|one| one["label"].as_str().unwrap()).collect();
        assert_eq!(report["nodes"], labels.len());
        assert_eq!(report["edges"], drawn["edges"].as_array().map_or(0, Vec::len));
    }
    assert!(boxes > 20, "{boxes}");
}

#[test]
fn a_drawing_is_whole_and_nothing_overlaps() {
    for project in [Project::new(), large()] {
        let svg = project.text(&["diagram", "-f", "svg"]);
        let mut reader = quick_xml::Reader::from_str(&svg);
        let mut spots: Vec<[i64; 4]> = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Empty(tag) if tag.name().as_ref() == "rect" => {
                    let number = |name: &str| -> i64 {
                        let value = tag.try_get_attribute(name).unwrap().unwrap();
                        value.value.parse().unwrap()
                    };
                    spots.push([number("x"), number("y"), number("width"), number("height")]);
                }
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        assert!(spots.len() >= 5, "{}", spots.len());
        for (at, [x, y, w, h]) in spots.iter().enumerate() {
            for [left, top, width, height] in &spots[at + 1..] {
                let apart = x + w <= *left || left + width <= *x || y + h <= *top || top + height <= *y;
                assert!(apart, "{svg}");
            }
        }
    }
}
