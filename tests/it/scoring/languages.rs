//! A file of each language besides Python and scripts, with what is said of it; and where all of them have to be.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use tapps_quality::baseline::Baseline;
use tapps_quality::requests::GateRequest;
use tapps_quality::result::GateReport;

use super::support::{CLEAN, Project};
use crate::toolchain_support::{program, settings, stderr};

/// Path, text, a rule that finds something in it.
pub(super) const OTHERS: [(&str, &str, &str); 6] = [
    (
        "shop/catch.cpp",
        "#include <exception>\n\nvoid run() {\n    try {\n        work();\n    } catch (std::exception error) {\n        report(error.what());\n    }\n}\n",
        "tapps:caught-by-value",
    ),
    ("shop/deploy.sh", "#!/bin/sh\ncopy() {\n    cp $1 /srv\n}\n\ncopy app\nchmod 777 /srv/app\n", "shellcheck:SC2086"),
    (
        "shop/line.c",
        "#include <stdio.h>\n\nint main(void) {\n    char line[80];\n    gets(line);\n    return line[0];\n}\n",
        "tapps:gets-call",
    ),
    (
        "shop/pack.go",
        "package shop\n\nimport \"os/exec\"\n\nfunc Unpack(name string) error {\n\treturn exec.Command(\"sh\", \"-c\", \"tar -xf \"+name).Run()\n}\n",
        "tapps:shell-command",
    ),
    (
        "shop/price.java",
        "class Price {\n    boolean isFree(String text) {\n        return text == \"free\";\n    }\n}\n",
        "tapps:string-identity",
    ),
    (
        "shop/unpack.rs",
        "pub fn unpack(name: &str) -> std::io::Result<std::process::Output> {\n    std::process::Command::new(\"sh\").arg(\"-c\").arg(format!(\"tar -xf {name}\")).output()\n}\n",
        "tapps:shell-command",
    ),
];

/// Writes a file of each of these languages into a project.
pub(super) fn write_others(project: &Project) {
    OTHERS.iter().for_each(|(path, text, _)| project.write(path, text.as_bytes()));
}

fn gate(project: &Project, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command: Command = program(&settings());
    let output = command.arg("gate").args(arguments).arg("--quiet").current_dir(project.root()).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!said.is_empty() || output.status.code() == Some(0), "{}", stderr(&output));
    (output.status.code(), said)
}

#[test]
fn every_language_is_in_sarif_with_its_place() {
    let project = Project::of(CLEAN);
    write_others(&project);
    let paths = OTHERS.map(|(path, ..)| path);
    let (code, said) = gate(&project, &[&paths[..], &["--format", "sarif"]].concat());
    assert_eq!(code, Some(1));
    let log: Value = serde_json::from_str(&said).unwrap();
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().unwrap();
        if place["region"]["startLine"].as_u64().is_some_and(|line| line > 0) {
            found.entry(file).or_default().insert(result["ruleId"].as_str().unwrap());
        }
    }
    for (path, _, rule) in OTHERS {
        assert!(found.get(path).is_some_and(|rules| rules.contains(rule)), "{path}: {rule}: {found:#?}");
    }
}

#[test]
fn what_stands_in_a_baseline_is_forgiven_in_every_language() {
    let project = Project::of(CLEAN);
    write_others(&project);
    let judged = |baseline: Option<&str>| {
        let baseline = baseline.map(str::to_owned);
        let request = GateRequest { paths: vec!["shop".into()], baseline, ..GateRequest::default() };
        project.gate_by(request).unwrap()
    };
    let new_of = |report: &GateReport| -> BTreeMap<String, usize> {
        report.files.iter().map(|file| (file.file.clone(), file.new_findings)).collect()
    };
    let before = judged(None);
    project.write("baseline.json", Baseline::from_gate_report(&before).to_text().unwrap().as_bytes());
    let after = new_of(&judged(Some("baseline.json")));
    for (path, text, _) in OTHERS {
        assert!(new_of(&before)[path] > 0 && after[path] == 0, "{path}");
        // The same lines once more are new.
        project.write(path, text.repeat(2).as_bytes());
    }
    let doubled = new_of(&judged(Some("baseline.json")));
    for (path, ..) in OTHERS {
        assert!(doubled[path] > 0, "{path}: {doubled:?}");
    }
}
